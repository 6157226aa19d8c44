"""Runs code with other programs, which `.ci/run` installs into `tests/clients` (its `requirements.txt`)."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

PYTHON: Final = Path(__file__).parents[1] / "clients" / ".venv" / "bin" / "python"


def run_with(modules: str, code: str, *files: Path) -> str:
    """Return the output of code that uses these modules and reads these files; skip the test if they are missing."""
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", f"import {modules}"], check=False).returncode:
        pytest.skip(f"{modules}: not installed; .ci/run does it")
    done = subprocess.run([PYTHON, "-c", code, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
