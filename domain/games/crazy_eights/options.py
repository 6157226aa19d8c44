"""Defines the options of Crazy Eights, the values of its cards, and the payments (crazy_eights 1, 5)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from domain.core.cards import PACK, RANK_OF, RANKS, Card, Cards, Seat
from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value

EIGHT = RANKS.index("8")
WORTH = (2, 3, 4, 5, 6, 7, 50, 9, 10, 10, 10, 10, 1)  # by rank, from 2 to A
MOST_TURNS = 500  # of a hand with restock

Blocked = Literal["difference", "none", "everyone_counts"]
Points = tuple[int, ...]


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "blocked_scoring": {
        "difference": "The lowest hand scores the differences",
        "none": "Nobody scores",
        "everyone_counts": "Each seat loses its hand's value",
    },
    "first_dealer": {"random": "Drawn at random", "pick": "A chosen seat"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table."""

    packs: Annotated[int, Range(1, 2), Title("Number of packs")] = 1
    """The number of packs of 52 cards; more than seven seats need two."""
    hand_size: Annotated[int, Range(5, 8), Title("Cards per player")] = 5
    """The number of cards that each seat is dealt."""
    two_player_seven: Annotated[bool, Title("Seven cards with two players")] = False
    """Whether two players get seven cards each, regardless of `hand_size`."""
    draw_limit: Annotated[Annotated[int, Range(1, 10)] | None, Title("Maximum draws per turn")] = None
    """Maximum cards that a seat may draw in one turn; null for no limit."""
    restock: Annotated[bool, Title("Reshuffle the pile")] = False
    """Whether the discard pile becomes a new stock when the stock is empty."""
    blocked_scoring: Annotated[Blocked, Title("Scoring of a blocked hand")] = "difference"
    """Whether in a blocked hand the lowest seat scores the differences, no seat scores, or each loses its points."""
    target_score: Annotated[int, Range(1, 1000)] | None = None
    """The total that ends the game; null for a game of one hand."""
    first_dealer: Literal["random", "pick"] = "random"
    """Whether the first dealer is drawn at random, or picked by `first_dealer_seat`."""
    first_dealer_seat: Annotated[Annotated[int, Range(0, 9)] | None, Title("Seat of the first dealer")] = None
    """The seat of the first dealer, from 0; only with `first_dealer` `pick`."""


def hand_size(options: Options, seats: int) -> int:
    """Return the number of cards dealt to each seat."""
    return 7 if seats == 2 and options.two_player_seven else options.hand_size


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that exclude each other, or this number of seats, each with the reason."""
    bad, picked = {}, options.first_dealer_seat
    if options.packs == 1 and seats > 7:
        bad["packs"] = "One pack is enough for at most seven seats. Use two."
    elif 52 * options.packs - seats * hand_size(options, seats) < 10 * options.packs:
        bad["hand_size"] = f"Hands of {options.hand_size} leave too small a stock for {seats} seats."
    if (options.first_dealer == "pick") != (picked is not None):
        bad["first_dealer_seat"] = "Give a seat only with `first_dealer` `pick`, which requires it."
    elif picked is not None and picked >= seats:
        bad["first_dealer_seat"] = f"There is no seat {picked} at a table of {seats}."
    return bad


MOST_HANDS: Final = 1_000
"""A game to a target ends after this many hands, as blocked hands may lower all totals for ever."""


def begun_alike(begun: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options by which a game begins with the dealer of this hand, from the fields of its beginning."""
    return {"first_dealer": "pick", "first_dealer_seat": begun["dealer"]}


def decider_options(options: Options, seats: int) -> dict[str, Any]:
    """Change the options to those of a single hand."""
    return {"target_score": None}


def most_hands(options: Options, seats: int) -> int | None:
    """Return the maximum number of hands of a game: one, or our cap if a score must be reached."""
    return 1 if options.target_score is None else MOST_HANDS


@value
class Rules:
    """The resolved options, for a number of seats."""

    seats: int
    pack: Cards
    """All cards: one pack, or the first and then the second."""
    hand_size: int
    draw_limit: int | None
    restock: bool
    blocked: Blocked
    target: int | None
    picked: Seat | None
    """The first dealer, if the options name one."""


def compile_rules(options: Options, seats: int) -> Rules:
    """Turn the options into data, before play begins."""
    return Rules(
        seats,
        PACK * options.packs,
        hand_size(options, seats),
        options.draw_limit,
        options.restock,
        options.blocked_scoring,
        options.target_score,
        options.first_dealer_seat,
    )


# --- Cards (crazy_eights 4, 5) ------------------------------------------------------------------


def is_eight(c: Card) -> bool:
    """Return whether the card is wild."""
    return RANK_OF[c] == EIGHT


def worth(cards: Cards) -> int:
    """Return the cost of the cards left in a hand: eight 50, K Q J T 10, A 1, others their number."""
    return sum(WORTH[RANK_OF[c]] for c in cards)


def canonical(cards: Cards) -> Cards:
    """Sort cards in the order of the packs: one of each card first, then the duplicates."""
    once = tuple(sorted(set(cards)))
    rest = list(cards)
    for c in once:
        rest.remove(c)
    return (*once, *sorted(rest))


def bury_eights(stock: Cards) -> tuple[list[tuple[Card, int]], Cards]:
    """Bury each eight on top in the middle of the remaining stock; return the eights with their depths, and the stock.

    A stock is large enough for this to end.
    """
    buried: list[tuple[Card, int]] = []
    while is_eight(stock[0]):
        eight, rest = stock[0], stock[1:]
        depth = len(rest) // 2
        buried.append((eight, depth))
        stock = (*rest[:depth], eight, *rest[depth:])
    return buried, stock


# --- Payments (crazy_eights 5) -----------------------------------------------------------------------------


@value
class Payment:
    """A payment is what one seat collects from another."""

    from_: Seat
    """The seat that pays."""
    to: Seat
    """The seat that collects."""
    amount: int
    """The points that are paid."""


Payments = tuple[Payment, ...]


def lowest(values: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats with the lowest value."""
    return tuple(seat for seat, v in enumerate(values) if v == min(values))


def collect_hand_values(values: Sequence[int], winner: Seat) -> Payments:
    """Credit the value of every other hand to the seat that went out."""
    return tuple(Payment(seat, winner, v) for seat, v in enumerate(values) if seat != winner)


def differences(values: Sequence[int]) -> Payments:
    """Credit the differences of a blocked hand to the lowest; ties split them, without fractions."""
    best = lowest(values)
    shares = [(v - min(values)) // len(best) for v in values]
    return tuple(Payment(seat, to, share) for seat, share in enumerate(shares) for to in best if share)


def gains(payments: Payments, seats: int) -> Points:
    """Return the points that each seat collects."""
    return tuple(sum(p.amount for p in payments if p.to == seat) for seat in range(seats))


def nets(payments: Payments, seats: int) -> Points:
    """Return each seat's gain: what it collects minus what it pays."""
    paid = [sum(p.amount for p in payments if p.from_ == seat) for seat in range(seats)]
    return tuple(gain - out for gain, out in zip(gains(payments, seats), paid, strict=True))


def blocked_payments(values: Sequence[int], scoring: Blocked) -> tuple[Payments, Points]:
    """Score a blocked hand: the payments, and each seat's points."""
    if scoring == "everyone_counts":
        return (), tuple(-v for v in values)
    payments = differences(values) if scoring == "difference" else ()
    return payments, gains(payments, len(values))


# --- In words -----------------------------------------------------------------------------------

PACKS = {1: "one pack", 2: "two packs"}
MATCH = "Match the suit or the rank on top, or play an eight and name a suit."
OUT = "Going out scores the other hands: eights 50, tens and face cards 10, aces 1, others their number."
STOCK = {True: "; an empty stock is reshuffled from the pile", False: " while the stock lasts"}
BLOCKED = {
    "difference": "the lowest hand scores the difference to each other hand",
    "none": "nobody scores",
    "everyone_counts": "each seat loses the value of its hand",
}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table, in a few sentences."""
    deal = f"{seats} seats get {hand_size(options, seats)} cards each of {PACKS[options.packs]}."
    blocked = f"If no one can move, {BLOCKED[options.blocked_scoring]}."
    return " ".join((deal, MATCH, about_drawing(options), OUT, blocked, about_end(options)))


def about_drawing(options: Options) -> str:
    """Return how often a player may draw, and from which cards."""
    often = "as often as you like" if options.draw_limit is None else f"{options.draw_limit} a turn at most"
    return f"You may draw {often}{STOCK[options.restock]}."


def about_end(options: Options) -> str:
    """Describe the end of a game."""
    if options.target_score is None:
        return "One hand is the game."
    return f"When a player reaches {options.target_score}, the highest total wins."
