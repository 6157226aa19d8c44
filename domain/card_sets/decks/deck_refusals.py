"""Explains the refusals of decks."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

DECK_REFUSALS: Mapping[str, Refusal] = {
    "deck_too_small": Refusal("The deck is too small", "Add cards; basic lands are without bound."),
    "too_many_copies": Refusal("Too many copies", "Four of a name are allowed in deck and sideboard together."),
    "not_in_pool": Refusal("Not in your pool", "Take only copies that you opened, drafted or own."),
    "set_not_allowed": Refusal("The set is not allowed", "Take cards of the sets of this table."),
    "sideboard_too_large": Refusal("The sideboard is too large", "Leave cards out; fifteen are the most."),
}
