"""Defines the moves of Gin Rummy, the choices of melds that are too many to list, and the events (gin_rummy 3–9).

In the partnership form, two tables play hands at the same time. An event without a seat names its table.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from domain.core import event_fields
from domain.core import text as words
from domain.core.cards import NAMES, Card, Cards, Seat, card_names, remove_cards
from domain.core.choices import some_pairs
from domain.core.refusals import Refusal
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
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
from domain.games.gin_rummy.options import Pair, Points

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


# --- Faults of melds (gin_rummy 6, 7) ----------------------------------------------------------------------


def meld_fault(held: Cards, melds: Melds) -> str | None:
    """Return the fault of melds of these cards."""
    if not all(set(meld) <= set(held) and is_meld(meld) for meld in melds):
        return "bad_meld"
    cards = [c for meld in melds for c in meld]
    return "melds_overlap" if len(set(cards)) < len(cards) else None


def knock_fault(ten: Cards, melds: Melds | None, limit: int) -> str | None:
    """Return the fault of knocking with these ten cards."""
    if melds is None:
        return "too_much_deadwood" if deadwood(ten) > limit else None
    fault = meld_fault(ten, melds)
    return fault or ("too_much_deadwood" if points(left_of(ten, melds)) > limit else None)


def big_gin_fault(eleven: Cards, melds: Melds | None) -> str | None:
    """Return the fault of laying down these eleven cards."""
    fault = knock_fault(eleven, melds, 0)
    return "not_all_melded" if fault == "too_much_deadwood" else fault


def defence_fault(hand: Cards, onto: Melds, move: LayOff) -> str | None:
    """Return the fault of an answer to these melds of the knocker."""
    melds = move.melds or ()
    free = left_of(hand, melds)
    return meld_fault(hand, melds) or (None if lay(free, onto, move.layoffs or ()) else "bad_layoff")


# --- Choices ----------------------------------------------------------------------------------------------

AUTOMATIC = "Left out, or null: arranged automatically."


def of_melds(cards: Iterable[Card]) -> dict[str, Any]:
    """Describe lists of melds with these cards. A schema cannot require that melds are disjoint."""
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
    """Return the JSON Schema of arguments, of which only these are required."""
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


@value
class Knocking:
    """The choice to knock with a hand of eleven and one of these discards, each of which leaves few enough points."""

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
    """The choice to lay down a hand of eleven cards that can all be melded."""

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
    """The choice to answer a knock with melds and lay-offs from this hand."""

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
        "That is not a meld", "Use three or more cards of one rank, or in sequence in one suit, from your hand."
    ),
    "melds_overlap": Refusal("The melds overlap", "Use each card in at most one meld."),
    "too_much_deadwood": Refusal("Too much deadwood", "Rearrange your melds, or play on."),
    "not_all_melded": Refusal("Not all cards are melded", "Big gin needs all eleven cards in melds."),
    "bad_layoff": Refusal("Invalid layoff", "Add the fourth card to a set, or the next card at either end to a run."),
}


# --- Events ---------------------------------------------------------------------------------------


TableNo = Annotated[int, Doc("The number of the table, from 0; with two seats there is one.")]
Boxes = Annotated[Points, Doc("The hands won in the game, seat by seat.")]
Kind = Literal["gin", "big_gin", "knock", "undercut"]


@value
class GameStarted:
    game_no: event_fields.GameNo


@value
class FirstDealerChosen:
    """The first dealer is chosen: drawn, or the loser of the game before."""

    seat: Seat
    how: Literal["random", "loser"]
    """How the first dealer was chosen: at random, or as the loser of the previous game."""


@value
class HandStarted:
    """A hand began; `pairs` are the opponents at each table, the non-dealer first."""

    hand_no: event_fields.HandNo
    deal_no: event_fields.DealNo
    dealer: Seat
    """The seat that deals."""
    pairs: tuple[Pair, ...]
    """The pairs of opponents, table by table, the non-dealer first."""


@value
class HandDealt:
    table: TableNo
    counts: event_fields.DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class UpcardTurned:
    table: TableNo
    card: Card
    """The card that was turned up."""


@value
class UpcardPassed:
    seat: Seat


@value
class StockDrawn:
    seat: Seat
    stock_count: event_fields.StockCount
    card: Private[Card]
    """The drawn card."""


@value
class DiscardTaken:
    """The top of the pile is taken; `upcard` if that was the offer at the opening."""

    seat: Seat
    card: Card
    """The card taken from the pile."""
    upcard: bool
    """Whether the card was the upcard, during its offer."""


@value
class CardDiscarded:
    seat: Seat
    card: Card
    """The discarded card."""


@value
class Knocked:
    """A hand is laid down; without a discard it is big gin."""

    seat: Seat
    discard: Card | None
    """The discarded card; null for big gin."""
    melds: Melds
    """The melds."""
    deadwood: Cards
    """The unmelded cards."""
    value: int
    """The points of these cards."""
    gin: bool
    """Whether all cards are melded."""


@value
class LaidOff:
    """The defender answers a knock; `layoffs` count the knocker's melds from 0."""

    seat: Seat
    melds: Melds
    """The melds."""
    layoffs: tuple[LaidCard, ...]
    """The cards laid off on the knocker's melds, in order."""
    deadwood: Cards
    """The unmelded cards."""
    value: int
    """The points of these cards."""


@value
class HandShown:
    """The hand that gin was made against is shown."""

    seat: Seat
    melds: Melds
    """The melds."""
    deadwood: Cards
    """The unmelded cards."""
    value: int
    """The points of these cards."""


@value
class HandScored:
    """A hand is scored: what knocker and defender had left, what they get, all totals and hands won so far."""

    table: TableNo
    kind: Kind
    """How the hand was won."""
    knocker: Seat
    """The seat that knocked."""
    defender: Seat
    """The other seat of the hand."""
    values: tuple[int | None, ...]
    """The deadwood points, seat by seat; null for a seat of another table."""
    points: event_fields.Gained[Points]
    totals: event_fields.Totals[Points]
    boxes: Boxes


@value
class HandVoided:
    table: TableNo
    stock_count: event_fields.StockCount


@value
class HandClosed:
    """The hand is over at every table."""

    hand_no: event_fields.HandNo


@value
class PointsNetted:
    """The points of both tables are compared, side against side."""

    points: event_fields.Gained[Points]
    totals: event_fields.Totals[Points]
    boxes: Boxes


@value
class GameEnded:
    """The game ended. `margins` has each loser's margin, including bonuses; `ranking` counts from 1."""

    totals: event_fields.Totals[Points]
    ranking: event_fields.Places[tuple[int, ...]]
    winners: event_fields.Winners
    boxes: Boxes
    margins: Points
    """The margin by which each seat lost, including bonuses; 0 for the winners."""
    reason: event_fields.EndReason


Event = (
    GameStarted
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | UpcardTurned
    | UpcardPassed
    | StockDrawn
    | DiscardTaken
    | CardDiscarded
    | Knocked
    | LaidOff
    | HandShown
    | HandScored
    | HandVoided
    | HandClosed
    | PointsNetted
    | GameEnded
)

TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} began.",
    FirstDealerChosen: "Seat {seat} got the first deal, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} dealt; {pairs}.",
    HandDealt: "The cards were dealt{cards:dealt}.",
    UpcardTurned: "{card} was turned up.",
    UpcardPassed: "Seat {seat} passed the upcard.",
    StockDrawn: "Seat {seat} drew {card} from the stock; {stock_count} left.",
    DiscardTaken: "Seat {seat} took {card}.",
    CardDiscarded: "Seat {seat} discarded {card}.",
    Knocked: "Seat {seat} {:knock}{discard} and laid down {melds}; deadwood {deadwood} ({value}).",
    LaidOff: "Seat {seat} laid down {melds} and laid off {layoffs}; deadwood {deadwood} ({value}).",
    HandShown: "Seat {seat} showed {melds}; deadwood {deadwood} ({value}).",
    HandScored: "The hand ended: {:scored}. Points: {points}. Totals: {totals}.",
    HandVoided: "The hand was void, with {stock_count} cards left in the stock.",
    HandClosed: "Hand {hand_no} was closed.",
    PointsNetted: "Points of both tables together: {points}. Totals: {totals}.",
    GameEnded: "The game ended: {winners}{reason}. Totals: {totals}.",
}

SCORED = {
    "knock": "seat {knocker} won by knocking",
    "undercut": "seat {defender} undercut seat {knocker}",
    "gin": "seat {knocker} won with gin",
    "big_gin": "seat {knocker} won with big gin",
}

IN_WORDS: words.Words = {
    "how": {"random": "by lot", "loser": "having lost the game before"}.__getitem__,
    "pairs": lambda x: " and ".join(f"seat {a} against seat {b}" for a, b in x),
    "knock": lambda event: "went gin" if event.gin else "knocked",
    "discard": lambda x: "" if x is None else f", discarding {words.name_card(x)},",
    "melds": lambda x: " | ".join(map(words.name_cards, x)) or "no melds",
    "deadwood": lambda x: words.name_cards(x).replace("no cards", "none"),
    "layoffs": lambda x: ", ".join(f"{NAMES[laid.card]} on meld {laid.meld + 1}" for laid in x) or "nothing",
    "scored": lambda event: SCORED[event.kind].format(knocker=event.knocker, defender=event.defender),
}

text = words.event_text(TEXTS, IN_WORDS)
