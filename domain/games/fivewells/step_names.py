"""Names the steps of a turn, the windows in them and what a seat is asked, as players say it (fivewells 3.1)."""

from collections.abc import Mapping
from typing import Final

STEPS: Final[Mapping[str, str]] = {
    "untap": "untap step",
    "dawn": "dawn",
    "main1": "first main phase",
    "attack": "attack",
    "block": "block",
    "first_damage": "first damage",
    "damage": "combat damage",
    "main2": "second main phase",
    "dusk": "dusk",
    "cleanup": "cleanup",
    "ended": "end",
}
"""The names of the steps."""


def step_name(step: str) -> str:
    """Name a step within a sentence."""
    return f"the {STEPS[step]}"


def window_name(stop: str) -> str:
    """Name a window, as `own main1`: whose turn it is, and the step."""
    whose, step = stop.split(" ")
    return f"{whose.capitalize()} {STEPS[step]}"
