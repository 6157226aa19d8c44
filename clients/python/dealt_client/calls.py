"""Requests, and when to send them again."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx

from dealt_client.errors import NoAnswer, Refused
from dealt_client.version import VERSION

PATIENCE = 60.0
"""The longest `Retry-After`, in seconds, that a client waits for."""

LONGEST_PAUSE = 8.0
"""The longest pause, in seconds, after a request without an answer."""

NOT_DONE = (429, 503)
"""Statuses of a server that did nothing, and takes the request later."""

UNKNOWN = (502, 504)
"""Statuses of a proxy that does not know what the server did."""


def path_part(value: str | int) -> str:
    """Return a value as one part of a path."""
    return quote(str(value), safe="")


@dataclass(frozen=True)
class Call:
    """A request of the API."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content: str | None = None
    content_type: str = "application/json"
    accept: str = "application/json"
    key: str | None = None
    """The `Idempotency-Key`; by default a new one for each call."""
    repeatable: bool = True
    """Whether the server does it only once, however often the request arrives."""
    last_event_id: str | None = None

    def options(self, address: str, token: str | None, last_event_id: str | None = None) -> dict[str, Any]:
        """Return the arguments of `httpx.Client.request`. All attempts of a call send the same."""
        headers = {name: str(value) for name, value in self.headers.items() if value is not None}
        headers |= {"Accept": self.accept, "User-Agent": f"dealt-client/{VERSION}"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        if self.method == "POST" and self.repeatable:
            headers["Idempotency-Key"] = self.key or uuid4().hex
        content = self.content if self.body is None else json.dumps(self.body)
        if content is not None:
            headers["Content-Type"] = self.content_type
        query = {name: value for name, value in self.query.items() if value is not None}
        sent = None if content is None else content.encode()
        url = address.rstrip("/") + self.path
        return {"method": self.method, "url": url, "params": query, "headers": headers, "content": sent}


class Attempts:
    """Decides after each attempt of a call how long to wait before the next."""

    def __init__(self, call: Call, most: int) -> None:
        self.call = call
        self.most = most
        self.made = 0

    def pause_after_answer(self, response: httpx.Response) -> float | None:
        """Return the seconds to wait; None if this answer is the last one."""
        asked = response.headers.get("Retry-After", "")
        pause = float(asked) if asked.isdigit() else self.pause()
        again = response.status_code in NOT_DONE or (response.status_code in UNKNOWN and self.call.repeatable)
        return pause if again and pause <= PATIENCE and self._has_another() else None

    def pause_after_failure(self, error: httpx.TransportError) -> float:
        """Return the seconds to wait. Raises NoAnswer after the last attempt, or if a repeat is not safe."""
        never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        if not (self.call.repeatable or never_sent) or not self._has_another():
            raise NoAnswer(self.call.method, self.call.path) from error
        return self.pause()

    def _has_another(self) -> bool:
        self.made += 1
        return self.made < self.most

    def pause(self) -> float:
        """Return a pause that doubles each time, and differs between clients."""
        return min(LONGEST_PAUSE, 0.25 * 2.0**self.made) * random.uniform(0.5, 1.0)


def content_of(response: httpx.Response) -> Any:
    """Return the JSON, text or bytes of an answer; None if it is empty. Raises Refused if it is a problem."""
    if response.status_code >= 400:
        raise Refused(response)
    media = response.headers.get("Content-Type", "").partition(";")[0]
    if not response.content:
        return None
    if media.endswith("json"):
        return response.json()
    return response.content if media == "application/octet-stream" else response.text
