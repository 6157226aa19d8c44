"""This module converts times: they are whole milliseconds since 1970 in UTC inside, and RFC 3339 outside."""

import time
from datetime import datetime
from functools import lru_cache

from domain.core.clock import Time


def now() -> Time:
    """Read the machine's clock."""
    return Time(time.time_ns() // 1_000_000)


@lru_cache(maxsize=64)
def write_time(at: int) -> str:
    """Write a time as RFC 3339 with milliseconds, in UTC: `2026-11-21T20:57:12.345Z`."""
    seconds, ms = divmod(at, 1000)
    return f"{_to_the_second(seconds)}.{ms:03d}Z"


def _to_the_second(seconds: int) -> str:
    y, mo, d, h, mi, s, *_ = time.gmtime(seconds)
    return f"{y:04d}-{mo:02d}-{d:02d}T{h:02d}:{mi:02d}:{s:02d}"


def read_time(text: str) -> Time:
    """Read a time that `write_time` wrote."""
    return Time(round(datetime.fromisoformat(text).timestamp() * 1000))
