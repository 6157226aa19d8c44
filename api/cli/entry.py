"""Starts the command `dealt`, and stores its compiled modules in another folder if needed.

Compiling takes longer than the rest of a start. Python stores compiled modules next to the sources, unless
PYTHONDONTWRITEBYTECODE forbids it or the folder is read-only. Then they go to a folder of the user.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

_SOURCES: Final = Path(__file__).resolve().parents[2]
_PACKAGES: Final = ("api", "domain", "events", "workers")


def keep_bytecode() -> None:
    """Make this process and its children keep compiled modules that would otherwise be lost.

    Nothing changes if the environment names a directory for them, or if everything is compiled already.
    """
    if sys.pycache_prefix is not None or not (sys.dont_write_bytecode or not os.access(_SOURCES / "api", os.W_OK)):
        return
    if _is_compiled():
        return
    for folder in _folders():
        if _is_own(folder):
            sys.pycache_prefix, sys.dont_write_bytecode = str(folder), False
            os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            return


def _is_compiled() -> bool:
    """Return whether each of our modules is compiled next to its source, and not older than it."""
    with suppress(OSError):
        return all(_changed_at(cache_from_source(source)) >= _changed_at(source) for source in _modules())
    return False


def _changed_at(path: str) -> float:
    return os.stat(path).st_mtime  # noqa: PTH116 -- a thousand of them: a `Path` takes twice as long


def _modules() -> Iterator[str]:
    for package in _PACKAGES:
        for folder, _, names in os.walk(_SOURCES / package):
            yield from (f"{folder}/{name}" for name in names if name.endswith(".py"))


def _folders() -> Iterator[Path]:
    """Yield the folders that may keep compiled modules, the better one first."""
    with suppress(RuntimeError):  # the user may have no home directory
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dealt" / "bytecode"
    yield Path(os.environ.get("TMPDIR") or "/tmp") / f"dealt-bytecode-{os.geteuid()}"  # noqa: S108 -- see `_is_own`


def _is_own(folder: Path) -> bool:
    """Create a folder if needed; return whether only this user can write to it, since its content is run."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    is_private = stat.S_ISDIR(found.st_mode) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return is_private and found.st_uid == os.geteuid() and os.access(folder, os.W_OK)


def main() -> None:
    """Run the command of the arguments."""
    keep_bytecode()  # before anything else is imported
    from api.cli.main import main as run

    run()
