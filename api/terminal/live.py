"""Follows a running match on a server, and plays it with the keys of this terminal."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Thread
from typing import Final

from rich.console import Console

from api.terminal import choosing
from api.terminal.choosing import Choosing
from api.terminal.live_screen import live_screen
from api.terminal.remote import Declined, Remote, Unreachable, understood
from api.terminal.table_seen import KEPT, TableSeen, path, read
from api.terminal.tty import keys, opened, show

WAIT_SECONDS: Final = 25
"""A request waits this many seconds for something new."""

PAUSE_SECONDS: Final = 2.0
"""After a failure the server is asked again after this many seconds."""


class TableFollower:
    """A follower asks the server for the match, and for its chat, whenever they have changed.

    `latest` is what it knows of the match, `said` the messages at the table. `woken` is called after each change.
    """

    def __init__(self, remote: Remote, match_id: str, woken: Callable[[], None]) -> None:
        self.latest = TableSeen()
        self.said: tuple[str, ...] = ()
        self._remote, self._path, self._woken = remote, path(match_id), woken
        self._stopped, self._changes = Event(), 0

    def start(self) -> None:
        """Start to follow."""
        for run in (self._follow_match, self._follow_chat):
            Thread(target=run, name="follower", daemon=True).start()

    def stop(self) -> None:
        """End soon; a request that waits is not waited for."""
        self._stopped.set()

    def _follow_match(self) -> None:
        while not self._stopped.is_set() and not self.latest.outcome:
            try:
                with understood(self._remote.server):
                    self.latest = self._match(WAIT_SECONDS if self.latest.version else 0)
            except (Unreachable, Declined) as error:
                self.latest = replace(self.latest, trouble=str(error))
                self._stopped.wait(PAUSE_SECONDS)
            self._woken()

    def _follow_chat(self) -> None:
        """Follow what is said; a spectator is refused, and has no chat."""
        while not self._stopped.is_set():
            try:
                found = self._remote.get(f"{self._path}/chat?after={self._changes}&wait={WAIT_SECONDS}")
                with understood(self._remote.server):
                    new = [f"{m['player']['name']}: {m['text']}" for m in found["items"] if m["text"]]
                    self._changes = found["next"]
            except Declined:
                return
            except Unreachable:
                self._stopped.wait(PAUSE_SECONDS)
                continue
            self.said = (*self.said, *new)[-KEPT:]
            self._woken()

    def _match(self, wait: int) -> TableSeen:
        """Wait for new events, then read what there is."""
        new = self._remote.get(f"{self._path}/events?after={self.latest.version}&wait={wait}")
        if not new["items"]:
            return replace(self.latest, trouble="")
        match = self._remote.get(self._path)
        seated = match["your_seat"] is not None and match["status"] == "playing"
        offer = self._remote.get(f"{self._path}/moves") if seated else {"moves": (), "also": ()}
        return read(replace(self.latest, title=self._title(match["game"])), match, new["items"], offer)

    def _title(self, game: str) -> str:
        """Give the title of the game, which a server that no longer has the game cannot tell."""
        if not self.latest.title:
            titles = {each["game"]: each["title"] for each in self._remote.get("/games")["items"]}
            return str(titles.get(game, game))
        return self.latest.title


@dataclass(frozen=True)
class Typing:
    """This is a message to the table, as far as it is typed."""

    text: str = ""


def play(remote: Remote, match_id: str, console: Console, *, signs: bool) -> None:
    """Play a match on the screen until the user quits."""
    with opened(console) as keyboard, ExitStack() as at_end:
        follower = TableFollower(remote, match_id, keyboard.wake)
        at_end.callback(follower.stop)
        follower.start()
        seen, chosen = follower.latest, choosing.begun(())
        typing: Typing | None = None
        while True:
            if follower.latest is not seen:
                # What others do takes nothing away from what is half chosen.
                if follower.latest.version != seen.version and follower.latest.rows != chosen.rows:
                    chosen = choosing.begun(follower.latest.rows)
                seen = follower.latest
            message = None if typing is None else typing.text
            show(console, partial(live_screen, seen, follower.said, chosen, message, signs=signs))
            for key in keys(keyboard.read(None) or ""):
                if typing is not None:
                    typing, chosen = _typed(remote, match_id, typing, chosen, key)
                elif key in ("q", "ctrl-c"):
                    return
                elif key == "c" and seen.mine is not None:
                    typing = Typing()
                else:
                    chosen = _moved(remote, match_id, seen, choosing.press(chosen, key))


def _moved(remote: Remote, match_id: str, seen: TableSeen, chosen: Choosing) -> Choosing:
    """Send the move that is chosen, if one is; what the server refuses is said."""
    if chosen.body is None:
        return chosen
    try:
        remote.post(f"{path(match_id)}/moves", {**chosen.body, "seat": seen.mine})
    except (Declined, Unreachable) as error:
        return replace(chosen, body=None, said=str(error))
    return replace(choosing.begun(()), said="sent")


def _typed(remote: Remote, match_id: str, typing: Typing, chosen: Choosing, key: str) -> tuple[Typing | None, Choosing]:
    """Take a letter of a message, or send it."""
    match key:
        case "esc" | "ctrl-c":
            return None, chosen
        case "backspace":
            return Typing(typing.text[:-1]), chosen
        case "enter":
            said = ""
            if typing.text.strip():
                try:
                    remote.post(f"{path(match_id)}/chat", {"text": typing.text.strip()})
                except (Declined, Unreachable) as error:
                    said = str(error)
            return None, replace(chosen, said=said)
        case _ if len(key) == 1 and key.isprintable() and len(typing.text) < 500:
            return Typing(typing.text + key), chosen
    return typing, chosen
