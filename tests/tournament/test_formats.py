"""In what the formats of tournaments differ stands in their table, and is asked for nowhere by their names."""

import re
from pathlib import Path

import pytest

from domain.tournament.format import DUEL
from domain.tournament.formats.format_catalogue import FORMATS
from domain.tournament.tournament_plan import TournamentPlan, faults_of

ROOT = Path(__file__).parents[2]
ASKED = re.compile(r"""\bformat["'\]]*\s*(?:==|!=|in|not in)\s*["'(]""")
WHAT_IS_ANNOUNCED = {"tournament_plan.py"}
"""It says what of a plan goes together, each thing in a sentence for who announces it."""


def test_formats_differ_only_by_their_catalogue():
    rooms = [path for room in ("domain/tournament", "events", "api", "workers") for path in (ROOT / room).rglob("*.py")]
    files = [path for path in rooms if path.name not in WHAT_IS_ANNOUNCED]
    assert [path.name for path in files if "tournament" in path.read_text() and ASKED.search(path.read_text())] == []


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_that_is_not_for_two_is_refused_at_tables_of_two(name):
    plan = TournamentPlan(name, 2, 2, fill="short" if FORMATS[name].has_stacks else "bye")
    sentences = " ".join(faults_of(plan))
    assert ("more than two" in sentences) == (FORMATS[name].least_seats > DUEL)
