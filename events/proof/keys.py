"""Holds a server's signing keys: their file, their succession and their signatures.

The keys are a JSON text: `{"keys": [{"key", "secret", "since", "until"}]}`, the oldest first, `key` and `secret` in
hex. The last one whose `until` is null signs. A replaced key stays listed, without its secret.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.proof.signed_heads import KEY, SignedHead, head_message, is_server, succession_message
from events.settings import Settings
from events.times import now, write_time

FILE: Final = "keys.json"
"""The name of the file in the data directory."""

UNNAMED: Final = "dealt"
"""The name of every server without a configured name."""


class SigningKey(msgspec.Struct, frozen=True):
    """A key of the server, in hex, and the time in which it signs; its secret is forgotten after that."""

    key: str
    since: str
    secret: str | None = None
    until: str | None = None
    succession: str | None = None
    """The previous key's signature over the change to this key, in hex; empty for the first key."""
    countersignature: str | None = None
    """This key's own signature over the same change."""

    def __repr__(self) -> str:
        return f"SigningKey({self.key})"


class _Keys(msgspec.Struct):
    keys: list[SigningKey]


class BadKeys(ValueError):
    """The keys cannot be read; the message gives the reason, without a secret."""


def read_signing_keys(text: str | bytes) -> tuple[SigningKey, ...]:
    """Read keys. Raises `BadKeys`."""
    try:
        keys = tuple(msgspec.json.decode(text, type=_Keys).keys)
    except (msgspec.DecodeError, UnicodeError):
        raise BadKeys("The signing keys are not in the form that `dealt keys rotate` writes.") from None
    for key in keys:
        if key.secret is not None and (not KEY.fullmatch(key.secret) or _public(key.secret) != key.key):
            raise BadKeys(f"The secret of the signing key {key.key[:64]} does not match it.")
        if not KEY.fullmatch(key.key):
            raise BadKeys("A signing key is 64 hexadecimal digits.")
    return keys


def _public(secret: str) -> str:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).public_key().public_bytes_raw().hex()


def add_new_key(keys: Sequence[SigningKey], secret: bytes, at: str) -> tuple[SigningKey, ...]:
    """Return the keys with a new one of this secret, which signs from now on.

    Those before end, without their secrets. The last of them and the new key both sign the step between them.
    """
    ended = tuple(msgspec.structs.replace(key, secret=None, until=key.until or at) for key in keys)
    new = _public(secret.hex())
    last = keys[-1] if keys else None
    if last is None or last.secret is None:
        return (*ended, SigningKey(new, at, secret.hex()))
    step = succession_message(last.key, new, at)
    both = _signature(last.secret, step), _signature(secret.hex(), step)
    return (*ended, SigningKey(new, at, secret.hex(), None, *both))


def rotate_key_file(path: Path) -> tuple[SigningKey, ...]:
    """Replace the key in a file, or make the file with a first key; only its owner can read it. Raises `BadKeys`."""
    before = read_signing_keys(path.read_bytes()) if path.exists() else ()
    after = add_new_key(before, os.urandom(32), write_time(now()))
    _write(path, after)
    return after


def ensure(path: Path) -> None:
    """Create the file with a first key, unless it exists."""
    if not path.exists():
        rotate_key_file(path)


def _write(path: Path, keys: Sequence[SigningKey]) -> None:
    """Write the file in one step, so that no reader finds half of it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(_Keys(list(keys)))) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class KeyRing:
    """Signs heads in a server's name. Reads the key file again when it changes.

    A server without a configured name has the same name as other such servers.
    """

    def __init__(
        self, server: str, keys: Sequence[SigningKey] = (), path: Path | None = None, *, is_named: bool = True
    ) -> None:
        self.server = server
        self.is_named: Final = is_named
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._keys = tuple(keys)
        self._refresh()

    @property
    def keys(self) -> tuple[SigningKey, ...]:
        """Return all keys, the oldest first."""
        self._refresh()
        return self._keys

    def sign(self, kind: str, of: str, version: int, head: str) -> SignedHead | None:
        """Sign the head of the history with this kind and id; return None if this server has no key."""
        if (made := self.signature(head_message(self.server, kind, of, version, head))) is None:
            return None
        return SignedHead(self.server, kind, of, version, head, *made)

    def signature(self, signed: bytes) -> tuple[str, str] | None:
        """Return the key that signs, and its signature over these bytes, in hex; None if this server has no key."""
        signing = next((key for key in reversed(self.keys) if key.secret and key.until is None), None)
        if signing is None or signing.secret is None:
            return None
        return signing.key, _signature(signing.secret, signed)

    def _refresh(self) -> None:
        if self._path is None:
            return
        # If the file is missing or being replaced, the keys stay as they were.
        with suppress(FileNotFoundError):
            found = self._path.stat()
            if (stamp := (found.st_mtime_ns, found.st_ino)) != self._stamp:
                self._keys, self._stamp = read_signing_keys(self._path.read_bytes()), stamp


@lru_cache(4_096)
def _signature(secret: str, signed: bytes) -> str:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).sign(signed).hex()


def key_ring(settings: Settings) -> KeyRing:
    """Return the key ring that the settings name. Raises `BadKeys`."""
    name = settings.dealt_server_name or urlsplit(settings.dealt_public_url).netloc
    server = name or UNNAMED
    if not is_server(server):
        raise BadKeys("DEALT_SERVER_NAME is 1 to 100 letters, digits and . : _ / -")
    if settings.dealt_signing_keys:
        return KeyRing(server, read_signing_keys(settings.dealt_signing_keys), is_named=bool(name))
    path = Path(settings.dealt_signing_keys_file) if settings.dealt_signing_keys_file else None
    if path is not None and not path.exists():
        raise BadKeys(f"There is no file {path}, which DEALT_SIGNING_KEYS_FILE names. `dealt keys rotate` creates it.")
    return KeyRing(server, path=path, is_named=bool(name))
