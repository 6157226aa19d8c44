"""Tests that no game is named outside its own folder and its row of the catalogue, and that names are unambiguous."""

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
    """Return the pattern of a game's name in lower-case words."""
    return f"_{'_?'.join(game.replace('_', ''))}_"


ANY = re.compile("|".join(spelt(name) for name in NAMES))
"""Matches the name of any game in lower-case words."""
BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
"""Matches the end of a word, in an identifier or in a sentence."""
ROWS = ({"clubs", "diamonds", "hearts", "spades"}, set(CATEGORIES))
"""The suits and the poker categories: one of them may have the name of a game, and then means itself in its row."""

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
"""Tests may treat some games separately, which differ in the tested behaviour, and at most half of them."""

APART = {
    "tests/match/test_match.py": "Options and seats with which each of these games has most readers and clocks.",
    "tests/orders/test_orders.py": "Standing orders, which are written for one game each.",
    "tests/recorded.py": "Matches that are not over, at points of interest; those that are come from the law modules.",
}
"""These tests have a table with more games, for the given reason."""


def sources(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


NOT_OURS = {"node_modules", "dist", ".new-dist", ".old-dist", ".venv", "generated"}
"""Folders with files that we did not write."""


def pages() -> list[Path]:
    """Return the pages, their styles and scripts, except those that are built or were written by others."""
    files = sorted((ROOT / "api/web").rglob("*.*"))
    kinds = (".css", ".html", ".js", ".mjs", ".ts")
    return [path for path in files if path.suffix in kinds and NOT_OURS.isdisjoint(path.parts)]


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


@cache
def parts(path: Path) -> list[ast.AST]:
    """Yield all nodes of a file except examples for readers, and `ROWS`."""
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
    """Yield texts of a file with their lines: identifiers, strings, bytes and comments of Python; every line of a
    page."""
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
    """Return the lines of a file that name any game, in lower-case words: `_holdem_options_` for `HoldemOptions`;
    also the path."""
    found = [(0, str(path.relative_to(ROOT).with_suffix("")))]
    if ANY.search(words(path.read_text())):  # if a whole file names none, no part of it does
        found += texts(path)
    for place, phrase in INNOCENT:
        if path.is_relative_to(ROOT / place):
            found = [(at, re.sub(re.escape(phrase), " ", one, flags=re.IGNORECASE)) for at, one in found]
    small = ((at, words(one)) for at, one in found)
    return [(at, one) for at, one in small if ANY.search(one)]


def words(text: str) -> str:
    """Return a text as lower-case words joined and enclosed by underscores."""
    return f"_{BREAK.sub('_', text).lower()}_"


def said(path: Path, game: str) -> Iterator[str]:
    """Yield the places at which a file names a game, as one word or several: `gin rummy`, `Hold'em`."""
    named = re.compile(spelt(game))
    return (f"{path.relative_to(ROOT)}:{at}" for at, words in words_of(path) if named.search(words))


def test_names_of_games_are_used_only_in_their_folders():
    """In the product, only the catalogue and `INNOCENT` are exceptions; examples for readers are not code.

    A test may play a game as its example. It must not need a line for a new game, so it lists none: no literal of a
    test names more than half (`test_tests_do_not_list_the_games`), and everything true of all games goes through the
    catalogue.
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
def test_name_of_a_game_is_found_as_a_word_in_code_and_comments(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    path = tmp_path / "table.py"
    path.write_text(f"{line}\nginrummys = 'begin rummy'  # a gin of rummy\n")
    assert list(said(path, "gin_rummy")) == ["table.py:1"]


@pytest.mark.parametrize("line", ["<p>Texas Hold'em</p>", "if (game === 'holdem') {", ".holdem-table { color: red }"])
@pytest.mark.parametrize("ending", ["css", "html", "js", "mjs"])
def test_name_of_a_game_is_found_on_a_page(line, ending, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    path = tmp_path / "api/web" / f"table.{ending}"
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\nhold them\n")
    assert [place for page in pages() for place in said(page, "holdem")] == [f"api/web/table.{ending}:1"]


@pytest.mark.parametrize(("place", "phrase"), INNOCENT)
def test_every_allowed_phrase_still_occurs(place, phrase):
    files = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*.py"))
    assert any(phrase in path.read_text() for path in files), INNOCENT[place, phrase]


def test_tests_do_not_list_the_games():
    # The types of a generated client name the games, so each client has a line for every one.
    own = {ROOT / "tests/games" / game for game in NAMES} | {ROOT / "tests/clients"}
    found = []
    for path in sources("tests"):
        if own.isdisjoint(path.parents):
            least = len(NAMES) if str(path.relative_to(ROOT)) in APART else MANY
            found += [f"{path.relative_to(ROOT)}:{node.lineno}" for node in lists(tree(path), least)]
    assert found == []


@pytest.mark.parametrize("path", APART)
def test_tests_with_special_cases_for_games_still_need_them(path):
    assert list(lists(tree(ROOT / path), MANY))


def test_benchmarks_do_not_list_the_games():
    """A benchmark of one game names it; a benchmark of several takes them from the catalogue."""
    paths = sources("bench")
    found = [f"{path.relative_to(ROOT)}:{node.lineno}" for path in paths for node in lists(tree(path), 4)]
    assert found == []


def lists(tree: ast.AST, least: int) -> Iterator[ast.expr]:
    """Return the literals that name at least this number of games."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            named = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} & set(NAMES)
            if len(named) >= least:
                yield node


# One name, one thing. What a game calls its parts is its own affair, since no game knows another.


def is_of_a_game(path: Path) -> bool:
    return GAMES in path.parents and path.parent != GAMES


def modules(root: Path = ROOT) -> Iterator[Path]:
    """Return all modules except parts of games, `__init__`, `__main__` and migrations."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            if not is_of_a_game(path) and path.stem not in ("__init__", "__main__") and "migrations" not in path.parts:
                yield path


def of_one_name(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return the names that several of these files have, with the files."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.stem, []).append(str(path))
    return {name: places for name, places in found.items() if len(places) > 1}


def test_modules_have_unique_names():
    assert of_one_name(modules()) == {}


def test_repeated_module_name_is_found(tmp_path):
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
            ("atom", "ical", "page_files", "record_examples", "search_query"),
        ),
        ("workers/tasks", "_tasks", ("repair",)),
    ],
)
def test_modules_of_one_kind_have_the_same_suffix(folder, endings, others):
    """Modules with other endings define no table, route or task of their package, only shared code."""
    names = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    assert {name for name in names if not name.endswith(endings)} == set(others)


def test_no_function_has_more_than_six_parameters():
    """Related parameters belong in a structure. A command's parameters are its options, and stay."""
    found = []
    for path in sources(*ROOMS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and not any("click." in ast.unparse(d) for d in node.decorator_list):
                given = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if len(set(given) - {"self", "cls"}) > 6:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert found == []


def test_game_definition_has_few_fields():
    """Fields that few games need, or that belong together, are in a separate structure."""
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
"""Each kind of stream has functions with these names."""


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
def test_vague_function_name_is_found(name):
    assert says_nothing(name)
    assert not says_nothing(f"{name}_seats")


def test_at_most_three_public_functions_share_a_name():
    """Games count as one module, because they implement one definition."""
    found: dict[str, set[str]] = {}
    for path, name in public_functions():
        found.setdefault(name, set()).add("a game" if is_of_a_game(path) else str(path.relative_to(ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 3}.keys() <= GENERAL


def test_classes_have_unique_names():
    """Games share names of events, moves, options and states; all other class names are unique.

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
"""The maximum line length of any source; ruff allows longer lines that end in a note to a tool."""


def long_lines(*endings: str) -> Iterator[tuple[str, int]]:
    """Return the overlong lines of our files with these endings, by file and number."""
    for room in (*ROOMS, "tests", "bench"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in endings and NOT_OURS.isdisjoint(path.parts):
                for at, line in enumerate(path.read_text().splitlines(), 1):
                    if len(line) > LONGEST_LINE:
                        yield str(path.relative_to(ROOT)), at


def test_no_line_is_too_long():
    """This includes scripts, styles and pages, which no tool formats."""
    found = long_lines(".py", ".js", ".mjs", ".ts", ".css", ".html")
    assert [f"{name}:{at}" for name, at in found] == []
