"""A witness of transparency logs: it checks that each checkpoint continues the one before, and cosigns it.

It follows C2SP tlog-witness and tlog-cosignature. Its only state is a file with the last checkpoint of each log. A
checkpoint is written to that file, on the disk, before it is cosigned.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.merkle import EMPTY, MOST_HASHES, is_consistent
from domain.core.values import value
from events.proof import signed_notes
from events.proof.checkpoints import Checkpoint, from_base64, read_checkpoint, read_hash, read_number, to_base64

PLAIN: Final = "text/plain; charset=utf-8"
SIZE: Final = "text/x.tlog.size"
"""The media type of the size of a log that a witness knows."""

MOST_REQUEST: Final = signed_notes.MOST_BYTES + (MOST_HASHES + 2) * 64
"""Maximum length of a request, in bytes."""


class KnownLog(msgspec.Struct, frozen=True):
    """The last checkpoint of a log that was cosigned."""

    size: int
    root: str
    note: str


@value
class WitnessAnswer:
    """The answer to a request: its status, media type and text."""

    status: int
    text: str
    media_type: str = PLAIN


@value
class AddCheckpoint:
    """A request to cosign a checkpoint that continues the one of an older size."""

    old: int
    proof: Sequence[bytes]
    note: signed_notes.SignedNote
    checkpoint: Checkpoint


class Witness:
    """A witness with a name and a secret key.

    `logs` are the keys by origin of the logs that it cosigns. Processes that share the file take turns.
    """

    def __init__(
        self,
        name: str,
        secret: bytes,
        logs: Mapping[str, Sequence[signed_notes.NoteKey]],
        path: Path,
        now: Callable[[], int],
    ) -> None:
        self._secret = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = signed_notes.NoteKey(
            name, signed_notes.COSIGNATURE, self._secret.public_key().public_bytes_raw().hex()
        )
        self._logs, self._path, self._now = logs, path, now

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Cosign a checkpoint, or say why not."""
        try:
            asked = read_request(body)
        except signed_notes.BadNote as error:
            return WitnessAnswer(400, f"{error}\n")
        keys = self._logs.get(asked.checkpoint.origin)
        if keys is None:
            return WitnessAnswer(404, "This witness does not know the log.\n")
        try:
            signers = signed_notes.find_signers(asked.note, keys)
        except signed_notes.BadNote as error:
            return WitnessAnswer(403, f"{error}\n")
        if not signers:
            return WitnessAnswer(403, "No known key of the log has signed the checkpoint.\n")
        if asked.old > asked.checkpoint.size:
            return WitnessAnswer(400, "The old size is larger than that of the checkpoint.\n")
        with self._locked():
            return self._continue(asked)

    def read_checkpoint(self, origin_hash: str) -> WitnessAnswer:
        """Return the last checkpoint of a log, by the SHA-256 of its origin in hex."""
        known = self._read()
        found = next((log for origin, log in known.items() if sha256(origin.encode()).hexdigest() == origin_hash), None)
        return WitnessAnswer(404, "No checkpoint was cosigned.\n") if found is None else WitnessAnswer(200, found.note)

    def _continue(self, asked: AddCheckpoint) -> WitnessAnswer:
        """Cosign a checkpoint if it continues the last one of its log."""
        new, known = asked.checkpoint, self._read()
        last = known.get(new.origin) or KnownLog(0, to_base64(EMPTY), "")
        if asked.old != last.size:
            return WitnessAnswer(409, f"{last.size}\n", SIZE)
        if not is_consistent(last.size, new.size, asked.proof, from_base64(last.root), new.root):
            return WitnessAnswer(422, "The consistency proof is invalid.\n")
        seconds = self._now()
        signature = self._secret.sign(signed_notes.cosigned_message(asked.note.text, seconds)).hex()
        line = signed_notes.cosign_text(self.key, seconds, signature)
        note = str(signed_notes.SignedNote(asked.note.text, (*asked.note.lines, line)))
        self._write({**known, new.origin: KnownLog(new.size, to_base64(new.root), note)})
        return WitnessAnswer(200, f"{line}\n")

    def _read(self) -> dict[str, KnownLog]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, KnownLog])
        except FileNotFoundError:
            return {}

    def _write(self, known: Mapping[str, KnownLog]) -> None:
        """Write the file in one step; return when it is on the disk."""
        draft = self._path.with_name(f"{self._path.name}.new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(known))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._path.with_name(f"{self._path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def read_request(body: bytes) -> AddCheckpoint:
    """Read a request to cosign a checkpoint. Raises `BadNote`."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise signed_notes.BadNote("The request is not UTF-8.") from None
    head, blank, rest = text.partition("\n\n")
    first, *proof = head.split("\n")
    if not blank or not first.startswith("old "):
        raise signed_notes.BadNote("A request begins with the line old, and has an empty line before the checkpoint.")
    if len(proof) > MOST_HASHES:
        raise signed_notes.BadNote(f"A request has at most {MOST_HASHES} hashes.")
    note = signed_notes.read_note(rest)
    return AddCheckpoint(read_number(first[4:]), [*map(read_hash, proof)], note, read_checkpoint(note))


def write_request(old: int, proof: str, note: str) -> bytes:
    """Write a request to cosign a checkpoint; `proof` has a hash on each line."""
    return f"old {old}\n{proof}\n{note}".encode()
