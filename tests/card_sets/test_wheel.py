"""Tests that the installed package contains the cards."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]


def test_wheel_contains_the_card_files(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    within = {name for name in ZipFile(wheel).namelist() if name.startswith("domain/card_sets/")}
    there = (ROOT / "domain/card_sets").rglob("*.json")
    files = {str(path.relative_to(ROOT)) for path in there}
    assert len(files) >= 2
    assert files <= within
