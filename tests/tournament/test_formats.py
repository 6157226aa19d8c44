"""Tests that the differences between formats are in their table, and that no code checks a format by name."""

import re
from pathlib import Path

import pytest

from domain.tournament.format import DUEL
from domain.tournament.formats.format_catalogue import FORMATS, plan_faults
from domain.tournament.tournament_plan import TournamentPlan

ROOT = Path(__file__).parents[2]
ASKED = re.compile(r"""\bformat["'\]]*\s*(?:==|!=|in|not in)\s*["'(]""")


def test_formats_differ_only_in_their_catalogue_entries():
    rooms = [path for room in ("domain/tournament", "events", "api", "workers") for path in (ROOT / room).rglob("*.py")]
    assert [path.name for path in rooms if "tournament" in path.read_text() and ASKED.search(path.read_text())] == []


@pytest.mark.parametrize("name", FORMATS)
def test_format_for_larger_tables_is_refused_at_tables_of_two(name):
    plan = TournamentPlan(name, 2, 2, fill="short" if FORMATS[name].has_stacks else "bye")
    sentences = " ".join(plan_faults(plan))
    assert ("more than two" in sentences) == (FORMATS[name].least_seats > DUEL)
