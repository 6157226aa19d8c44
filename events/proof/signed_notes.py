"""Reads, checks and writes signed notes: texts with lines of signatures (C2SP signed-note and tlog-cosignature).

A line names its key by a name and four bytes of a digest of it. Lines of unknown keys are ignored. An invalid line of a
known key makes the whole note invalid.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from domain.core.values import value
from events.proof.signed_heads import is_valid_signature

ED25519: Final = 1
"""The type of a key that signs the text of a note."""
COSIGNATURE: Final = 4
"""The type of a key that signs checkpoints together with a time (cosignature/v1)."""

MOST_BYTES: Final = 16_384
"""A longer note is refused."""
MOST_LINES: Final = 64
"""A note with more lines of signatures is refused."""
MOST_SECONDS: Final = 2**63 - 1

DASH: Final = "— "
NOTE_NAME: Final = re.compile(r"[^\s+\x00-\x1f\x7f]{1,200}")
"""The name of a key."""
_LINE: Final = re.compile(r"— ([^\s+]{1,200}) ([0-9A-Za-z+/]+={0,2})")


class BadNote(ValueError):
    """The text is not a signed note, or a known key's signature is invalid; the message explains the fault."""


@value
class NoteKey:
    """A public key with the name by which lines of signatures call it; `key` is in hex."""

    name: str
    type: int
    key: str

    @property
    def id(self) -> bytes:
        """Return the four bytes that stand for the key in a line."""
        return sha256(f"{self.name}\n".encode() + bytes([self.type]) + bytes.fromhex(self.key)).digest()[:4]

    def __str__(self) -> str:
        """Write it as a verifier key: `name+id+base64`."""
        return f"{self.name}+{self.id.hex()}+{_base64(bytes([self.type]) + bytes.fromhex(self.key))}"


@value
class SignatureLine:
    """A line of signatures."""

    name: str
    id: bytes
    signature: bytes

    def __str__(self) -> str:
        """Write the line, without its end."""
        return f"{DASH}{self.name} {_base64(self.id + self.signature)}"


@value
class SignedNote:
    """A note: its text, which ends with a line feed, and its lines of signatures."""

    text: str
    lines: tuple[SignatureLine, ...]

    def __str__(self) -> str:
        """Write the whole note."""
        return "".join([self.text, "\n", *(f"{line}\n" for line in self.lines)])


def read_note_key(text: str) -> NoteKey:
    """Read a verifier key, with any type of key that this module can check. Raises `BadNote`."""
    name, _, rest = text.partition("+")
    given_id, _, encoded = rest.partition("+")
    try:
        material = _bytes(encoded)
    except ValueError:
        material = b""
    if not NOTE_NAME.fullmatch(name) or len(material) != 33 or material[0] not in (ED25519, COSIGNATURE):
        raise BadNote("A verifier key is written NAME+ID+BASE64, and its type is Ed25519.")
    key = NoteKey(name, material[0], material[1:].hex())
    if key.id.hex() != given_id:
        raise BadNote(f"The id in the verifier key of {name} is not that of its key.")
    return key


def read_note(text: str) -> SignedNote:
    """Read a signed note. Raises `BadNote`."""
    if len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        raise BadNote(f"A signed note has at most {MOST_BYTES} bytes.")
    if any(ord(sign) < 32 and sign != "\n" for sign in text):
        raise BadNote("A signed note has no control characters except line feeds.")
    body, blank, signatures = text.rpartition("\n\n")
    if not blank or not signatures.endswith("\n"):
        raise BadNote("A signed note is a text, an empty line and lines of signatures.")
    return SignedNote(f"{body}\n", read_lines(signatures))


def read_lines(text: str) -> tuple[SignatureLine, ...]:
    """Read lines of signatures, each with its end. Raises `BadNote`."""
    lines = text.split("\n")[:-1]
    if not text.endswith("\n") or not 1 <= len(lines) <= MOST_LINES:
        raise BadNote(f"A signed note has 1 to {MOST_LINES} lines of signatures, each with its end.")
    return tuple(map(_read_line, lines))


def _read_line(text: str) -> SignatureLine:
    found = _LINE.fullmatch(text)
    try:
        signature = _bytes(found[2]) if found else b""
    except ValueError:
        signature = b""
    if found is None or len(signature) < 5:
        raise BadNote("A line of signatures is a dash, the name of a key, and at least five bytes in Base 64.")
    return SignatureLine(found[1], signature[:4], signature[4:])


def sign_text(key: NoteKey, signature: str) -> SignatureLine:
    """Return the line for a signature, in hex, that a key made over the text of a note."""
    return SignatureLine(key.name, key.id, bytes.fromhex(signature))


def find_signers(note: SignedNote, keys: Sequence[NoteKey]) -> dict[NoteKey, int | None]:
    """Return which of these keys have signed a note, with the time in seconds that a cosignature states.

    Raise `BadNote` if a line of one of them is invalid.
    """
    found: dict[NoteKey, int | None] = {}
    for line in note.lines:
        for key in keys:
            if (line.name, line.id) != (key.name, key.id):
                continue
            seconds = _time_of(line) if key.type == COSIGNATURE else None
            signature = line.signature if seconds is None else line.signature[8:]
            message = note.text.encode() if seconds is None else cosigned_message(note.text, seconds)
            if not is_valid_signature(key.key, signature.hex(), message):
                raise BadNote(f"The signature of {key.name} is invalid.")
            found[key] = seconds
    return found


def cosigned_message(text: str, seconds: int) -> bytes:
    """Return the bytes that a witness signs: the text of a checkpoint as it saw it at this time."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def cosign_text(key: NoteKey, seconds: int, signature: str) -> SignatureLine:
    """Return the line for a cosignature, in hex, that a witness made at this time."""
    return SignatureLine(key.name, key.id, seconds.to_bytes(8) + bytes.fromhex(signature))


def _time_of(line: SignatureLine) -> int:
    seconds = int.from_bytes(line.signature[:8])
    if len(line.signature) != 72 or seconds > MOST_SECONDS:
        raise BadNote(f"The cosignature of {line.name} has the wrong length, or no possible time.")
    return seconds


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _bytes(text: str) -> bytes:
    """Decode Base 64 that is written in the one right way. Raises `ValueError`."""
    data = b64decode(text, validate=True)
    if _base64(data) != text:
        raise ValueError("not canonical")
    return data
