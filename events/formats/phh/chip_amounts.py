"""Reads amounts of chips exactly, in a unit of one chip."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from domain.core.values import value
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand

MOST_CHIPS: Final = 10**12
MOST_PLACES: Final = 9
"""The limit of decimal places."""

MONEY: Final = (
    "antes",
    "blinds_or_straddles",
    "bring_in",
    "small_bet",
    "big_bet",
    "min_bet",
    "starting_stacks",
    "finishing_stacks",
    "winnings",
)
"""The fields that hold amounts."""

WRITTEN: Final = re.compile(r"[0-9]{1,13}(\.[0-9]{1,12})?")


def decimal_places(x: Decimal) -> int:
    """Return the decimal places of an amount, without zeros at the end."""
    exponent = x.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@value
class Unit:
    """The value of a chip in a document; `None` stands for 1, if no unit was chosen.

    `fitting` is the unit in which all amounts of the document are whole.
    """

    worth: Decimal | None = None
    fitting: Decimal = Decimal(1)

    def chips(self, name: str, x: Any, action: int | None = None) -> int:
        """Return an amount in chips. Raises `BadHandHistory`, `UnsupportedHand` if it is not a whole number of them."""
        if isinstance(x, bool) or not isinstance(x, int | Decimal) or not Decimal(x).is_finite():
            raise BadHandHistory(f"{name} must be an amount of chips.", action)
        if not 0 <= x <= MOST_CHIPS or decimal_places(Decimal(x)) > MOST_PLACES:
            raise BadHandHistory(f"{name} must be from 0 to {MOST_CHIPS}, with up to {MOST_PLACES} decimals.", action)
        chips = Fraction(x) / Fraction(self.worth or 1)
        if chips.denominator > 1:
            raise UnsupportedHand(f"{name}: {x!s:.40} is not a whole number of chips{self._advice()}.", action)
        if chips > MOST_CHIPS:
            raise BadHandHistory(f"{name} is more than {MOST_CHIPS} chips.", action)
        return int(chips)

    def written(self, chips: int) -> str:
        """Write an amount as the document does."""
        return str(chips) if self.worth is None else f"{chips * self.worth:f}"

    def _advice(self) -> str:
        of = "" if self.worth is None else f" of {self.worth:f}"
        fits = f"{self.fitting:f}"
        return f"{of}. Set the value of a chip: `--unit {fits}`, in the API `?unit={fits}`, fits this document"


def read_unit(text: str) -> Decimal:
    """Read the value of a chip. Raises ValueError."""
    if (
        not WRITTEN.fullmatch(text)
        or not 0 < (worth := Decimal(text)) <= MOST_CHIPS
        or decimal_places(worth) > MOST_PLACES
    ):
        raise ValueError(f"A unit must be a number above 0 with up to {MOST_PLACES} decimals, such as 0.01.")
    return worth


def fitting_unit(hands: Iterable[Mapping[str, Any]]) -> Decimal:
    """Return the power of ten, at most 1, of which all amounts of these hands are multiples."""
    places = max((decimal_places(x) for fields in hands for x in _amounts(fields)), default=0)
    return Decimal(1).scaleb(-min(places, MOST_PLACES))


def _amounts(fields: Mapping[str, Any]) -> Iterator[Decimal]:
    for name in MONEY:
        row = fields.get(name)
        numbers = [x for x in (row if isinstance(row, list) else [row]) if isinstance(x, Decimal) and x.is_finite()]
        yield from (x for x in numbers if 0 <= x <= MOST_CHIPS)
    actions = fields.get("actions")
    for line in actions if isinstance(actions, list) else ():
        words = line.split() if isinstance(line, str) else []
        if words[1:2] == ["cbr"] and len(words) > 2 and WRITTEN.fullmatch(words[2]):
            yield Decimal(words[2])
