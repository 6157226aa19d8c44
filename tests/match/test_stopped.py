"""Tests stopping a running match: by whom, when, and how it ends (rules 1.10.7)."""

from domain import match as life
from domain.core.clock import Time
from domain.core.game import Refused
from domain.match import Intent
from domain.match.creation import TournamentTable
from domain.match.match_results import MatchEnded, Stop
from tests.match.table import Table

STOP = Stop("Its name is offensive.")


def admits(table: Table, source: str) -> bool:
    try:
        admitted = life.admit(table.match, Intent(source, 0, STOP), Time(2_000_000))  # type: ignore[arg-type]
    except Refused:
        return False
    return admitted.cause == "operator"


def test_stopped_match_ends_without_a_result_and_discloses_its_deals():
    table = Table("two_handed_hearts", ("me", "bot"))
    said = table.does(0, STOP, "operator")
    assert said[0] == "MatchStopped"
    assert "SeedRevealed" in said
    assert table.events[-1] == MatchEnded(None, "stopped")
    assert (table.match.status, table.match.result) == ("stopped", None)
    assert life.to_act(table.match) == ()


def test_only_the_operator_can_stop_a_match():
    table = Table("two_handed_hearts", ("me", "bot"))
    sources = ("seat", "bot", "order", "time", "group", "operator")
    assert [source for source in sources if admits(table, source)] == ["operator"]


def test_only_a_running_match_can_be_stopped_and_only_once():
    lobby, stopped = Table("two_handed_hearts", ("me", "open")), Table("two_handed_hearts", ("me", "bot"))
    stopped.does(0, STOP, "operator")
    assert [admits(table, "operator") for table in (lobby, stopped)] == [False, False]


def test_table_of_a_tournament_cannot_be_stopped():
    table = Table("two_handed_hearts", ("me", "bot"), of=TournamentTable("t-1", 1, 0, 0))
    assert not admits(table, "operator")
