"""Tests the screen of a running match: everything that the follower has read is drawn, whenever it was read."""

from contextlib import contextmanager

from rich.console import Console

from api.terminal import live
from api.terminal.choosing import Row
from api.terminal.table_seen import TableSeen
from api.terminal.tty import Keyboard

READ = TableSeen(version=3, names=("Ann", "Bot 1"), to_act=(0,), mine=0, rows=(Row("draw", "Draw a card"),))


def test_moves_read_before_the_first_drawing_are_offered(monkeypatch):
    drawn = []

    @contextmanager
    def keyboard(console):
        yield Keyboard(lambda seconds: "q", lambda: None)

    monkeypatch.setattr(live, "open_fullscreen", keyboard)
    monkeypatch.setattr(live, "show", lambda console, draw: drawn.append(draw(80, 24)))
    monkeypatch.setattr(live.TableFollower, "start", lambda follower: setattr(follower, "latest", READ))
    live.play_on_screen(
        live.Remote("http://localhost", "token"), "m", console := Console(width=80, height=24), signs=True
    )
    with console.capture() as written:
        console.print(drawn[0])
    assert "Draw a card" in written.get()
