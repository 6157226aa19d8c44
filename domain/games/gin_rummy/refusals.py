"""Explains the refusals that only Gin Rummy has."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "must_draw_from_stock": Refusal(
        "Draw from the stock", "Both refused this card; the pile opens with the next turn."
    ),
    "pile_locked": Refusal("The pile is locked", "Draw from the stock; that opens the pile again."),
    "may_not_return_taken_card": Refusal("Keep the card you took", "Discard another card than the one from the pile."),
    "bad_meld": Refusal("That is no meld", "Three or more of one rank, or in sequence in one suit, from your hand."),
    "melds_overlap": Refusal("The melds overlap", "Let each card stand in one meld at most."),
    "too_much_deadwood": Refusal("Too much deadwood", "Arrange the melds better, or play on."),
    "not_all_melded": Refusal("Not all cards are melded", "Big gin melds all eleven cards."),
    "bad_layoff": Refusal(
        "It cannot be laid off there", "Add to a set its fourth card, to a run its next at either end."
    ),
}
