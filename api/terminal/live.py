"""Follows a running match on a server, and plays it with the keys of this terminal."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

from msgspec import convert
from rich.console import Console

from api.terminal import choosing
from api.terminal.choosing import Choosing
from api.terminal.history_watch import HistoryWatch
from api.terminal.live_screen import live_screen
from api.terminal.log_watch import LogWatch
from api.terminal.nonces import NonceGiver
from api.terminal.player_state import state_folder
from api.terminal.remote import Declined, Remote, Unreachable, blame_server_for_bad_answers
from api.terminal.screen import in_letters
from api.terminal.table_seen import (
    KEPT,
    TableSeen,
    apply_events_to_table,
    events,
    messages,
    nothing,
    path,
    seated_at,
    titles,
)
from api.terminal.tty import keys, open_fullscreen, show
from domain import match as life
from domain.core.scene import HAND, as_json
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events.log.codec import shapes
from events.proof.findings import Fact
from events.proof.record import Item, fact


class OwnHand:
    """Follows a match by its events, as far as its game and its version of the rules are installed here."""

    def __init__(self, match_id: str) -> None:
        self._match_id = match_id
        self._match: Match | None = None
        self._seats, self._taken, self._is_followed = 0, 0, True

    def take(self, events: Sequence[Mapping[str, Any]], seat: int | None) -> None:
        """Apply the next events of the seat's or spectators' feed."""
        reader = SPECTATORS if seat is None else str(seat)
        for event in events:
            if self._is_followed and event["seq"] == self._taken + 1:
                self._taken += 1
                try:
                    self._evolve(fact(convert(event, Item), reader), reader)
                except Exception:  # events of other rules, or forged ones, may raise anything
                    self._is_followed = False

    def differs(self, match: Mapping[str, Any]) -> bool:
        """Return whether a table that is being played shows other cards in the player's hand than the events do."""
        seat, scene = match["your_seat"], match["scene"]
        if not self._is_followed or self._match is None or self._match.table is None:
            return False
        if seat is None or scene is None or (match["version"], match["status"]) != (self._taken, "playing"):
            return False
        own = as_json(self._match.game.scene(self._match.table, seat))
        return _hand(own, seat) != _hand(scene, seat)

    def _evolve(self, event: Fact, reader: Reader) -> None:
        if self._match is None:
            game = GAMES[event.data["game"]]
            self._is_followed = event.data["rules"] == life.rules_of(game)
            self._seats = len(event.data["seats"])
            self._match = life.initial_match(game, self._match_id, self._read(event, game.name, reader))
        else:
            life.evolve(self._match, self._read(event, self._match.game.name, reader))

    def _read(self, event: Fact, game: str, reader: Reader) -> Any:
        shape = shapes(game)[event.type]
        return shape.event(shape.upcast(event.v, event.data), self._seats, event.parts, reader)


def _hand(scene: Mapping[str, Any], seat: int) -> list[str]:
    """Return the cards in a seat's hand, in order."""
    hands = [zone for zone in scene["zones"].values() if zone["kind"] == HAND and zone["seat"] == seat]
    return sorted(str(spot["card"]) for zone in hands for spot in zone["spots"])


WAIT_SECONDS: Final = 25
"""A request waits this many seconds for something new."""

UNKNOWN_HISTORY: Final = 409
"""The status of an answer to a caller who names an unknown event."""

MISSING: Final = 404
"""The status of an answer about an unknown match."""

MOST_PAGES: Final = 20
"""Maximum pages of events that are requested for evidence."""

LOG_SECONDS: Final = 60
"""Seconds between two checks of the server's transparency log."""

PAUSE_SECONDS: Final = 2.0
"""After a failure the server is asked again after this many seconds."""


class TableFollower:
    """Follows a match and its chat on the server.

    `latest` is the current match, `said` the messages at the table, `fault` an unexpected error that ended it. `woken`
    is called after each change.
    """

    def __init__(self, remote: Remote, match_id: str, woken: Callable[[], None], folder: Path | None = None) -> None:
        folder = folder or state_folder()
        self._log, self._log_at = LogWatch(remote.server, folder), monotonic()
        self._watch = HistoryWatch(remote.server, match_id, folder, self._read_all)
        self._hand = OwnHand(match_id)
        self._nonces = NonceGiver(remote.server, folder)
        self.latest = TableSeen()
        self.said: tuple[str, ...] = ()
        self.fault: Exception | None = None
        self._match_id, self._remote, self._path, self._woken = match_id, remote, path(match_id), woken
        self._stopped, self._changes = Event(), 0

    def start(self) -> None:
        """Start to follow."""
        for follow in (self._follow_match, self._follow_chat):
            Thread(target=self._run, args=(follow,), name="follower", daemon=True).start()

    def stop(self) -> None:
        """End soon, without waiting for a request in progress."""
        self._stopped.set()

    def _run(self, follow: Callable[[], None]) -> None:
        try:
            follow()
        except Exception as error:  # The other thread owns the screen and its messages.
            self.fault = error
            self._woken()

    def _follow_match(self) -> None:
        while not self._stopped.is_set() and not self.latest.outcome:
            try:
                self.latest = self._match(WAIT_SECONDS if self.latest.version else 0)
            except (Unreachable, Declined) as error:
                self.latest = replace(self.latest, trouble=str(error))
                self._stopped.wait(PAUSE_SECONDS)
            self._woken()

    def _follow_chat(self) -> None:
        """Follow the chat, if the player can read it."""
        while not self._stopped.is_set():
            chat = f"{self._path}/chat?after={self._changes}&wait={WAIT_SECONDS}"
            try:
                new, self._changes = self._remote.get(chat, messages)
            except Declined:
                return
            except Unreachable:
                self._stopped.wait(PAUSE_SECONDS)
                continue
            self.said = (*self.said, *new)[-KEPT:]
            self._woken()

    def _match(self, wait: int) -> TableSeen:
        """Wait for new events, then read what there is."""
        new = self._events(wait)
        if monotonic() - self._log_at >= LOG_SECONDS:
            self._log.look()
            self._log_at = monotonic()
        match, seated, game = self._remote.get(self._path, seated_at)
        with blame_server_for_bad_answers(self._remote.server):
            self._check(match, new)
        self._give_nonce(match)
        if not new:
            return replace(self.latest, trouble="")
        offer = self._remote.get(f"{self._path}/moves", dict) if seated else {"moves": (), "also": ()}
        before = replace(self.latest, title=self._title(game))
        with blame_server_for_bad_answers(self._remote.server):
            return apply_events_to_table(before, match, new, offer)

    def _check(self, match: Mapping[str, Any], new: Sequence[Mapping[str, Any]]) -> None:
        """Check the server's match data against its events. Raises `HistoryChanged`."""
        self._watch.check_answer(match)
        self._hand.take(new, match["your_seat"])
        if self._hand.differs(match):
            raise self._watch.hand_differs(match)

    def _read_all(self) -> Sequence[Mapping[str, Any]]:
        """Fetch all events from the first on, as the server shows them now; none if it does not answer."""
        told: list[Mapping[str, Any]] = []
        with suppress(Declined, Unreachable):
            for _ in range(MOST_PAGES):
                page = f"{self._path}/events?after={len(told)}"
                new: list[Mapping[str, Any]] = []
                self._remote.get(page, events, check=lambda page: new.extend(page["items"]))  # noqa: B023 -- at once
                if not new or new[0]["seq"] != len(told) + 1:
                    break
                told += new
        return told

    def _events(self, wait: int) -> Sequence[Mapping[str, Any]]:
        """Wait for new events, and check that they follow from those before."""
        asked = f"{self._path}/events?after={self.latest.version}&wait={wait}"
        try:
            return self._remote.get(asked, events, check=lambda page: self._watch.take(page["items"]))
        except Declined as error:
            if error.status == MISSING and self._watch.has_begun:
                raise self._watch.missing() from error
            if error.status != UNKNOWN_HISTORY:
                raise
            raise self._watch.refused(self._remote.get(self._path, dict)) from error

    def _give_nonce(self, match: Mapping[str, Any]) -> None:
        """Send the player's nonce if the match collects them now; otherwise the match goes on without it."""
        with blame_server_for_bad_answers(self._remote.server):
            due = self._nonces.due(self._match_id, match)
        if due is not None:
            seat, body = due
            with suppress(Declined, Unreachable):
                self._remote.put(f"{self._path}/seats/{seat}", body, self._nonces.keep_receipts)

    def _title(self, game: str) -> str:
        """Return the title of the game, which the server may no longer have."""
        return self.latest.title or self._remote.get("/games", titles).get(game, game)


@dataclass(frozen=True)
class Typing:
    """A message to the table, as far as it is typed."""

    text: str = ""


def play_on_screen(remote: Remote, match_id: str, console: Console, *, signs: bool) -> None:
    """Play a match on the screen until the user quits."""
    with open_fullscreen(console) as keyboard, ExitStack() as at_end:
        follower = TableFollower(remote, match_id, keyboard.wake)
        at_end.callback(follower.stop)
        follower.start()
        seen, chosen = TableSeen(), choosing.start_choosing(())
        typing: Typing | None = None
        while True:
            if follower.fault:
                raise follower.fault
            latest = follower.latest  # owned by the other thread, which may replace it at any time
            # Events of other seats keep a half-made choice.
            if latest.version != seen.version and latest.rows != chosen.rows:
                chosen = choosing.start_choosing(latest.rows)
            seen = latest
            message = None if typing is None else typing.text
            # The server's data are drawn: an inconsistent table is noticed here.
            with blame_server_for_bad_answers(remote.server):
                drawn = partial(live_screen, seen, follower.said, chosen, message)
                show(console, drawn if signs else in_letters(drawn))
            for key in keys(keyboard.read(None) or ""):
                if typing is not None:
                    typing, chosen = _typed(remote, match_id, typing, chosen, key)
                elif key in ("q", "ctrl-c"):
                    return
                elif key == "c" and seen.mine is not None:
                    typing = Typing()
                else:
                    with blame_server_for_bad_answers(remote.server):
                        chosen = choosing.press(chosen, key)
                    chosen = _moved(remote, match_id, seen, chosen)


def _moved(remote: Remote, match_id: str, seen: TableSeen, chosen: Choosing) -> Choosing:
    """Send the chosen move, if there is one; show the server's refusal."""
    if chosen.body is None:
        return chosen
    try:
        remote.post(f"{path(match_id)}/moves", {**chosen.body, "seat": seen.mine}, nothing)
    except (Declined, Unreachable) as error:
        return replace(chosen, body=None, said=str(error))
    return replace(choosing.start_choosing(()), said="sent")


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
                    remote.post(f"{path(match_id)}/chat", {"text": typing.text.strip()}, nothing)
                except (Declined, Unreachable) as error:
                    said = str(error)
            return None, replace(chosen, said=said)
        case _ if len(key) == 1 and key.isprintable() and len(typing.text) < 500:
            return Typing(typing.text + key), chosen
    return typing, chosen
