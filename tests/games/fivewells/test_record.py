"""Tests that a record shows only what its reader may know, and that the bots beat random play."""

import json
from collections import Counter
from random import Random

import pytest

from api.game_checks.play_checks import WrittenEvent
from domain.core.choices import argument
from domain.core.dealing import Dealing, WrongDeal
from domain.core.game import CHANCE, play_move
from domain.core.scene import TURN, as_json, from_json
from domain.core.visibility import view_event
from domain.games.fivewells import GAME, Options
from domain.games.fivewells.bot import choose
from domain.games.fivewells.options import NAMES
from domain.games.fivewells.records import BACK
from domain.games.fivewells.turn_events import CardsNumbered, DeckSubmitted, LibraryShuffled
from tests.games.fivewells.table import Duel
from tests.games.fivewells.test_random_duels import moments

READERS = (0, 1, None)


@pytest.mark.parametrize("seed", range(2))
def test_every_event_has_a_complete_line_for_every_reader(seed):
    for moment in moments(Random(seed)):
        for event in moment.events:
            for reader in READERS:
                line = GAME.words.text(view_event(event, reader))
                assert line.endswith(".")
                assert not any(hole in line for hole in ("None", "{", "??", "fw1-", "bt1-"))


@pytest.mark.parametrize("seed", range(2))
def test_reader_sees_its_own_hand_and_public_cards(seed):
    for moment in moments(Random(seed)):
        for reader, own in moment.own.items():
            table = GAME.view(own, reader)
            assert json.loads(json.dumps(table)) == table
            held = [] if reader is None else own.hands[reader]
            assert [card["object"] for card in table["held"]] == [f"o{card}" for card in held]
            assert table["hand_counts"] == [len(hand) for hand in moment.state.hands]
            scene = GAME.scene(own, reader)
            assert from_json(as_json(scene)) == scene
            assert [one.seat for one in scene.seats if TURN in one.badges] == [
                seat for seat in (0, 1) if seat in GAME.to_act(own)
            ]
            assert sum(zone.count for zone in scene.zones) == whereabouts(own)


def whereabouts(s):
    piles = (*s.hands, *s.libraries, *s.graveyards, s.permanents, s.stack)
    return sum(map(len, piles))


@pytest.mark.parametrize("seed", range(2))
def test_unseen_cards_are_face_down(seed):
    """A seat knows the cards of the opponent's hand that became visible, and no library card by chance."""
    for moment in moments(Random(seed)):
        for seat in (0, 1):
            known = Counter(moment.own[seat].hands[1 - seat]) - Counter([BACK] * 99)
            assert set(known) <= set(moment.state.hands[1 - seat])
        assert set(moment.own[None].libraries[0]) <= {BACK, *range(1, 41)}
        if moment.state.turn:
            assert set(moment.own[None].libraries[0]) <= {BACK}


def test_verification_finds_a_deal_that_does_not_follow_from_the_seed():
    rng, asked = Random(5), {}
    state, wrong = GAME.start(Options(), 2, None), 0
    dealing = Dealing(2, {}, lambda ask, link: asked.get((ask.purpose, ask.n)), known=GAME.deal.fresh())
    while GAME.to_act(state) == (CHANCE,):
        ask = GAME.ask(state)
        move = ask.sample(rng)
        asked[ask.purpose, ask.n] = stored(argument(move), ask)
        state, events = play_move(GAME, state, CHANCE, move)
        for event in events:
            if isinstance(event, DeckSubmitted):
                submitted = {"deck": {str(event.seat): {"main": event.deck.main}}}
                GAME.deal.sees[DeckSubmitted](dealing, WrittenEvent({"seat": event.seat}, submitted))
            if isinstance(event, CardsNumbered | LibraryShuffled):
                check = GAME.deal.sees[type(event)]
                check(dealing, recorded(event))
                with pytest.raises(WrongDeal):
                    check(dealing, recorded(event, swap=True))
                wrong += 1
    assert wrong == 4


def stored(answer, ask):
    return [f"o{card}" for card in answer] if ask.purpose.startswith("library") else answer


def recorded(event, *, swap=False):
    """Return an event as in a record, with two different cards exchanged."""
    if isinstance(event, CardsNumbered):
        name, row = "cards", list(event.cards)
    else:
        name, row = "library", [f"o{card}" for card in event.library]
    if swap:
        other = next(i for i, card in enumerate(row) if card != row[0])
        row[0], row[other] = row[other], row[0]
    return WrittenEvent({"seat": event.seat}, {name: {"table": row}})


# --- Bots -------------------------------------------------------------------------------------------


def duel(seed, levels):
    """Play a duel of equal decks; return the seat that wins."""
    rng, deck = Random(seed), NAMES[seed % len(NAMES)]
    state = GAME.start(Options(first_deck=deck, second_deck=deck), 2, None)
    while actors := GAME.to_act(state):
        move = GAME.ask(state).sample(rng) if actors == (CHANCE,) else None
        move = move or choose(levels[actors[0]], state, actors[0], (), rng)
        state, _ = play_move(GAME, state, actors[0], move)
    return GAME.outcome(state).winners


@pytest.mark.parametrize(("level", "least"), [("easy", 15), ("steady", 19)])
def test_steady_bot_beats_random_play(level, least):
    """Each deck is played from both seats, with fixed seeds. Of 400 such duels, steady won 397."""
    won = sum(duel(seed, [level, "random"]) == (0,) for seed in range(10))
    assert won + sum(duel(seed, ["random", level]) == (1,) for seed in range(10)) >= least


def test_bot_aims_harmful_effects_at_the_opponent():
    table = Duel(hands=(["Kindle Dart"], []), board=(["Bramble Boar"], ["Fen Biter"]), lands=("F", ""))
    move = choose("steady", table.state, 0, (), Random(1))
    assert move.targets.a == (table.of("Fen Biter"),)


def test_easy_bot_attacks_with_everything_or_nothing():
    def attackers(mine, theirs):
        table = Duel(board=(["Bramble Boar"] * mine, ["Fen Biter"] * theirs), step="attack", priority=-1)
        return len(choose("easy", table.state, 0, (), Random(1)).attackers)

    assert (attackers(3, 2), attackers(2, 2)) == (3, 0)


def test_easy_bot_casts_only_in_its_own_main_steps():
    hands, board = (["Kindle Dart"], []), ((), ["Fen Biter"])
    for step, cast in (("main1", True), ("end", False)):
        table = Duel(hands=hands, board=board, lands=("F", ""), step=step)
        moves = [choose(level, table.state, 0, (), Random(1)) for level in ("easy", "steady")]
        assert [hasattr(move, "card") for move in moves] == [cast, True]
