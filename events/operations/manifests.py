"""Writes and reads the manifest of a backup, or of a file of archived matches: its contents, stream by stream.

A manifest is lines of JSON. The first is about the archive, each other about a stream: kind, id, version and head. The
first is signed if the server has a key. It names no match, so it can be published. Revealing the other lines later
proves the heads at that time (docs/proof.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from events.proof.keys import KeyRing
from events.proof.signed_heads import is_server, is_valid_signature
from events.store import archive
from events.times import now, write_time

BACKUP: Final = "dealt-backup/1"
"""The format of a backup's manifest."""


class Signature(msgspec.Struct, frozen=True):
    """A server's signature over the first line; `docs/proof.md` says what is signed."""

    server: str
    key: str
    signature: str


class Manifest(msgspec.Struct, frozen=True):
    """The first line names the format, the digests of the archive and of all other lines, and when it was made."""

    format: str
    sha256: str
    listed: str
    made_at: str
    streams: int
    signed: Signature | None = None


class ListedStream(msgspec.Struct, frozen=True):
    """A line about a stream: the version at the end of its log, and the digest there, in hexadecimal."""

    kind: str
    id: str
    version: int
    head: str


class ListedMatch(ListedStream, frozen=True):
    """A line about an archived match: also its bytes in the file, and their SHA-256."""

    start_byte: int
    size: int
    sha256: str


Line = TypeVar("Line", bound=ListedStream)


class Unfit(Exception):
    """The manifest, the archive and the restored database do not match; the message names the difference."""


def lines_of(url: str) -> Iterator[ListedStream]:
    """Return the lines about the streams of a database."""
    for kind, head in archive.all_heads(url):
        yield ListedStream(kind, head.match_id, head.version, head.head.hex())


def write_manifest(path: Path, archived: Path, ring: KeyRing) -> Manifest:
    """Write the manifest of a backup to a new file. Raises `archive.NotEmpty`, `OSError`."""
    return write_lines(path, BACKUP, archived, list(lines_of(f"sqlite:///{archived}")), ring)


def write_lines(path: Path, form: str, described: Path, listed: Sequence[ListedStream], ring: KeyRing) -> Manifest:
    """Write a manifest with these lines to a new file, signed if the server has a key.

    Raises `archive.NotEmpty`, `OSError`.
    """
    lines = [msgspec.json.encode(line) for line in listed]
    about = Manifest(form, digest(described), listing(lines), write_time(now()), len(lines))
    if (made := ring.signature(manifest_message(ring.server, about))) is not None:
        about = msgspec.structs.replace(about, signed=Signature(ring.server, *made))
    archive.create_private(path)
    path.write_bytes(b"\n".join([msgspec.json.encode(about), *lines, b""]))
    return about


def listing(lines: Iterable[bytes]) -> str:
    """Return the SHA-256 of the lines about the streams, each with its end, in hexadecimal."""
    return sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def manifest_message(server: str, about: Manifest) -> bytes:
    """Return the bytes that a server signs."""
    return f"dealt-manifest/1|{server}|{about.made_at}|{about.sha256}|{about.listed}".encode()


def read_manifest(path: Path) -> tuple[Manifest, list[ListedStream]]:
    """Read the manifest of a backup. Raises `Unfit`, `OSError`."""
    return read_lines(path, BACKUP, ListedStream)


def read_lines(path: Path, form: str, line_type: type[Line]) -> tuple[Manifest, list[Line]]:
    """Read a manifest of this format. Raises `Unfit`, `OSError`."""
    first, *rest = path.read_bytes().splitlines() or [b""]
    try:
        about = msgspec.json.decode(first, type=Manifest)
        lines = [msgspec.json.decode(line, type=line_type) for line in rest]
    except msgspec.DecodeError as error:
        raise Unfit(f"{path} is not a manifest of Dealt.") from error
    if about.format != form or len(lines) != about.streams:
        raise Unfit(f"{path} is not a complete manifest of the format {form}.")
    if listing(rest) != about.listed:
        raise Unfit(f"{path} was changed: its first line does not match the others.")
    if about.signed is not None and not _is_signed(about, about.signed):
        raise Unfit(f"{path} was changed: its signature does not match its first line.")
    return about, lines


def _is_signed(about: Manifest, signed: Signature) -> bool:
    return is_server(signed.server) and is_valid_signature(
        signed.key, signed.signature, manifest_message(signed.server, about)
    )


def compare(wanted: list[ListedStream], url: str) -> None:
    """Compare a database with its manifest. Raises `Unfit`, which names the first stream that differs."""
    found = {line.id: line for line in lines_of(url)}
    for line in wanted:
        if found.pop(line.id, None) != line:
            raise Unfit(f"{line.kind} {line.id} does not match the manifest.")
    for other in found.values():
        raise Unfit(f"{other.kind} {other.id} is not in the manifest.")


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
