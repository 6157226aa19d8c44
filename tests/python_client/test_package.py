"""The package is what its generator writes from the description, imports little, and can be built."""

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import dealt_client
import generate
import pytest
from dealt_client.async_operations import AsyncOperations
from dealt_client.operations import Operations

from domain.games.catalogue import BUILT_IN

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "clients" / "python"
PACKAGE = PROJECT / "dealt_client"
DESCRIPTION = json.loads((ROOT / "openapi.json").read_text())


@pytest.fixture(scope="module")
def generated():
    return generate.files()


def written_by_hand(generated):
    return [path for path in sorted(PACKAGE.rglob("*.py")) if str(path.relative_to(PACKAGE)) not in generated]


def test_generated_files_match_the_description(generated):
    """If this fails, run `python3 dev.py openapi`."""
    assert [name for name, text in generated.items() if (PACKAGE / name).read_text() != text] == []


def test_package_has_a_module_for_each_game_and_no_other(generated):
    games = {f"games/{game.name}.py" for game in BUILT_IN}
    assert {name for name in generated if name.startswith("games/")} == games
    assert {path.name for path in (PACKAGE / "games").glob("*.py")} == {Path(name).name for name in games} | {
        "__init__.py"
    }


def test_each_operation_on_resources_is_a_method_of_both_clients():
    described = {
        generate.snake(operation["operationId"])
        for path, item in DESCRIPTION["paths"].items()
        for method, operation in item.items()
        if path.startswith("/v1/") and method in generate.METHODS
    }
    assert len(described) > 100
    assert described <= vars(Operations).keys()
    assert vars(Operations).keys() - {"__doc__"} == vars(AsyncOperations).keys() - {"__doc__"}


def test_both_clients_take_the_same_arguments():
    for name in vars(Operations).keys() - vars(object).keys():
        if callable(method := vars(Operations)[name]):
            one, other = inspect.signature(method), inspect.signature(vars(AsyncOperations)[name])
            assert one.parameters == other.parameters
            assert one.return_annotation == str(other.return_annotation).removeprefix("Async")


def test_version_is_that_of_the_api():
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert dealt_client.__version__ == DESCRIPTION["info"]["version"] == server


def test_hand_written_code_names_no_game(generated):
    words = {word for game in BUILT_IN for word in (game.name, generate.camel(game.name))}
    paths = [*written_by_hand(generated), PROJECT / "generate.py"]
    assert len(paths) > 5
    found = {path.name: words & set(re.findall(r"\w+", path.read_text())) for path in paths}
    assert {name: named for name, named in found.items() if named} == {}


def test_package_imports_only_httpx_and_the_standard_library():
    allowed = {*sys.stdlib_module_names, "httpx", "dealt_client", "typing_extensions"}
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            found |= {name.partition(".")[0] for name in names}
    assert "httpx" in found
    assert found <= allowed


def modules_after(statement):
    code = f"import sys\n{statement}\nprint(*(name for name in sys.modules if name.startswith('dealt_client')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_types_are_loaded_only_on_use():
    """`typing_extensions` is for type checkers: at run time even Python 3.10 does without it."""
    assert not {"dealt_client.models", "dealt_client.games"} & modules_after("import dealt_client")
    game = BUILT_IN[0].name
    loaded = modules_after(f"import dealt_client.games.{game}")
    assert [name for name in loaded if name.startswith("dealt_client.games.")] == [f"dealt_client.games.{game}"]


@pytest.mark.long
def test_wheel_contains_the_typed_package(tmp_path, generated):
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
    ]
    subprocess.run(
        [*command, str(PROJECT)], check=True, capture_output=True, timeout=120, env={**os.environ, "PIP_NO_INDEX": "1"}
    )
    (wheel,) = tmp_path.glob("dealt_client-*.whl")
    with ZipFile(wheel) as file:
        files = set(file.namelist())
        (metadata,) = [name for name in files if name.endswith("METADATA")]
        said = message_from_bytes(file.read(metadata))
    packaged = {f"dealt_client/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    assert {name for name in files if ".dist-info/" not in name} == packaged | {"dealt_client/py.typed"}
    assert (said["Name"], said["Version"]) == ("dealt-client", dealt_client.__version__)
    assert [one for one in said.get_all("Requires-Dist") if not one.startswith("httpx")] == []
