"""Keeps the newest checkpoint of a server's transparency log, and raises an alarm if a later one does not continue it.

With it, a player notices at the next visit if a server set its history back, forked it, or replaced its key without the
signature of the earlier one (docs/proof.md).
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any, Final

from api.safe_text import remove_controls
from api.terminal.history_watch import HistoryChanged
from api.terminal.player_state import read_document, write_document
from api.terminal.remote import Query, Unreachable, request_server
from domain.core.merkle import is_consistent
from events.proof.checkpoints import Checkpoint, read_checkpoint, read_hash
from events.proof.signed_heads import BadKeyList, KnownKey, are_of_one_server, read_key_list
from events.proof.signed_notes import ED25519, BadNote, NoteKey, find_signers, read_note

LOG: Final = "/v1/transparency"
ABSENT: Final = 404
PATIENCE: Final = 3.0
"""Seconds after which a checkpoint older than the kept one is requested again."""


class LogWatch:
    """Watches the log of one server; `folder` has the newest checkpoint and alarms."""

    def __init__(self, server: str, folder: Path, patience: float = PATIENCE) -> None:
        self._server, self._folder, self._patience = server.rstrip("/"), folder, patience
        self._name = sha256(self._server.encode()).hexdigest()[:32]
        self._file = folder / "checkpoints" / f"{self._name}.json"

    def look(self) -> Checkpoint | None:
        """Request the newest checkpoint, check that it continues the kept one, and store it.

        Return None if the server has no log, or cannot be reached. Raises `HistoryChanged`.
        """
        try:
            return self._look(_valid_checkpoint(read_document(self._file)))
        except Unreachable:
            return None

    def _look(self, kept: dict[str, Any] | None) -> Checkpoint | None:
        status, note = self._ask(f"{LOG}/checkpoint")
        if status != 200:
            if kept is None or status != ABSENT:
                return None
            raise self._alarm(kept, note, "It no longer has a transparency log")
        if kept is not None and _size(note) < _size(kept["note"]):
            sleep(self._patience)  # a cache in between may be a few seconds old
            _, note = self._ask(f"{LOG}/checkpoint")
        _, keys_text = self._ask("/v1/keys")
        try:
            keys = read_key_list(keys_text.encode())
            signed = read_note(note)
            new = read_checkpoint(signed)
            signers = find_signers(signed, [NoteKey(new.origin, ED25519, key.key) for key in keys])
        except (BadKeyList, BadNote) as error:
            raise self._alarm(kept, note, f"Its checkpoint or its keys are invalid: {error}") from error
        if not signers:
            raise self._alarm(kept, note, "None of its keys signed its checkpoint")
        signer = next(iter(signers)).key
        if kept is not None:
            self._compare(kept, new, note, signer, keys)
        write_document(self._file, {"server": self._server, "note": note, "key": signer})
        return new

    def _compare(self, kept: dict[str, Any], new: Checkpoint, note: str, signer: str, keys: Sequence[KnownKey]) -> None:
        """Check that a checkpoint continues the kept one. Raises `HistoryChanged`."""
        old = read_checkpoint(read_note(kept["note"]))
        if new.origin != old.origin:
            raise self._alarm(kept, note, f"Its log was named {old.origin}, and is now named {new.origin}")
        if not are_of_one_server(kept["key"], signer, keys):
            raise self._alarm(kept, note, "Its key was replaced without the signature of the earlier one")
        if new.size < old.size:
            raise self._alarm(kept, note, f"Its log had {old.size} entries, and now has {new.size}: it was rolled back")
        if not self._continues(old, new):
            raise self._alarm(kept, note, "Its log does not continue the one that it showed before")

    def _continues(self, old: Checkpoint, new: Checkpoint) -> bool:
        """Return whether the server proves that one checkpoint continues the other; equal sizes need no proof."""
        if old.size in (0, new.size):
            return old.size == 0 or old.root == new.root
        status, text = self._ask(f"{LOG}/consistency/{old.size}/{new.size}")
        try:
            proof = [read_hash(line) for line in text.split("\n")[:-1]] if status == 200 else []
        except BadNote:
            return False
        return is_consistent(old.size, new.size, proof, old.root, new.root)

    def _ask(self, path: str) -> tuple[int, str]:
        status, text = request_server(self._server, None, Query("GET", path, "text/plain, application/json"))
        return status, text.decode(errors="replace")

    def _alarm(self, kept: dict[str, Any] | None, note: str, why: str) -> HistoryChanged:
        """Keep both checkpoints as evidence, and return the alarm."""
        before, now = (self._folder / "alarms" / f"log-{self._name[:16]}-{which}.json" for which in ("before", "now"))
        write_document(before, kept)
        write_document(now, {"server": self._server, "note": note})
        return HistoryChanged(
            f"The server {self._server} contradicts itself. {remove_controls(why)}. Keep the evidence, {before}"
            f" and {now}, and ask its operator. If you accept the change, delete {self._file}."
        )


def _size(note: str) -> int:
    """Return the size of a log; 0 if this is no checkpoint."""
    try:
        return read_checkpoint(read_note(note)).size
    except BadNote:
        return 0


def _valid_checkpoint(found: Any) -> dict[str, Any] | None:
    """Return a checkpoint that was kept; None if it is invalid."""
    try:
        read_checkpoint(read_note(found["note"]))
    except (BadNote, LookupError, TypeError, AttributeError):
        return None
    return found if isinstance(found.get("key"), str) else None
