"""No game is named outside its own folder, but in the row of the catalogue; and one name means one thing."""

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from domain.core.game import Game
from domain.games.catalogue import BUILT_IN
from domain.poker.ranking import CATEGORIES

ROOT = Path(__file__).parents[1]
NAMES = [game.name for game in BUILT_IN]
ROOMS = ("domain", "events", "api", "workers")
GAMES = ROOT / "domain/games"
CATALOGUE = GAMES / "catalogue.py"


def spelt(game: str) -> str:
    """Give the pattern of a game's name among small words."""
    return f"_{'_?'.join(game.replace('_', ''))}_"


ANY = re.compile("|".join(spelt(name) for name in NAMES))
"""A game is named here, among small words."""
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
    ("domain/games/fivewells_draft", "fivewells"): "The first word of its own name. Imports have a contract.",
    ("domain/card_sets", "fivewells-cards/1"): "The format of files of cards, whatever is played with them.",
    ("api/web/static/words/table.js", 'H: "hearts"'): "The suit.",
    ("api/http/openapi.py", '{"game": "hearts"}'): "A first request that readers of the description may try.",
}
"""In these files or folders, these words are not the name of a game, or name one as an example."""


MANY = len(NAMES) // 2 + 1
"""Tests may treat some games apart, which differ in what is tested, and no more than half of them."""

APART = {
    "tests/match/test_match.py": "Options and seats with which each of these games has most readers and clocks.",
    "tests/orders/test_orders.py": "Standing orders, which are written for one game each.",
    "tests/recorded.py": "Matches that are not over, at points of interest; those that are come from the law modules.",
}
"""These tests have a table with more games, for the reason given."""


def sources(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


NOT_OURS = {"node_modules", "dist", ".new-dist", ".old-dist", ".venv", "generated"}
"""In these folders no file was written by us."""


def pages() -> list[Path]:
    """Give the pages, their styles and scripts, but what is built or was written by others."""
    files = sorted((ROOT / "api/web").rglob("*.*"))
    kinds = (".css", ".html", ".js", ".mjs", ".ts")
    return [path for path in files if path.suffix in kinds and NOT_OURS.isdisjoint(path.parts)]


@cache
def tree(path: Path) -> ast.Module:
    """Give the syntax tree of a file."""
    return ast.parse(path.read_text())


@cache
def parts(path: Path) -> list[ast.AST]:
    """Give all nodes of a file but examples for readers, and `ROWS`."""
    found: list[ast.AST] = []
    ahead: list[ast.AST] = [tree(path)]
    while ahead:
        node = ahead.pop()
        example = isinstance(node, ast.keyword) and node.arg in ("example", "examples")
        row = isinstance(node, ast.Tuple) and {getattr(one, "value", None) for one in node.elts} in ROWS
        if not example and not row:
            found.append(node)
            ahead += ast.iter_child_nodes(node)
    return found


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Give what a file says and where: identifiers, strings, bytes and comments of Python; of a page every line."""
    if path.suffix != ".py":
        yield from enumerate(path.read_text().splitlines(), 1)
        return
    for node in parts(path):
        for field in ("id", "attr", "name", "arg", "asname", "module", "value"):
            one = getattr(node, field, None)
            if isinstance(one, str | bytes):
                yield getattr(node, "lineno", 0), one if isinstance(one, str) else one.decode("latin-1")
    for token in tokenize.tokenize(BytesIO(path.read_bytes()).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@cache
def words_of(path: Path) -> list[tuple[int, str]]:
    """Where a file names some game, as small words: `_holdem_options_` for `HoldemOptions`, and for the path too."""
    found = [(0, str(path.relative_to(ROOT).with_suffix("")))]
    if ANY.search(words(path.read_text())):  # a file that names none as a whole names none in a part
        found += texts(path)
    for place, phrase in INNOCENT:
        if path.is_relative_to(ROOT / place):
            found = [(at, re.sub(re.escape(phrase), " ", one, flags=re.IGNORECASE)) for at, one in found]
    small = ((at, words(one)) for at, one in found)
    return [(at, one) for at, one in small if ANY.search(one)]


def words(text: str) -> str:
    """Give a text as small words, with a line before, between and behind them."""
    return f"_{BREAK.sub('_', text).lower()}_"


def said(path: Path, game: str) -> Iterator[str]:
    """Where a file names a game: its name is a word of what is said there, or several: `gin rummy`, `Hold'em`."""
    named = re.compile(spelt(game))
    return (f"{path.relative_to(ROOT)}:{at}" for at, words in words_of(path) if named.search(words))


def test_no_games_name_stands_outside_its_folder():
    """In the product there is no exception but the catalogue and `INNOCENT`; examples for readers are not code.

    A test may play a game as its example. It must not need a line for a new game, so it lists none: no literal of a
    test names more than half (`test_no_test_lists_the_games`), and what is true of all goes through the catalogue.
    """
    found = {game: [place for path in outside(game) for place in said(path, game)] for game in NAMES}
    assert {game: places for game, places in found.items() if places} == {}


def outside(game: str) -> list[Path]:
    return [path for path in (*sources(*ROOMS), *pages()) if GAMES / game not in path.parents and path != CATALOGUE]


@pytest.mark.parametrize(
    "line",
    [
        "gin_rummy_table = 1",
        "x.GinRummyTable",
        'x = "play ginrummy"',
        '"""Gin Rummy."""',
        "import domain.games.gin_rummy as g",
        "# as gin_rummy has it",
        "x = b'gin-rummy'",
    ],
)
def test_a_games_name_is_found_as_a_word_of_what_is_said(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    path = tmp_path / "table.py"
    path.write_text(f"{line}\nginrummys = 'begin rummy'  # a gin of rummy\n")
    assert list(said(path, "gin_rummy")) == ["table.py:1"]


@pytest.mark.parametrize("line", ["<p>Texas Hold'em</p>", "if (game === 'holdem') {", ".holdem-table { color: red }"])
@pytest.mark.parametrize("ending", ["css", "html", "js", "mjs"])
def test_a_games_name_is_found_on_a_page(line, ending, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    path = tmp_path / "api/web" / f"table.{ending}"
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\nhold them\n")
    assert [place for page in pages() for place in said(page, "holdem")] == [f"api/web/table.{ending}:1"]


@pytest.mark.parametrize(("place", "phrase"), INNOCENT)
def test_what_is_innocent_still_stands_there(place, phrase):
    files = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*.py"))
    assert any(phrase in path.read_text() for path in files), INNOCENT[place, phrase]


def test_no_test_lists_the_games():
    # The types of a generated client name the games, so each client has a line for every one.
    own = {ROOT / "tests/games" / game for game in NAMES} | {ROOT / "tests/clients"}
    found = []
    for path in sources("tests"):
        if own.isdisjoint(path.parents):
            least = len(NAMES) if str(path.relative_to(ROOT)) in APART else MANY
            found += [f"{path.relative_to(ROOT)}:{node.lineno}" for node in lists(tree(path), least)]
    assert found == []


@pytest.mark.parametrize("path", APART)
def test_a_test_that_treats_many_games_apart_still_does(path):
    assert list(lists(tree(ROOT / path), MANY))


def test_no_measurement_lists_the_games():
    """A measurement of one game names it; what is measured of several takes them from the catalogue."""
    paths = sources("bench")
    found = [f"{path.relative_to(ROOT)}:{node.lineno}" for path in paths for node in lists(tree(path), 4)]
    assert found == []


def lists(tree: ast.AST, least: int) -> Iterator[ast.expr]:
    """Give the literals that name at least this number of games."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            named = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} & set(NAMES)
            if len(named) >= least:
                yield node


# One name, one thing. What a game calls its parts is its own affair, since no game knows another.


def is_of_a_game(path: Path) -> bool:
    return GAMES in path.parents and path.parent != GAMES


def modules(root: Path = ROOT) -> Iterator[Path]:
    """Give all modules but the parts of games; `__init__` and `__main__` are their packages, and migrations a list."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            if not is_of_a_game(path) and path.stem not in ("__init__", "__main__") and "migrations" not in path.parts:
                yield path


def of_one_name(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Give the names that several of these files have, with the files."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.stem, []).append(str(path))
    return {name: places for name, places in found.items() if len(places) > 1}


def test_modules_have_names_of_their_own():
    assert of_one_name(modules()) == {}


def test_a_name_that_two_modules_have_is_found(tmp_path):
    for place in ("events/log/heads.py", "api/http/heads.py", "events/log/__init__.py", "api/http/__init__.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    assert of_one_name(modules(tmp_path)).keys() == {"heads"}


@pytest.mark.parametrize(
    ("folder", "endings", "others"),
    [
        ("events/store/tables", "_rows", ()),
        (
            "api/resources",
            ("_routes", "_answer", "_request", "_parts"),
            ("atom", "ical", "page_files", "search_query"),
        ),
        ("workers/tasks", "_tasks", ("repair",)),
    ],
)
def test_the_modules_of_a_folder_of_one_kind_end_alike(folder, endings, others):
    """The others hold no table, route or task of their own, but what these share."""
    names = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    assert {name for name in names if not name.endswith(endings)} == set(others)


def test_no_function_has_more_than_six_parameters():
    """What belongs together is a record. A command's are its options, and stay."""
    found = []
    for path in sources(*ROOMS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and not any("click." in ast.unparse(d) for d in node.decorator_list):
                given = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if len(set(given) - {"self", "cls"}) > 6:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert found == []


def test_a_game_is_described_in_few_fields():
    """What few games need, or what belongs together, is a small record of its own."""
    assert len(Game.__dataclass_fields__) <= 26


PRONOUNS_AND_PREPOSITIONS = frozenset(
    """at in on of by within beside before after until since from with without about above below over under along among
    against during for into onto off out through toward upon via own one another which who whose what that this it they
    mine ours each every any some none same such""".split()  # noqa: SIM905 -- a list of words reads better so
)
IRREGULAR = frozenset(
    """told shown found kept held known given taken seen made done gone begun drawn said brought left lost paid sent
    sold stood thought won written chosen broken forgotten hidden laid led meant sat spoken stolen torn understood built
    bought caught fed hurt lit shut""".split()  # noqa: SIM905 -- likewise
)
NO_PARTICIPLES = frozenset({"need", "seed", "feed", "speed", "embed"})
GENERAL = frozenset({"decide", "evolve"})
"""Each kind of stream has functions of these names."""


def public_functions() -> Iterator[tuple[Path, str]]:
    """Yield the public functions of modules."""
    for path in sources(*ROOMS):
        for node in tree(path).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield path, node.name


def says_nothing(name: str) -> bool:
    """Return whether a name is a bare participle, preposition or pronoun, which does not say what is done."""
    is_participle = name.endswith("ed") and name.isalpha() and name not in NO_PARTICIPLES
    return is_participle or name in IRREGULAR or name in PRONOUNS_AND_PREPOSITIONS


def test_no_public_function_is_a_bare_participle_preposition_or_pronoun():
    assert [f"{path.relative_to(ROOT)}: {name}" for path, name in public_functions() if says_nothing(name)] == []


@pytest.mark.parametrize("name", ["told", "within", "own", "joined"])
def test_name_that_does_not_say_what_is_done_is_found(name):
    assert says_nothing(name)
    assert not says_nothing(f"{name}_seats")


def test_no_public_function_has_the_name_of_three_others():
    """Games count as one module, since they implement one definition."""
    found: dict[str, set[str]] = {}
    for path, name in public_functions():
        found.setdefault(name, set()).add("a game" if is_of_a_game(path) else str(path.relative_to(ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 3}.keys() <= GENERAL


def test_classes_have_names_of_their_own():
    """Games share names of events, moves, options and states; everything else has one class of each name.

    The events of `domain/poker` are those of its two games.
    """
    found: dict[str, list[str]] = {}
    for path in sources(*ROOMS):
        in_a_game = is_of_a_game(path) or ROOT / "domain/poker" in path.parents
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append("a game" if in_a_game else str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1 and set(paths) != {"a game"}} == {}


LONGEST_LINE = 120
"""The characters of the longest line of any source; ruff lets lines pass that end in a note to a tool."""


def long_lines(*endings: str) -> Iterator[tuple[str, int]]:
    """Give the lines of our files with these endings that are longer, by file and number."""
    for room in (*ROOMS, "tests", "bench"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in endings and NOT_OURS.isdisjoint(path.parts):
                for at, line in enumerate(path.read_text().splitlines(), 1):
                    if len(line) > LONGEST_LINE:
                        yield str(path.relative_to(ROOT)), at


def test_no_line_is_too_long():
    """Those of scripts, styles and pages too, which no tool formats."""
    found = long_lines(".py", ".js", ".mjs", ".ts", ".css", ".html")
    assert [f"{name}:{at}" for name, at in found] == []
