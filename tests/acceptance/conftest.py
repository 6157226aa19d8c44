"""Says after a run how many worked examples wait for a game that is not built yet."""

from collections import Counter

import pytest

from tests.acceptance.test_examples import left_out, read


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Count the examples left out, by the chapter that their kind belongs to."""
    waiting = Counter(e["check"].split("_")[0] for e in read(config) if left_out(e))
    if waiting:
        counts = ", ".join(f"{chapter} {n}" for chapter, n in waiting.items())
        terminalreporter.write_line(f"examples of chapters not built yet, left out: {counts}")
