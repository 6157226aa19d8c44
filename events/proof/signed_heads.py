"""This module says what a server's signature is over, and checks one.

A signed head says in a server's name: of this match, the event of this version has this digest (docs/proof.md).
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SERVER: Final = r"[0-9A-Za-z.:_/-]{1,100}"
"""The name of a server, as a regular expression."""

KEY: Final = re.compile("[0-9a-f]{64}")
_SERVER: Final = re.compile(SERVER)
_MATCH: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")


class SignedHead(msgspec.Struct, frozen=True):
    """This is a head with a server's signature: everything that is needed to check it."""

    server: str
    match: str
    version: int
    head: str
    key: str
    signature: str


class NonceReceipt(msgspec.Struct, frozen=True):
    """A server's word that the nonce of a seat, or its hash, is among the events up to a version (docs/proof.md)."""

    server: str
    match: str
    stage: Literal["hashes", "nonces"]
    seat: int
    epoch: int
    hash: str
    version: int
    head: str
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class KnownKey:
    """This is a public key in hex that the verifier trusts, and the time until which it signed, if that is over."""

    key: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Signed:
    """This says who vouches for a head: the server by its own name, its key, and whether the verifier knew this key."""

    server: str
    key: str
    known: bool


def message(server: str, match: str, version: int, head: str) -> bytes:
    """Give the bytes that a server signs."""
    return f"dealt-head/1|{server}|{match}|{version}|{head}".encode("ascii")


def holds(key: str, signature: str, signed: bytes) -> bool:
    """Say whether a signature, in hex, was made over these bytes with the key, in hex."""
    if not KEY.fullmatch(key) or not _SIGNATURE.fullmatch(signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_server(name: str) -> bool:
    """Say whether this can be the name of a server."""
    return _SERVER.fullmatch(name) is not None


def is_signed(head: SignedHead) -> bool:
    """Say whether a signed head was signed with its key."""
    sound = is_server(head.server) and _MATCH.fullmatch(head.match) and KEY.fullmatch(head.head)
    if not sound or head.version < 1:
        return False
    return holds(head.key, head.signature, message(head.server, head.match, head.version, head.head))
