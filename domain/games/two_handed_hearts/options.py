"""Defines the options of Two-Handed Hearts, and scores tricks and hands (two_handed_hearts 1, 6, 7)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from domain.core.cards import HEARTS, OF_SUIT, SUIT_OF, Cards, Seat, card, keep_cards
from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value

SEATS = (0, 1)
JD, QS = card("JD"), card("QS")

Pair = tuple[int, ...]


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "mode": {"draw": "Before play", "replenish": "After each trick"},
    "moon": {
        "all_in_play": "All hearts in play",
        "all_fourteen": "All thirteen hearts",
        "off": "No moon",
    },
    "revoke_mode": {"refuse": "It is refused", "honour": "Accept it as a revoke"},
    "revoke_detection": {"automatic": "Found by the server, after the hand", "claim": "Claimed by the other player"},
    "tie_break": {"draw": "The game is drawn", "extra_hand": "Extra hands decide"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table."""

    mode: Annotated[Literal["draw", "replenish"], Title("How hands are filled")] = "draw"
    """Whether the seats build their hands before play, or draw after each trick."""
    jack_of_diamonds: Annotated[bool, Title("Jack of diamonds scores minus ten")] = True
    """Whether the jack of diamonds scores −10 for the seat that takes it."""
    moon: Annotated[Literal["all_in_play", "all_fourteen", "off"], Title("Cards needed for the moon")] = "all_in_play"
    """The moon: all hearts in play (at least five), all thirteen, or no moon."""
    revoke_mode: Annotated[Literal["refuse", "honour"], Title("A card that does not follow suit")] = "refuse"
    """Whether failing to follow suit is refused, or accepted as a revoke."""
    revoke_detection: Annotated[Literal["automatic", "claim"], Title("How revokes are found")] = "automatic"
    """Whether revokes are found automatically, or must be claimed; `claim` needs `revoke_mode` `honour`."""
    target_score: Annotated[int, Range(1, 1000)] = 100
    """The game ends after the hand in which a seat reaches this total."""
    tie_break: Annotated[Literal["draw", "extra_hand"], Title("With equal totals")] = "draw"
    """Whether equal totals draw the game, or lead to extra hands."""
    max_hands: Annotated[int, Range(0, 1000), Title("Most hands")] = 30
    """The game ends after this many hands; 0 sets no limit."""


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that exclude each other, each with the reason."""
    if options.revoke_detection == "claim" and options.revoke_mode == "refuse":
        return {"revoke_detection": "Claims need `revoke_mode` `honour`."}
    return {}


def endless(options: Options, seats: int) -> dict[str, str]:
    """Forbid matches of bots only, if nothing ends a game (two_handed_hearts 9.12): field -> why."""
    if options.max_hands:
        return {}
    return {"max_hands": "Bots might never end such a game. Choose at least 1, or take a seat yourself."}


def decider_options(options: Options, seats: int) -> dict[str, Any]:
    """Change the options to those of a single hand."""
    return {"max_hands": 1, "tie_break": "draw"}


def most_hands(options: Options, seats: int) -> int | None:
    """Return the maximum number of hands of a game: the cap, or None."""
    return options.max_hands or None


@value
class Rules:
    """The resolved options."""

    draws: bool
    """Whether the seats draw from the stock before play."""
    tricks: int
    jack: int
    moon: int
    """The number of hearts in play that a moon needs; 14 if there is no moon."""
    honour: bool
    claims: bool
    target: int
    extra_hand: bool
    cap: int


def compile_rules(options: Options) -> Rules:
    """Turn the options into data, before play begins."""
    draws, tricks = {"draw": (True, 13), "replenish": (False, 26)}[options.mode]
    return Rules(
        draws,
        tricks,
        jack=-10 if options.jack_of_diamonds else 0,
        moon={"all_in_play": 5, "all_fourteen": 13, "off": 14}[options.moon],
        honour=options.revoke_mode == "honour",
        claims=options.revoke_detection == "claim",
        target=options.target_score,
        extra_hand=options.tie_break == "extra_hand",
        cap=options.max_hands,
    )


# --- Tricks and points (two_handed_hearts 6, 7) -------------------------------------------------


def winner(leader: Seat, trick: Cards) -> Seat:
    """Return the seat that takes a trick: the second if it followed suit with a higher card."""
    lead, second = trick
    return 1 - leader if SUIT_OF[second] == SUIT_OF[lead] and second > lead else leader


def hearts_in(cards: Cards) -> int:
    """Count the hearts."""
    return len(keep_cards(cards, OF_SUIT[HEARTS]))


@value
class Taken:
    """A seat's taken cards in a hand; `card_points` are their points without moon and revoke."""

    hearts: int
    """The number of hearts."""
    queen: bool
    """Whether the queen of spades is among the cards."""
    jack: bool
    """Whether the jack of diamonds is among the cards."""
    card_points: int
    """The points of the cards, without a moon or a revoke."""


def count_taken(rules: Rules, cards: Cards) -> Taken:
    """Count what scores among the cards."""
    count, queen, jack = hearts_in(cards), QS in cards, JD in cards
    return Taken(count, queen, jack, count + 13 * queen + rules.jack * jack)


def shot(rules: Rules, took: tuple[Taken, ...]) -> Seat | None:
    """Return the seat that took the queen and all hearts in play, if these were enough for a moon."""
    hearts = sum(t.hearts for t in took)
    return next((i for i in SEATS if took[i].queen and took[i].hearts == hearts >= rules.moon), None)


def points_of(rules: Rules, took: tuple[Taken, ...], shooter: Seat | None, guilty: tuple[Seat, ...]) -> Pair:
    """Return both seats' points; a revoke replaces all others, a moon all but the jack's."""
    if guilty:
        return tuple(26 * (seat in guilty) for seat in SEATS)
    if shooter is None:
        return tuple(t.card_points for t in took)
    return tuple(26 * (seat != shooter) + rules.jack * took[seat].jack for seat in SEATS)


# --- In words -----------------------------------------------------------------------------------

MODES = {
    "draw": "Take turns drawing, keeping or rejecting 13 cards, then play 13 tricks.",
    "replenish": "After each trick, both draw a card while the stock lasts, the winner first: 26 tricks.",
}
MOONS = {
    "all_in_play": " Taking the queen of spades and all hearts in play, at least five, costs the other 26.",
    "all_fourteen": " Taking the queen of spades and all 13 hearts costs the other 26.",
    "off": "",
}
FOLLOW = "Follow suit if you can."
HONOUR = {
    "automatic": "Not following suit when you can is allowed, but costs 26 after the hand.",
    "claim": "Not following suit when you can is allowed, but costs 26 if the other claims it.",
}
TIES = {"draw": "is a draw", "extra_hand": "is played off"}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table, in a few sentences."""
    jack = ", and the jack of diamonds scores −10" if options.jack_of_diamonds else ""
    follow = HONOUR[options.revoke_detection] if options.revoke_mode == "honour" else FOLLOW
    cap = f" After {options.max_hands} hands, the game ends." if options.max_hands else ""
    end = f"When a player reaches {options.target_score}, the lower total wins; a tie {TIES[options.tie_break]}."
    return (
        f"{MODES[options.mode]} {follow} Hearts cost 1, the queen of spades 13{jack}.{MOONS[options.moon]} {end}{cap}"
    )
