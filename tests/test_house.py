"""No game is named outside its own folder, but in the row of the catalogue; and one name means one thing."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN
from domain.poker.ranking import CATEGORIES

ROOT = Path(__file__).parents[1]
NAMES = [game.name for game in BUILT_IN]
ROOMS = ("domain", "events", "api", "workers")
GAMES = ROOT / "domain/games"
CATALOGUE = GAMES / "catalogue.py"
BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
"""A word ends here, in an identifier as in a sentence."""
ROWS = ({"clubs", "diamonds", "hearts", "spades"}, set(CATEGORIES))
"""The suits, and the categories of poker: one of them may have the name of a game, and stands for itself in its row."""

INNOCENT = {
    ("domain/core/cards.py", "HEARTS"): "The suit.",
    ("domain/core/scene.py", "Clubs, diamonds, hearts and spades"): "The suits, in a sentence.",
    (
        "domain/games/two_handed_hearts",
        "hearts",
    ): "The suit, and the last word of its own name. Imports have a contract.",
    ("api/http/openapi.py", '{"game": "hearts"}'): "A first request that readers of the description may try.",
}
"""In these files or folders, these words are not the name of a game, or name one as an example."""


def sources(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def parts(path: Path) -> list[ast.AST]:
    """Give all nodes of a file but examples for readers, and `ROWS`."""
    found: list[ast.AST] = []
    ahead: list[ast.AST] = [ast.parse(path.read_text())]
    while ahead:
        node = ahead.pop()
        example = isinstance(node, ast.keyword) and node.arg in ("example", "examples")
        row = isinstance(node, ast.Tuple) and {getattr(one, "value", None) for one in node.elts} in ROWS
        if not example and not row:
            found.append(node)
            ahead += ast.iter_child_nodes(node)
    return found


@cache
def words_of(path: Path) -> list[tuple[int, str]]:
    """Where a file says what, as small words: `_holdem_options_` for `HoldemOptions`, for strings and the path too."""
    found = [(0, str(path.relative_to(ROOT).with_suffix("")))]
    for node in parts(path):
        row = [getattr(node, field, None) for field in ("id", "attr", "name", "arg", "asname", "module", "value")]
        found += [(getattr(node, "lineno", 0), one) for one in row if isinstance(one, str)]
    for place, phrase in INNOCENT:
        if path.is_relative_to(ROOT / place):
            found = [(at, re.sub(re.escape(phrase), " ", one, flags=re.IGNORECASE)) for at, one in found]
    return [(at, f"_{BREAK.sub('_', one).lower()}_") for at, one in found]


def said(path: Path, game: str) -> Iterator[str]:
    """Where a file names a game: its name is a word of an identifier, of a string, of a sentence or of the path."""
    return (f"{path.relative_to(ROOT)}:{at}" for at, words in words_of(path) if f"_{game}_" in words)


def test_no_games_name_stands_outside_its_folder():
    """In the product there is no exception but the catalogue and `INNOCENT`; examples for readers are not code.

    A test may play a game as its example. It must not need a line for a new game, so it lists none: no literal of a
    test names them all (`test_no_test_lists_the_games`), and what is true of all goes through the catalogue.
    """
    found = {game: [place for path in outside(game) for place in said(path, game)] for game in NAMES}
    assert {game: places for game, places in found.items() if places} == {}


def outside(game: str) -> list[Path]:
    return [path for path in sources(*ROOMS) if GAMES / game not in path.parents and path != CATALOGUE]


@pytest.mark.parametrize(
    "line",
    ["hearts_table = 1", "x.HeartsTable", 'x = "play hearts"', '"""Hearts."""', "import domain.games.hearts as h"],
)
def test_a_games_name_is_found_as_a_word_of_what_is_said(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    path = tmp_path / "table.py"
    path.write_text(f"{line}\nheartsong = 'sweethearts'\n")
    assert list(said(path, "hearts")) == ["table.py:1"]


@pytest.mark.parametrize(("place", "phrase"), INNOCENT)
def test_what_is_innocent_still_stands_there(place, phrase):
    files = [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))
    assert any(phrase in path.read_text() for path in files), INNOCENT[place, phrase]


def test_no_test_lists_the_games():
    # The types of a generated client name the games, so each client has a line for every one.
    own = {ROOT / "tests/games" / game for game in NAMES} | {ROOT / "tests/clients"}
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


# One name, one thing. What a game calls its parts is its own affair, since no game knows another; `domain/poker` is
# what two games share.
PARTS_OF_A_DECIDER = {"decide", "events", "state"}
"""The modules that the folder of every decider has: a match, a group of tables."""


def is_of_a_game(path: Path) -> bool:
    return (GAMES in path.parents and path.parent != GAMES) or ROOT / "domain/poker" in path.parents


def layer(path: Path) -> str:
    """Give the layer of a module: the room below `domain`, `events` or `api`; all of `workers` is one."""
    folders = path.relative_to(ROOT).parts
    return "/".join(folders[: 1 if folders[0] == "workers" else 2])


def subjects() -> set[str]:
    """Give the names of what has a table, a resource or a command: each layer may have a module about it."""
    folders = ("events/store/tables", "api/resources", "api/cli")
    return {path.stem for folder in folders for path in (ROOT / folder).glob("*.py")}


def modules() -> dict[str, list[Path]]:
    """Give all modules and packages but those of games, by their last name."""
    found: dict[str, list[Path]] = {}
    for path in sources(*ROOMS):
        if not is_of_a_game(path):
            found.setdefault(path.parent.name if path.stem == "__init__" else path.stem, []).append(path)
    return found


def test_modules_have_one_name_only_if_they_are_about_one_subject():
    twice = {name: paths for name, paths in modules().items() if len(paths) > 1}
    assert twice.keys() - PARTS_OF_A_DECIDER - subjects() == set()


def test_within_a_layer_each_name_of_a_module_stands_once():
    """A projection has the name of the table that it writes, and of the service's module about it."""
    for paths in modules().values():
        layers = [layer(path) for path in paths if path.parent.name != "projections"]
        assert len(layers) == len(set(layers)), [str(path.relative_to(ROOT)) for path in paths]


def test_classes_have_names_of_their_own():
    """Games share names of events, moves, options and states; everything else has one class of each name."""
    found: dict[str, list[str]] = {}
    for path in sources(*ROOMS):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append("a game" if is_of_a_game(path) else str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1 and set(paths) != {"a game"}} == {}
