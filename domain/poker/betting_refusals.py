"""Explains the refusals that only the games of poker have."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "illegal_action": Refusal(
        "That is no action here", "Call, raise or fold where something is owed; else check or bet."
    ),
    "raise_not_open": Refusal("You may not raise", "Call or fold."),
    "not_enough_chips": Refusal("Not enough chips", "Name at most your stack, or go all in."),
    "below_minimum": Refusal("Too small", "Bet the least there is or more, or all that you have."),
    "wrong_bet_size": Refusal("Wrong bet size", "A fixed limit allows one size. Use it, or go all in."),
    "too_many_cards": Refusal("Too many cards", "Exchange no more than the table allows."),
}
