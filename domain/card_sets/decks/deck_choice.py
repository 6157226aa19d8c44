"""Represents the choice of a deck as a legal move, in games in which decks are built or changed."""

from random import Random
from typing import Any, ClassVar, Final

from domain.card_sets.cards.library import BASIC_LANDS, CARDS
from domain.card_sets.decks.deck import MOST_CARDS, DeckRules, faults
from domain.core.choices import X_FREE, X_NAMES
from domain.core.collectible import Deck
from domain.core.refusals import Reason
from domain.core.type_schema import object_of
from domain.core.values import value

MOST_REPORTED: Final = 5
"""The maximum number of faults to report for one deck."""


def fault_of(deck: Deck, rules: DeckRules) -> Reason | None:
    """Return the faults of a deck: the code of the first, and a sentence for each; None if there are none."""
    count = len(deck.main) + len(deck.sideboard)
    if count > MOST_CARDS:
        return Reason(
            "bad_arguments", f"The deck has {count} cards, including the sideboard. The maximum is {MOST_CARDS}."
        )
    found = faults(deck, rules)
    if not found:
        return None
    sentences = [fault.sentence for fault in found[:MOST_REPORTED]]
    if len(found) > MOST_REPORTED:
        sentences.append(f"There are {len(found) - MOST_REPORTED} more faults.")
    return Reason(found[0].code, " ".join(sentences))


def sentence_of(deck: Deck, rules: DeckRules) -> str:
    """Return the faults of a deck in sentences; empty if there are none."""
    fault = fault_of(deck, rules)
    return fault.sentence if fault else ""


@value
class DeckToSubmit:
    """A choice of a deck of the player's own cards, by the rules for it.

    `make` is the class of the move, with the fields of a `Deck`. `usual` is a valid deck.
    """

    make: type[Any]
    rules: DeckRules
    usual: Deck
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not self.make:
            return False
        deck: Any = move
        return fault_of(Deck(deck.main, deck.sideboard), self.rules) is None

    def schema(self) -> dict[str, Any]:
        free = {card.id for card in BASIC_LANDS} if self.rules.free_basics else set()
        there = sorted({*self.usual.main, *self.usual.sideboard, *(self.rules.pool or ()), *free})
        cards = {"enum": there, X_NAMES: {card: CARDS[card].name for card in there}, X_FREE: sorted(free)}
        row = {"type": "array", "items": cards}
        return object_of(
            {"main": row | {"title": "Main deck", "minItems": self.rules.least}, "sideboard": row}, ["main"]
        )

    def sample(self, rng: Random) -> Any:
        """Return the usual deck, or one with one card swapped for a sideboard card."""
        main, beside = list(self.usual.main), list(self.usual.sideboard)
        if beside and rng.random() < 0.5:
            i, j = rng.randrange(len(main)), rng.randrange(len(beside))
            main[i], beside[j] = beside[j], main[i]
        move = self.make(tuple(sorted(main)), tuple(sorted(beside)))
        return move if self.admits(move) else self.make(self.usual.main, self.usual.sideboard)

    def proposals(self) -> tuple[Any, ...]:
        """Return the usual deck."""
        return (self.make(self.usual.main, self.usual.sideboard),)
