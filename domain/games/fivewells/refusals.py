"""Explains the refusals that only Fivewells has."""

from collections.abc import Mapping

from domain.card_sets.decks.deck_refusals import DECK_REFUSALS
from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    **DECK_REFUSALS,
    "wrong_timing": Refusal("Not at this moment", "Lands, creatures, artifacts and sorceries wait for your main step."),
    "land_already_played": Refusal("One land a turn", "Play the next land in your next turn."),
    "not_untapped": Refusal("It is tapped", "Choose something that is untapped."),
    "new_creature": Refusal("It has just come", "It may attack and use its tap abilities from your next turn on."),
    "may_not_attack": Refusal("This creature may not attack", "Choose among the creatures that may."),
    "may_not_block": Refusal("This creature may not block", "Choose among the creatures that may."),
    "illegal_block": Refusal("It cannot be blocked so", "Flying, daunting and who attacks limit the blocks."),
    "illegal_target": Refusal("That is no legal target", "Choose among the targets that are offered."),
    "wrong_target_count": Refusal("Too many or too few targets", "Choose as many targets as the card asks for."),
    "cannot_pay": Refusal("There is not enough mana", "Choose a cheaper act, or untapped sources that suffice."),
    "bad_choice": Refusal("That cannot be chosen", "Choose among what is offered, and pay with nothing superfluous."),
    "no_more_mulligans": Refusal("No more mulligans", "Keep this hand."),
}
