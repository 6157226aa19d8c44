"""Tests `dealt play` at a lying server: its data cannot control the terminal, and no answer ends in a traceback."""

import json
import re
import shlex
import sys
import unicodedata
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO, StringIO, TextIOWrapper
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.screen import Screen

from api.cli import replay_command
from api.cli.main import main
from api.terminal import live
from api.terminal.choosing import start_choosing
from api.terminal.history_watch import HistoryChanged, HistoryWatch
from api.terminal.live import TableFollower
from api.terminal.live_screen import live_screen
from api.terminal.remote import Remote
from api.terminal.tty import Keyboard
from events.log.seals import NO_EVENT, digest

EVIL = "\x1b]0;pwn\x07\x1b[2J\x1b[32mVERIFIED\x9b31m\r\u202e"
"""It sets a title, clears the screen, switches to green and reverses the writing direction."""

MATCH = "0" * 20
NOT_DEALT = "is not a Dealt server, or has another version"


class LyingServer:
    """Answers each path below `/v1` with the test's status and text, and others with 404."""

    def __init__(self):
        self.answers = answers = {}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, said = answers.get(urlsplit(self.path).path.removeprefix("/v1"), (404, {"detail": "no"}))
                self.send_response(status)
                self.end_headers()
                self.wfile.write((said if isinstance(said, str) else json.dumps(said)).encode())

            do_POST = do_PUT = do_GET  # noqa: N815 -- the names that the library calls

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server():
    lying = LyingServer()
    yield lying
    lying.close()


@pytest.fixture
def play(server, tmp_path, monkeypatch):
    """Return the command as it runs in a terminal, up to the table."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(replay_command, "has_keys", lambda: True)

    def run(*args, typed=""):
        command = ["play", *args, "--server", server.address, "--token", "t"]
        return CliRunner().invoke(main, command, input=typed, color=True)

    return run


def speaks_to_the_terminal(text):
    return [letter for letter in text if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf")]


def usual(server):
    """Let the server answer the first requests of the command."""
    server.answers |= {
        "/games": (200, {"items": [{"game": f"x{EVIL}", "title": f"Hearts{EVIL}"}]}),
        "/players/me": (200, {"name": "Ann"}),
        "/inbox": (200, {"items": []}),
        "/matches": (200, {"items": [{"id": MATCH, "game": "y", "status": f"on{EVIL}", "seats": []}]}),
    }


@pytest.mark.parametrize("path", ["/games", "/players/me", f"/matches/{MATCH}"])
def test_refusal_is_printed_without_control_characters(server, play, path):
    usual(server)
    server.answers[path] = (400, {"detail": EVIL})
    refused = play(MATCH)
    assert refused.exit_code == 1
    assert "VERIFIED" in refused.output
    assert not speaks_to_the_terminal(refused.output)


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ({"name": ["A name has one line.", EVIL]}, "name: A name has one line. name: "),
        ({"name": {"deep": ["x"]}}, "Mend it."),
        ({"name": [5]}, "Mend it."),
        ("x", "Mend it."),
    ],
)
def test_refusal_names_the_faults_of_the_fields(server, play, errors, told):
    usual(server)
    server.answers["/players/me"] = (422, {"detail": "Mend it.", "errors": errors})
    refused = play(MATCH)
    assert refused.exit_code == 1
    assert f"Error: {told}" in refused.output
    assert not speaks_to_the_terminal(refused.output)


def test_invalid_status_line_is_printed_without_control_characters(play, monkeypatch):
    monkeypatch.setattr(BaseHTTPRequestHandler, "send_response", lambda handler, _: handler.wfile.write(b"\x1b[2J\n"))
    refused = play(MATCH)
    assert "cannot be reached" in refused.output
    assert not speaks_to_the_terminal(refused.output)


def test_choices_are_printed_without_control_characters(server, play):
    usual(server)
    listed = play(typed="")
    assert "VERIFIED" in listed.output
    assert "Which" in listed.output
    assert not speaks_to_the_terminal(listed.output)


def test_games_are_listed_without_control_characters(server, play):
    usual(server)
    named = play("chess")
    assert "chess is neither a match nor a game. The games: x" in named.output
    assert not speaks_to_the_terminal(named.output)


@pytest.mark.parametrize(
    "said", [{}, [], None, 5, "{", {"items": 5}, {"items": [5]}, {"items": [{"game": [], "title": 1}]}, "[" * 200_000]
)
@pytest.mark.parametrize("path", ["/games", "/inbox", "/matches"])
def test_malformed_answers_are_reported_in_a_sentence(server, play, path, said):
    usual(server)
    server.answers[path] = (200, said)
    ended = play()
    assert ended.exit_code == 1
    assert isinstance(ended.exception, SystemExit)
    assert NOT_DEALT in ended.output or "is not JSON" in ended.output


@pytest.mark.parametrize("said", [{}, [], {"status": "lobby", "your_seat": None, "seats": 5}])
def test_malformed_match_is_reported_in_a_sentence(server, play, said):
    usual(server)
    server.answers[f"/matches/{MATCH}"] = (200, said)
    ended = play(MATCH)
    assert (ended.exit_code, type(ended.exception)) == (1, SystemExit)
    assert NOT_DEALT in ended.output


def test_client_error_is_not_blamed_on_the_server(server, play, monkeypatch):
    def broken(*_):
        raise KeyError("ours")

    usual(server)
    monkeypatch.setattr("api.cli.play_command._matches", broken)
    assert isinstance(play().exception, KeyError)


def test_unreadable_answer_is_reported_with_the_reason(server, play):
    usual(server)
    server.answers["/games"] = (200, {"games": []})
    assert f"{NOT_DEALT} (KeyError: 'items')." in play().output


def test_endless_text_is_cut_off(server, play):
    usual(server)
    server.answers["/games"] = (200, {"items": [{"game": "x" * 100_000, "title": "y" * 100_000}]})
    assert len(play().output) < 5_000
    server.answers["/games"] = (400, {"detail": "z" * 100_000})
    assert len(play().output) < 5_000


@pytest.mark.parametrize("tail", ["#invite=$(touch x)", "#invite='; touch x;'", "#invite=`touch x`&touch x"])
def test_printed_command_for_friends_cannot_run_anything_else(server, play, tail):
    invited(server, f"http://x/v1/matches/{MATCH}{tail}")
    (said,) = re.findall(r"dealt play (.*)", play("x", "--friends", "1", typed="\n").output)
    assert shlex.split(said) == [f"http://x/v1/matches/{MATCH}{tail}"]


def test_invalid_link_is_not_shown_to_friends(server, play):
    invited(server, "--server=http://evil.example x")
    refused = play("x", "--friends", "1", typed="\n")
    assert NOT_DEALT in refused.output
    assert "evil" not in refused.output


def invited(server, link):
    """Let the server have a game and a link to a match of it."""
    usual(server)
    server.answers["/games"] = (200, {"items": [{"game": "x", "title": "X"}]})
    server.answers["/games/x"] = (200, {"seats": {"usual": 2}, "usual_preset": "x"})
    server.answers["/matches"] = (201, {"id": MATCH, "invites": [{"link": link}]})


def evil_match():
    """Return a match with hostile text in every field."""
    spot = {"card": EVIL, "face": "up", "seat": None, "marks": [EVIL], "aims": [EVIL]}
    zone = {"kind": EVIL, "seat": None, "spots": [spot], "count": 1, "numbers": {EVIL: 1}, "note": EVIL}
    zones = {f"{n}{EVIL}": {**zone, "layout": name, "columns": None} for n, name in enumerate(("row", "pile"))}
    seats = [{"seat": seat, "badges": [EVIL], "numbers": {EVIL: 2}} for seat in (0, 1)]
    return {
        "game": f"x{EVIL}",
        "seats": [{"seat": seat, "kind": EVIL, "player": {"name": EVIL} if seat else None} for seat in (0, 1)],
        "scene": {
            "phase": EVIL, "seat": 0, "seats": seats, "zones": zones, "numbers": {EVIL: 3}, "notes": [EVIL],
            "last": EVIL, "steps": [{"name": EVIL, "now": True, "stop": True}],
        },
        "to_act": [0], "your_seat": 0, "status": EVIL, "result": None, "id": MATCH, "version": 1,
        "options": {}, "fairness": {"epoch": 1, "commitment": "c1", "awaits": None, "contributed": []},
    }  # fmt: skip


def first_event(text):
    """Return the first event of a match, with any text and a valid digest."""
    hashed = {"v": 1, "seq": 1, "commit": 1, "type": EVIL, "data": {}, "at": EVIL, "cause": "move", "seals": {}}
    return {**hashed, "digest": digest(NO_EVENT, {**hashed, "match": MATCH}), "text": text}


def next_event(before, seq):
    hashed = {"v": 1, "seq": seq, "commit": seq, "type": EVIL, "data": {}, "at": EVIL, "cause": "move", "seals": {}}
    return {**hashed, "digest": digest(before["digest"], {**hashed, "match": MATCH}), "text": "On."}


def followed(server, enough):
    """Follow the match until this much is known, or there is trouble; return the terminal's screen as text."""

    def woken():
        if enough(follower) or follower.latest.trouble:
            follower.stop()

    follower = TableFollower(Remote(server.address, "t"), MATCH, woken)
    follower._follow_match()  # without its thread, it has ended when it is looked at
    seen = follower.latest
    drawn = live_screen(seen, follower.said, start_choosing(seen.rows), None, 130, 40)
    console = Console(width=130, height=40, color_system=None, file=StringIO())
    return seen, "".join(segment.text for segment in console.render(Screen(drawn)))


def test_table_is_drawn_without_control_characters(server):
    usual(server)
    server.answers[f"/matches/{MATCH}"] = (200, evil_match())
    server.answers[f"/matches/{MATCH}/events"] = (200, {"items": [first_event(EVIL)]})
    seen, drawn = followed(server, lambda follower: follower.latest.version)
    assert seen.version == 1
    assert drawn.count("VERIFIED") > 5
    assert not speaks_to_the_terminal(drawn)


@pytest.mark.parametrize("said", [{}, [], {"items": [{}]}, {"items": 5}])
def test_malformed_events_are_reported_instead_of_the_table(server, said, monkeypatch):
    monkeypatch.setattr(live, "PAUSE_SECONDS", 0)
    server.answers[f"/matches/{MATCH}/events"] = (200, said)
    server.answers[f"/matches/{MATCH}"] = (200, {})
    seen, drawn = followed(server, lambda follower: follower.latest.trouble or follower.latest.version)
    assert NOT_DEALT in seen.trouble
    assert NOT_DEALT in drawn


@pytest.mark.parametrize(("seat", "code"), [(0, 0), ("?", 1)])
def test_undrawable_table_is_reported_in_a_sentence(server, play, monkeypatch, seat, code):
    drawn = []

    @contextmanager
    def keyboard(console):
        """Wait until the match is loaded; the user quits once it is drawn."""
        woken = Event()
        yield Keyboard(lambda _: "" if not drawn[1:] and woken.wait(30) else "q", woken.set)

    def show(console, draw):
        drawn.append(list(console.render(Screen(draw(130, 40)))))

    monkeypatch.setattr(live, "open_fullscreen", keyboard)
    monkeypatch.setattr(live, "show", show)
    usual(server)
    match = evil_match()
    match["scene"]["seats"][0]["seat"] = seat
    server.answers[f"/matches/{MATCH}"] = (200, match)
    server.answers[f"/matches/{MATCH}/events"] = (200, {"items": [first_event("It begins.")]})
    ended = play(MATCH)
    assert ended.exit_code == code
    assert (NOT_DEALT in ended.output) is bool(code)


def test_client_error_ends_the_table_and_does_not_blame_the_server(server, monkeypatch):
    def broken(*_):
        raise KeyError("ours")

    monkeypatch.setattr(TableFollower, "_match", broken)
    follower = TableFollower(Remote(server.address, "t"), MATCH, lambda: None)
    follower._run(follower._follow_match)
    assert isinstance(follower.fault, KeyError)


@pytest.mark.parametrize("claimed", [1, 5, 99])
def test_shorter_history_after_a_restart_ends_the_table_with_evidence(server, monkeypatch, tmp_path, claimed):
    monkeypatch.setattr(live, "WAIT_SECONDS", 0)
    usual(server)
    events = [first_event("One.")]
    for n in range(2, 6):
        events.append(next_event(events[-1], n))
    HistoryWatch(server.address, MATCH, tmp_path).take(events)
    server.answers[f"/matches/{MATCH}"] = (200, evil_match() | {"version": claimed})
    server.answers[f"/matches/{MATCH}/events"] = (200, {"items": events[:1]})
    follower = TableFollower(Remote(server.address, "t"), MATCH, lambda: None, tmp_path)
    follower._run(follower._follow_match)
    assert isinstance(follower.fault, HistoryChanged)
    before, now = (json.loads(path.read_text()) for path in sorted((tmp_path / "alarms").iterdir()))
    assert (len(before["items"]), len(now["items"])) == (5, 1)


def test_character_that_the_terminal_lacks_is_replaced(monkeypatch):
    written = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, "latin-1"))
    with pytest.raises(SystemExit):
        main.main(["verify", "tests/records/drawn.json"])
    sys.stdout.flush()
    assert b"chain" in written.getvalue()
