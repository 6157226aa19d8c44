"""Errors that a client raises."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx


class DealtError(Exception):
    """The base of all errors of this package."""


class Refused(DealtError):
    """The server refused a request."""

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_of(response)
        self.status: int = response.status_code
        """The HTTP status."""
        self.code: str = problem.get("code", "")
        """The code, which `/docs/problems` explains; empty if something other than the server has answered."""
        self.detail: str = problem.get("detail", "")
        """The fix, in a sentence."""
        self.errors: dict[str, list[str]] = problem.get("errors", {})
        """Faults by the path of the field."""
        request = response.request
        super().__init__(
            f"{request.method} {request.url.path}: {self.status} {self.code} {self.detail} {self.errors or ''}"
        )


def _problem_of(response: httpx.Response) -> dict[str, Any]:
    """Return the problem in an answer; of an answer that is not the server's, an empty one."""
    with suppress(ValueError):
        problem = response.json()
        return problem if isinstance(problem, dict) else {}
    return {}


class NoAnswer(DealtError):
    """No answer arrived. If the request was not safe to repeat, the server may have done what it asked."""

    def __init__(self, method: str, path: str) -> None:
        super().__init__(f"{method} {path}: no answer")
