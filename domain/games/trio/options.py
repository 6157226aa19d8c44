"""Defines the options of Trio, and compiles them: the deal, the teams, the goal (trio 1, 2, 6).

`compile_rules` computes all of it once before play begins, so play never tests an option.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Annotated, Final, Literal

from domain.core.cards import Seat, deal_hands
from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value

Number = int
"""A card is one of 1 to 12, three of each; `cards.BACK` is one that is not known."""

Numbers = tuple[Number, ...]

PACK: Numbers = tuple(number for number in range(1, 13) for _ in range(3))
SEVEN: Final[Number] = 7

Partners = tuple[Seat, Seat]
By = Literal["sevens", "three_trios", "connected"]
Memory = Literal["table", "open", "strict"]


# --- Options (trio 1) ---------------------------------------------------------------------------


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "mode": {"simple": "Three trios", "spicy": "Two connected trios"},
    "first_player": {
        "avocado": "Latest to eat an avocado",
        "random": "Drawn at random",
        "pick": "A chosen seat",
    },
    "memory": {"table": "Until your next turn is over", "open": "All the time", "strict": "Until the next turn"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table. More than 10,000 turns would not fit into the record of a match."""

    mode: Annotated[Literal["simple", "spicy"], Title("What wins")] = "simple"
    """Whether three trios win, or two connected trios."""
    teams: bool = False
    """Whether four or six seats play in teams of two."""
    first_player: Annotated[Literal["avocado", "random", "pick"], Title("Who begins")] = "avocado"
    """The first player: the seat that ate an avocado last, one drawn at random, or `first_player_seat`."""
    first_player_seat: Annotated[Annotated[int, Range(0, 5)] | None, Title("Seat of the first player")] = None
    """The seat of the first player, from 0; only with `first_player` `pick`."""
    memory: Annotated[Memory, Title("Revealed numbers stay readable")] = "table"
    """How long a revealed number stays readable.

    With `table` it is until the end of the next turn of the reader, with `open` for ever, with `strict` until the
    next turn reveals its first card.
    """
    swap_seconds: Annotated[int, Range(0, 30 * 24 * 3600), Title("Seconds for a swap")] = 0
    """The seconds to answer a swap; 0 for no limit."""
    max_turns: Annotated[int, Range(1, 10_000), Title("Most turns")] = 2000
    """The game is drawn after this many turns."""
    chat_for_teams: Annotated[bool, Title("Partners may chat")] = False
    """Whether the players may chat while teams play."""


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that exclude each other, or this number of seats, each with the reason."""
    bad = {}
    if options.teams and seats not in TEAM_DEAL:
        bad["teams"] = "Teams of two play with 4 or 6 seats."
    if (options.first_player == "pick") != (options.first_player_seat is not None):
        bad["first_player_seat"] = "Give a seat only with `first_player` `pick`, which requires it."
    elif options.first_player_seat is not None and options.first_player_seat >= seats:
        bad["first_player_seat"] = f"The seats are 0 to {seats - 1}."
    return bad


def most_hands(options: Options, seats: int) -> int:
    """Return the maximum number of hands of a game, which is one."""
    return 1


# --- Winning (trio 1) --------------------------------------------------------------------------------------


def are_connected(a: Number, b: Number) -> bool:
    """Return whether two numbers are connected: their sum or their difference is 7 (trio 10.1)."""
    return a + b == 7 or abs(a - b) == 7


def simple(trios: Sequence[Number]) -> By | None:
    """Win with three trios."""
    return "three_trios" if len(trios) >= 3 else None


def spicy(trios: Sequence[Number]) -> By | None:
    """Win with two connected trios; any number of others does not do (trio 10.6)."""
    return "connected" if any(are_connected(a, b) for a, b in combinations(trios, 2)) else None


MODES: Mapping[str, Callable[[Sequence[Number]], By | None]] = {"simple": simple, "spicy": spicy}


# --- Compiled (trio 2, 6) ---------------------------------------------------------------------------

DEAL = {3: 9, 4: 7, 5: 6, 6: 5}  # cards each, by players; the rest goes to the middle
TEAM_DEAL = {4: 9, 6: 6}


@value
class Rules:
    """The resolved options of a table. `sides` names the side of each seat: its team, or itself."""

    seats: int
    each: int
    sides: tuple[int, ...]
    teams: tuple[Partners, ...]
    """The teams by number; empty without teams."""
    goal: Callable[[Sequence[Number]], By | None]
    memory: Memory
    first_player: Literal["avocado", "random", "pick"]
    picked: Seat | None
    max_turns: int
    swap_seconds: int

    @property
    def in_middle(self) -> int:
        return len(PACK) - self.seats * self.each

    def won(self, trios: Sequence[Number]) -> By | None:
        """Return the reason why these trios win, if they do; the sevens always do (trio 10.10)."""
        return "sevens" if SEVEN in trios else self.goal(trios)

    def team_of(self, seat: Seat) -> int | None:
        """Return the number of a seat's team, if it plays in one."""
        return self.sides[seat] if self.teams else None


@cache
def compile_rules(options: Options, seats: int) -> Rules:
    """Make the rules of a table with this many seats."""
    half = seats // 2
    teams = tuple((seat, seat + half) for seat in range(half)) if options.teams else ()
    each = (TEAM_DEAL if options.teams else DEAL)[seats]
    return Rules(
        seats,
        each,
        sides(options, seats),
        teams,
        MODES[options.mode],
        options.memory,
        options.first_player,
        options.first_player_seat,
        options.max_turns,
        options.swap_seconds,
    )


def sides(options: Options, seats: int) -> tuple[int, ...]:
    """Return the side of each seat: partners sit opposite each other."""
    return tuple(seat % (seats // 2) if options.teams else seat for seat in range(seats))


def may_chat(options: Options) -> bool:
    """Return whether the players may talk while they play: partners only if the table lets them (rules 1.4.6)."""
    return options.chat_for_teams or not options.teams


def deal_pack(rules: Rules, pack: Numbers) -> tuple[tuple[Numbers, ...], Numbers]:
    """Deal one card at a time from seat 0 on: the hands, sorted, and the middle, in its order."""
    share = rules.each * rules.seats
    return deal_hands(pack[:share], range(rules.seats), rules.seats), pack[share:]


# --- In words -------------------------------------------------------------------------------------

TURN = "On your turn, reveal cards one at a time until one differs, or three are equal: a trio."
GOALS = {
    "simple": "Three trios win, or the trio of sevens.",
    "spicy": "Two trios whose numbers add up to 7 or differ by 7 win, or the trio of sevens.",
}
TEAMS = " Partners share their trios. They may swap a card at the start and after every trio of another team."
MEMORY = {
    "table": "A number stays readable until your own next turn is over.",
    "open": "All numbers stay readable.",
    "strict": "A number stays readable until the next turn's first card.",
}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table, in a few sentences."""
    rules = compile_rules(options, seats)
    middle = f"{rules.in_middle} are in the middle" if rules.in_middle else "none lie in the middle"
    deal = f"{seats} players hold {rules.each} cards each, {middle}."
    teams, end = TEAMS if options.teams else "", f"After {rules.max_turns} turns, the game is drawn."
    return f"{deal} {TURN} {GOALS[options.mode]}{teams} {MEMORY[options.memory]} {end}"
