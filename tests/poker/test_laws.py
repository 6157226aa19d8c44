"""Tests laws that apply only to poker (rules 2): chips, pots, and the limits of winnings.

Games are played at random, with seats that resign and leave at any time.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.core.game import CHANCE, Game, fold
from domain.core.values import with_fields
from domain.poker import betting, betting_events
from domain.poker.betting_moves import LeaveTable
from domain.poker.betting_table import State, alive, middle
from tests.laws.entry import Entry
from tests.laws.games import LAWS
from tests.laws.play import chance
from tests.poker.games import POKER

AnyGame = Game[Any, State, Any, Any]
ENTRIES = {f"{entry.game.name} for {entry.seats}": entry for entry in POKER}


def wild(entry: Entry, rng: Random) -> Iterator[tuple[State, Any, State]]:
    """Play a game with random options, event by event: yield the state before, the event, and the state after."""
    state = entry.game.start(LAWS[entry.game.name].drawn_options(rng), entry.seats, None)
    if rng.random() < 0.5:
        uneven = tuple(rng.choice((1, 2, 3, 7, 40, stack)) for stack in state.stacks)
        state.round = with_fields(state.round, stacks=uneven)
        state.before = uneven
    policies = [rng.choice(list(entry.policies.values())) for _ in range(entry.seats)]
    hands = 0
    while hands < 6 and (actors := entry.game.to_act(state)):
        happening = did(entry, state, rng, actors[0], policies)
        while happening:
            for event in happening:
                after = fold(entry.game, state, [event])
                yield state, event, after
                state, hands = after, hands + isinstance(event, betting_events.HandSettled)
            happening = entry.game.consequences(state)


def did(entry: Entry, state: State, rng: Random, seat: int, policies: Any) -> tuple[Any, ...]:
    """Return the events of a random action of a seat: a move, a resignation or leaving."""
    game = entry.game
    if seat == CHANCE and state.phase in ("hand_setup", "settled") and rng.random() < 0.95:
        return game.decide(state, CHANCE, chance(entry, state, rng))
    quitter = rng.randrange(entry.seats)
    if rng.random() < 0.03 and seat != CHANCE and game.leaving.resign is not None:
        return game.leaving.resign(state, quitter) or did(entry, state, rng, seat, policies)
    if rng.random() < 0.1 and any(c.make is LeaveTable for c in game.legal(state, quitter)):
        return game.decide(state, quitter, LeaveTable())
    if seat == CHANCE:
        return game.decide(state, CHANCE, chance(entry, state, rng))
    return game.decide(state, seat, policies[seat](state, seat, rng))


def wildly(test: Any) -> Any:
    """Check this at tables of every size of both games."""

    def tried(name: str, seed: int) -> None:
        entry = ENTRIES[name]
        for i in range(4):
            test(wild(entry, Random(f"{seed} {i}")))

    tried.__name__ = test.__name__
    given_seed = given(seed=st.integers(0, 2**32))(tried)
    return pytest.mark.parametrize("name", ENTRIES)(settings(max_examples=8)(given_seed))


@wildly
def test_chips_are_conserved_at_every_event(game):
    gone, total = 0, None
    for before, event, after in game:
        total = sum(before.stacks) if total is None else total
        if isinstance(event, betting_events.PlayerEliminated):
            gone += event.chips
        if isinstance(event, betting_events.RebuyMade):
            total += event.stack
        if isinstance(event, betting_events.StacksReset):
            total += sum(after.stacks) - sum(before.stacks)
            assert sum(after.ledger) - sum(before.ledger) == sum(before.stacks) - sum(after.stacks)
        assert sum(after.stacks) + middle(after) + gone == total
        assert all(stack >= 0 for stack in after.stacks)


@wildly
def test_net_results_add_up_to_zero(game):
    first = None
    for before, event, _ in game:
        first = first or before
        if isinstance(event, betting_events.GameEnded) and not before.rules.tournament:
            uneven = sum(first.stacks) - len(first.stacks) * first.rules.stack
            assert sum(event.totals) == uneven


@wildly
def test_every_pot_has_chips_and_a_possible_winner(game):
    for before, event, _ in game:
        if isinstance(event, betting_events.PotsFormed):
            assert sum(pot.amount for pot in event.pots) == middle(before)
            for pot in event.pots:
                assert pot.amount > 0
                assert pot.eligible
                assert set(pot.eligible) <= set(betting.seats_in_hand(before.round))
        if isinstance(event, betting_events.PotAwarded):
            pot = before.pots[event.pot]
            assert sum(share.amount for share in event.winners) == event.amount == pot.amount
            assert {share.seat for share in event.winners} <= set(pot.eligible)


@wildly
def test_no_seat_wins_more_from_another_than_its_own_contribution(game):
    """Dead antes are excluded, and so is what folded seats contributed beyond all who stayed."""
    paid, live, dead, won = (), (), 0, {}
    for before, event, _ in game:
        if isinstance(event, betting_events.PotAwarded):
            if not won:
                paid, live, dead = before.paid, before.round.live, before.dead
            for share in event.winners:
                won[share.seat] = won.get(share.seat, 0) + share.amount
        if isinstance(event, betting_events.HandSettled):
            top = max(paid[seat] for seat, here in enumerate(live) if here)
            above = sum(max(0, mine - top) for mine in paid)
            for seat, amount in won.items():
                assert amount <= sum(min(mine, paid[seat]) for mine in paid) + dead + above
            won = {}


@wildly
def test_hand_lasts_exactly_as_long_as_a_seat_can_act(game):
    """The seat that is asked can act: it is in the hand, and has chips to bet or cards to draw."""
    for _, _, after in game:
        if after.open and after.round.turn != betting.NOBODY:
            seat = after.round.turn
            assert after.round.live[seat]
            assert after.stacks[seat] > 0
            assert sum(after.round.live) > 1


@wildly
def test_every_hand_is_settled_before_the_next_begins(game):
    on = False
    for _, event, _ in game:
        if isinstance(event, betting_events.HandStarted | betting_events.GameEnded):
            assert not on
        if isinstance(event, betting_events.HandStarted | betting_events.HandSettled):
            on = isinstance(event, betting_events.HandStarted)


@wildly
def test_shown_hand_values_are_right(game):
    """No folded seat shows, and a hand that need not be shown is in no event."""
    for before, event, _ in game:
        if isinstance(event, betting_events.HandShown | betting_events.HandMucked):
            assert before.round.live[event.seat]
            assert sum(before.round.live) > 1
        if isinstance(event, betting_events.HandShown):
            assert set(event.cards) == set(before.hands[event.seat])


@wildly
def test_tournament_ends_when_one_seat_has_all_chips(game):
    for before, event, after in game:
        if isinstance(event, betting_events.GameEnded) and before.rules.tournament:
            assert alive(before) == list(event.winners)
            assert min(event.ranking) == 1
            assert [seat for seat, chips in enumerate(event.totals) if chips] == list(event.winners)
            assert all(place or seat in event.winners for seat, place in enumerate(after.places))
