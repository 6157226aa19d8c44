"""Three generated clients play a match of every game, strictly typed, as the page for readers is; linters are content.

The programs are those of `package.json` and `requirements.txt`, which `.ci/run` installs into this folder.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import requests

from api.http.openapi_games import component_name
from domain.games.catalogue import BUILT_IN
from events.service import collections
from events.service.context import Context
from events.store.opening import open_store
from tests.api.description import FILE
from tests.built import WEB, packages
from tests.laws.games import LAWS
from tests.services import free_port
from tests.system.processes import Process, answers, running, until

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
PROGRAMS = HERE / "node_modules" / ".bin"
PYTHON = HERE / ".venv" / "bin"
SOURCES = ("with_fetch.ts", "with_hey.ts", "with_cards.ts")


def program(at):
    """Give an installed program."""
    if not at.exists():
        pytest.skip(f"{at.name} is not installed: .ci/run does it")
    return at


def run(*command, at=HERE, **more):
    """Run a program that must succeed; gives what it prints."""
    done = subprocess.run(
        list(map(str, command)), cwd=at, capture_output=True, text=True, check=False, timeout=600, **more
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data):
    port = free_port()
    process = Process("serve", "--port", str(port), "--data", str(data))
    base = f"http://127.0.0.1:{port}"
    with running(process):
        until(lambda: answers(base), 20)
        yield base


def matches_in_typescript():
    """Write a short match of every game, as a file that either client checks by its own type."""
    short = [{"game": game.name, "options": LAWS[game.name].SHORT} for game in BUILT_IN]
    return "".join(
        [
            'import type { components } from "./api/fetch";\n',
            'import type { MatchRequest } from "./api/hey/types.gen";\n',
            f'export const FETCHED: components["schemas"]["MatchRequest"][] = {json.dumps(short)};\n',
            f"export const HEYED: MatchRequest[] = {json.dumps(short)};\n",
        ]
    )


def matches_in_python():
    """Write the same matches with the classes that are generated."""
    named = {component_name(game.name): game.name for game in BUILT_IN}
    rows = [
        f'    {name}MatchRequest(game="{game}", options={name}Options.from_dict({LAWS[game].SHORT})),\n'
        for name, game in named.items()
    ]
    return "".join(
        [
            "from dealt_client.models import ",
            ", ".join(f"{name}MatchRequest, {name}Options" for name in named),
            f"\n\nMatchRequest = {' | '.join(f'{name}MatchRequest' for name in named)}\n",
            "NEW: list[MatchRequest] = [\n",
            *rows,
            "]\n",
        ]
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Generate both clients in TypeScript and compile what plays with them, as strictly as there is."""
    compiler = program(PROGRAMS / "tsc")
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    for name in ("tsconfig.json", "package.json", "hey.config.mjs", *SOURCES):
        shutil.copy(HERE / name, folder)
    (folder / "matches.ts").write_text(matches_in_typescript())
    run(PROGRAMS / "openapi-typescript", FILE, "-o", "api/fetch.ts", at=folder)
    shutil.copy(FILE, folder)
    run(PROGRAMS / "openapi-ts", "-f", "hey.config.mjs", at=folder)
    run(compiler, "-p", ".", at=folder)
    return folder / "built"


def has_played_every_game(printed):
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [row["game"] for row in rows] == [game.name for game in BUILT_IN]
    assert {(row["status"], row["reason"]) for row in rows} == {("finished", "played")}
    assert all(row["moves"] for row in rows)
    return {row["game"]: row for row in rows}


def test_the_page_and_what_tests_its_modules_are_strictly_typed():
    """Types are in TypeScript, or in the comments of the modules that are JavaScript.

    What the API answers has the types that are generated from its description (`api/web/answers.d.ts`).

    The verifier and the games' parts of it read what anybody may have written: nothing is known of its fields until
    somebody has looked. What tests all this in Node knows of Node; the page does not.
    """
    compiler = packages() / ".bin/tsc"
    run(program(PROGRAMS / "openapi-typescript"), FILE, "-o", WEB / "generated/api.d.ts")
    with ThreadPoolExecutor() as both:
        list(both.map(lambda of: run(compiler, "-p", WEB / of), ("tsconfig.json", "tsconfig.tests.json")))


@pytest.mark.parametrize("client", ["with_fetch", "with_hey"])
def test_a_client_in_strict_typescript_plays_a_match_of_every_game(client, built, server):
    played = has_played_every_game(run("node", built / f"{client}.js", server))
    if client == "with_fetch":
        assert played["hearts"]["most"] > 0
        assert played["holdem"]["most"] > 0
        assert "plays" in played["hearts"]["last"]


def registered_with_a_prize(server, data, name):
    """Register a player who has a booster beside those of the starter, whose cards cannot be traded."""
    made = requests.post(f"{server}/v1/players", json={"name": name}, timeout=40).json()
    with closing(open_store(f"sqlite:///{data / 'dealt.sqlite3'}")) as store:
        collections.grant_cards(Context(store), made["id"], {"fw1": 1}, [], "tournament 7, place 1")
    return made["handle"], made["token"]


def test_a_client_trades_plays_sealed_and_drafts_with_six_bots(built, server, data):
    """Both boosters and draft end in decks: of the one who opens, and of the two who draft."""
    players = [word for name in ("Ada", "Ben") for word in registered_with_a_prize(server, data, name)]
    done = json.loads(run("node", built / "with_cards.js", server, *players))
    assert (done["refused"], done["traded"], done["decks"][1]) == ("not_in_collection", 15 + 1, 2)
    assert done["decks"][0] >= 1
    assert [done[name] for name in ("sealed", "draft", "duel")] == ["finished"] * 3


@pytest.mark.parametrize("source", SOURCES)
def test_no_type_is_forced(source):
    code = (HERE / source).read_text()
    assert not [word for word in (" as ", ": any", "<any>", "@ts-", "!.") if word in code]


def test_a_client_in_python_is_typed_and_plays_a_match_of_every_game(server, tmp_path):
    generator, python = program(PYTHON / "openapi-python-client"), PYTHON / "python"
    package = tmp_path / "dealt_client"
    made = ("generate", "--path", FILE, "--output-path", package, "--meta", "none", "--config", HERE / "generator.yaml")
    run(generator, *made)
    shutil.copy(HERE / "with_python.py", tmp_path)
    (tmp_path / "matches.py").write_text(matches_in_python())
    # What was generated gives types to what uses it; its own 300,000 lines are the generator's.
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-dealt_client.*]\nignore_errors = True\n")
    run(
        Path(sys.executable).parent / "mypy",
        "--config-file",
        "mypy.ini",
        "--cache-dir",
        os.devnull,
        "--python-executable",
        python,
        "with_python.py",
        at=tmp_path,
    )
    has_played_every_game(run(python, "with_python.py", server, at=tmp_path))


@pytest.mark.parametrize(
    "linter",
    [
        ("spectral", "lint", "--fail-severity", "hint", "-r", ".spectral.yaml"),
        ("redocly", "lint", "--config", "redocly.yaml", "--max-problems", "1000", "--format", "json"),
    ],
    ids=lambda linter: linter[0],
)
def test_a_linter_finds_nothing_to_say(linter):
    name, *arguments = linter
    printed = run(program(PROGRAMS / name), *arguments, FILE)
    if name == "redocly":
        assert json.loads(printed)["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}
