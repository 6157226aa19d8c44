"""Defines the text that a server signs, and checks signatures.

A signed head states in a server's name: in this match, tournament, collection or duplicate group, the event of this
version has this digest (docs/proof.md).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.core.values import value

SERVER: Final = r"[0-9A-Za-z.:_/-]{1,100}"
"""The name of a server, as a regular expression."""

MATCH: Final = "match"
TOURNAMENT: Final = "tournament"
COLLECTION: Final = "collection"
DEAL_GROUP: Final = "deal_group"
KINDS: Final = frozenset({MATCH, TOURNAMENT, COLLECTION, DEAL_GROUP})
"""The kinds of histories that have heads."""

KEY: Final = re.compile("[0-9a-f]{64}")
_SERVER: Final = re.compile(SERVER)
ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")


class SignedHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A head with a server's signature: everything that is needed to check it.

    `logged` is the proof that it is in the transparency log; only records have it.
    """

    server: str
    kind: str
    id: str
    version: int
    head: str
    key: str
    signature: str
    logged: str | None = None


class NonceReceipt(msgspec.Struct, frozen=True):
    """A server's word that a nonce, or its hash, is among the events up to a version (docs/proof.md).

    `seat` is None outside a match, `player` outside a tournament.
    """

    server: str
    kind: Literal["match", "tournament", "collection"]
    id: str
    stage: Literal["hashes", "nonces"]
    seat: int | None
    player: str | None
    epoch: int
    hash: str
    version: int
    head: str
    key: str
    signature: str


@value
class KnownKey:
    """A public key in hex that the verifier trusts, and the time until which it signed, if that is over.

    A key of a list has the time since which it signs and the key `before` it in the list. `succession` is the signature
    of that one over the step to this one, and `countersignature` that of this one over the same step.
    """

    key: str
    until: str | None = None
    since: str | None = None
    before: str | None = None
    succession: str | None = None
    countersignature: str | None = None


class BadKeyList(ValueError):
    """A list of keys in another form than that of `GET /v1/keys`, or with an invalid succession."""


@value
class Signed:
    """The signer of a head: the server's claimed name, its key, and whether the verifier knew this key."""

    server: str
    key: str
    known: bool


def head_message(server: str, kind: str, of: str, version: int, head: str) -> bytes:
    """Return the bytes that a server signs: the head of a stream, by kind, id and version."""
    return f"dealt-head/1|{server}|{kind}|{of}|{version}|{head}".encode("ascii")


def is_valid_signature(key: str, signature: str, signed: bytes) -> bool:
    """Return whether a signature, in hex, was made over these bytes with the key, in hex."""
    if not KEY.fullmatch(key) or not _SIGNATURE.fullmatch(signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


class _ListedKey(msgspec.Struct):
    key: str
    until: str | None = None
    since: str | None = None
    succession: str | None = None
    countersignature: str | None = None


class _KeyList(msgspec.Struct):
    items: list[_ListedKey]


def read_key_list(text: bytes) -> tuple[KnownKey, ...]:
    """Read keys as `GET /v1/keys` answers them, the oldest first. Raises `BadKeyList`."""
    try:
        items = msgspec.json.decode(text, type=_KeyList).items
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadKeyList("It is not a list of keys as GET /v1/keys returns it.") from None
    keys: list[KnownKey] = []
    for item in items:
        before = keys[-1].key if keys else None
        keys.append(KnownKey(item.key, item.until, item.since, before, item.succession, item.countersignature))
    if not all(KEY.fullmatch(key.key) for key in keys):
        raise BadKeyList("A key in the list is not 64 hexadecimal digits.")
    if false := next((key for key in keys if succeeds(key) is False), None):
        raise BadKeyList(f"The list says that {false.key} replaced {false.before}, but one of them did not sign that.")
    return tuple(keys)


def succession_message(before: str, key: str, since: str) -> bytes:
    """Return the bytes that two keys sign when one replaces the other."""
    return f"dealt-key/1|{before}|{key}|{since}".encode("ascii")


def succeeds(key: KnownKey) -> bool | None:
    """Return whether a key and the previous one both signed the change; None if no signature is given.

    With only the older key's signature, anyone could put their own key before that of a server.
    """
    if key.before is None or key.since is None or (key.succession is None and key.countersignature is None):
        return None
    if key.succession is None or key.countersignature is None or not key.since.isascii():
        return False
    step = succession_message(key.before, key.key, key.since)
    return is_valid_signature(key.before, key.succession, step) and is_valid_signature(
        key.key, key.countersignature, step
    )


def are_of_one_server(one: str, other: str, keys: Sequence[KnownKey]) -> bool:
    """Return whether two keys are the same, or linked by steps that both keys of each step signed."""
    before = {key.key: key.before for key in keys if succeeds(key)}
    return one == other or other in _line(one, before) or one in _line(other, before)


def _line(key: str, before: Mapping[str, str | None]) -> set[str]:
    """Return the keys before a key."""
    line: set[str] = set()
    at = before.get(key)
    while at is not None and at not in line:
        line.add(at)
        at = before.get(at)
    return line


def is_server(name: str) -> bool:
    """Return whether this can be the name of a server."""
    return _SERVER.fullmatch(name) is not None


def is_signed(head: SignedHead) -> bool:
    """Return whether a signed head was signed with its key."""
    sound = is_server(head.server) and head.kind in KINDS and ID.fullmatch(head.id) and KEY.fullmatch(head.head)
    if not sound or head.version < 1:
        return False
    return is_valid_signature(
        head.key, head.signature, head_message(head.server, head.kind, head.id, head.version, head.head)
    )
