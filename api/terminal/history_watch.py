"""Checks the history of a match as a server shows it, and raises an alarm if it contradicts earlier data.

Every event must follow the one before it in the chain of digests, open its seals and agree with the signed heads. The
data is kept on disk. So a server that shows another history later is caught, and both histories are evidence for `dealt
verify --compare`.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec import ValidationError, convert

from api.terminal.player_state import append_lines, read_document, read_lines, write_document
from events.log.seals import NO_EVENT, digest, seal
from events.proof.signed_heads import MATCH, SignedHead, is_signed

Told = Mapping[str, Any]
"""An event as a feed has it."""

HASHED: Final = ("at", "cause", "commit", "seals", "seq", "type", "v")
"""The fields of an event that are hashed as they are (docs/proof.md)."""

KEPT_HISTORIES: Final = 50
"""The number of histories on disk, those of the latest matches. For older matches, only the newest head stays."""


class HistoryChanged(Exception):
    """The server's history has changed; the message names the place of the evidence."""


def find_missing_match(server: str, match_id: str, folder: Path) -> HistoryChanged | None:
    """Return the alarm for a match that the server no longer has; None if it had not begun when it was last seen.

    A match that has begun never disappears for its players, so the kept events and their signed head are evidence.
    """
    watch = HistoryWatch(server, match_id, folder)
    return watch.missing() if watch.has_begun else None


class HistoryWatch:
    """Follows the chain of one match at one server; `version` and `head` are those of the last event so far.

    `read_all` asks the server for all events from the first on; it is called for evidence, once there is an alarm.
    """

    def __init__(
        self, server: str, match_id: str, folder: Path, read_all: Callable[[], Sequence[Told]] = tuple
    ) -> None:
        self._server, self._match, self._folder, self._read_all = server, match_id, folder, read_all
        name = sha256(f"{server} {match_id}".encode()).hexdigest()[:32]
        self._head_file, self._history_file = folder / "heads" / name, folder / "histories" / f"{name}.jsonl"
        self._newest = _valid_head(read_document(self._head_file))
        self._before: list[Told] = _in_order(read_lines(self._history_file))
        self._told: list[Told] = []
        self._heads: dict[int, str] = {self._newest["version"]: self._newest["head"]} if self._newest else {}
        self._claimed: int = self._newest.get("version", 0)
        self.version, self.head = 0, NO_EVENT
        _forget_oldest(folder / "histories")

    @property
    def _known(self) -> int:
        """The number of events that the server has claimed to have, in this run or before."""
        return max(self.version, len(self._before), self._claimed)

    def take(self, events: Sequence[Told]) -> None:
        """Check the next events of a feed and remember them. Raises `HistoryChanged`."""
        reached = self.version
        for event in events:
            if 1 <= event["seq"] <= self.version:
                self._compare(event, self._told[event["seq"] - 1], events)
            else:
                self._follow(event, events)
            self._check_signature(event.get("signed"), event["seq"], event["digest"], events)
        if self.version > reached:
            self._keep()
        elif self.version < self._known:
            raise self._alarm(f"There were {self._known} events, and now the server has {self.version}", events)

    def check_answer(self, match: Mapping[str, Any]) -> None:
        """Check the version and head that an answer gives for the match. Raises `HistoryChanged`."""
        version, head = match["version"], match.get("head")
        if version < self._known:
            raise self._alarm(f"There were {self._known} events, and now the server has {version}", match)
        self._claimed = version
        if head is not None:
            if version == self.version and head != self.head:
                raise self._alarm(f"The head of event {version} has changed", match)
            self._heads[version] = head
            self._check_signature(match.get("signed"), version, head, match)

    @property
    def has_begun(self) -> bool:
        """Return whether the kept events show that the match began."""
        return any(event.get("type") == "MatchStarted" for event in self._before or self._told)

    def missing(self) -> HistoryChanged:
        """Return the alarm for a server that no longer has the match."""
        why = "The server no longer has this match, or no longer shows it to your player"
        return self._alarm(why, None)

    def hand_differs(self, match: Mapping[str, Any]) -> HistoryChanged:
        """Return the alarm for a table that shows the player another hand than the events do."""
        return self._alarm(f"The table at event {self.version} shows you other cards than the events", match)

    def refused(self, answer: Any) -> HistoryChanged:
        """Return the alarm for a server that does not know events that it has sent."""
        return self._alarm(f"The server no longer has event {self.version}, which it sent before", answer)

    def _follow(self, event: Told, said: Any) -> None:
        """Check the next event and remember it."""
        hashed = {name: event[name] for name in HASHED} | {"data": _public(event), "match": self._match}
        due, seq = digest(self.head, hashed), self.version + 1
        if event["seq"] != seq or event["digest"] != due:
            raise self._alarm(f"Event {seq} does not follow from those before it", said)
        if self._heads.get(seq, due) != due:
            raise self._alarm(f"Event {seq} has changed", said)
        if not _opens(event):
            raise self._alarm(f"The cards of event {seq} do not match its seals", said)
        if seq <= len(self._before):
            self._compare(event, self._before[seq - 1], said)
        self.version, self.head = seq, due
        self._told.append(event)

    def _compare(self, event: Told, before: Told, said: Any) -> None:
        if event["digest"] != before["digest"]:
            raise self._alarm(f"Event {event['seq']} has changed", said)
        shown, shown_before = _secret(event), _secret(before)
        if any(shown[name] != shown_before[name] for name in shown.keys() & shown_before.keys()):
            raise self._alarm(f"Event {event['seq']} shows you other cards than before", said)

    def _check_signature(self, given: Any, version: int, head: str, said: Any) -> None:
        """Check a signed head that came with an event or an answer; None is no signature."""
        if given is None:
            return
        try:
            signed = convert(given, SignedHead)
        except ValidationError as error:
            raise self._alarm(f"The signed head of event {version} cannot be read", said) from error
        if (signed.kind, signed.id, signed.version, signed.head) != (MATCH, self._match, version, head):
            raise self._alarm(f"The signed head of event {version} belongs to another history", said)
        if not is_signed(signed):
            raise self._alarm(f"The signature of event {version} is invalid", said)

    def _keep(self) -> None:
        """Keep the events that are new, and the newest head."""
        if self.version > len(self._before):
            append_lines(self._history_file, self._told[len(self._before) :])
            self._before = [*self._told]
        if self.version > self._newest.get("version", 0):
            signed = self._told[-1].get("signed")
            about = {"server": self._server, "match": self._match}
            self._newest = {**about, "version": self.version, "head": self.head, "signed": signed}
            write_document(self._head_file, self._newest)

    def _alarm(self, why: str, said: Any) -> HistoryChanged:
        """Save the earlier and the current history as evidence, and return the exception to raise."""
        name = f"{sha256(self._match.encode()).hexdigest()[:16]}-{self._known}"
        before, now = (self._folder / "alarms" / f"{name}-{which}.json" for which in ("before", "now"))
        history = max(self._before, self._told, key=len)
        is_whole = len(history) >= self._newest.get("version", 0)
        write_document(before, {"items": history} if is_whole else self._newest)
        page = said if isinstance(said, list) else []
        write_document(now, {"server": self._server, "items": self._read_all() or page, "answer": said})
        return HistoryChanged(
            f"The server contradicts itself about this match. {why}. Its earlier answer is in {before}, and its"
            f" new answer in {now}. Save the answer of"
            f" {self._server}/v1/keys in a file KEYS, keep all three, and compare the first two:"
            f" dealt verify --compare {before} {now} --key KEYS"
        )


def _public(event: Told) -> dict[str, Any]:
    return {name: value for name, value in event["data"].items() if name not in event["seals"]}


def _secret(event: Told) -> dict[str, Any]:
    """Return the fields of an event that are shown to this reader and not to all."""
    return {name: value for name, value in event["data"].items() if name in event["seals"]}


def _opens(event: Told) -> bool:
    """Return whether every sealed field that is shown has the value and the key of its seal."""
    keys, disclosed, seals = event.get("unseal") or {}, event.get("disclosed") or {}, event["seals"]
    own = _secret(event)
    try:
        for name in own.keys() | disclosed.keys():
            others = disclosed.get(name, {})
            readers = [reader for reader in keys.get(name, {}) if reader not in others]
            if len(readers) != (name in own):
                return False
            for reader, value in [*others.items(), *((reader, own[name]) for reader in readers)]:
                key = bytes.fromhex(keys[name][reader])
                if seal(key, event["seq"], name, reader, value) != seals[name][reader]:
                    return False
    except (KeyError, ValueError):
        return False  # a key is missing or invalid
    return True


def _valid_head(found: Any) -> dict[str, Any]:
    """Return a head that was kept; empty if it is none."""
    if isinstance(found, dict) and type(found.get("version")) is int and isinstance(found.get("head"), str):
        return found
    return {}


def _in_order(lines: Sequence[Any]) -> list[Told]:
    """Return the events of a history that was kept, from the first on; two programs may have written some twice."""
    events: list[Told] = []
    for line in lines:
        if isinstance(line, dict) and line.get("seq") == len(events) + 1 and {"digest", "data", "seals"} <= line.keys():
            events.append(line)
    return events


def _forget_oldest(histories: Path) -> None:
    """Delete the histories of all but the latest matches."""
    found = sorted(histories.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[KEPT_HISTORIES:]:
        path.unlink(missing_ok=True)
