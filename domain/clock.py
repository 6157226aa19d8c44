"""Times a seat may take (RULES 1.8). Times are handed in; nothing here reads a clock."""

from typing import Annotated, Literal, NewType

from domain.options import Range
from domain.values import value

Time = NewType("Time", int)
"""Milliseconds since 1970 in UTC."""

YEAR = 366 * 24 * 3600


@value
class Clock:
    """The clock of a match: seconds for each decision, and a bank of seconds for the whole match."""

    per_decision_seconds: Annotated[int, Range(0, YEAR)] = 0
    bank_seconds: Annotated[int, Range(0, YEAR)] = 0
    on_expiry: Literal["default_action", "bot", "forfeit"] = "default_action"
    max_defaults: Annotated[int, Range(1, 1000)] = 3

    @property
    def ticks(self) -> bool:
        return self.per_decision_seconds > 0 or self.bank_seconds > 0


def deadline(clock: Clock, bank: int, now: Time) -> Time:
    """Say until when a decision that opens now may take, with `bank` milliseconds in the bank."""
    return Time(now + 1000 * clock.per_decision_seconds + bank)


def bank_after(clock: Clock, bank: int, until: Time, now: Time) -> int:
    """Give what is left of a bank when a decision that was due at `until` is taken now."""
    return min(bank, max(0, until - now))
