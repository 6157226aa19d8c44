"""Tests that `dealt check-game` and `pytest --dealt-game` check a game by its name or module, and report faults."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.check_game_command import check_game

PACKAGE = Path(__file__).parents[1] / "docs/tutorial/high_card"
BROKEN = """
from dataclasses import replace
from high_card import GAME as SOUND

UNNAMED = replace(SOUND, name="No Name")
SLIP = replace(SOUND, name="slip", view=lambda s, seat: s.hands)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with game modules, in which a command is started."""
    (tmp_path / "broken_game.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def run_check(*args):
    return CliRunner().invoke(check_game, args)


def test_game_can_be_checked_by_its_name():
    checked = run_check("high_card", "--seed", "3")
    assert checked.exit_code == 0
    assert "FAILED" not in checked.output
    assert checked.output.splitlines()[0] == "high_card, of high_card"


def test_fault_is_printed_below_its_check(folder):
    checked = run_check("broken_game:UNNAMED")
    assert checked.exit_code == 1
    assert "  FAILED  declaration\n          name: 'No Name' is not made of small letters" in checked.output
    assert "seats" not in checked.output


def test_exception_is_printed_with_its_line(folder):
    checked = run_check("broken_game:SLIP")
    assert checked.exit_code == 1
    assert (
        "view: It raises AttributeError: 'Table' object has no attribute 'hands'. See broken_game.py:6."
        in checked.output
    )


def test_unknown_game_name_is_refused():
    checked = run_check("no_such_game")
    assert checked.exit_code == 1
    assert "There is no game and no module no_such_game. The games are " in checked.output


def test_installed_games_are_checked_by_default():
    assert run_check().output == "No installed package offers a game. Name a game, or its module.\n"


def run_pytest(folder, *args):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{PACKAGE}:{folder}", "PATH": ""},
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


def test_pytest_runs_each_check_as_a_test(folder):
    code, said = run_pytest(folder, "--dealt-game=high_card", "-k", "declaration or options or 2")
    assert code == 0, said
    assert "dealt-game=high_card::declaration PASSED" in said
    assert "3 passed, 3 deselected" in said


def test_pytest_shows_only_the_faults_of_a_check(folder):
    code, said = run_pytest(folder, "--dealt-game=broken_game:UNNAMED")
    assert code == 1
    assert "name: 'No Name' is not made of small letters" in said
    assert "Traceback" not in said


def test_pytest_plugin_reports_an_unknown_game(folder):
    code, said = run_pytest(folder, "--dealt-game=no_such_game")
    assert code == 4
    assert "There is no game and no module no_such_game." in said
