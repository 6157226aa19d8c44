"""Derives the entry of a head in a transparency log, and checks its proof (docs/proof.md)."""

from hashlib import sha256
from typing import Final

SALT: Final = 32
"""The bytes of a salt."""


def head_text(kind: str, of: str, version: int, head: str) -> str:
    """Return the text about the head of a stream at a version."""
    return f"head|{kind}|{of}|{version}|{head}"


def entry_of(salt: bytes, body: str) -> bytes:
    """Return the entry for a text with this salt."""
    return sha256(b"dealt-leaf/1|" + salt + b"|" + body.encode()).digest()
