"""Compiles the TypeScript referees for Node."""

import fcntl
import json
import shutil
import subprocess
from pathlib import Path
from typing import Self

import pytest

ROOT = Path(__file__).parents[2]
TSC = ROOT / "tests/clients/node_modules/.bin/tsc"
REFEREES = {path.parent.name for path in ROOT.glob("domain/games/*/referee.ts")}
"""The games that have a referee."""

OPTIONS = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "noUnusedLocals": True,
    "noUnusedParameters": True,
    "erasableSyntaxOnly": True,
    "rewriteRelativeImportExtensions": True,
    "allowJs": True,
    "skipLibCheck": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2022", "dom"],
    "types": ["node"],
    "typeRoots": [str(ROOT / "tests/clients/node_modules/@types")],
    "rootDir": str(ROOT),
}
PROGRAMS = "tests/referee"
SOURCES = [
    "api/web/static/past/verify/*.mjs",
    "api/web/static/past/verify/*.ts",
    "domain/games/*/referee.ts",
    "domain/games/*/verify.mjs",
    "tests/referee/*.ts",
]


def compile_referees(folder: Path) -> Path:
    """Compile into a folder, and return the folder of the programs."""
    options = {**OPTIONS, "outDir": str(folder)}
    config = {"compilerOptions": options, "include": [str(ROOT / source) for source in SOURCES]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    (folder / "package.json").write_text('{"type": "module"}')
    done = subprocess.run([TSC, "-p", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return folder / PROGRAMS


def compile_once(run: Path) -> Path:
    """Compile in the folder of a run, unless another of its processes has done so; return the folder of the
    programs."""
    folder = run / "referees"
    with (run / "referees.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / PROGRAMS / "follow.js").exists():
            folder.mkdir(exist_ok=True)
            compile_referees(folder)
    return folder / PROGRAMS


def needed() -> str:
    """Return the path of Node, or skip the test if it or the compiler is not installed."""
    node = shutil.which("node")
    if node is None or not TSC.exists():
        pytest.skip("node, or the compiler in tests/clients, is not installed")
    return node


class Program:
    """A Node program that answers each line with a line."""

    def __init__(self, node: str, script: Path) -> None:
        self.process = subprocess.Popen([node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def ask(self, line: str) -> dict[str, object]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        answer: dict[str, object] = json.loads(self.process.stdout.readline())
        return answer
