"""Tests that the verifier in TypeScript verifies honest matches of rare courses, each played on purpose."""

from collections.abc import Callable
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.collectible import Deck
from domain.games.fivewells.bot import answering, choose
from domain.games.fivewells.moves import PassPriority
from domain.match.creation import DealGroup
from domain.match.group import OpenDeals, ShareDeals
from domain.match.resignations import Resign
from domain.match.seating import Sit
from tests.proof.forger import relinked_wholly
from tests.proof.test_lies import held
from tests.proof.test_second_verifier import node, reports
from tests.recorded import NONCES, TWO, Recorded
from tests.tampered import verified

__all__ = ["node"]


def shared_with_seat() -> Recorded:
    """Return a table of a duplicate group whose last player took a seat with a nonce."""
    table = Recorded("gin_rummy", TWO, {}, group=DealGroup("g-1", 0, 2))
    table.does(1, Sit("ben", nonce=NONCES[1]))
    table.does(0, ShareDeals((("", NONCES[1]), ("", ""))), "auto")
    table.does(0, Resign(whole_match=True))
    table.does(0, OpenDeals(), "auto")
    return table


def resigned_game(game: str) -> Callable[[], Recorded]:
    def played() -> Recorded:
        table = Recorded(game, TWO, {}, best_of=3)
        table.does(1, Sit("ben"))
        table.plays_on(until=lambda m: len(table.said) > 30)
        table.does(0, Resign())
        table.plays_on(until=lambda m: len(table.said) > 60)
        table.does(1, Resign(whole_match=True))
        return table

    return played


def paused_series() -> Recorded:
    """Return a series of hold'em in which players who were out of a game continue once the next has begun."""
    chosen = {"format": "sng", "starting_stack": 20, "pause_between_hands": True}
    table = Recorded("holdem", ("me", "open", "open", "open"), chosen, Clock(60), best_of=3, seed=3)
    for seat, player in enumerate(("ben", "cem", "dan"), 1):
        table.does(seat, Sit(player))
    table.plays_on(until=lambda m: m.hand_open and table.kinds().count("GameStarted") == 2)
    for seat in range(3):
        table.does(seat, Resign(whole_match=True))
    table.plays_on()
    return table


def of_duel(chosen: dict[str, Any], seed: int, deck: Deck | None = None) -> Callable[[], Recorded]:
    """Return a duel of players who rarely pass, up to its first 250 events."""

    def played() -> Recorded:
        rng = Random(seed)
        table = Recorded("fivewells", TWO, {"max_turns": 40, **chosen}, seed=seed)
        table.does(0, Sit("ann", entry=deck))
        table.does(1, Sit("ben", entry=deck))
        while not table.match.over and len(table.said) < 250:
            seat = life.to_act(table.match)[0]
            table.does(seat, acted(table.match.table, seat, rng))
        if not table.match.over:
            table.does(0, Resign(whole_match=True))
        return table

    return played


def acted(state: Any, seat: int, rng: Random) -> Any:
    """Return a bot's move, or more often one that is not a pass."""
    choices = answering(state, seat)
    acts = [one for one in choices if one.make is not PassPriority] or choices
    return choose("easy", state, seat, (), rng) if rng.random() < 0.5 else rng.choice(acts).sample(rng)


LANDS = ["fw1-002", "fw1-003"] * 14
BLOCKING = [*LANDS, *["bt1-001", "bt1-002", "bt1-009", "bt1-010", "bt1-011", "bt1-012", "bt1-013", "bt1-014"] * 4]
"""A deck with creatures that trigger when they block, and that choose a target when they enter."""

COURSES: dict[str, Callable[[], Recorded]] = {
    "the last seat of a group brings a nonce": shared_with_seat,
    "a seat resigns one game of five-card draw": resigned_game("five_card_draw"),
    "a seat resigns one game of hold'em": resigned_game("holdem"),
    "players who were out continue in the next game": paused_series,
    "an ability triggers at a block, and a target is chosen": of_duel(
        {"format": "constructed"}, 1, Deck(tuple(sorted(BLOCKING)))
    ),
    "a permanent is sacrificed by choice, and an attack triggers": of_duel({"sets": ("bt1",)}, 5),
}


def doubts(report: Any) -> list[Any]:
    return [check for check in report["checks"] if check["skipped"] or not check["ok"]]


@pytest.mark.parametrize("name", COURSES)
def test_second_verifier_verifies_every_course_of_a_match(node: str, name: str) -> None:
    made = COURSES[name]().record()
    (report,) = reports(node, [held(made)])
    assert (verified(made).verdict, doubts(report)) == ("verified", [])


def rules_of(report: Any) -> tuple[bool, int | None]:
    check = next(check for check in report["checks"] if check["name"] == "rules")
    return check["ok"], check["seq"]


WRONG_DECKS: dict[str, Callable[[list[str]], list[str]]] = {
    "a card too few": lambda cards: cards[1:],
    "a fifth copy": lambda cards: sorted([*cards, "bt1-001"]),
    "an unknown card": lambda cards: [*cards, "zz"],
}


def rules_with_deck(node: str, change: Callable[[list[str]], list[str]]) -> list[tuple[bool, int | None]]:
    """Return what both verifiers find by the rules if a deck was brought with other cards."""
    made = COURSES["an ability triggers at a block, and a target is chosen"]().record()
    brought = next(event for event in made["events"] if event["type"] == "DeckBrought")
    deck = next(iter(brought["disclosed"]["deck"].values()))
    deck["main"] = change(deck["main"])
    twin = relinked_wholly(made)
    (theirs,) = reports(node, [held(twin)])
    return [rules_of(asdict(verified(twin))), rules_of(theirs)]


@pytest.mark.parametrize("wrong", WRONG_DECKS)
def test_both_verifiers_find_a_deck_that_cannot_be_brought(node: str, wrong: str) -> None:
    assert rules_with_deck(node, WRONG_DECKS[wrong]) == [(False, 4)] * 2


def test_both_verifiers_accept_a_deck_in_any_order(node: str) -> None:
    assert rules_with_deck(node, lambda cards: cards[::-1]) == [(True, None)] * 2
