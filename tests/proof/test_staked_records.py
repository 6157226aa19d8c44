"""Tests stacks brought to the tables of a tournament, and the records of their matches, in both verifiers."""

from typing import Any

import pytest

from domain.core.clock import Time
from domain.core.staking import LeavingStack, TableStakes
from domain.match.creation import TournamentTable
from domain.match.seating import Sit
from domain.match.stakes import BringStacks
from domain.tournament.round_tables import FinishTable
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import Document, both, drawn_so, tables_of, terms_of, written
from tests.recorded import Recorded
from tests.tournament.evenings import OF, Evening
from tests.tournament.nights import many

__all__ = ["node"]

PLAYERS, STACK = ("ann", "ben", "cem"), 20
STAKES = TableStakes((STACK,) * 3, 0, 0, last_gone=False)
SINCE = Time(1_000_000)
HOLDS, FAILS = (True, False), (False, False)
NIGHTS = {"by hands": {}, "by the clock": {"minutes_per_level": 5}}


def played(stakes: TableStakes, **chosen: Any) -> Document:
    """Return the record of a match that was played with these stacks, at the only table of a tournament."""
    options = {"format": "sng", "seats_per_player": 1, "starting_stack": STACK} | chosen
    coming = [(0, BringStacks(stakes)), *((seat, Sit(player)) for seat, player in enumerate(PLAYERS))]
    table = Recorded("holdem", ("open",) * 3, options, of=TournamentTable(OF, 1, 0, 0), coming=coming)
    table.plays_on()
    return table.record()


def night(match: Document, *, timed: bool) -> Document:
    """Return a tournament of one table that has ended as a match has."""
    plan, terms = many(3, stack=STACK, levels="clock" if timed else None), terms_of(match["match"])
    closes = SINCE if timed else None
    one = drawn_so(PLAYERS, lambda: Evening(plan, terms=terms, closes=closes), lambda t: t.tables[0])
    result, about = match["match"]["result"], match["match"]
    left = next(event["data"]["stacks"] for event in match["events"] if event["type"] == "StacksLeft")
    chips = tuple(LeavingStack(**row) for row in left)
    places = tuple(1 + sum(other < place for other in result["places"]) for place in result["places"])
    one.told(FinishTable(1, 0, 0, about["id"], about["head"], places, tuple(result["wins"]), 1, 0, chips))
    return written(one.events, [match])


@pytest.mark.parametrize("chosen", NIGHTS.values(), ids=NIGHTS)
def test_stacks_at_a_table_must_match_the_tournament(node: str, chosen: dict[str, int]) -> None:
    timed = bool(chosen)
    since = SINCE if timed else None
    right = TableStakes(STAKES.stacks, 0, 0, last_gone=False, timed_from=since)
    others = [
        TableStakes((10, 30, 20), 0, 0, last_gone=False, timed_from=since),
        TableStakes(STAKES.stacks, 0, 0, last_gone=True, timed_from=since),
        TableStakes(STAKES.stacks, 7, 0, last_gone=False, timed_from=since),
    ]
    if timed:
        others.append(TableStakes(STAKES.stacks, 0, 0, last_gone=False, timed_from=Time(SINCE + 60_000)))
    records = [night(played(stakes, **chosen), timed=timed) for stakes in (right, *others)]
    assert [tables_of(report)[:2] for report in both(node, records)] == [HOLDS, *[FAILS] * len(others)]
