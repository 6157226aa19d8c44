"""Event streams: their messages, and where to resume them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SILENCE = 60.0
"""The seconds after which a stream without a byte is cut. The server sends a comment more often than that."""


@dataclass(frozen=True)
class StreamMessage:
    """A message of a stream."""

    id: str
    """The id with which the stream can be resumed."""
    event: str
    """Its type."""
    data: Any
    """Its JSON."""


class StreamReader:
    """Reads messages from pieces of a stream, and remembers the last id when the stream is cut."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        self.retry = 0.0
        """Seconds to wait before the stream is requested again."""
        self.restart()

    def restart(self) -> None:
        """Forget the incomplete message at the end of a cut stream."""
        self._rest = b""
        self._event = "message"
        self._data: list[str] = []
        self._id = self.last_event_id or ""

    def feed(self, piece: bytes) -> Iterator[StreamMessage]:
        """Yield the messages that a piece completes."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            name, _, value = line.decode().rstrip("\r").partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self._data.append(value)
            elif name == "event":
                self._event = value
            elif name == "id":
                self._id = value
            elif name == "retry" and value.isdigit():
                self.retry = int(value) / 1000
            elif not name and not value and not line.startswith(b":"):
                yield from self._complete()

    def _complete(self) -> Iterator[StreamMessage]:
        """Yield the message that an empty line ends, if it has data."""
        data, event = "\n".join(self._data), self._event
        self._data, self._event = [], "message"
        self.last_event_id = self._id or None
        if data:
            yield StreamMessage(self._id, event, json.loads(data))
