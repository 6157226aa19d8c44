"""This module defines what a verification takes and gives: events as they were hashed, claims about them, findings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.core.visibility import Reader

KEY: Final = re.compile("[0-9a-f]{64}")


@dataclass(slots=True)
class Fact:
    """A fact is one event as it was hashed, with the known values and keys of its secret parts, by field and reader."""

    seq: int
    commit: int
    type: str
    v: int
    cause: str
    at: str
    data: Mapping[str, Any]  # the public fields
    seals: Mapping[str, Mapping[Reader, str]]
    digest: str
    parts: Mapping[str, Mapping[Reader, Any]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[Reader, str]] = field(default_factory=dict)


@dataclass(slots=True)
class Finding:
    """A finding is one part of a report.

    `seq` is the first event that fails; `detail` says why a check was skipped.
    """

    name: str
    ok: bool
    skipped: bool
    detail: str
    seq: int | None = None


@dataclass(slots=True)
class Report:
    """A report is what a verification found; `ok` is about what could be checked."""

    ok: bool
    match: str
    game: str | None
    version: int
    head: str
    checks: list[Finding]


@dataclass(slots=True)
class Claims:
    """Claims are what is said of a match beside its events, and must agree with them. None: nothing is said."""

    version: int | None = None
    head: str | None = None
    status: str | None = None
    result: Any = None
    created: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `MatchCreated` as they are said to be."""
    fairness: Mapping[str, Any] | None = None
    kept: Sequence[tuple[int, str]] = ()
    """Heads that the caller kept, as pairs of version and digest."""
    seats: Sequence[Mapping[str, Any]] | None = None
    """The seats as they are said to be: `seat` and `kind`, and `player` (an id) and `level` where these are said."""
    created_at: str | None = None


def good(name: str, detail: str) -> Finding:
    """Give the finding of a check that holds."""
    return Finding(name, True, False, detail)


def bad(name: str, seq: int | None, detail: str) -> Finding:
    """Give the finding of a check that fails, at an event."""
    return Finding(name, False, False, detail, seq)


def skipped(name: str, why: str) -> Finding:
    """Give the finding of a check that could not be made."""
    return Finding(name, True, True, why)


def seats_of(facts: Sequence[Fact]) -> int:
    """Say how many seats a match was created with; 0 where that is not to be read."""
    seats = facts[0].data.get("seats") if facts else None
    return len(seats) if isinstance(seats, (list, tuple)) else 0


def number(x: Any) -> int:
    """Give a whole number; 0 for what is none."""
    return x if type(x) is int else 0


def shut(fact: Fact) -> bool:
    """Say whether a part of an event is not open."""
    return any(set(sealed) - set(fact.parts.get(name, {})) for name, sealed in fact.seals.items())
