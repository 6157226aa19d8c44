"""Defines the options of Gin Rummy, their compiled rules, and how many may play (gin_rummy 1, 8, 9)."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.cards import Seat
from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value

Points = tuple[int, ...]
Pair = tuple[Seat, Seat]
"""The two seats of a hand: first the non-dealer, then the dealer."""

Bonus = Annotated[int, Range(0, 1000)]

LEAST_TARGET: Final = 10
"""Minimum total that can win a game, in points."""

# --- Options (gin_rummy 1) ------------------------------------------------------------------------------


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "undercut": {
        "bonus": "The difference and a bonus",
        "difference": "Only the difference",
        "signed": "The difference, lost by the knocker",
    },
    "next_dealer": {"alternate": "Both in turn", "winner": "The winner of the hand", "loser": "The loser of the hand"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table.

    Three rotate: the loser sits out and counts as dealer, regardless of `next_dealer`.
    """

    players: Annotated[int, Range(2, 4)] | None = None
    """The number of players, which must match the seats; null for the number of seats."""
    target_score: Annotated[int, Range(LEAST_TARGET, 1000)] | None = None
    """The total that wins the game; null for 100, or 125 with four seats."""
    knock_limit: Annotated[int, Range(0, 10), Title("Maximum deadwood to knock")] = 10
    """Maximum deadwood, in points, with which a seat may knock; 0 allows only gin."""
    gin_bonus: Bonus = 25
    """Points for gin in addition to the defender's deadwood."""
    undercut: Annotated[Literal["bonus", "difference", "signed"], Title("Score for an undercut")] = "bonus"
    """Scoring of a knock whose deadwood is not below the defender's.

    The defender gets the difference and `undercut_bonus`, or only the difference; with `signed` the knocker gets it,
    and it is not positive.
    """
    undercut_bonus: Bonus = 25
    """Points for an undercut, in addition to the difference, with `undercut` `bonus`."""
    rediscard_taken: Annotated[bool, Title("A taken card may be discarded")] = True
    """Whether a card may be discarded in the turn in which it was taken from the discard pile."""
    big_gin_bonus: Bonus | None = None
    """Points for big gin, in addition to the defender's deadwood; null if there is no big gin."""
    stock_floor: Annotated[int, Range(0, 10), Title("Stock left in a void hand")] = 2
    """A hand is void once a discard leaves this many cards, or fewer, in the stock."""
    next_dealer: Annotated[Literal["alternate", "winner", "loser"], Title("Next dealer")] = "alternate"
    """The dealer after a scored hand: the next seat, the winner or the loser. Three seats rotate instead."""
    game_bonus: Annotated[Bonus, Title("Bonus for the game")] = 0
    """Points added to the winner's margin in the game."""
    box_bonus: Annotated[Bonus, Title("Bonus for each hand won")] = 0
    """Points added to this margin for each hand by which the winner leads."""
    max_pile_takes: Annotated[int, Range(1, 1000), Title("Maximum turns in a row from the pile")] = 20
    """After this many consecutive turns that took from the discard pile, the next player must draw from the stock."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "seed": {},
    "club": {
        "rediscard_taken": False,
        "big_gin_bonus": 31,
        "next_dealer": "loser",
        "game_bonus": 100,
        "box_bonus": 25,
    },
}


def resolve(given: Mapping[str, Any], seats: int | None = None) -> dict[str, Any]:
    """Add the default target to the given options, if the number of players is known."""
    players = seats or given.get("players")
    form = FORMS.get(players) if isinstance(players, int) else None
    if form is None or given.get("target_score") is not None:
        return dict(given)
    return {**given, "target_score": form.target}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that are not allowed, each with the reason."""
    if options.players in (None, seats):
        return {}
    return {"players": f"The match has {seats} seats, so `players` must be {seats}."}


def decider_options(options: Options, seats: int) -> dict[str, Any] | None:
    """Lower the target so that the first points win; None for three players, as each hand leaves one out."""
    return None if seats == 3 else {"target_score": LEAST_TARGET}


def most_hands(options: Options, seats: int) -> int | None:
    """Return None: the number of hands has no bound, because any hand may be void."""
    return None


# --- How many play (gin_rummy 4, 9) -----------------------------------------------------------------------


@value
class Form:
    """The form of the game for a number of seats: the pairs of the n-th deal, and the sides."""

    name: str
    target: int
    sides: tuple[int, ...]
    pairs: Callable[[Seat, int], tuple[Pair, ...]]
    nets: bool
    """Whether the points of two tables are netted when both are over."""


def two(dealer: Seat, deal_no: int) -> tuple[Pair, ...]:
    """Return the only pair."""
    return ((1 - dealer, dealer),)


def rotation(sits_out: Seat, deal_no: int) -> tuple[Pair, ...]:
    """Pair two of three: the seat that sits out counts as dealer, its left neighbour is non-dealer, the other deals."""
    return (((sits_out + 1) % 3, (sits_out + 2) % 3),)


def partnership(dealer: Seat, deal_no: int) -> tuple[Pair, ...]:
    """Return the pairs: partners meet both opponents in turn; the dealer's partner deals at the other table."""
    meetings = ((0, 1), (2, 3)) if deal_no % 2 else ((0, 3), (2, 1))
    return tuple((a, b) if b % 2 == dealer % 2 else (b, a) for a, b in meetings)


FORMS: Mapping[int, Form] = {
    2: Form("two", 100, (0, 1), two, nets=False),
    3: Form("rotation", 100, (0, 1, 2), rotation, nets=False),
    4: Form("partnership", 125, (0, 1, 0, 1), partnership, nets=True),
}


def sides(options: Options, seats: int) -> tuple[int, ...]:
    """Return the side of each seat."""
    return FORMS[seats].sides


# --- Points of a hand (gin_rummy 8) ------------------------------------------------------------------------

Undercut = Callable[[int, int, int], tuple[int, int]]
"""Takes the values of knocker and defender, and the bonus; returns the points of each."""

UNDERCUTS: Mapping[str, Undercut] = {
    "signed": lambda k, d, bonus: (d - k, 0),
    "difference": lambda k, d, bonus: (0, k - d),
    "bonus": lambda k, d, bonus: (0, k - d + bonus),
}

Deals = Callable[[Seat, Seat, Seat], Seat]
"""Returns the next dealer from the seat in turn, the winner and the loser of the hand."""

NEXT_DEALER: Mapping[str, Deals] = {
    "alternate": lambda in_turn, winner, loser: in_turn,
    "winner": lambda in_turn, winner, loser: winner,
    "loser": lambda in_turn, winner, loser: loser,
}


@value
class Rules:
    """The resolved options of a match."""

    options: Options
    seats: int
    form: Form
    target: int
    undercut: Undercut
    next_dealer: Deals


@cache
def compile_rules(options: Options, seats: int) -> Rules:
    """Compile the options, once, before play."""
    form = FORMS[seats]
    deals = NEXT_DEALER["loser" if form is FORMS[3] else options.next_dealer]
    return Rules(options, seats, form, options.target_score or form.target, UNDERCUTS[options.undercut], deals)


def knock_points(rules: Rules, knocker: int, defender: int) -> tuple[int, int]:
    """Return the points of knocker and defender, from the deadwood of each."""
    if defender > knocker:
        return defender - knocker, 0
    return rules.undercut(knocker, defender, rules.options.undercut_bonus)


# --- In words -------------------------------------------------------------------------------------------

PLAYING = {
    2: "Two play.",
    3: "Two of three play, and the loser of a hand sits out the next.",
    4: "Partners sit opposite each other and play two hands at the same time. The side ahead scores the difference.",
}
UNDERCUT = "A defender with no more deadwood than the knocker"
UNDERCUTTING = {
    "bonus": "scores the difference and {bonus}",
    "difference": "scores the difference",
    "signed": "costs the knocker the difference",
}
REDISCARD = {True: "may", False: "may not"}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table, in a few sentences."""
    undercut = UNDERCUTTING[options.undercut].format(bonus=options.undercut_bonus)
    return (
        f"{PLAYING[seats]} {about_knock(options)} {UNDERCUT} {undercut}."
        f" A card just taken from the pile {REDISCARD[options.rediscard_taken]} be discarded in the same turn."
        f" {about_end(options, seats)}"
    )


def about_knock(options: Options) -> str:
    """Describe when a hand can be laid down, and its score."""
    big = "" if options.big_gin_bonus is None else f", big gin {options.big_gin_bonus}"
    limit = options.knock_limit
    knock = f"Knock with {limit} points of deadwood or less." if limit else "Knock only with gin."
    return f"{knock} You score the difference in deadwood; gin scores {options.gin_bonus} extra{big}."


def about_end(options: Options, seats: int) -> str:
    """Describe the end of a game, and its margin."""
    game, box = options.game_bonus, options.box_bonus
    bonus = f", with a bonus of {game} and {box} for each extra hand won" if game or box else ""
    return f"The first to reach {compile_rules(options, seats).target} wins{bonus}."
