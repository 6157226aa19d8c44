"""Defines the moves of Gin Rummy, and the choices that melds make too rich for a list (gin_rummy 3, 6, 7)."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, ClassVar

from domain.core.cards import Card, Cards, Seat, card_names, remove_cards
from domain.core.choices import some_pairs
from domain.core.refusals import Refusal
from domain.core.values import value
from domain.games.gin_rummy.melds import (
    LaidCard,
    Melds,
    arrange,
    deadwood,
    defend,
    is_meld,
    lay,
    left_of,
    points,
    possible,
)

# --- Moves: the seats', then those of chance --------------------------------------------------------------


@value
class TakeUpcard:
    title: ClassVar[str] = "Take the upcard"


@value
class PassUpcard:
    title: ClassVar[str] = "Pass the upcard"


@value
class DrawFromStock:
    pass


@value
class DrawFromDiscard:
    pass


@value
class Discard:
    card: Card
    """The card to discard."""


@value
class Knock:
    """Knock with the ten cards that the discard leaves; without melds they are arranged automatically."""

    discard: Card
    """The card to discard."""
    melds: Melds | None = None
    """The melds, in any order; by default, the best ones are chosen."""


@value
class BigGin:
    """Lay down all eleven cards."""

    melds: Melds | None = None
    """The melds, in any order; by default, the best ones are chosen."""


@value
class LayOff:
    """Answer a knock. Parts that are left out are completed with the best; an empty list means none."""

    melds: Melds | None = None
    """The melds, in any order; by default, the best ones are chosen."""
    layoffs: tuple[LaidCard, ...] | None = None
    """The cards to lay off, in order; by default, the best ones are chosen."""


@value
class PickDealer:
    seat: Seat


@value
class Deal:
    pack: Cards


Move = TakeUpcard | PassUpcard | DrawFromStock | DrawFromDiscard | Discard | Knock | BigGin | LayOff | PickDealer | Deal


# --- What is wrong with melds (gin_rummy 6, 7) ------------------------------------------------------------


def meld_fault(held: Cards, melds: Melds) -> str | None:
    """Say what is wrong with melds of these cards."""
    if not all(set(meld) <= set(held) and is_meld(meld) for meld in melds):
        return "bad_meld"
    cards = [c for meld in melds for c in meld]
    return "melds_overlap" if len(set(cards)) < len(cards) else None


def knock_fault(ten: Cards, melds: Melds | None, limit: int) -> str | None:
    """Say what is wrong with knocking with these ten cards."""
    if melds is None:
        return "too_much_deadwood" if deadwood(ten) > limit else None
    fault = meld_fault(ten, melds)
    return fault or ("too_much_deadwood" if points(left_of(ten, melds)) > limit else None)


def big_gin_fault(eleven: Cards, melds: Melds | None) -> str | None:
    """Say what is wrong with laying down these eleven cards."""
    fault = knock_fault(eleven, melds, 0)
    return "not_all_melded" if fault == "too_much_deadwood" else fault


def defence_fault(hand: Cards, onto: Melds, move: LayOff) -> str | None:
    """Say what is wrong with an answer to these melds of the knocker."""
    melds = move.melds or ()
    free = left_of(hand, melds)
    return meld_fault(hand, melds) or (None if lay(free, onto, move.layoffs or ()) else "bad_layoff")


# --- Choices ----------------------------------------------------------------------------------------------

AUTOMATIC = "Left out, or null: arranged automatically."


def of_melds(cards: Iterable[Card]) -> dict[str, Any]:
    """Describe lists of melds that such cards may be in. That melds are disjoint, a schema cannot say."""
    among = card_names(sorted(cards))
    if not among:
        return {"type": ["array", "null"], "maxItems": 0}
    meld = {
        "type": "array",
        "items": {"enum": among},
        "minItems": 3,
        "maxItems": 11,
        "uniqueItems": True,
    }
    return {"type": ["array", "null"], "items": meld, "maxItems": 3, "description": AUTOMATIC}


def arguments_schema(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return the JSON Schema of arguments, of which only these must be there."""
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


@value
class Knocking:
    """This choice is a knock with a hand of eleven, discarding one of these cards: each leaves few enough points."""

    hand: Cards
    of: Cards
    limit: int
    make: ClassVar[type] = Knock
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not Knock or move.discard not in self.of:
            return False
        return knock_fault(remove_cards(self.hand, move.discard), move.melds, self.limit) is None

    def schema(self) -> dict[str, Any]:
        return arguments_schema(
            ["discard"],
            discard={"enum": card_names(self.of)},
            melds=of_melds(self.hand) | {"minItems": 1},
        )

    def sample(self, rng: Random) -> Knock:
        return Knock(rng.choice(self.of))

    def proposals(self) -> tuple[Knock, ...]:
        """Return the best melds for each discard, that with the least deadwood first."""
        arranged = [(arrange(remove_cards(self.hand, c)), c) for c in self.of]
        return tuple(Knock(c, best.melds) for best, c in sorted(arranged, key=lambda each: (each[0].value, each[1])))


@value
class LayingDown:
    """This choice is to lay down a hand of eleven cards that can all be melded."""

    hand: Cards
    make: ClassVar[type] = BigGin
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        return type(move) is BigGin and big_gin_fault(self.hand, move.melds) is None

    def schema(self) -> dict[str, Any]:
        return arguments_schema([], melds=of_melds(self.hand) | {"minItems": 1})

    def sample(self, rng: Random) -> BigGin:
        return BigGin()

    def proposals(self) -> tuple[BigGin, ...]:
        """Return the best melds."""
        return (BigGin(arrange(self.hand).melds),)


@value
class LayingOff:
    """This choice is to answer a knock with these melds from this hand."""

    hand: Cards
    onto: Melds
    make: ClassVar[type] = LayOff
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        return type(move) is LayOff and defence_fault(self.hand, self.onto, move) is None

    def schema(self) -> dict[str, Any]:
        ways = sorted({(laid.meld, laid.card) for way in possible(self.hand, self.onto) for laid in way})
        onto: dict[Card, list[int]] = {}
        for meld, card in ways:
            onto.setdefault(card, []).append(meld)
        pairs = some_pairs("card", "meld", dict(zip(card_names(onto), onto.values(), strict=True)))
        layoffs = (pairs if ways else {"maxItems": 0}) | {"type": ["array", "null"]}
        return arguments_schema([], melds=of_melds(in_melds(self.hand)), layoffs=layoffs)

    def sample(self, rng: Random) -> LayOff:
        return LayOff()

    def proposals(self) -> tuple[LayOff, ...]:
        """Return the best defence."""
        best = defend(self.hand, self.onto)
        return (LayOff(best.melds, best.layoffs),)


def in_melds(hand: Cards) -> Cards:
    """Return the cards of a hand that some meld of it holds."""
    return tuple([c for c in hand if any(c in three for three in _threes(hand))])


def _threes(hand: Cards) -> list[Cards]:
    n = len(hand)
    threes = [(hand[i], hand[j], hand[k]) for i in range(n) for j in range(i) for k in range(j)]
    return [three for three in threes if is_meld(three)]


def cards_of(move: Move) -> Cards:
    """Return the cards that a seat's move names."""
    match move:
        case Discard():
            return (move.card,)
        case Knock():
            return (move.discard, *(c for meld in move.melds or () for c in meld))
        case BigGin():
            return tuple(c for meld in move.melds or () for c in meld)
        case LayOff():
            laid = tuple(x.card for x in move.layoffs or ())
            return (*laid, *(c for meld in move.melds or () for c in meld))
        case _:
            return ()


def repeats(move: Move) -> bool:
    """Return whether a list that must be distinct names a card twice; that melds share one is another fault."""
    lists: list[Cards] = []
    if isinstance(move, Knock | BigGin | LayOff):
        lists += move.melds or ()
    if isinstance(move, LayOff):
        lists.append(tuple(x.card for x in move.layoffs or ()))
    return any(len(set(row)) < len(row) for row in lists)


# --- Refusals -------------------------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    "must_draw_from_stock": Refusal(
        "Draw from the stock", "Both passed the upcard. You may take from the pile next turn."
    ),
    "pile_locked": Refusal("The pile is locked", "Draw from the stock. This unlocks the pile."),
    "may_not_return_taken_card": Refusal("Keep the card you took", "Discard a different card from the one you took."),
    "bad_meld": Refusal(
        "That is no meld", "Use three or more cards of one rank, or in sequence in one suit, from your hand."
    ),
    "melds_overlap": Refusal("The melds overlap", "Use each card in at most one meld."),
    "too_much_deadwood": Refusal("Too much deadwood", "Rearrange your melds, or play on."),
    "not_all_melded": Refusal("Not all cards are melded", "Big gin needs all eleven cards in melds."),
    "bad_layoff": Refusal("Invalid layoff", "Add the fourth card to a set, or the next card at either end to a run."),
}
