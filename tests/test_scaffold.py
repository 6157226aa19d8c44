"""Tests the bootstrap, the lock files, the layers and the container files."""

import ast
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")


@pytest.fixture
def dev(tmp_path, monkeypatch):
    """Return dev.py as a module that uses a temporary folder as the project."""
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("pyproject.toml", *LOCKS):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "BIN", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / "dealt-installed")
    return module


@pytest.fixture
def installs(dev, monkeypatch):
    """Record the levels that dev.py installs, in order, without installing anything."""
    done = []

    def pretend(*command):
        done.extend(level for level, name in dev.LOCKS.items() if name in command)
        dev.BIN.mkdir(parents=True, exist_ok=True)
        (dev.BIN / "python").touch()

    monkeypatch.setattr(dev, "run", pretend)
    monkeypatch.setattr(dev, "make_venv", lambda _: ["installer"])
    monkeypatch.setattr(dev, "build_page", lambda: 0)
    return done


def test_second_start_installs_nothing(dev, installs):
    for _ in range(2):
        dev.need("dev")
    assert installs == ["dev"]


def test_serving_installs_only_the_smallest_set(dev, installs):
    for level in ("runtime", "dev", "runtime", "bench", "dev"):
        dev.need(level)
    assert installs == ["runtime", "dev", "bench"]


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements-dev.lock"])
def test_changed_lock_file_triggers_an_installation(dev, installs, name):
    dev.need("dev")
    with (dev.ROOT / name).open("a") as file:
        file.write("# changed\n")
    dev.need("dev")
    assert installs == ["dev", "dev"]


def test_interrupted_installation_is_repeated(dev, installs, monkeypatch):
    def fail(*_):
        raise subprocess.CalledProcessError(1, ["pip"])

    with monkeypatch.context() as patch:
        patch.setattr(dev, "run", fail)
        assert dev.main(["install"]) == 1
    assert dev.main(["install"]) == 0
    assert installs == ["dev"]


def test_an_old_python_is_refused_in_a_sentence(dev, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    assert dev.main(["serve"]) == 1
    assert "needs Python 3.11 or newer, and this is 3.10." in capsys.readouterr().err


def test_python_without_venv_is_refused_with_the_package_to_install(dev, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(dev.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match="1"):
        dev.main(["install"])
    assert "apt install python3-venv" in capsys.readouterr().err


@pytest.mark.parametrize(("args", "code"), [([], 2), (["dance"], 2), (["--help"], 0)])
def test_dev_without_a_command_lists_the_commands(dev, capsys, args, code):
    assert dev.main(args) == code
    said = capsys.readouterr().out
    assert all(name in said for name in ("install", "serve", "test", "lint", "bench", "lock"))


def test_start_of_dev_is_fast(dev, installs, tmp_path):
    (tmp_path / "dev.py").write_bytes((ROOT / "dev.py").read_bytes())
    dev.need("dev")

    def seconds(*command):
        """Return the CPU time, which does not depend on other work of the machine."""
        before = os.times()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        after = os.times()
        return (after.children_user - before.children_user) + (after.children_system - before.children_system)

    best = [min(seconds(*command) for _ in range(7)) for command in (("-c", ""), (tmp_path / "dev.py", "install"))]
    assert best[1] - best[0] < 0.15
    assert installs == ["dev"]


def requirements(name):
    """Return the requirements of a lock file: name and version, marker, hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", [*LOCKS, "requirements-page.lock"])
def test_every_requirement_is_pinned_and_hashed_without_urls(name):
    for line in requirements(name):
        assert re.match(r"[a-z0-9-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}", line), line
        assert "://" not in line
        assert not line.startswith("-")


def test_larger_lock_file_includes_the_smaller_ones():
    small, middle, large = (set(requirements(name)) for name in LOCKS)
    assert small < middle < large


def test_lock_file_matches_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    wanted = project["project"]["dependencies"] + groups["build"] + groups["dev"] + groups["bench"]
    locked = {line.split("==")[0] for line in requirements(LOCKS[2])}
    assert {re.match("[a-z0-9-]+", name)[0] for name in wanted} <= locked


@pytest.mark.parametrize("path", sorted((ROOT / "domain").rglob("*.py")), ids=lambda path: path.stem)
def test_domain_imports_only_the_standard_library(path):
    allowed = {*sys.stdlib_module_names, "domain"}
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "domain"] if isinstance(node, ast.ImportFrom) and not node.level else []
        assert {name.split(".")[0] for name in names} <= allowed, f"{path.name}:{getattr(node, 'lineno', 0)}"


def tool(name, *args):
    """Run a program of the virtual environment; return its exit code and its output."""
    done = subprocess.run(
        [Path(sys.executable).parent / name, *args], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_dockerfile_passes_hadolint():
    assert tool("hadolint", "Dockerfile") == (0, "")


def test_compose_file_matches_its_schema():
    code, said = tool("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml")
    assert code == 0, said


def test_the_image_runs_the_api_as_an_ordinary_user_and_checks_its_health():
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER (?!0|root)", text, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK .*", text, re.MULTILINE)
    assert "/healthz" in text
    assert json.loads(re.search(r"^CMD (.*)", text, re.MULTILINE)[1])[:2] == ["dealt", "api"]


def test_image_gets_every_file_of_the_package():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    left = (ROOT / ".dockerignore").read_text().splitlines()
    assert {f"!{path}" for path in (*wheel["packages"], *wheel["force-include"])} <= set(left)


def test_third_party_images_are_pinned_by_digest():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    named = [service["image"] for service in services.values() if "build" not in service]
    named += re.findall(r"^ARG BASE=(.*)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(named) == 3
    assert [image for image in named if not re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", image)] == []


def test_compose_starts_every_process_with_an_unprivileged_database_role():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert services.keys() == {"postgres", "rabbitmq", "migrate", "api", "worker", "scheduler"}
    for name in ("api", "worker", "scheduler"):
        environment = services[name]["environment"]
        assert "//dealt_app:" in environment["DATABASE_URL"]
        assert "MIGRATION_DATABASE_URL" not in environment
        assert services[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert "//dealt_owner:" in services["migrate"]["environment"]["MIGRATION_DATABASE_URL"]


SKIPS = """
import pytest

@pytest.fixture
def missing():
    pytest.skip("no such server here")

def test_by_fixture(missing): ...
def test_inside(): pytest.skip("not now")
@pytest.mark.skip(reason="never")
def test_by_mark(): ...
def test_runs(): ...
"""


def run_by_itself(folder, *args, **env):
    """Run the tests of a folder as ours are run; return the finished process."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
    ]
    ours = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "-Wignore", "-rsxX", "--tb=short", f"--rootdir={folder}", *args, folder],
        env=os.environ | ours | env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
@pytest.mark.parametrize("ci", ["true", "false"])
def test_tests_cannot_skip_in_ci(tmp_path, ci):
    (tmp_path / "test_skips.py").write_text(SKIPS)
    (tmp_path / "test_module.py").write_text("import pytest\npytest.skip('all of it', allow_module_level=True)")
    done = run_by_itself(tmp_path, "--continue-on-collection-errors", CI=ci)
    if ci == "true":
        assert done.returncode != 0
        assert all(
            f"may not skip with CI=true: {why}" in done.stdout
            for why in (
                "Skipped: no such server here",
                "Skipped: not now",
                "Skipped: never",
                "Skipped: all of it",
            )
        ), done.stdout
    else:
        assert done.returncode == 0
        assert "1 passed, 4 skipped" in done.stdout


def test_dependency_sets_have_different_fingerprints(dev):
    assert dev.fingerprint("dev") != dev.fingerprint("runtime")
    assert len(dev.fingerprint("dev")) == len(hashlib.sha256().hexdigest())


KINDS = """
import pytest

on_each = pytest.mark.parametrize("store", ["sqlite", "postgresql"])

def test_short(): ...
@pytest.mark.long
def test_long(): ...
@on_each
def test_same(store): ...
@on_each
@pytest.mark.both_databases
def test_differs(store): ...
@on_each
@pytest.mark.parametrize("case", [1, 2])
def test_values(store, case): ...
@pytest.fixture
def fleet(): ...
def test_killed(fleet): ...
"""
SHORT = {
    "killed", "short", "same[sqlite]", "differs[sqlite]", "differs[postgresql]", "values[1-sqlite]", "values[2-sqlite]",
}  # fmt: skip
ALL = {*SHORT, "long", "same[postgresql]", "values[1-postgresql]"}


@pytest.mark.long
@pytest.mark.parametrize(("args", "wanted"), [([], SHORT), (["--all"], ALL)])
def test_long_repeating_tests_run_only_with_all(tmp_path, args, wanted):
    (tmp_path / "test_kinds.py").write_text(KINDS)
    said = run_by_itself(tmp_path, "--collect-only", "-q", *args).stdout
    first, *others = re.findall(r"^\S+::test_(\S+)$", said, re.MULTILINE)
    assert first == "killed"
    assert {first, *others} == wanted


FAILS = """
class Table:
    def __repr__(self): return "Table(" + "x" * 5_000 + ")"

def bots_of(table): return ()

def test_bare():
    table = Table()
    assert bots_of(table)

def test_told():
    assert not Table(), "a table is left"

def test_raised():
    raise ValueError("no such seat" + "!" * 5_000)
"""


@pytest.mark.long
def test_failure_output_begins_with_the_fault_in_short_lines(tmp_path):
    (tmp_path / "test_fails.py").write_text(FAILS)
    said = run_by_itself(tmp_path, CI="true").stdout
    assert "FAILED test_fails.py::test_bare - assert bots_of(table) <- ()\n" in said
    assert "FAILED test_fails.py::test_told - a table is left\n" in said
    assert "FAILED test_fails.py::test_raised - ValueError: no such seat!" in said
    assert re.search(r"^_+ test_bare _+\nassert bots_of\(table\)", said, re.MULTILINE)
    assert max(map(len, said.splitlines())) < 300


@pytest.mark.parametrize(
    ("args", "started"),
    [
        (["-x"], ("pytest", "-n", "4", "--dist", "worksteal", "-x")),
        (["--all"], ("pytest", "-n", "3", "--dist", "worksteal", "--all")),
        (["-n0", "tests/core"], ("pytest", "-n0", "tests/core")),
    ],
)
def test_arguments_after_a_command_are_passed_on(dev, installs, monkeypatch, args, started):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(dev, "become", lambda *command: command)
    assert dev.main(["test", *args]) == started


def test_ci_runs_every_check():
    assert 'exec python3 dev.py test --all "$@"' in (ROOT / ".ci" / "run").read_text()
