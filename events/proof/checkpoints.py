"""Reads and writes checkpoints of a transparency log, and proofs that an entry is in it (C2SP tlog-checkpoint, -proof).

A checkpoint is the text of a signed note: the origin of the log, the number of its entries, and the root of its tree.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final

from domain.core.merkle import MOST_HASHES
from domain.core.values import value
from events.proof.signed_notes import BadNote, SignedNote, read_note

PROOF: Final = "c2sp.org/tlog-proof@v1"
"""The first line of a proof."""
MOST_SIZE: Final = 2**53 - 1
"""A log has at most this many entries; larger numbers are not the same in every language."""

_NUMBER: Final = re.compile("0|[1-9][0-9]{0,15}")


@value
class Checkpoint:
    """The contents of a checkpoint."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """Write it as the text of a note."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"


@value
class EntryProof:
    """The proof that an entry is in a log: its place, the hashes from its leaf up to the root, and a checkpoint.

    `extra` is the salt of the entry.
    """

    extra: bytes
    place: int
    hashes: tuple[bytes, ...]
    note: SignedNote
    checkpoint: Checkpoint

    def __str__(self) -> str:
        """Write the proof."""
        lines = [PROOF, f"extra {to_base64(self.extra)}", f"index {self.place}", *map(to_base64, self.hashes)]
        return "\n".join([*lines, "", str(self.note)])


def read_checkpoint(note: SignedNote) -> Checkpoint:
    """Read the text of a note as a checkpoint. Raises `BadNote`."""
    origin, *rest = note.text.split("\n")
    if len(rest) < 3 or not origin or not all(rest[:-1]):
        raise BadNote("A checkpoint has the lines origin, size and root.")
    return Checkpoint(origin, read_number(rest[0]), read_hash(rest[1]))


def read_number(text: str) -> int:
    """Read a number as checkpoints have it. Raises `BadNote`."""
    if not _NUMBER.fullmatch(text) or int(text) > MOST_SIZE:
        raise BadNote("A size or a place is a whole number without leading zeros, at most 2^53 - 1.")
    return int(text)


def read_hash(text: str) -> bytes:
    """Read a hash in Base 64. Raises `BadNote`."""
    if len(data := from_base64(text)) != 32:
        raise BadNote("A hash is 32 bytes in Base 64.")
    return data


def read_entry_proof(text: str) -> EntryProof:
    """Read the proof that an entry is in a log. Raises `BadNote`."""
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != PROOF or not blank:
        raise BadNote(f"A proof begins with the line {PROOF}, and ends with a checkpoint after an empty line.")
    extra = from_base64(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
    if not lines or not lines[0].startswith("index "):
        raise BadNote("A proof has the line index after that.")
    if len(lines) > MOST_HASHES + 1:
        raise BadNote(f"A proof has at most {MOST_HASHES} hashes.")
    signed = read_note(note)
    hashes = tuple(map(read_hash, lines[1:]))
    return EntryProof(extra, read_number(lines[0][6:]), hashes, signed, read_checkpoint(signed))


def to_base64(data: bytes) -> str:
    """Write bytes in Base 64 (RFC 4648, section 4)."""
    return b64encode(data).decode()


def from_base64(text: str) -> bytes:
    """Read bytes in Base 64 that are written in the one right way. Raises `BadNote`."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = None
    if data is None or to_base64(data) != text:
        raise BadNote("This is not Base 64.")
    return data


def write_hashes(hashes: Sequence[bytes]) -> str:
    """Write hashes, a line for each."""
    return "".join(f"{to_base64(one)}\n" for one in hashes)
