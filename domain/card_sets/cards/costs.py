"""Defines the costs of spells and abilities."""

import re
from typing import Final, Literal

from domain.card_sets.cards.card_kinds import COLORS, Mana
from domain.card_sets.cards.filters import Filter, Itself
from domain.core.values import value

WRITTEN: Final = r"^(X)?(0|[1-9][0-9]?)?(S*T*R*F*G*)$"
"""A cost as cards write it: X, the mana of any kind, then the colours in their order."""


@value
class ManaCost:
    """A cost in mana: `colored` counts the symbols of each colour, `generic` is mana of any kind.

    With `x`, the player also pays a number that is chosen with the spell or ability.
    """

    colored: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    generic: int = 0
    x: bool = False

    @property
    def mana_value(self) -> int:
        """Return the number of its symbols, X not counted."""
        return self.generic + sum(self.colored)

    @property
    def colors(self) -> tuple[Mana, ...]:
        return tuple(color for color in COLORS if self.colored[color])

    def __str__(self) -> str:
        colored = "".join(color.name * self.colored[color] for color in COLORS)
        generic = str(self.generic) if self.generic or not (colored or self.x) else ""
        return "X" * self.x + generic + colored


NOTHING: Final = ManaCost()
"""The cost of a card without a mana cost."""


def read_cost(text: str) -> ManaCost:
    """Read a cost in the notation of cards, such as `2SS`. Raise `ValueError` for anything else."""
    written = re.fullmatch(WRITTEN, text)
    if written is None or not text:
        raise ValueError(f"{text!r} is not a cost; write X, a number and colours in the order STRFG, as 2SS")
    s, t, r, f, g = (written[3].count(color.name) for color in COLORS)
    return ManaCost((s, t, r, f, g), int(written[2] or 0), written[1] is not None)


@value
class Cost:
    """A cost of an activated ability: mana, tapping its source, a sacrifice, or several of these.

    The sacrifice is the source itself, or a permanent of the player's choice that passes the filter; None for no
    sacrifice.
    """

    mana: ManaCost = NOTHING
    tap: bool = False
    sacrifice: Itself | Filter | None = None


AddedMana = Mana | Literal["any"]
"""The mana that an ability adds: of this kind, or of one colour of the player's choice."""
