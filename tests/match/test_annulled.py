"""Tests voiding a match: by whom, when, and what remains (rules 1.10)."""

import pytest

from domain import match as life
from domain.core.clock import Time
from domain.core.game import Refused
from domain.match import Intent
from domain.match.match_results import Annul, Cancel
from domain.match.resignations import Resign
from tests.match.table import Table

ANNUL = Annul("It was arranged.")
NOW = Time(2_000_000)


def given_up() -> Table:
    table = Table("two_handed_hearts", ("me", "bot"))
    table.does(0, Resign(whole_match=True))
    assert table.match.over
    return table


def admits(table: Table, source: str) -> bool:
    try:
        return life.admit(table.match, Intent(source, 0, ANNUL), NOW).cause == "operator"  # type: ignore[arg-type]
    except Refused:
        return False


def test_voided_match_keeps_its_result_but_does_not_count():
    table = given_up()
    result = table.match.result
    assert table.does(0, ANNUL, "operator") == ["MatchAnnulled"]
    assert (table.match.status, table.match.result, table.match.annulled) == ("finished", result, ANNUL.reason)


def test_only_the_operator_can_void_a_match():
    assert [
        source for source in ("seat", "bot", "order", "time", "group", "operator") if admits(given_up(), source)
    ] == ["operator"]


def test_only_a_match_with_a_result_can_be_voided_and_only_once():
    running = Table("two_handed_hearts", ("me", "bot"))
    lobby = Table("two_handed_hearts", ("me", "open"))
    cancelled = Table("two_handed_hearts", ("me", "open"))
    cancelled.does(0, Cancel())
    annulled = given_up()
    annulled.does(0, ANNUL, "operator")
    assert [admits(table, "operator") for table in (running, lobby, cancelled, annulled)] == [False] * 4


def test_operator_can_only_void_a_finished_match():
    for table in (given_up(), Table("two_handed_hearts", ("me", "bot"))):
        with pytest.raises(Refused):
            life.admit(table.match, Intent("operator", 0, Resign()), NOW)
