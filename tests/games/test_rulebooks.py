"""Tests the rulebooks and the rules summaries of tables: nothing that can be chosen is missing."""

import ast
import inspect
import re
from dataclasses import fields
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import pytest

from api.http.problems import KINDS
from domain.core.clock import Clock
from domain.core.options import Odd, Range
from domain.games.catalogue import BUILT_IN
from domain.match.creation import Common, Series
from domain.match.match_parts import SEAT_COMMANDS

ROOT = Path(__file__).parents[2]
GAMES = {game.name: game for game in BUILT_IN}
PAGES = ROOT / "domain" / "games"
COMMON = (ROOT / "docs" / "rules.md").read_text()
SENTENCE = re.compile(r"[^.]+\.(?: |$)")


def page(game):
    return (PAGES / game / "rulebook.md").read_text()


def values(option):
    """Return the values that the type of an option lists, or some examples."""
    if get_origin(option) is Literal:
        return get_args(option)
    if option is bool:
        return False, True
    inner = [part for part in get_args(option) if part is not type(None)]
    return () if get_origin(option) is Annotated or len(inner) != 1 else values(inner[0])


def listed(game):
    """Yield each option of the game, with those of its values that are words."""
    hints = get_type_hints(GAMES[game].setup.options, include_extras=True)
    return {name: [v for v in values(hint) if isinstance(v, str)] for name, hint in hints.items()}


@pytest.mark.parametrize("game", GAMES)
def test_rulebook_names_every_move_and_every_option_with_its_values(game):
    named = set(re.findall(r"`([^`]+)`", page(game)))
    options = listed(game)
    assert named >= set(options) | {value for row in options.values() for value in row}
    assert named >= set(GAMES[game].moves)
    assert named >= set(GAMES[game].setup.presets)


def shared(game):
    """Return the folder in which the game's refusals are decided: its own, or one shared by several games."""
    return Path(inspect.getfile(GAMES[game].refusal)).parent


def codes(game):
    """Return every refusal code in a game's modules that a client may get."""
    sources = (path for folder in {PAGES / game, shared(game)} for path in folder.glob("*.py"))
    literals = {
        node.value
        for path in sources
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
    }
    return literals & (KINDS.keys() | GAMES[game].words.refusals.keys())


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_names_every_refusal(game):
    books = {page(game), (shared(game) / "rulebook.md").read_text(), COMMON}
    named = {code for book in books for code in re.findall(r"`([^`]+)`", book)}
    assert codes(game) > {"wrong_phase"}
    assert codes(game) <= named


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_names_the_defaults_of_the_match(game):
    setup = GAMES[game].setup
    said = f"`series.best_of` is {setup.best_of} and `fairness_reveal` is `{setup.reveal}` unless"
    assert said in " ".join(page(game).split())


def cells(text, option):
    """Return the cells of an option's row: its name, its values, its default …"""
    rows = (line.split("|")[1:] for line in text.splitlines() if line.startswith("| `"))
    of_options = (row for row in rows if len(row) > 4)
    return next([cell.strip() for cell in row] for row in of_options if f"`{option}`" in row[0])


def bounds(hint):
    """Return the bounds of a number option as a table gives them."""
    marks = (mark for part in (hint, *get_args(hint)) for mark in getattr(part, "__metadata__", ()))
    return [f"{mark.low}–{mark.high}" for mark in marks if isinstance(mark, Range | Odd)]


@pytest.mark.parametrize("game", GAMES)
def test_option_table_gives_defaults_and_bounds(game):
    options = GAMES[game].setup.options
    hints = get_type_hints(options, include_extras=True)
    for option in fields(options):
        _, written, default, *_ = cells(page(game), option.name)
        said = {"True": "on", "False": "off", "None": "–"}.get(str(option.default), str(option.default))
        assert default.strip("`") == said, option.name
        assert all(bound in written for bound in bounds(hints[option.name])), (
            option.name,
            hints[option.name],
        )


@pytest.mark.parametrize(("record", "prefix"), [(Common, ""), (Clock, "clock."), (Series, "series.")])
def test_the_common_page_gives_the_values_of_common_options(record, prefix):
    for name, hint in get_type_hints(record, include_extras=True).items():
        written = cells(COMMON, prefix + name)[1]
        assert all(bound in written for bound in bounds(hint)), (name, hint)
        assert all(f"`{value}`" in written for value in values(hint) if isinstance(value, str)), (name, hint)


def test_only_folders_of_games_have_a_rulebook():
    assert {path.parent.name for path in PAGES.glob("*/rulebook.md")} == set(GAMES)


def test_the_common_page_names_the_commands_of_every_match():
    named = set(re.findall(r"`([^`]+)`", COMMON))
    assert named >= set(SEAT_COMMANDS)


def tables(game):
    """Yield the options of possible tables: each listed value, each number of seats."""
    rules = GAMES[game]
    hints = get_type_hints(rules.setup.options, include_extras=True)
    for seats, (name, hint) in product(rules.setup.seats, hints.items()):
        for value in values(hint):
            options = rules.setup.options(**rules.setup.resolve({name: value}, seats))
            if not rules.setup.bad_options(options, seats):
                yield options, seats


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_every_table_are_summarised_in_a_few_sentences(game):
    for options, seats in tables(game):
        sentences = GAMES[game].words.about(options, seats)
        assert "".join(SENTENCE.findall(sentences)) == sentences, sentences
        assert 3 <= len(SENTENCE.findall(sentences)) <= 7, sentences
        assert "None" not in sentences, sentences
        assert len(sentences) < 500, sentences


@pytest.mark.parametrize("game", GAMES)
def test_summary_describes_every_chosen_option(game):
    setup = GAMES[game].setup
    for seats, options, sentences in import_module(f"tests.games.{game}.examples").ABOUT:
        assert sentences in GAMES[game].words.about(setup.options(**setup.resolve(options, seats)), seats)
