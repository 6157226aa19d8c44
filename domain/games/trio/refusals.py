"""Explains the refusals that only Trio has."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "hand_empty": Refusal("That hand is empty", "Ask another hand, or the middle."),
    "no_card_there": Refusal("No card lies there", "Choose a position that is face down."),
}
