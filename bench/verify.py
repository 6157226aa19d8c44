"""Measures the verification of records of all games on one core; the floor is SHA-256 over the same bytes."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from bench.rounds import rate, rounds
from bench.tables import Table, compared
from domain.games.catalogue import BUILT_IN
from events import proof
from events.proof import record
from tests.recorded import FINISHED


def measure(*, quick: bool) -> Table:
    """Compare events verified in a second with events whose bytes are hashed in one."""
    seconds = 0.2 if quick else 0.5
    table = Table("verify: records verified on one core, read from their text; floor: SHA-256 of the same bytes")
    for game in (game.name for game in BUILT_IN):
        text = json.dumps(FINISHED[game]().record(), separators=(",", ":")).encode()
        events = len(record.read_record(text).events)
        measured: dict[str, Callable[[], float]] = {
            "ours": _rate(_verified, text, events, seconds),
            "read": _rate(record.read_record, text, events, seconds / 2),
            "hash": _rate(sha256, text, events, 0.05),
        }
        got = rounds(3 if quick else 7, measured)
        table.lines.append(compared(f"{game}: {events} events, {len(text)} bytes", got["ours"], got["hash"], "/s"))
        read = sorted(got["read"])[len(got["read"]) // 2]
        table.notes.append(f"{game}: reading alone {read:,.0f} events/s")
    return table


def _rate(work: Callable[[bytes], Any], text: bytes, events: int, seconds: float) -> Callable[[], float]:
    def once() -> int:
        work(text)
        return events

    return lambda: rate(once, seconds)


def _verified(text: bytes) -> None:
    read = record.read_record(text)
    report = proof.verify_match(read.match.id, record.facts(read), record.claims(read))
    assert report.ok
