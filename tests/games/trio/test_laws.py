"""Tests laws that apply only to Trio (rules 2; trio 5, 8)."""

from dataclasses import replace

from domain.core.game import CHANCE, fold
from domain.core.visibility import view_event
from domain.games.trio.table import CardRevealed, GameEnded, RevealsReturned, TrioCompleted
from tests.laws.test_laws import law


@law(of="trio")
def test_a_turn_has_one_to_three_reveals(entry, game, rng):
    reveals = 0
    for step in game:
        for event in step.events:
            if isinstance(event, CardRevealed):
                reveals += 1
                assert event.nth == reveals <= 3
            elif isinstance(event, RevealsReturned | TrioCompleted):
                assert reveals == len(event.sources)
                reveals = 0


@law(of="trio")
def test_smallest_number_left_can_always_be_completed(entry, game, rng):
    """Its cards are in the middle or at the low ends of hands."""
    for step in game:
        s = step.state
        if step.seat != CHANCE and s.phase == "revealing" and not s.face_up:
            smallest = min(set(range(1, 13)) - {trio.number for trio in s.trios})
            in_hands = sum(hand.count(smallest) for hand in s.hands if hand and hand[0] == smallest)
            assert in_hands + s.middle.count(smallest) == 3


@law(of="trio")
def test_game_is_drawn_only_by_its_last_turn(entry, game, rng):
    for step in game:
        for event in step.events:
            if isinstance(event, GameEnded):
                assert bool(event.winners) != (event.by == "max_turns")


@law(examples=1, of="trio")
def test_table_from_memory_equals_table_from_events(entry, game, rng):
    """A late reader still sees every card that is face up, and no reader's table keeps a number longer."""
    first, told_events = None, []
    for step in game:
        first = first or step.state
        told_events += step.events
        if rng.random() < 0.8:  # reading everything at every step would take long
            continue
        for reader in (None, *range(entry.seats)):
            shown = [view_event(event, reader) for event in told_events]
            served = [
                event
                if entry.game.memory.remembered(step.after, reader, event)
                else replace(view_event(event, reader), number=None)
                for event in shown
            ]
            assert fold(entry.game, first, served) == fold(entry.game, first, shown)


@law(examples=1, of="trio")
def test_table_shows_only_face_up_cards(entry, game, rng):
    """All other hands and the middle are face down."""
    for step in game:
        for seat, own in enumerate(step.own):
            hidden = [c for i, hand in enumerate(own.hands) if i != seat for c in hand]
            assert not [c for c in hidden + list(own.middle) if c is not None and c > 0]
