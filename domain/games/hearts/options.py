"""Defines the options of Hearts and its sixteen rules, four tables of four (hearts 1, 4–6).

A variant is four choices: how cards are passed, what is led first, when hearts may be led, how a hand is scored.
`compile_rules` picks a row of each table before play begins, so play never tests an option.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Annotated, Any, Final, Literal

from domain.core.cards import HEARTS, OF_SUIT, RANK_OF, SUIT_OF, Card, Cards, Seat, card, drop_cards, keep_cards
from domain.core.game import Variant
from domain.core.options import Pattern, Range
from domain.core.tricks import Trick
from domain.core.types import Title
from domain.core.values import value

SEATS = range(4)
TRICKS = 13
C2, JD, JH, QS = card("2C"), card("JD"), card("JH"), card("QS")
TWOS = frozenset((C2, card("2D"), card("2S")))
ALL_HEARTS = OF_SUIT[HEARTS]

Direction = Literal["left", "right", "across", "none", "dealer"]
Hands = tuple[Cards, ...]
Points = tuple[int, ...]


# --- Options (hearts 1) -------------------------------------------------------------------------


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "first_dealer": {"cut": "Cut for", "pick": "A chosen seat", "random": "Drawn at random"},
    "tie_break": {"share": "They share the win", "extra_hand": "Extra hands decide"},
    "moon_jack": {
        "required": "It is needed",
        "ignored": "It is not needed",
        "bonus": "It is not needed, and scores −10",
    },
    "moon_style": {"others_plus": "26 more for all others", "shooter_minus": "26 less for the shooter"},
    "history": {"full": "All of the hand", "last_trick": "The last one"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table."""

    variant: Annotated[
        str,
        Pattern("[1-4]-[1-4]-[1-4]-[1-4]", "four digits from 1 to 4, such as `2-2-2-3`"),
        Title("Code of the variant"),
    ] = "2-2-2-3"
    """The code of the variant, a digit each for passing, the first lead, when hearts may be led, and scoring.

    The index is accepted too, as a number or as digits. With null, `variant_index` decides. Answers always have the
    code.
    """
    variant_index: Annotated[Annotated[int, Range(1, 256)] | None, Title("Number of the variant")] = None
    """The number of the variant, which must agree with `variant` if both are given."""
    first_dealer: Literal["cut", "pick", "random"] = "cut"
    """How the first dealer is chosen: by a cut, by `first_dealer_seat`, or at random."""
    first_dealer_seat: Annotated[Annotated[int, Range(0, 3)] | None, Title("Seat of the first dealer")] = None
    """The seat of the first dealer, from 0; only with `first_dealer` `pick`."""
    target_score: Annotated[int, Range(1, 1000)] = 100
    """The game ends after the hand in which a seat reaches this total."""
    tie_break: Annotated[Literal["share", "extra_hand"], Title("With equal totals")] = "share"
    """Whether seats tied for the lowest total share the win, or play extra hands until one is lowest."""
    jack_of_diamonds: Annotated[bool, Title("Jack of diamonds scores minus ten")] = True
    """Whether the jack of diamonds scores −10 in scoring 3 and 4; if not, it is a card like any other.

    It does in the 256 variants. Standard Hearts is played without it.
    """
    moon_jack: Annotated[Literal["required", "ignored", "bonus"], Title("The jack of diamonds in a moon")] = "required"
    """Whether the moon needs the jack of diamonds, or not.

    With `bonus` the jack still takes 10 points off its taker.
    """
    moon_style: Annotated[Literal["others_plus", "shooter_minus"], Title("Points for a moon")] = "others_plus"
    """Whether a moon adds 26 points to each other seat, or subtracts 26 from the shooter."""
    history: Annotated[Literal["full", "last_trick"], Title("Past tricks shown")] = "full"
    """Whether the table lists all tricks of the hand, or only the last one; events always have all."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {"jack_of_diamonds": False},
    "seed": {},
    "two_free": {"variant": "2-2-2-4"},
    "hearts_alone": {"variant": "2-2-2-1"},
    "courts": {"variant": "2-2-2-2"},
    "no_passing": {"variant": "1-2-2-3"},
    "short": {"target_score": 50},
}
PRESET_TITLES: Mapping[str, str] = {
    "standard": "Standard rules",
    "seed": "With the jack of diamonds",
    "two_free": "Two hearts are free, the others cost two",
    "hearts_alone": "Only hearts cost points",
    "courts": "High hearts cost five",
    "no_passing": "No passing",
    "short": "A short game, to 50",
}

CODES = tuple("-".join(choices) for choices in product("1234", repeat=4))
INDEX = {code: i for i, code in enumerate(CODES, 1)}
BY_NAME = {name: code for code, i in INDEX.items() for name in (code, str(i))}


def resolve(given: Mapping[str, Any], seats: int = 4) -> dict[str, Any]:
    """Complete the given options, so that they have both the code and the index of the variant.

    `variant` may itself be an index, as a number or in digits. A name of no variant is left as it is, for the schema to
    refuse; a code and an index that disagree, for `bad_options`.
    """
    variant, index = given.get("variant"), given.get("variant_index")
    named = variant if variant is not None else index if index is not None else Options().variant
    code = BY_NAME.get(str(named))
    if code is None:
        return dict(given)
    return {**given, "variant": code, "variant_index": INDEX[code] if index is None else index}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that exclude each other, each with the reason."""
    bad = {}
    if options.variant_index not in (None, INDEX[options.variant]):
        bad["variant_index"] = (
            f"Variant {options.variant} has the index {INDEX[options.variant]}. Give that, or leave this out."
        )
    if (options.first_dealer == "pick") != (options.first_dealer_seat is not None):
        bad["first_dealer_seat"] = "Give a seat only with `first_dealer` `pick`, which requires it."
    return bad


# --- The sixteen rules (hearts 1, 4–6) ----------------------------------------------------------


@value
class Passing:
    """A row of the first table: the directions deal after deal, the number of cards, and whether a card is returned."""

    slug: str
    text: str
    directions: tuple[Direction, ...]
    count: int
    then: str
    """The phase after the exchange."""


AROUND: tuple[Direction, ...] = ("left", "right", "across", "none")

PASSING = (
    Passing("pass-none", "Nobody passes.", ("none",), 0, "ready"),
    Passing("pass-rotate-3", "Three cards go left, right, across, and then none.", AROUND, 3, "ready"),
    Passing("pass-rotate-4-back-1", "Four cards go the same way, and one is returned.", AROUND, 4, "returning"),
    Passing("pass-dealer-shuffle", "The dealer shuffles three cards from each seat.", ("dealer",), 3, "ready"),
)

STEPS = {"left": 1, "across": 2, "right": 3}  # seats to the left


def from_left_of(dealer: Seat) -> tuple[Seat, ...]:
    """Return all seats in the order of the deal, the dealer last."""
    return tuple((dealer + i) % 4 for i in (1, 2, 3, 4))


def left_of(dealer: Seat, hands: Hands) -> Seat:
    """Return the seat left of the dealer."""
    return from_left_of(dealer)[0]


def two_of_clubs(dealer: Seat, hands: Hands) -> Seat:
    """Return the seat that holds 2C; all cards are dealt, so one seat does."""
    return next(seat for seat in SEATS if C2 in hands[seat])


def nearest_two(dealer: Seat, hands: Hands) -> Seat:
    """Return the first seat with a two of another suit than hearts, the dealer last (hearts 8.9)."""
    return next(seat for seat in from_left_of(dealer) if not TWOS.isdisjoint(hands[seat]))


@value
class Scoring:
    """A row of the last table: the cost of taken cards, and which cards score and which do harm."""

    slug: str
    text: str
    points: Callable[[Cards], int]
    scoring: frozenset[Card]
    harmful: frozenset[Card]
    least: int
    """Minimum sum of all points in a hand without a moon."""


def lowest(hand: Cards, scoring: Scoring) -> Cards:
    """Return the lowest non-heart, a harmless one if possible; of thirteen hearts the two (hearts 8.7, 8.8)."""
    plain = drop_cards(hand, ALL_HEARTS)
    least = min((RANK_OF[c] for c in plain), default=0)
    low = tuple(c for c in plain if RANK_OF[c] == least)
    return drop_cards(low, scoring.harmful) or low or hand[:1]


def only_two_of_clubs(hand: Cards, scoring: Scoring) -> Cards:
    """Return 2C."""
    return keep_cards(hand, (C2,))


def any_two(hand: Cards, scoring: Scoring) -> Cards:
    """Return the twos, except that of hearts (hearts 8.9)."""
    return keep_cards(hand, TWOS)


def non_scoring(hand: Cards, scoring: Scoring) -> Cards:
    """Return the cards that do not score; 2C is always among them (hearts 8.10, 8.12)."""
    return drop_cards(hand, scoring.scoring)


@value
class Leading:
    """A row of the second table: the seat and the card of the first lead."""

    slug: str
    text: str
    leader: Callable[[Seat, Hands], Seat]
    """Returns the seat that leads, from the dealer and all hands."""
    cards: Callable[[Cards, Scoring], Cards]
    """Returns the cards that may be led from a hand."""
    refusal: str
    shows: bool = False
    """Whether the leader shows the two of clubs."""


LEFT = "The seat to the left of the dealer leads its lowest card outside hearts."
CLUB = "The two of clubs is led."
TWO = "The first seat to the left of the dealer with a two leads it, except the two of hearts."
SHOW = "The seat that shows the two of clubs leads a card that does not score."

LEADING = (
    Leading("lead-left-lowest", LEFT, left_of, lowest, "must_lead_lowest"),
    Leading("lead-two-clubs", CLUB, two_of_clubs, only_two_of_clubs, "must_lead_two_of_clubs"),
    Leading("lead-nearest-two", TWO, nearest_two, any_two, "must_lead_a_two"),
    Leading("lead-shown-two", SHOW, two_of_clubs, non_scoring, "must_lead_non_scoring", shows=True),
)


Tricks = Sequence[Trick]


def after_one(tricks: Tricks) -> bool:
    """Return whether a trick is complete."""
    return len(tricks) >= 1


def after_heart(tricks: Tricks) -> bool:
    """Return whether a completed trick has a heart (hearts 8.16)."""
    return any(not ALL_HEARTS.isdisjoint(trick.cards) for trick in tricks)


def after_three(tricks: Tricks) -> bool:
    """Return whether three tricks are complete."""
    return len(tricks) >= 3


def after_suits(tricks: Tricks) -> bool:
    """Return whether the three other suits were led, or any two suits twice; forced heart leads count (hearts 8.17)."""
    led = [SUIT_OF[trick.cards[0]] for trick in tricks]
    return len({*led} - {HEARTS}) == 3 or sum(led.count(suit) >= 2 for suit in {*led}) >= 2


@value
class Opening:
    """A row of the third table says after which tricks hearts may be led."""

    slug: str
    text: str
    opens: Callable[[Tricks], bool]


OPENING = (
    Opening("hearts-after-1", "Hearts are broken after the first trick.", after_one),
    Opening("hearts-after-played", "Hearts are broken after a trick that contains a heart.", after_heart),
    Opening("hearts-after-3", "Hearts are broken after three tricks.", after_three),
    Opening(
        "hearts-after-suits", "Hearts are broken once the three other suits were led, or two suits twice.", after_suits
    ),
)


def hearts_in(cards: Cards) -> int:
    """Count the hearts; each is worth 1."""
    return len(keep_cards(cards, ALL_HEARTS))


def queen_points(cards: Cards) -> int:
    """Return 13 for QS."""
    return 13 * (QS in cards)


def queen_and_jack_points(cards: Cards) -> int:
    """Return 13 for QS and -10 for JD."""
    return queen_points(cards) - 10 * (JD in cards)


def courts_five(cards: Cards) -> int:
    """Return 5 for each heart from the jack up, and 1 for each other heart."""
    return sum(5 if c >= JH else 1 for c in keep_cards(cards, ALL_HEARTS))


def hearts_queen_and_jack(cards: Cards) -> int:
    """Return 1 for each heart, 13 for QS and -10 for JD."""
    return hearts_in(cards) + queen_and_jack_points(cards)


def hearts_and_queen(cards: Cards) -> int:
    """Return 1 for each heart and 13 for QS."""
    return hearts_in(cards) + queen_points(cards)


def hearts_after_two(cards: Cards) -> int:
    """Return 2 for each heart after the first two (hearts 8.19)."""
    return 2 * max(0, hearts_in(cards) - 2)


def hearts_after_two_queen_and_jack(cards: Cards) -> int:
    """Return 2 for each heart after the first two, 13 for QS and -10 for JD."""
    return hearts_after_two(cards) + queen_and_jack_points(cards)


def hearts_after_two_and_queen(cards: Cards) -> int:
    """Return 2 for each heart after the first two and 13 for QS."""
    return hearts_after_two(cards) + queen_points(cards)


AND_QUEEN = ALL_HEARTS | {QS}
AND_JACK = AND_QUEEN | {JD}

QUEEN_AND_JACK = "Hearts cost 1, the queen of spades 13, and the jack of diamonds scores −10."
TWO_FREE = "All hearts except two cost 2, the queen of spades 13, and the jack of diamonds scores −10."
QUEEN_ALONE = "Hearts cost 1, and the queen of spades 13."
TWO_FREE_QUEEN_ALONE = "All hearts except two cost 2, and the queen of spades 13."

SCORING = (
    Scoring("score-ones", "Hearts cost 1.", hearts_in, ALL_HEARTS, ALL_HEARTS, 13),
    Scoring("score-courts-5", "Hearts cost 1, from the jack up 5.", courts_five, ALL_HEARTS, ALL_HEARTS, 29),
    Scoring(
        "score-queen-jack",
        QUEEN_AND_JACK,
        hearts_queen_and_jack,
        AND_JACK,
        AND_QUEEN,
        16,
    ),
    Scoring(
        "score-two-free",
        TWO_FREE,
        hearts_after_two_queen_and_jack,
        AND_JACK,
        AND_QUEEN,
        13,
    ),
)
WITHOUT_JACK = {
    "score-queen-jack": Scoring("score-queen-jack", QUEEN_ALONE, hearts_and_queen, AND_QUEEN, AND_QUEEN, 26),
    "score-two-free": Scoring(
        "score-two-free", TWO_FREE_QUEEN_ALONE, hearts_after_two_and_queen, AND_QUEEN, AND_QUEEN, 23
    ),
}
"""The rows that replace those of `SCORING` if the jack of diamonds does not score (hearts 6.5), by slug."""


@value
class Moon:
    """The requirements and the score of shooting the moon (hearts 6)."""

    cards: frozenset[Card]
    shooter: int
    others: int
    jack: int
    """The points for the seat that took the jack."""


def allow_shared_lowest(totals: Points) -> bool:
    """Return True: any lowest total ends the game, shared or not (hearts 8.24)."""
    return True


def single(totals: Points) -> bool:
    """Return whether only one seat has the lowest total."""
    return totals.count(min(totals)) == 1


@value
class Rules:
    """The rules of a table: a row of each of the four tables, and the other resolved options."""

    passing: Passing
    leading: Leading
    opening: Opening
    scoring: Scoring
    moon: Moon
    first_dealer: Literal["cut", "pick", "random"]
    picked: Seat
    """The first dealer, if the options name one."""
    target: int
    settled: Callable[[Points], bool]
    """Returns whether the game ends with these totals."""
    history: int
    """The number of past tricks that a table lists."""


def rules_of(code: str) -> tuple[Passing, Leading, Opening, Scoring]:
    """Return the four rules of a variant."""
    passing, leading, opening, scoring = (int(digit) - 1 for digit in code.split("-"))
    return PASSING[passing], LEADING[leading], OPENING[opening], SCORING[scoring]


def scoring_of(options: Options) -> Scoring:
    """Return the scoring of the variant, with the jack of diamonds or without."""
    scoring = rules_of(options.variant)[3]
    return scoring if options.jack_of_diamonds else WITHOUT_JACK.get(scoring.slug, scoring)


def compile_rules(options: Options) -> Rules:
    """Turn the options into tables, before play begins."""
    passing, leading, opening, _ = rules_of(options.variant)
    scoring = scoring_of(options)
    shooter, others = {"others_plus": (0, 26), "shooter_minus": (-26, 0)}[options.moon_style]
    needed = scoring.scoring if options.moon_jack == "required" else scoring.harmful
    jack = -10 if options.moon_jack == "bonus" and JD in scoring.scoring else 0
    return Rules(
        passing,
        leading,
        opening,
        scoring,
        moon=Moon(needed, shooter, others, jack),
        first_dealer=options.first_dealer,
        picked=options.first_dealer_seat or 0,
        target=options.target_score,
        settled={"share": allow_shared_lowest, "extra_hand": single}[options.tie_break],
        history={"full": TRICKS, "last_trick": 1}[options.history],
    )


def variants() -> tuple[Variant, ...]:
    """List the 256 variants, in the order of their numbers from 1."""
    rows = ((code, rules_of(code)) for code in CODES)
    return tuple(Variant(code, tuple(r.slug for r in row), " ".join(r.text for r in row)) for code, row in rows)


WRITTEN: Mapping[str, Mapping[str, Any]] = {
    "variant": {
        "type": ["string", "integer", "null"],
        "pattern": "^(?:[1-4]-[1-4]-[1-4]-[1-4]|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-6])$",
        "minimum": 1,
        "maximum": 256,
    }
}
"""Also accepts a variant by its number."""


def begun_alike(begun: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options by which a game begins with the dealer of this hand, from the fields of its beginning."""
    return {"first_dealer": "pick", "first_dealer_seat": begun["dealer"]}


def decider_options(options: Options, seats: int) -> dict[str, Any]:
    """Change the options so that the first hand with a point ends the game."""
    return {"target_score": 1, "tie_break": "share"}


def most_hands(options: Options, seats: int) -> int | None:
    """Return the maximum number of hands of a game, or `None` if the options set no bound (hearts 7)."""
    if options.moon_style == "shooter_minus" or options.tie_break == "extra_hand":
        return None
    # A moon gives more: 68 or 78.
    least = scoring_of(options).least
    return 4 * (options.target_score - 1) // least + 1


# --- In words -----------------------------------------------------------------------------------

MOON_TAKES = {
    13: "all hearts",
    14: "all hearts and the queen of spades",
    15: "all hearts, the queen of spades and the jack of diamonds",
}  # by cards needed

LOWEST_WINS = {
    "share": "the lowest total wins, and a tie shares the win",
    "extra_hand": "the lowest total wins, and a tie is played off",
}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table, in sentences for a person."""
    rules = compile_rules(options)
    row = (rules.passing, rules.leading, rules.opening, rules.scoring)
    end = f"When a player reaches {rules.target}, {LOWEST_WINS[options.tie_break]}."
    return " ".join((*(rule.text for rule in row), about_moon(rules.moon), end))


def about_moon(moon: Moon) -> str:
    """Describe the requirements and the score of the moon."""
    taken, jack = MOON_TAKES[len(moon.cards)], "; the jack of diamonds still scores −10" if moon.jack else ""
    return f"A seat that takes {taken} scores {moon.shooter}, and each other seat {moon.others}{jack}."
