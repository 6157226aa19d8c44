"""A start does no work that few requests need, and keeps what it has compiled for the next one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli import bytecode

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "domain", "events", "workers")

LATE = {"icalendar", "markdown_it", "yaml", "xml.etree.ElementTree", "alembic", "celery", "domain.games.bots"}
"""Modules that few requests need, or only other processes."""

MOST_CALLS = 1_200_000
"""Limit of the calls that an import of the API makes, a tenth above the count. A limit of time would be noisy."""

COUNTED = """
import json, sys

calls = 0

def count(frame, event, arg):
    global calls
    calls += event in ("call", "c_call")

sys.setprofile(count)
import api.app
sys.setprofile(None)
print(json.dumps([calls, sorted(sys.modules)]))
"""


@pytest.fixture(scope="module")
def imported():
    env = {name: said for name, said in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", COUNTED], cwd=ROOT, env=env, capture_output=True, check=True)
    return json.loads(done.stdout)


def test_the_api_imports_nothing_that_few_requests_need(imported):
    assert LATE & {*imported[1]} == set()


def test_the_import_of_the_api_makes_no_more_calls_than_it_did(imported):
    assert imported[0] < MOST_CALLS


# --- Bytecode ---------------------------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path):
    """The sources, without anything compiled."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "sources" / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "sources"


def starts(sources, cache, **env):
    program = "from api.cli.entry import main; main()"
    env = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **env}
    subprocess.run([sys.executable, "-c", program, "settings"], cwd=sources, env=env, capture_output=True, check=True)


def compiled(folder, module="settings"):
    return [path for path in folder.rglob(f"{module}.*.pyc") if "events" in path.parts]


def test_a_start_keeps_what_it_compiled_though_it_may_not_lie_next_to_the_sources(sources, tmp_path):
    cache = tmp_path / "cache"
    starts(sources, cache)
    (kept,) = compiled(cache)
    assert compiled(sources) == []
    first = kept.stat().st_mtime_ns
    starts(sources, cache)
    assert kept.stat().st_mtime_ns == first
    os.utime(sources / "events/settings.py", (1, 1))
    starts(sources, cache)
    assert kept.stat().st_mtime_ns > first


def test_a_start_that_finds_all_compiled_uses_no_other_folder(sources, tmp_path):
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=sources, check=True)
    starts(sources, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_start_follows_a_folder_that_the_environment_names(sources, tmp_path):
    starts(sources, tmp_path / "cache", PYTHONPYCACHEPREFIX=str(tmp_path / "named"))
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_compiled_modules_are_never_run_from_a_folder_that_others_can_write_to(tmp_path, mode):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    assert not bytecode._is_own(shared)
    assert bytecode._is_own(tmp_path / "new" / "own")


def test_compiled_modules_are_never_run_through_a_link_that_others_may_have_laid(tmp_path):
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not bytecode._is_own(tmp_path / "link")
