"""Adds the option `--dealt-game` to pytest: each check of that game is a test.

Pytest loads this module in every environment with Dealt, so it imports nothing else of Dealt before the option is used.
"""

from collections.abc import Iterator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("dealt", "games for Dealt")
    group.addoption(
        "--dealt-game",
        action="append",
        default=[],
        metavar="NAME",
        help="check this game: its name, or its module, as high_card or high_card.rules:GAME; may be repeated",
    )
    group.addoption("--dealt-seed", type=int, default=0, metavar="N", help="draw the moves of checks from it")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the checks of the games that were named."""
    for name in config.getoption("--dealt-game"):
        title = f"dealt-game={name}"
        collector = CheckedGame.from_parent(session, name=title, nodeid=title, game=name)
        items.extend(collector.collect())


class CheckedGame(pytest.Collector):
    """A game whose checks are tests."""

    def __init__(self, game: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.game = game

    def collect(self) -> Iterator["CheckItem"]:
        """Yield a test for each check."""
        from api.game_checks.checks import GameNotFound, checks_of_offer, find_games

        try:
            (offer,) = find_games(self.game)
        except GameNotFound as error:
            raise pytest.UsageError(str(error)) from error
        for check in checks_of_offer(offer, self.config.getoption("--dealt-seed")):
            yield CheckItem.from_parent(self, name=check.name, check=check)


class CheckFault(Exception):
    """The faults that a check has found."""


class CheckItem(pytest.Item):
    """A check as a test."""

    def __init__(self, check: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def runtest(self) -> None:
        """Run the check."""
        if faults := self.check.faults():
            raise CheckFault("\n".join(faults))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show only the faults; a traceback would be that of the check."""
        if isinstance(excinfo.value, CheckFault):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, None, str]:
        """Return the game and the check as a name."""
        return self.path, None, f"{self.parent.name if self.parent else ''}: {self.name}"
