"""Tests pods of a tournament, and the records of their matches, in both verifiers."""

import pytest

from domain.match.creation import TournamentTable
from domain.match.group import OpenDeals
from domain.match.match_results import Cancel
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.tournament.pods import FinishPod, RepeatPod
from domain.tournament.tournament_plan import Preparation
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import Document, both, drawn_so, tables_of, terms_of, written
from tests.recorded import TWO, Recorded
from tests.tampered import without_option
from tests.tournament.evenings import OF, Evening
from tests.tournament.prepared import DRAFT, SWISS, preparation

__all__ = ["node"]

SEALED = preparation().terms.options
POD = TournamentTable(OF, 0, 0, 0)
HOLDS, FAILS = (True, False), (False, False)


def pod(of: TournamentTable = POD) -> Recorded:
    """Return a pod of two in which packs are waiting to be kept."""
    table = Recorded(DRAFT, TWO, SEALED, of=of)
    table.does(1, Sit("ben"))
    return table


def finished(of: TournamentTable = POD, giving_up: tuple[int, ...] = ()) -> Document:
    """Return the record of a pod in which all have built decks, and whose tournament is over."""
    table = pod(of)
    for seat in giving_up:
        table.does(seat, Resign(whole_match=True))
    table.plays_on()
    table.does(0, OpenDeals(), "auto")
    return table.record()


def weekend(match: Document, players: tuple[str, ...] = ("ann", "ben"), fewest: int = 2) -> Evening:
    """Return a tournament whose only pod has these players in this order, and plays the game of a match."""
    prepares = Preparation(terms_of(match["match"]), 3, fewest)
    return drawn_so(players, lambda: Evening(SWISS, preparation=prepares), lambda t: t.pods[0])


def ended(match: Document, one: Evening, head: str | None = None, without: tuple[int, ...] = ()) -> Document:
    about = match["match"]
    one.told(FinishPod(0, 0, about["id"], head or about["head"], without))
    return written(one.events, [match])


@pytest.mark.long
def test_pod_match_must_have_its_players_game_and_missing_decks(node: str) -> None:
    match = finished()
    there = weekend(match).state.pods[0]
    records = [
        ended(match, weekend(match)),
        ended(match, weekend(match), match["events"][5]["digest"]),
        ended(match, weekend(match), "00" * 32),
        ended(match, weekend(match), without=there[:1]),
        ended(match, weekend(match, ("ben", "ann"))),
        ended(match, weekend(match, ("ann", "zoe"))),
        ended(match, weekend(match, fewest=3)),
        ended(finished(TournamentTable(OF, 0, 0, 1)), weekend(match)),
        ended(finished(TournamentTable(OF, 1, 0, 0)), weekend(match)),
    ]
    assert [tables_of(report)[:2] for report in both(node, records)] == [HOLDS, HOLDS] + [FAILS] * 7


@pytest.mark.parametrize("giving_up", [(0,), (0, 1)])
def test_resigned_entrant_has_the_automatic_deck_or_none(node: str, giving_up: tuple[int, ...]) -> None:
    match = finished(giving_up=giving_up)
    built = {event["data"]["seat"] for event in match["events"] if event["type"] == "DeckSubmitted"}
    there = weekend(match).state.pods[0]
    without = tuple(one for seat, one in enumerate(there) if seat not in built)
    records = [ended(match, weekend(match), without=those) for those in {without, (), there[:1], there}]
    held = [tables_of(report)[:2] == HOLDS for report in both(node, records)]
    assert held.count(True) == 1


def test_a_pod_whose_decks_are_sealed_cannot_be_verified_yet(node: str) -> None:
    table = pod()
    table.plays_on(until=lambda m: len(table.said) > 20)
    match = table.record()
    there = weekend(match).state.pods[0]
    for report in both(node, [ended(match, weekend(match), without=those) for those in ((), there)]):
        assert tables_of(report)[:2] == (True, True)


def test_replayed_pod_names_its_no_shows(node: str) -> None:
    table = Recorded(DRAFT, TWO, SEALED, of=POD)
    table.does(0, Cancel())
    match = table.record()
    records = []
    for seats in ((1,), (0,)):
        one = weekend(match)
        absent = tuple(one.state.pods[0][seat] for seat in seats)
        one.told(RepeatPod(0, 0, match["match"]["id"], match["match"]["head"], absent))
        records.append(written(one.events, [match]))
    assert [tables_of(report)[:2] for report in both(node, records)] == [HOLDS, FAILS]


def test_pod_that_ended_before_its_start_has_no_decks(node: str) -> None:
    table = Recorded(DRAFT, TWO, SEALED, of=POD)
    table.does(0, Cancel())
    match = table.record()
    there = weekend(match).state.pods[0]
    records = [ended(match, weekend(match), without=those) for those in (there, there[:1])]
    assert [tables_of(report)[:2] for report in both(node, records)] == [HOLDS, FAILS]


def test_pod_match_without_an_option_is_unverifiable(node: str) -> None:
    match = without_option(finished(), "passing")
    (report,) = both(node, [ended(match, weekend(match))])
    assert (report[0], *tables_of(report)[:2]) == ("unverifiable", True, True)
