"""Four generated clients play a match of every game, strictly typed, as the page for readers is; linters are content.

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
    """Return an installed program."""
    if not at.exists():
        pytest.skip(f"{at.name} is not installed: .ci/run does it")
    return at


def run(*command, at=HERE, **more):
    """Run a program that must succeed; return its output."""
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
        until(lambda: answers(base), 60)
        yield base


def short_matches():
    """Return the bodies that create a short match of every game."""
    return [{"game": game.name, "options": LAWS[game.name].SHORT} for game in BUILT_IN]


def matches_in_typescript():
    """Write a short match of every game to a file that both clients type-check."""
    short = short_matches()
    return "".join(
        [
            'import type { components } from "./api/fetch";\n',
            'import type { MatchRequest } from "./api/hey/types.gen";\n',
            f'export const FETCHED: components["schemas"]["MatchRequest"][] = {json.dumps(short)};\n',
            f"export const HEYED: MatchRequest[] = {json.dumps(short)};\n",
        ]
    )


def matches_in_python():
    """Write the same matches with the generated classes."""
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
    """Generate both TypeScript clients and compile the code that uses them in strict mode."""
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


def test_page_and_its_module_tests_are_strictly_typed():
    """Types are in TypeScript, or in the comments of the modules that are JavaScript.

    Answers of the API have the types generated from its description (`api/web/answers.d.ts`).

    The verifier and the games' parts of it read untrusted input: its fields have no type until they are checked.
    Only the tests that run in Node have Node's types.
    """
    compiler = packages() / ".bin/tsc"
    run(program(PROGRAMS / "openapi-typescript"), FILE, "-o", WEB / "generated/api.d.ts")
    with ThreadPoolExecutor() as both:
        list(both.map(lambda of: run(compiler, "-p", WEB / of), ("tsconfig.json", "tsconfig.tests.json")))


@pytest.mark.parametrize("client", ["with_fetch", "with_hey"])
def test_strict_typescript_client_plays_a_match_of_every_game(client, built, server):
    played = has_played_every_game(run("node", built / f"{client}.js", server))
    if client == "with_fetch":
        assert played["hearts"]["most"] > 0
        assert played["holdem"]["most"] > 0
        assert "plays" in played["hearts"]["last"]


def registered_with_a_prize(server, data, name):
    """Register a player with a prize booster, because the starter's cards cannot be traded."""
    made = requests.post(f"{server}/v1/players", json={"name": name}, timeout=40).json()
    with closing(open_store(f"sqlite:///{data / 'dealt.sqlite3'}")) as store:
        collections.grant_cards(Context(store), made["id"], {"fw1": 1}, [], "tournament 7, place 1")
    return made["handle"], made["token"]


def test_typescript_client_trades_plays_sealed_and_drafts_with_six_bots(built, server, data):
    """Boosters and the draft both end with decks: of the player who opens, and of the two players who draft."""
    players = [word for name in ("Ada", "Ben") for word in registered_with_a_prize(server, data, name)]
    done = json.loads(run("node", built / "with_cards.js", server, *players))
    assert (done["refused"], done["traded"], done["decks"][1]) == ("not_in_collection", 15 + 1, 2)
    assert done["decks"][0] >= 1
    assert [done[name] for name in ("sealed", "draft", "duel")] == ["finished"] * 3


@pytest.mark.parametrize("source", SOURCES)
def test_client_code_contains_no_type_assertions(source):
    code = (HERE / source).read_text()
    assert not [word for word in (" as ", ": any", "<any>", "@ts-", "!.") if word in code]


def test_typed_python_client_plays_a_match_of_every_game(server, tmp_path):
    generator, python = program(PYTHON / "openapi-python-client"), PYTHON / "python"
    package = tmp_path / "dealt_client"
    made = ("generate", "--path", FILE, "--output-path", package, "--meta", "none", "--config", HERE / "generator.yaml")
    run(generator, *made)
    shutil.copy(HERE / "with_python.py", tmp_path)
    (tmp_path / "matches.py").write_text(matches_in_python())
    # The generated code gives its users types; its own 300,000 lines are the generator's business.
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


GO_OPTIONS = (
    "packageName=dealt,withGoMod=false,disallowAdditionalPropertiesIfNotPresent=false,useOneOfDiscriminatorLookup=true"
)
"""Copy only the code of the client, as a package of the module in `go`."""

CODE_ONLY = "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
GO_BUILD = ("-trimpath", "-gcflags=dealt.example/...=-N -l")
"""Without its folder in the code, a client that has not changed is compiled only once; without optimisation, sooner."""


def test_go_client_plays_a_match_of_every_game(server, tmp_path):
    if (go := shutil.which("go")) is None:
        pytest.skip("go is not installed: .ci/run does it")
    generator = program(PYTHON / "openapi-generator-cli")
    shutil.copytree(HERE / "go", tmp_path, dirs_exist_ok=True)
    made = ("generate", "-i", FILE, "-g", "go", "-o", "client", "--additional-properties", GO_OPTIONS)
    run(generator, *made, "--global-property", CODE_ONLY, at=tmp_path)
    (tmp_path / "dealt").mkdir()
    for source in (tmp_path / "client").glob("*.go"):
        source.rename(tmp_path / "dealt" / source.name)
    flags = {"GOFLAGS": "-mod=mod", "GOPROXY": "off"}
    run(go, "build", *GO_BUILD, "-o", "play", ".", at=tmp_path, env={**os.environ, **flags})
    played = has_played_every_game(run(tmp_path / "play", server, input=json.dumps(short_matches())))
    assert played["hearts"]["most"] > 0
    assert played["holdem"]["most"] > 0


HARMLESS = (
    "OpenAPI 3.1 support is still in beta",
    "Failed to get the schema name: null",
    "Ignoring complex example on request body",
    "(reserved word) cannot be used as model name. Renamed to",
    # The code of a variant is a text or a number, and only the number has bounds.
    "Validation 'minimum' has no effect on schema 'string'",
    "Validation 'maximum' has no effect on schema 'string'",
)
"""The warnings of openapi-generator that do not change the client."""


@pytest.mark.parametrize("language", ["java", "kotlin", "csharp"])
def test_client_is_generated_without_warnings(language, tmp_path):
    """There are no compilers for all of them: `tests/api/test_generators.py` excludes what did not compile."""
    generator = program(PYTHON / "openapi-generator-cli")
    made = ("generate", "-i", FILE, "-g", language, "-o", "client", "--global-property", CODE_ONLY)
    warned = [line for line in run(generator, *made, at=tmp_path).splitlines() if "WARN" in line]
    assert warned, "the generator prints its warnings elsewhere"
    assert [line for line in warned if not any(known in line for known in HARMLESS)] == []
    assert len([*tmp_path.rglob("*Match.*")]) > len(BUILT_IN)


@pytest.mark.parametrize(
    "linter",
    [
        ("spectral", "lint", "--fail-severity", "hint", "-r", ".spectral.yaml"),
        ("redocly", "lint", "--config", "redocly.yaml", "--max-problems", "1000", "--format", "json"),
    ],
    ids=lambda linter: linter[0],
)
def test_linter_passes(linter):
    name, *arguments = linter
    printed = run(program(PROGRAMS / name), *arguments, FILE)
    if name == "redocly":
        assert json.loads(printed)["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}
