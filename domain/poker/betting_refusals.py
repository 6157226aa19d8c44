"""Explains the refusals that only the games of poker have."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "illegal_action": Refusal("Action not possible", "Call, raise or fold if you owe chips; otherwise check or bet."),
    "raise_not_open": Refusal("You may not raise", "Call or fold."),
    "not_enough_chips": Refusal("Not enough chips", "Bet at most your stack, or go all-in."),
    "below_minimum": Refusal("Too small", "Bet at least the minimum, or go all-in."),
    "wrong_bet_size": Refusal("Wrong bet size", "A fixed limit allows one size. Use it, or go all-in."),
    "too_many_cards": Refusal("Too many cards", "Exchange at most the allowed number of cards."),
}
