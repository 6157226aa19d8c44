"""Runs code with the programs of others, which `.ci/run` installs into `tests/clients` (its `requirements.txt`)."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

PYTHON: Final = Path(__file__).parents[1] / "clients" / ".venv" / "bin" / "python"


def run_with(modules: str, code: str, *files: Path) -> str:
    """Return what code prints that reads these files with these modules; without them the test is skipped."""
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", f"import {modules}"], check=False).returncode:
        pytest.skip(f"{modules}: not installed; .ci/run does it")
    done = subprocess.run([PYTHON, "-c", code, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
