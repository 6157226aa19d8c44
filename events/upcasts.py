"""Today's events from yesterday's: steps that lift stored data to the schema version that the code knows.

An event's schema version is 1 unless `VERSIONS` says more. A step for (type, v) takes the data and the secret
parts as version v stored them and gives them as version v + 1. Steps run before a fold and nowhere else:
what is served and hashed is what was written (CONTRACT 6).
"""

from collections.abc import Callable, Mapping
from typing import Any

Stored = tuple[dict[str, Any], dict[str, dict[str, Any]]]
"""Public data, and secret parts by field and reader."""

VERSIONS: Mapping[str, int] = {}
STEPS: Mapping[tuple[str, int], Callable[[Stored], Stored]] = {}


def version(kind: str) -> int:
    """Give the schema version that events of this type are written with."""
    return VERSIONS.get(kind, 1)


def lift(kind: str, v: int, stored: Stored) -> Stored:
    """Give the data as today's version has it. `LookupError` for a version that the code does not know."""
    while v < version(kind):
        stored, v = STEPS[kind, v](stored), v + 1
    if v > version(kind):
        raise LookupError(f"{kind} has schema version {v}; this server knows it up to {version(kind)}")
    return stored
