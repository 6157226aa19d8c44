"""Says after a run how many worked examples wait for a game that is not built yet."""

from collections import Counter

import pytest

from tests.acceptance.test_examples import NOT_BUILT, read


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Count the examples left out, by the chapter that their kind belongs to."""
    left_out = Counter(e["check"].split("_")[0] for e in read(config) if e["check"] in NOT_BUILT)
    if left_out:
        counts = ", ".join(f"{chapter} {n}" for chapter, n in left_out.items())
        terminalreporter.write_line(f"examples of chapters not built yet, left out: {counts}")
