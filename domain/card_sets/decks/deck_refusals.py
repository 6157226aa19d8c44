"""Explains the refusals of decks."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

DECK_REFUSALS: Mapping[str, Refusal] = {
    "deck_too_small": Refusal("The deck is too small", "Add cards. You may add any number of basic lands."),
    "too_many_copies": Refusal("Too many copies", "Use at most four copies of a card in deck and sideboard together."),
    "not_in_pool": Refusal("Not in your pool", "Use only copies that you opened, drafted or own."),
    "set_not_allowed": Refusal("The set is not allowed", "Use cards from the sets of this table."),
    "sideboard_too_large": Refusal("The sideboard is too large", "Remove cards. The maximum is fifteen."),
}
