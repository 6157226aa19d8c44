"""Defines the plan with which a tournament is announced: its format, the seats of its tables, its rounds."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from domain.core.clock import Clock, Time
from domain.core.values import value

FormatName = Literal[
    "swiss",
    "round_robin",
    "league",
    "single_elimination",
    "double_elimination",
    "shoot_out",
    "arena",
    "multi_table",
    "duplicate",
]
"""How the rounds of a tournament are paired; `format_catalogue` lists the formats."""

Fill = Literal["bye", "short", "bots"]
"""The option for entrants who do not fill a table: byes, a smaller table, or bots in the remaining seats."""

Overdue = Literal["lost", "drawn"]
"""The result of a table that is late at its deadline: players who are to move have lost, or it is drawn."""

BetterScore = Literal["high", "low"]
"""Whether high or low scores are better in a game."""

Teams = Literal["tables", "pairs"]
"""The entrants who are ranked together: as many as a table has seats, at different tables; or two partners at one."""

RULES: Final = 1
"""The version of the rules by which a tournament is judged."""

MOST_DAYS: Final = 365
"""Maximum number of days of a round."""

MOST_OPEN_DAYS: Final = 365
"""Maximum number of days for entries, unless their closing time is announced."""

MOST_SEATS: Final = 10
"""Maximum number of seats of a table."""

MOST_ROUNDS: Final = 60
"""Maximum number of rounds of a tournament. The chain of seeds has as many links, and one for the order."""

MOST_STAGES: Final = 1000
"""Maximum number of rounds of a tournament of many tables."""

MOST_ENTRANTS: Final = 1024
"""Maximum number of entrants of a tournament."""


@value
class TournamentPlan:
    """The plan of a tournament, which is fixed when it is announced."""

    format: FormatName
    """How rounds are paired."""
    seats: int
    """The seats of each table."""
    fewest: int
    """The minimum number of players at a table; less than `seats` only if the game allows it."""
    rounds: int | None = None
    """The rounds of a Swiss (null: as many as a single elimination takes) or a duplicate (null: as many as seats).
    """
    legs: int = 1
    """How often each pair meets in a league."""
    cut: int = 0
    """The number of entrants who advance from a Swiss to a single elimination: 0, 4 or 8."""
    advance: int = 1
    """The number of entrants who advance from each table of more than two in an elimination."""
    fill: Fill = "bye"
    """The option for entrants who do not fill a table."""
    most: int = MOST_ENTRANTS
    """The maximum number of entrants; later players join the waiting list."""
    late: int = 0
    """The number of paired rounds up to which players can enter a Swiss; missed rounds bring no points."""
    show_up_seconds: int = 900
    """The seconds within which players must take their seats at a table, or lose it."""
    round_days: int | None = None
    """The days from the start of a table to its deadline; null if there is none."""
    overdue: Overdue = "lost"
    """The result of a table that is late at its deadline."""
    ends: Time | None = None
    """When the pairing of an arena ends; null for other formats."""
    stack: int | None = None
    """The starting stack of a tournament of many tables; null for other formats."""
    levels: Literal["clock"] | None = None
    """Whether levels of many tables follow the time since the announced end of entries; null: by hands, if any."""
    better_score: BetterScore | None = None
    """Whether high or low scores win a duplicate; null for other formats."""
    teams: Teams | None = None
    """Whether a duplicate is played by teams or by pairs; null: individually."""
    most_waiting: int | None = None
    """The maximum length of the waiting list; null: unlimited."""


@value
class MatchTerms:
    """The terms of every table: a game with its options, a clock, and a series."""

    game: str
    """The name of the game."""
    options: Mapping[str, Any]
    """All options of the game, and those that every game has."""
    preset: str | None
    """The preset behind the options; null if there is none."""
    clock: Clock
    """The clock of each match."""
    best_of: int | None
    """Maximum games of each match, not counting drawn games; null for the game's default."""
    deciding: Mapping[str, Any] | None = None
    """All options of a match that breaks a tie, which has one game; null for the usual options."""


@value
class PlacePrize:
    """The prize of each entrant in a place: boosters by set, and a promo card."""

    place: int
    """The place, from 1."""
    boosters: Mapping[str, int]
    """The number of boosters by set."""
    promo: str | None
    """The id of a promo card; null if there is none."""


@value
class EntryTerms:
    """The conditions of entry to a tournament, and its readers."""

    visibility: Literal["public", "private"] = "public"
    """The visibility: public, or private to its organisers, invited players and entrants."""
    by_invite: bool = False
    """Whether only invited players may enter."""
    least_rating: int | None = None
    """The minimum rating to enter; null for no limit."""
    most_rating: int | None = None
    """The maximum rating to enter; null for no limit."""
    least_reliability: int | None = None
    """The minimum percentage of on-time decisions to enter; null for no limit."""


@value
class Preparation:
    """The preparation of entrants in pods before the first round; they bring their gains to all tables."""

    terms: MatchTerms
    """The game in every pod."""
    seats: int
    """Maximum entrants of a pod."""
    fewest: int
    """Minimum players of a pod; bots take the empty seats."""
