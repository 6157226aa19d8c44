"""Explains the refusals that only Two-Handed Hearts has."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "must_discard_another": Refusal(
        "Discard another card", "To put away the card that you have just drawn, reject it."
    ),
    "too_many_claims": Refusal("Too many false claims", "Three false claims a hand are all; wait for the next one."),
}
