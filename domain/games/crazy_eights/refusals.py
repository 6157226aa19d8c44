"""Explains the refusals that only Crazy Eights has."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "suit_required": Refusal("Name a suit", "Say with the eight which suit is to follow."),
    "suit_not_allowed": Refusal(
        "Only an eight names a suit", "Play this card without a suit for what follows, or play an eight."
    ),
    "not_playable": Refusal("The card does not match", "Play its suit or its rank, or an eight; or draw."),
    "stock_empty": Refusal("The stock is empty", "Play a card that matches, or pass."),
    "draw_limit_reached": Refusal("No more draws this turn", "Play a card that matches, or pass."),
    "may_not_pass": Refusal("You may not pass", "Play a card, or draw one, as long as you can."),
}
