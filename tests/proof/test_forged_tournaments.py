"""Both verifiers judge the matches of a tournament by the rules, and reach the same verdict on every forged one.

A server with all keys forges them. It changes one thing in a match or in an event of the tournament, and then seals
and links everything again. The tournament cites the forged match with its head and its result.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from domain.core.clock import Clock
from domain.core.game import Refused
from domain.core.staking import TableStakes
from domain.match.creation import TournamentTable
from domain.match.draws import AcceptDraw, OfferDraw
from domain.match.resignations import Resign
from domain.match.seating import Sit
from events.proof.record import Unreadable, read_record
from tests.draws import draws
from tests.proof.forger import forged, forgeries
from tests.proof.test_prepared_records import ended, weekend
from tests.proof.test_prepared_records import finished as prepared
from tests.proof.test_second_verifier import node
from tests.proof.test_staked_records import night, played
from tests.proof.test_tournament_records import Document, both, finished, finished_by, linked
from tests.recorded import Recorded
from tests.tampered import changed, places
from tests.tournament.evenings import OF

__all__ = ["node"]

LIES = 60
"""The forgeries of a short run."""
MANY = 400
"""The forgeries of a long run."""
FIRST = TournamentTable(OF, 1, 0, 0)


class Told(NamedTuple):
    """A lie: the story, the place in its match or its events, and the record of the tournament with it."""

    story: str
    where: str
    record: Document


def resigned(game: str, clock: Clock, seats: int = 2, **chosen: Any) -> Document:
    """Return a match of a series with a draw, if two play, and a seat that resigns."""
    players = ("ben", "cem")[: seats - 1]
    table = Recorded(game, ("me", *("open",) * len(players)), chosen, clock, best_of=3, of=FIRST, seed=5)
    for seat, player in enumerate(players, 1):
        table.does(seat, Sit(player))
    if seats == 2:
        table.does(0, OfferDraw())
        table.does(1, AcceptDraw())
    table.plays_on(until=lambda m: len(table.said) > 60)
    table.does(0, Resign(whole_match=True))
    table.plays_on()
    return table.record()


def staked() -> Document:
    """Return the match of the last table of a tournament of many tables, as its first round."""
    return played(TableStakes((20,) * 3, 0, 0, last_gone=False))


MATCHES: dict[str, tuple[Callable[[], Document], Callable[[Document], Document]]] = {
    "promised nonces": (finished, finished_by),
    "a clock and takebacks": (
        lambda: resigned("crazy_eights", Clock(kind="fischer", bank_seconds=60, increment_seconds=5), take_backs=True),
        finished_by,
    ),
    "poker with pauses": (lambda: resigned("holdem", Clock(), pause_between_hands=True), finished_by),
    "cards with texts": (lambda: resigned("fivewells", Clock(60)), finished_by),
    "stacks of many tables": (staked, lambda match: night(match, timed=False)),
    "a pod": (prepared, lambda match: ended(match, weekend(match))),
}
"""For each story, the match of a tournament, and the function that writes the record of a tournament with it."""


@cache
def honest(story: str) -> tuple[Document, Document]:
    make, of = MATCHES[story]
    match = make()
    return match, of(match)


def in_matches(number: int, rng: Random) -> Iterator[Told]:
    """Yield forged matches. One is left out if no tournament can cite it."""
    lies = {story: list(forgeries(honest(story)[0])) for story in MATCHES}
    made = 0
    while made < number:
        story = rng.choice(list(MATCHES))
        lie = forged(honest(story)[0], rng.choice(lies[story]))
        if lie and (record := cited(story, lie.record)):
            made += 1
            yield Told(story, f"{lie.how} {lie.type} {lie.path}", record)


def cited(story: str, match: Document) -> Document | None:
    """Return a tournament whose table was played as a forged match says; None if there is no such tournament."""
    try:
        record = MATCHES[story][1](match)
        read_record(json.dumps(match).encode())
    except (Refused, Unreadable, KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError):
        return None
    return record


def in_events(number: int, rng: Random) -> Iterator[Told]:
    """Yield tournaments with a forged event, whose matches are honest."""
    for _ in range(number):
        story = rng.choice(list(MATCHES))
        record = honest(story)[1]
        path, how = rng.choice([one for one in places(record["events"], ("events",)) if one[0][2:3] == ("data",)])
        yield Told(story, f"{how} {path}", linked(changed(record, path, how)))


def test_both_verifiers_verify_tournaments_with_their_matches(node: str) -> None:
    assert [report[0] for report in both(node, [honest(story)[1] for story in MATCHES])] == ["verified"] * len(MATCHES)


def agree(node: str, told: list[Told]) -> list[str]:
    verdicts = [report if report == "unreadable" else report[0] for report in both(node, [lie.record for lie in told])]
    assert verdicts.count("failed") > len(told) * 3 / 4
    return verdicts


def test_both_verifiers_agree_on_forged_matches_and_events_of_tournaments(node: str) -> None:
    rng = Random("lies")
    agree(node, [*in_matches(draws(LIES * 2 / 3), rng), *in_events(draws(LIES / 3), rng)])


@pytest.mark.long
def test_both_verifiers_agree_on_many_forgeries_in_tournaments(node: str) -> None:
    rng = Random("many lies")
    agree(node, [*in_matches(draws(MANY * 2 / 3), rng), *in_events(draws(MANY / 3), rng)])
