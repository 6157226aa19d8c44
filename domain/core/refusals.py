"""Explains refusals: what a code means for a person, and the codes that all games share (rules 1.3)."""

from collections.abc import Mapping

from domain.core.values import value


@value
class Refusal:
    """A refusal has a title, which says what is wrong, and a sentence, which says what to do about it."""

    title: str
    advice: str


COMMON: Mapping[str, Refusal] = {
    "wrong_phase": Refusal("Not in this phase", "Ask for the legal moves; nobody can make this one now."),
    "not_your_turn": Refusal("It is not your turn", "Wait until `to_act` names your seat."),
    "already_done": Refusal("You have done so already", "Your answer stands; wait for the other seats."),
    "card_not_in_hand": Refusal("You do not hold this card", "Choose among the cards of your hand."),
    "wrong_count": Refusal("Too many or too few cards", "Ask for the legal moves to see how many are due."),
    "no_such_object": Refusal("There is no such thing", "Ask for the legal moves to see what there is."),
    "must_follow_suit": Refusal("Follow suit", "Play a card of the suit that was led."),
}
"""These codes refuse moves that another moment, another seat or another hand would allow."""

MALFORMED: Mapping[str, Refusal] = {
    "bad_arguments": Refusal("The request does not fit", "Mend the fields that `errors` names."),
    "duplicate_card": Refusal("A card stands there twice", "Name each card once."),
}
"""These codes refuse moves that are wrong in themselves."""
