"""Returns times: whole milliseconds since 1970 in UTC internally, and RFC 3339 for clients."""

import time

from domain.core.clock import Time, read_time, write_time

__all__ = ("now", "read_time", "write_time")


def now() -> Time:
    """Read the machine's clock."""
    return Time(time.time_ns() // 1_000_000)
