"""Explains the refusals that only Hearts has."""

from collections.abc import Mapping

from domain.core.refusals import Refusal

REFUSALS: Mapping[str, Refusal] = {
    "not_a_received_card": Refusal(
        "You did not receive this card", "Give back one of the cards that you have just been passed."
    ),
    "must_lead_lowest": Refusal(
        "The lowest card leads", "Lead your lowest card that is no heart; a harmful one only if you must."
    ),
    "must_lead_two_of_clubs": Refusal("The two of clubs leads", "Lead the two of clubs to the first trick."),
    "must_lead_a_two": Refusal("A two leads", "Lead one of your twos of clubs, diamonds or spades."),
    "must_lead_non_scoring": Refusal("A harmless card leads", "Lead a card that does not score to the first trick."),
    "hearts_not_open": Refusal("Hearts are not open", "Lead another suit as long as you have one."),
    "harmful_on_first_trick": Refusal(
        "Nothing harmful in the first trick", "Play another card; a harmful one only if you have no other."
    ),
}
