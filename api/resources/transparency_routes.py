"""Serves the transparency log as static files (C2SP tlog-tiles), and proofs that it only grew."""

import re
from typing import Final

from flask import Response

from api.http.app_state import app_state
from api.http.openapi_operations import CACHE_CONTROL, VARY, Operation, Parameter, Reply, text
from api.http.problems import Problem
from events.transparency import public_log

PLAIN: Final = "text/plain"
BYTES: Final = "application/octet-stream"

FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept"}
"""A tile never changes, nor does a proof."""
FOR_SECONDS: Final = {"Cache-Control": "public, max-age=2", "Vary": "Accept"}

TILE: Final = re.compile(r"((?:x[0-9]{3}/){0,5}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}")

CHECKPOINT: Final = (
    "cards.example.org/v1/transparency\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— cards.example.org/v1/transparency Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+"
    "zyWE+xeMcTOAYQ8=\n"
)
HASHES: Final = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\njrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n"

PLACE: Final = Parameter(
    "tile", "path", "The number of the tile, in groups of three digits, and `.p/` with its width if it is not full."
)
BINARY: Final = text("…", "Bytes.")


@Operation(
    tag="history",
    searches=("transparency log", "signed root"),
    access="public",
    replies={200: Reply("The checkpoint.", {PLAIN: text(CHECKPOINT)}, headers=(CACHE_CONTROL, VARY))},
    refuses=("not_found",),
)
def read_checkpoint() -> Response:
    """Get the checkpoint.

    The transparency log has an entry for every head, key and rating change. Without its salt, an entry is only a
    digest. The checkpoint is a signed note with the name, size and root of the log and the cosignatures of its
    witnesses (C2SP tlog-checkpoint and tlog-cosignature). Keep it: every later checkpoint must continue it.
    """
    note = public_log.read_checkpoint_note(app_state().store)
    if note is None:
        raise Problem("not_found")
    return Response(note, headers=FOR_SECONDS, content_type=f"{PLAIN}; charset=utf-8")


@Operation(
    tag="history",
    searches=("consistency proof", "append-only"),
    access="public",
    parameters=(
        Parameter("old", "path", "The size of the log that you know.", {"type": "string", "pattern": NUMBER.pattern}),
        Parameter("size", "path", "The later size.", {"type": "string", "pattern": NUMBER.pattern}),
    ),
    replies={200: Reply("The proof: a hash per line.", {PLAIN: text(HASHES)}, headers=(CACHE_CONTROL, VARY))},
    refuses=("not_found",),
)
def prove_growth(old: str, size: str) -> Response:
    """Get a consistency proof.

    Proves that the larger log begins with the smaller one (RFC 6962, section 2.1.2). You can also compute it from the
    tiles.
    """
    known = NUMBER.fullmatch(old) and NUMBER.fullmatch(size)
    proof = public_log.prove_growth(app_state().store, int(old), int(size)) if known else None
    if proof is None:
        raise Problem("not_found")
    return Response(proof, headers=FOR_EVER, content_type=f"{PLAIN}; charset=utf-8")


@Operation(
    tag="history",
    searches=("merkle tree", "log hashes"),
    access="public",
    parameters=(
        Parameter("level", "path", "The level of the tile, from 0.", {"type": "integer", "minimum": 0, "maximum": 7}),
        PLACE,
    ),
    replies={200: Reply("The hashes of the tile.", {BYTES: BINARY}, headers=(CACHE_CONTROL, VARY))},
    refuses=("not_found",),
)
def read_tile(level: int, tile: str) -> Response:
    """Get a tile.

    Returns up to 256 hashes of the tree, of 32 bytes each (C2SP tlog-tiles).
    """
    number, width = _place(tile)
    return _bytes(public_log.read_tile(app_state().store, level, number, width))


@Operation(
    tag="history",
    searches=("log leaves", "transparency entries"),
    access="public",
    parameters=(PLACE,),
    replies={200: Reply("The entries.", {BYTES: BINARY}, headers=(CACHE_CONTROL, VARY))},
    refuses=("not_found",),
)
def read_entries(tile: str) -> Response:
    """Get log entries.

    Returns up to 256 entries, each preceded by its length in two bytes. An entry is a salted digest: only the record of
    a match, tournament, collection or duplicate group says which entry is its own.
    """
    number, width = _place(tile)
    return _bytes(public_log.read_entry_bundle(app_state().store, number, width))


def _place(tile: str) -> tuple[int, int]:
    """Read the number and the width of a tile. Raises 404."""
    found = TILE.fullmatch(tile)
    if found is None or int(found[2] or public_log.WIDTH) > public_log.WIDTH - bool(found[2]):
        raise Problem("not_found")
    groups = found[1].split("/")
    if len(groups) > 1 and groups[0] == "x000":
        raise Problem("not_found")
    return int("".join(group.removeprefix("x") for group in groups)), int(found[2] or public_log.WIDTH)


def _bytes(data: bytes | None) -> Response:
    if data is None:
        raise Problem("not_found")
    return Response(data, headers=FOR_EVER, content_type=BYTES)
