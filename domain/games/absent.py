"""Replaces a game that is not installed: a match of it can be read as far as its log needs no rules.

Its own events are unknown, so its matches have no table. The players, the winner and the end follow from the events
common to all matches. No move is possible.
"""

from functools import cache
from typing import Any, NoReturn

from domain.core.dealing import DealCheck
from domain.core.game import Answers, AnyGame, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.values import value


@value
class NoOptions:
    """The options are not known."""


@value
class NoEvent:
    """No event of the log is of this type."""

    game_no: int
    hand_no: int


def _unknown(*_: Any) -> NoReturn:
    raise LookupError("The game is not installed.")


@cache
def absent(name: str) -> AnyGame:
    """Return the stand-in for a game that is not installed."""
    return Game(
        name=name,
        setup=Setup(seats=range(1, 1), usual=0, options=NoOptions, most_hands=_unknown, reveal="never"),
        moves={},
        events=(),
        lifecycle=Lifecycle(NoEvent, NoEvent, NoEvent),
        answers=Answers({}, lambda _: None),
        leaving=Leaving(_unknown),
        timing=Timing(_unknown),
        words=Words(name, _unknown, _unknown, __name__),
        start=_unknown,
        to_act=_unknown,
        ask=_unknown,
        legal=_unknown,
        refusal=_unknown,
        decide=_unknown,
        consequences=_unknown,
        evolve=_unknown,
        outcome=_unknown,
        phase=_unknown,
        view=_unknown,
        scene=_unknown,
        deal=DealCheck({}),
    )
