"""`dealt replay`: in a real terminal, in a pipe, and of a match that a real server holds."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest
import requests

from tests.recorded import Recorded
from tests.system.processes import COMMAND, ROOT, Person, Process, answers, free_port, running, until

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l\x1b[?25h"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A file with the record of a match of Hearts."""
    table = Recorded("hearts", ("bot",) * 4, {"target_score": 30})
    table.plays_on()
    path = tmp_path_factory.mktemp("records") / "hearts.json"
    path.write_text(json.dumps(table.record()))
    return path


class Terminal:
    """A terminal of 80×24 in which `dealt replay` runs."""

    def __init__(self, *args, env=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | (env or {}))
            os.execv(COMMAND[0], [*COMMAND, "replay", *map(str, args)])
        self.sized(80, 24)
        self.before = termios.tcgetattr(self.fd)
        self.shown = ""
        self.status = None

    def sized(self, width, height):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def types(self, text):
        self.shown = ""
        os.write(self.fd, text.encode())

    def shows(self, text, seconds=20):
        """Wait until the screen shows a text; gives the screen without its colours."""
        return self.is_so(lambda: text in self.plain(), seconds)

    def is_so(self, what, seconds=20):
        ends = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < ends, self.shown[-3000:]
            if select.select([self.fd], [], [], 0.1)[0]:
                self.shown += self._read()
        return self.plain()

    def plain(self):
        return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", self.shown.rpartition("\x1b[H")[2])

    def ends(self, seconds=10):
        """Wait until the program is over; gives its exit code."""
        until(self._over, seconds)
        while select.select([self.fd], [], [], 0)[0] and (rest := self._read()):
            self.shown += rest
        after = termios.tcgetattr(self.fd)
        os.close(self.fd)
        assert after == self.before
        return os.waitstatus_to_exitcode(self.status)

    def _over(self):
        if select.select([self.fd], [], [], 0)[0]:
            self.shown += self._read()
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        self.status = status if pid else None
        return pid

    def _read(self):
        try:
            return os.read(self.fd, 65536).decode(errors="replace")
        except OSError:  # the other end is closed
            return ""


def test_steps_resizes_and_leaves_the_terminal_as_it_was(recording):
    terminal = Terminal(recording)
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


@pytest.mark.parametrize(("how", "code"), [("\x03", 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_leaves_the_terminal_as_it_was_whatever_ends_it(recording, how, code):
    terminal = Terminal(recording)
    terminal.shows("q quit")
    if isinstance(how, str):
        terminal.types(how)
    else:
        os.kill(terminal.pid, how)
    assert terminal.ends() == code
    assert terminal.shown.endswith(LEFT)


def test_runs_by_itself(recording):
    terminal = Terminal(recording, "--from", "20")
    terminal.shows("event 20/")
    terminal.types("r++++")
    terminal.shows("event 30/")
    terminal.types("rq")
    assert terminal.ends() == 0


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}])
def test_draws_with_what_the_terminal_has(recording, env):
    terminal = Terminal(recording, "--from", "hand:1", env=env)
    shown = terminal.shows("q quit")
    assert shown.isascii() == (env["LC_ALL"] == "C")
    assert ("\x1b[31m" in terminal.shown) == ("NO_COLOR" not in env)
    terminal.types("q")
    assert terminal.ends() == 0


def test_a_terminal_that_cannot_draw_gets_the_log(recording):
    terminal = Terminal(recording, env={"TERM": "dumb"})
    terminal.shows("The match is over")
    assert terminal.ends() == 0
    assert "\x1b[" not in terminal.shown


def test_a_reader_that_goes_away_is_no_error(recording):
    told = subprocess.run(
        f"{COMMAND[0]} -c '{COMMAND[2]}' replay - < {recording} | head -3", shell=True, cwd=ROOT, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert told.stdout.startswith("Hearts, match m-1, finished: ")
    assert told.stderr == ""


@pytest.mark.long
def test_replays_what_a_server_holds(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    server = Process("serve", "--port", str(port), "--data", str(tmp_path / "data"))
    with running(server):
        until(lambda: answers(base), 20)
        person = Person(base)
        match = person.create(
            game="gin_rummy", seats=[{"kind": "me"}, {"kind": "bot", "level": "easy"}], visibility="private"
        )
        mine = {"DEALT_TOKEN": str(person.session.headers["Authorization"]).removeprefix("Bearer ")}
        told = replay(match, "--server", base, env=mine)
        assert f"Gin Rummy, match {match}, playing: " in told.stdout
        assert "Shown: seen by " in told.stdout
        assert told.stdout.count(" holds ") == 1
        assert replay(f"{base}/v1/matches/{match}", "--server", base, env=mine).stdout == told.stdout
        for args, env in [
            ((match, "--server", base), {}),
            (
                (f"{base}/v1/matches/{match}",),
                mine,
            ),  # a token of the environment is for the named server alone
            ((match[::-1], "--server", base), mine),
        ]:
            refused = replay(*args, env=env)
            assert refused.returncode == 1
            assert "There is no match" in refused.stderr
        assert "is not known" in replay(match, "--server", base, "--token", "nobody's").stderr
        assert requests.get(f"{base}/v1/matches/{match}", timeout=5).status_code == 404


def replay(*args, env=None):
    return subprocess.run(
        [*COMMAND, "replay", *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | (env or {}),
        check=False,
    )
