"""No game is named outside its own folder, but in the row of the catalogue."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN

ROOT = Path(__file__).parents[1]
NAMES = [game.name for game in BUILT_IN]
ROOMS = ("domain", "events", "api", "workers")
GAMES = ROOT / "domain/games"
CATALOGUE = GAMES / "catalogue.py"
WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|\.")
SUITS = {"clubs", "diamonds", "hearts", "spades"}


def sources(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def parts(path: Path) -> list[ast.AST]:
    """All nodes of a file but examples for readers, and rows that name the four suits."""
    found: list[ast.AST] = []
    ahead: list[ast.AST] = [ast.parse(path.read_text())]
    while ahead:
        node = ahead.pop()
        example = isinstance(node, ast.keyword) and node.arg in ("example", "examples")
        suits = isinstance(node, ast.Tuple) and {getattr(one, "value", None) for one in node.elts} == SUITS
        if not example and not suits:
            found.append(node)
            ahead += ast.iter_child_nodes(node)
    return found


@cache
def identifiers(path: Path) -> list[tuple[int, str]]:
    """Where identifiers stand in a file, as small words: `_holdem_options_` for `HoldemOptions`.

    `HEARTS` is the suit.
    """
    found = []
    for node in parts(path):
        row = [getattr(node, field, None) for field in ("id", "attr", "name", "arg", "asname", "module")]
        said = [one for one in row if isinstance(one, str) and one != "HEARTS"]
        found += [(getattr(node, "lineno", 0), f"_{WORD.sub(r'_', one).lower()}_") for one in said]
    return found


@cache
def texts(path: Path) -> list[tuple[int, str]]:
    """The strings of a file."""
    strings = (node for node in parts(path) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [(node.lineno, str(node.value)) for node in strings]


def said(path: Path, game: str) -> Iterator[str]:
    """Where a file names a game: a string that is its name or leads into its folder, an import, an identifier.

    In the folder of another game an identifier means something else, as a suit, and imports are held by a contract.
    """
    within = GAMES in path.parents and path.parent != GAMES
    named = [at for at, text in texts(path) if text == game or f"games.{game}" in text or f"games/{game}" in text]
    named += [at for at, words in identifiers(path) if f"_{game}_" in words and not within]
    return (f"{path.relative_to(ROOT)}:{at}" for at in named)


@pytest.mark.parametrize("game", NAMES)
def test_no_games_name_stands_outside_its_folder(game):
    """In the product there is no exception but the catalogue; prose and examples for readers are not code.

    A test may play a game as its example. It must not need a line for a new game, so it lists none: no literal of a
    test names them all (`test_no_test_lists_the_games`), and what is true of all goes through the catalogue.
    """
    elsewhere = [p for p in sources(*ROOMS) if GAMES / game not in p.parents and p != CATALOGUE]
    assert [place for path in elsewhere for place in said(path, game)] == []


def test_no_test_lists_the_games():
    own = {ROOT / "tests/games" / game for game in NAMES}
    found = []
    for path in sources("tests"):
        if own.isdisjoint(path.parents):
            found += [f"{path.relative_to(ROOT)}:{node.lineno}" for node in lists(ast.parse(path.read_text()))]
    assert found == []


def lists(tree: ast.AST) -> Iterator[ast.expr]:
    """The literals that name all games."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            named = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} & set(NAMES)
            if len(named) == len(NAMES):
                yield node
