"""Checks the history of a match as a server tells it, and raises an alarm if it is another than was told before.

Every event must follow the one before it in the chain of digests, and the newest head is kept on disk. So a server that
shows another history later is found, and what it has said both times is kept as evidence.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from api.terminal.player_state import read_document, write_document
from events.log.seals import NO_EVENT, digest

HASHED: Final = ("at", "cause", "commit", "seals", "seq", "type", "v")
"""The fields of an event that are hashed as they are (docs/proof.md)."""


class HistoryChanged(Exception):
    """The server tells another history than before; the message says where the evidence is."""


class HistoryWatch:
    """Follows the chain of one match at one server; `version` and `head` are those of the last event so far."""

    def __init__(self, server: str, match_id: str, folder: Path) -> None:
        self._server, self._match, self._folder = server, match_id, folder
        self._file = folder / "heads" / sha256(f"{server} {match_id}".encode()).hexdigest()[:32]
        self._before: dict[str, Any] = _sound(read_document(self._file))
        self._told: list[Any] = []
        self.version, self.head = 0, NO_EVENT

    def take(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Take in events as a feed has them; those that were told before must be the same. Raises `HistoryChanged`."""
        for event in events:
            if 1 <= event["seq"] <= self.version:
                if event["digest"] != self._told[event["seq"] - 1]["digest"]:
                    raise self._alarm(f"Event {event['seq']} is another than before", [*self._told, event])
                continue
            self._follow(event)
            self._told.append(event)
        if events and self.version > self._before.get("version", 0):
            self._keep(events[-1])

    def reach(self, version: int, answer: Any) -> None:
        """Check that the match has all events that were known before. Raises `HistoryChanged`."""
        known = max(self.version, self._before.get("version", 0))
        if version < known:
            raise self._alarm(f"There were {known} events before, and now there are {version}", answer)

    def refused(self, answer: Any) -> HistoryChanged:
        """Return the alarm for a server that does not know the events which it has told."""
        return self._alarm(f"The server does not know event {self.version}, which it has told", answer)

    def _follow(self, event: Mapping[str, Any]) -> None:
        open_data = {name: value for name, value in event["data"].items() if name not in event["seals"]}
        hashed = {name: event[name] for name in HASHED} | {"data": open_data, "match": self._match}
        due = digest(self.head, hashed)
        if event["seq"] != self.version + 1 or event["digest"] != due:
            raise self._alarm(f"Event {self.version + 1} does not follow from those before it", [*self._told, event])
        self.version, self.head = self.version + 1, due
        if self.version == self._before.get("version") and due != self._before["head"]:
            raise self._alarm(f"Event {self.version} is another than before", [*self._told, event])

    def _keep(self, last: Mapping[str, Any]) -> None:
        self._before = {
            "server": self._server,
            "match": self._match,
            "version": self.version,
            "head": self.head,
            "signed": last.get("signed"),
        }
        write_document(self._file, self._before)

    def _alarm(self, why: str, told: Any) -> HistoryChanged:
        """Keep both documents, and return what is to be raised."""
        name = f"{sha256(self._match.encode()).hexdigest()[:16]}-{max(self.version, self._before.get('version', 0))}"
        before, now = (self._folder / "alarms" / f"{name}-{which}.json" for which in ("before", "now"))
        known = self._before or {"match": self._match, "version": self.version, "head": self.head}
        write_document(before, known)
        write_document(now, {"server": self._server, "match": self._match, "told": told})
        return HistoryChanged(
            f"The history of this match has changed. {why}. What the server said before is in {before}, and what it"
            f" says now in {now}. Keep both, and show them to others."
        )


def _sound(found: Any) -> dict[str, Any]:
    """Return a head that was kept; empty if it is none."""
    if isinstance(found, dict) and type(found.get("version")) is int and isinstance(found.get("head"), str):
        return found
    return {}
