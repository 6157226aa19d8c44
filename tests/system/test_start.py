"""Tests that a start does no rarely needed work, and keeps compiled modules for the next one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli import entry
from tests.system.processes import Process, running, until

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "domain", "events", "workers")

LATE = {"icalendar", "markdown_it", "yaml", "xml.etree.ElementTree", "alembic", "celery", "domain.games.bots"}
"""Modules that few requests need, or only other processes."""

MOST_CALLS = 910_000
"""The maximum number of calls when importing the API, a tenth above the current number. A time limit would be noisy."""

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


def test_api_does_not_import_rarely_needed_modules(imported):
    assert LATE & {*imported[1]} == set()


def test_the_api_imports_only_the_routes_of_health_checks_and_metrics(imported):
    routes = [name for name in imported[1] if name.startswith("api.resources.") and name.endswith("_routes")]
    assert routes == ["api.resources.health_routes", "api.resources.metric_routes"]


def test_import_of_the_api_stays_within_its_call_budget(imported):
    assert imported[0] < MOST_CALLS


def test_server_loads_all_routes_once_it_is_up(tmp_path):
    server = Process("serve", "--port", "0", "--data", str(tmp_path), env={"DEALT_LOG": "debug"})
    with running(server):
        until(lambda: "all routes are loaded" in server.output, 60)


# --- Bytecode ---------------------------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path):
    """Return the sources without anything compiled."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "sources" / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "sources"


def starts(sources, cache, **env):
    program = "from api.cli.entry import main; main()"
    env = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **env}
    subprocess.run([sys.executable, "-c", program, "settings"], cwd=sources, env=env, capture_output=True, check=True)


def compiled(folder, module="settings"):
    return [path for path in folder.rglob(f"{module}.*.pyc") if "events" in path.parts]


def test_compiled_modules_are_kept_outside_read_only_sources(sources, tmp_path):
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


def test_start_with_compiled_modules_uses_no_other_folder(sources, tmp_path):
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=sources, check=True)
    starts(sources, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_start_uses_the_folder_that_the_environment_names(sources, tmp_path):
    starts(sources, tmp_path / "cache", PYTHONPYCACHEPREFIX=str(tmp_path / "named"))
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_compiled_modules_are_not_run_from_a_writable_shared_folder(tmp_path, mode):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    assert not entry._is_own(shared)
    assert entry._is_own(tmp_path / "new" / "own")


def test_compiled_modules_are_not_run_through_a_foreign_link(tmp_path):
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not entry._is_own(tmp_path / "link")
