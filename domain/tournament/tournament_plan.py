"""Defines what a tournament is announced with: its format, the seats of its tables, its rounds."""

from typing import Final, Literal

from domain.core.clock import Time
from domain.core.values import value
from domain.tournament.tournament_terms import Preparation

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
"""How the rounds of a tournament are paired; the formats are a table of their own."""

Fill = Literal["bye", "short", "bots"]
"""The option for entrants who do not fill a table: byes, a smaller table, or bots in the remaining seats."""

Overdue = Literal["lost", "drawn"]
"""The result of a table that is late at its deadline: players who are to move have lost, or it is drawn."""

BetterScore = Literal["high", "low"]
"""Which scores are the better ones in a game."""

Teams = Literal["tables", "pairs"]
"""The entrants who are ranked together: as many as a table has seats, at different tables; or two partners at one."""

RULES: Final = 1
"""The version of the rules by which a tournament is judged."""

MOST_DAYS: Final = 365
"""The most days of a round."""

MOST_OPEN_DAYS: Final = 365
"""The most days for which entries are open, unless a time was announced at which they close."""

MOST_SEATS: Final = 10
"""The most seats of a table."""

SMALLEST_OF_PAIRS: Final = 4
"""The least seats of a table at which pairs play."""

MOST_ROUNDS: Final = 60
"""The most rounds of a tournament; there are as many links of the chain of seeds, and one for the order."""

MOST_STAGES: Final = 1000
"""The most rounds of a tournament of many tables."""

MOST_ENTRANTS: Final = 1024
"""The most entrants of a tournament."""


@value
class TournamentPlan:
    """The plan of a tournament, which is fixed when it is announced."""

    format: FormatName
    """How rounds are paired."""
    seats: int
    """The seats of each table."""
    fewest: int
    """The fewest seats with which a table can be played: fewer than `seats` where the game admits it."""
    rounds: int | None = None
    """The rounds of a Swiss; null: as many as single elimination would take. Of a duplicate; null: as many as seats.

    Other formats follow from the entrants.
    """
    legs: int = 1
    """How often all meet in a league."""
    cut: int = 0
    """How many go on to single elimination after the last round of a Swiss: 0, 4 or 8."""
    advance: int = 1
    """How many of each table go on in an elimination at tables of more than two; of the last one wins."""
    fill: Fill = "bye"
    """The option for entrants who do not fill a table."""
    most: int = MOST_ENTRANTS
    """The maximum number of entrants; later players join the waiting list."""
    late: int = 0
    """The paired rounds up to which players may still enter a Swiss; rounds that they have missed bring no points."""
    show_up_seconds: int = 900
    """The seconds for players to take their seats at a table; players who do not have lost it."""
    round_days: int | None = None
    """The days from the beginning of a table to its deadline; null if there is none."""
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


def is_knockout(plan: TournamentPlan) -> bool:
    """Return whether the first entrants of each table advance, at tables of more than two."""
    return plan.format == "shoot_out" or ("elimination" in plan.format and plan.seats > 2)


def has_elimination(plan: TournamentPlan) -> bool:
    """Return whether tied tables are played again until it is decided which entrants advance."""
    return is_knockout(plan) or "elimination" in plan.format or plan.cut > 0


def faults_of(plan: TournamentPlan) -> tuple[str, ...]:
    """Return in sentences what cannot be played of a plan; none if all can."""
    found = []
    knockout = is_knockout(plan)
    if not 2 <= plan.fewest <= plan.seats <= MOST_SEATS:
        return (f"A table must have 2 to {MOST_SEATS} seats, and `fewest` must be at least 2.",)
    if plan.format == "shoot_out" and plan.seats == 2:
        return ("A shoot-out needs more than two seats per table. For two, choose single elimination.",)
    if plan.format == "multi_table":
        return _faults_of_many_tables(plan)
    if plan.stack is not None or plan.levels is not None:
        found.append("`stack` and `levels` are only for a tournament of many tables.")
    if plan.format not in ("swiss", "arena", "duplicate") and not knockout and plan.seats != 2:
        found.append("This format needs tables of two. For larger tables, choose another format.")
    if knockout and plan.fill == "bye":
        found.append("For elimination at larger tables, `fill` must be `bots` or `short`.")
    if knockout and plan.fill == "short" and plan.fewest > 2:
        found.append("The last table may have only two players, and this game needs more. Choose `fill` `bots`.")
    if knockout and not 1 <= plan.advance <= plan.seats // 2:
        found.append("`advance` must be 1 to half of the seats.")
    if (not knockout or plan.format == "shoot_out") and plan.advance != 1:
        found.append("`advance` is only for elimination at larger tables.")
    if plan.format not in ("swiss", "duplicate") and plan.rounds is not None:
        found.append("In this format, the entrants determine the rounds. Leave `rounds` out.")
    if plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        found.append(f"`rounds` must be 1 to {MOST_ROUNDS}.")
    if plan.cut not in (0, 4, 8):
        found.append("`cut` must be 0, 4 or 8.")
    if plan.cut and (plan.format != "swiss" or plan.seats != 2):
        found.append("A cut is only for a Swiss at tables of two.")
    if plan.legs != 1 and plan.format != "league":
        found.append("Legs are only for a league.")
    if not 1 <= plan.legs <= 4:
        found.append("`legs` must be 1 to 4.")
    if plan.fill == "short" and plan.fewest >= plan.seats:
        found.append("This game needs full tables. Choose byes or bots.")
    if plan.fill != "bye" and plan.format not in ("swiss", "duplicate") and not knockout:
        found.append("In this format, odd numbers get byes. Leave `fill` at `bye`.")
    if plan.fill == "bots" and plan.cut:
        found.append("Bots cannot fill seats before a cut.")
    if not 2 <= plan.most <= MOST_ENTRANTS:
        found.append(f"`most` must be 2 to {MOST_ENTRANTS}.")
    if plan.most_waiting is not None and not 0 <= plan.most_waiting <= MOST_ENTRANTS:
        found.append(f"`most_waiting` must be at most {MOST_ENTRANTS}.")
    if not 0 <= plan.late <= MOST_ROUNDS or (plan.late and plan.format != "swiss"):
        found.append(f"`late` must be 0 to {MOST_ROUNDS}, and is only for a Swiss.")
    if not 60 <= plan.show_up_seconds <= MOST_DAYS * 86_400:
        found.append("`show_up_seconds` must be between a minute and a year.")
    if plan.round_days is not None and (knockout or not 1 <= plan.round_days <= MOST_DAYS):
        found.append("`round_days` must be 1 to 365. Elimination at larger tables has no deadlines.")
    duplicate = plan.format == "duplicate"
    if duplicate != (plan.better_score is not None) or (plan.teams and not duplicate):
        found.append("`better_score` and `teams` are only for a duplicate, which needs `better_score`.")
    if duplicate and (plan.fill != "bots" or plan.round_days is not None or plan.overdue != "lost"):
        found.append("In a duplicate, `fill` is `bots`, and rounds have no deadline.")
    if plan.teams == "pairs" and (plan.seats < SMALLEST_OF_PAIRS or plan.seats % 2):
        found.append("Pairs need tables of 4, 6, 8 or 10 seats.")
    if (plan.format == "arena") != (plan.ends is not None):
        found.append("An arena needs `ends`; other formats have none.")
    if plan.overdue == "drawn" and (plan.cut or knockout or "elimination" in plan.format):
        found.append("In elimination, no table can be drawn. Leave `overdue` at `lost`.")
    if plan.format in ("round_robin", "league") and plan.legs * (plan.most - 1 + plan.most % 2) > MOST_ROUNDS:
        found.append(f"So many entrants cannot all meet in {MOST_ROUNDS} rounds. Lower `most` or `legs`.")
    return tuple(found)


def _faults_of_many_tables(plan: TournamentPlan) -> tuple[str, ...]:
    found = []
    if plan.seats == 2 or plan.fewest > 2:
        found.append("A tournament of many tables needs more than two seats per table, and `fewest` 2.")
    usual = TournamentPlan(plan.format, plan.seats, plan.fewest)
    same = ("rounds", "legs", "cut", "advance", "late", "round_days", "overdue", "ends", "teams", "better_score")
    if any(getattr(plan, name) != getattr(usual, name) for name in same):
        found.append("A tournament of many tables has no legs, cut, late entries, teams or deadlines. Leave them out.")
    if plan.fill != "short":
        found.append("Many tables are balanced without byes or bots. Choose `fill` `short`.")
    if plan.stack is None or plan.stack < 1:
        found.append("With these options, stacks cannot move from table to table.")
    if not 2 <= plan.most <= MOST_ENTRANTS:
        found.append(f"`most` must be 2 to {MOST_ENTRANTS}.")
    if plan.most_waiting is not None and not 0 <= plan.most_waiting <= MOST_ENTRANTS:
        found.append(f"`most_waiting` must be at most {MOST_ENTRANTS}.")
    if not 60 <= plan.show_up_seconds <= MOST_DAYS * 86_400:
        found.append("`show_up_seconds` must be between a minute and a year.")
    return tuple(found)


def fault_of_preparation(preparation: Preparation, plan: TournamentPlan) -> str | None:
    """Return why entrants cannot prepare in this way; None if they can."""
    if not 2 <= preparation.fewest <= preparation.seats:
        return "A pod needs at least two seats."
    if plan.format != "swiss" or plan.fill != "bye" or plan.late:
        return "A preparation needs a Swiss with byes and without late entries."
    return None
