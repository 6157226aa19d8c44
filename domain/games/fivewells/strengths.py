"""Says how much of luck and of skill duels have, as matches of bots with the usual decks have shown."""

from typing import Final

from domain.core.strengths import USUAL, Figures, Strengths
from domain.games.fivewells.options import Options


def format_of(options: Options, seats: int) -> str:
    """Rate decks that are built of boosters or were drafted apart: to build them is half of the skill."""
    return "" if options.format == "constructed" else options.format


LUCK: Final = 600.0

STRENGTHS: Final = Strengths(
    Figures(LUCK, {"random": -3450, "easy": -1140, "steady": 1500, "strong": 1500}),
    format_of,
    # How well bots build decks was not measured.
    {"sealed": Figures(LUCK), "draft": Figures(LUCK)},
    {USUAL: "constructed decks", "sealed": "sealed decks", "draft": "drafted decks"},
)
