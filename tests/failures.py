"""Formats the first line of a failed test's report: the expected and the actual value."""

from collections.abc import Sequence
from typing import Final

import pytest
from _pytest._code.code import (
    ExceptionChainRepr,
    ReprEntry,
    ReprEntryNative,
)  # pytest offers no other names for them

WIDTH: Final = 240
"""The maximum length of a report line in characters."""

LINES: Final = 40
"""The maximum number of report lines about one place in the code."""


def say_first(report: pytest.TestReport, excinfo: pytest.ExceptionInfo[BaseException], *, whole: bool) -> None:
    """Begin the report of a failed test, and its line in the summary, with a sentence.

    The rest is shortened unless `whole`.
    """
    if not isinstance(report.longrepr, ExceptionChainRepr):
        return
    sentence = reason(excinfo)
    if report.longrepr.reprcrash:
        report.longrepr.reprcrash.message = sentence
    entries = [entry for traceback, *_ in report.longrepr.chain for entry in traceback.reprentries]
    for entry in entries:
        if isinstance(entry, ReprEntry) and not whole:
            entry.lines = brief(entry.lines)
    first = report.longrepr.chain[0][0]
    first.reprentries = [ReprEntryNative([f"{sentence}\n"]), *first.reprentries]


def summary(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the name and the failure of the test in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    said = (crash.message if crash else str(report.longrepr)).strip() or "nothing was said"
    return f"{report.outcome.upper()} {report.nodeid} - {shortened(said.splitlines()[-1])}"


def reason(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """Return the first line of the exception's message; for an assertion without a message, also its source."""
    said = next(iter(str(excinfo.value).splitlines()), "")
    if not excinfo.errisinstance(AssertionError):
        return shortened(f"{excinfo.typename}: {said}")
    if not said.startswith("assert "):
        return shortened(said or source(excinfo))
    return shortened(f"{shortened(source(excinfo), WIDTH // 2)} <- {said.removeprefix('assert ')}")


def source(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """Return the failing statement in one line."""
    return " ".join(str(excinfo.traceback[-1].statement).split())


def brief(lines: Sequence[str]) -> list[str]:
    """Return the first of some lines, and the number of the others."""
    left = [f"E   ... and {len(lines) - LINES} more lines: -vv shows them"] if len(lines) > LINES else []
    return [*map(shortened, lines[:LINES]), *left]


def shortened(line: str, width: int = WIDTH) -> str:
    """Return a line, shortened if it is too long."""
    return line if len(line) <= width else f"{line[: width - 1]}…"
