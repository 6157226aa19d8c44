"""Tests `dealt replay`: in a real terminal, in a pipe, and with a match on a real server."""

import json
import os
import signal
import subprocess
import sys

import pytest
import requests

from tests.draws import first_of
from tests.recorded import Recorded
from tests.services import free_port
from tests.system.processes import COMMAND, ROOT, Person, Process, answers, running, until
from tests.system.terminal import ENTERED, LEFT, Terminal


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Return a file with the record of a match of Hearts."""
    table = Recorded("hearts", ("bot",) * 4, {"target_score": 30})
    table.plays_on()
    path = tmp_path_factory.mktemp("records") / "hearts.json"
    path.write_text(json.dumps(table.record()))
    return path


def test_replay_steps_resizes_and_restores_the_terminal(recording):
    terminal = Terminal("replay", recording)
    first = terminal.shows("q quit")
    assert "event 1/" in first
    assert ENTERED in terminal.shown
    terminal.types("\x1b[C\x1b[C")
    terminal.shows("event 3/")
    terminal.types("ghand:2\r")
    terminal.is_so(lambda: "hand 2 · passing" in terminal.plain() and "╭──╭──╭──╭" in terminal.plain())
    terminal.types("0")
    terminal.shows("seen by Bot 0")
    terminal.sized(120, 40)
    terminal.is_so(lambda: [len(line) for line in terminal.plain().splitlines()] == [120] * 40)
    terminal.types("q")
    assert terminal.ends() == 0
    assert terminal.shown.endswith(LEFT)


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "code"), [("\x03", 0), (signal.SIGTERM, 143), pytest.param(signal.SIGHUP, 129, marks=pytest.mark.long)]
)
def test_terminal_is_restored_however_the_replay_ends(recording, how, code):
    terminal = Terminal("replay", recording)
    terminal.shows("q quit")
    if isinstance(how, str):
        terminal.types(how)
    else:
        os.kill(terminal.pid, how)
    assert terminal.ends() == code
    assert terminal.shown.endswith(LEFT)


REMOVED = """
import os, signal
from rich.console import Console
from api.terminal.tty import open_fullscreen

class Removed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGHUP)
        sum(range(10))

with open_fullscreen(Console()) as keyboard:
    Removed()
    keyboard.read(None)
"""


@pytest.mark.long
def test_signal_during_garbage_collection_ends_the_replay():
    terminal = Terminal(command=(sys.executable, "-c", REMOVED))
    assert terminal.ends() == 129
    assert "Exception ignored" in terminal.shown


@pytest.mark.long
def test_replay_runs_automatically(recording):
    terminal = Terminal("replay", recording, "--from", "20")
    terminal.shows("event 20/")
    terminal.types("r++++")
    terminal.shows("event 30/")
    terminal.types("rq")
    assert terminal.ends() == 0


@pytest.mark.parametrize("env", first_of([{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}]))
def test_replay_uses_the_terminals_capabilities(recording, env):
    terminal = Terminal("replay", recording, "--from", "hand:1", env=env)
    shown = terminal.shows("q quit")
    assert shown.isascii() == (env["LC_ALL"] == "C")
    assert ("\x1b[31m" in terminal.shown) == ("NO_COLOR" not in env)
    terminal.types("q")
    assert terminal.ends() == 0


def test_terminal_that_cannot_draw_shows_the_log(recording):
    terminal = Terminal("replay", recording, env={"TERM": "dumb"})
    terminal.shows("The match ended")
    assert terminal.ends() == 0
    assert "\x1b[" not in terminal.shown


@pytest.mark.long
def test_closed_output_is_not_an_error(recording):
    printed = subprocess.run(
        f"{COMMAND[0]} -c '{COMMAND[2]}' replay - < {recording} | head -3", shell=True, cwd=ROOT, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert printed.stdout.startswith("Hearts, match m-1, finished: ")
    assert printed.stderr == ""


@pytest.mark.long
def test_replay_reads_a_match_from_a_server(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    server = Process("serve", "--port", str(port), "--data", str(tmp_path / "data"))
    with running(server):
        until(lambda: answers(base), 60)
        person = Person(base)
        match = person.create(
            game="gin_rummy", seats=[{"kind": "me"}, {"kind": "bot", "level": "easy"}], visibility="private"
        )
        mine = {"DEALT_TOKEN": str(person.session.headers["Authorization"]).removeprefix("Bearer ")}
        printed = replay(match, "--server", base, env=mine)
        assert f"Gin Rummy, match {match}, playing: " in printed.stdout
        assert "Shown: seen by " in printed.stdout
        assert printed.stdout.count(": Ann got ") == 1
        assert replay(f"{base}/v1/matches/{match}", "--server", base, env=mine).stdout == printed.stdout
        for args, env in [
            ((match, "--server", base), {}),
            (
                (f"{base}/v1/matches/{match}",),
                mine,
            ),  # a token from the environment is only for the named server
            ((match[::-1], "--server", base), mine),
        ]:
            refused = replay(*args, env=env)
            assert refused.returncode == 1
            assert "has no match" in refused.stderr
        assert "does not know this token" in replay(match, "--server", base, "--token", "nobody's").stderr
        assert requests.get(f"{base}/v1/matches/{match}", timeout=30).status_code == 404


def replay(*args, env=None):
    return subprocess.run(
        [*COMMAND, "replay", *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | (env or {}),
        check=False,
    )
