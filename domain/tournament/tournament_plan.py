"""Defines what a tournament is announced with: its format, the seats of its tables, its rounds."""

from typing import Final, Literal

from domain.core.values import value

FormatName = Literal["swiss", "round_robin", "league", "single_elimination", "double_elimination"]
"""How the rounds of a tournament are paired; the formats are a table of their own."""

Fill = Literal["bye", "short", "bots"]
"""What becomes of those who do not fill a table: byes, a smaller table, or bots in the seats that are left."""

Overdue = Literal["lost", "drawn"]
"""How a table ends that is late at the deadline of its round: who is to move has lost, or it is drawn."""

MOST_DAYS: Final = 365
"""The most days of a round."""

MOST_SEATS: Final = 10
"""The most seats of a table."""

MOST_ROUNDS: Final = 60
"""The most rounds of a tournament; there are as many links of the chain of seeds, and one for the order."""

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
    """The rounds of a Swiss; null: as many as single elimination would take. Other formats follow from the entrants."""
    legs: int = 1
    """How often all meet in a league."""
    cut: int = 0
    """How many go on to single elimination after the last round of a Swiss: 0, 4 or 8."""
    advance: int = 1
    """How many of each table go on in single elimination at tables of more than two; of the last one wins."""
    fill: Fill = "bye"
    """What becomes of those who do not fill a table."""
    most: int = MOST_ENTRANTS
    """The most entrants; who comes later waits for a place."""
    late: int = 0
    """Up to so many paired rounds players may still enter a Swiss; rounds that they have missed bring no points."""
    show_up_seconds: int = 900
    """The seconds in which the players of a table take their seats; who has not has lost the table."""
    round_days: int | None = None
    """The days from the beginning of a table to its deadline; null: there is none."""
    overdue: Overdue = "lost"
    """How a table ends that is late at its deadline."""


def faults_of(plan: TournamentPlan) -> tuple[str, ...]:
    """Say in sentences what cannot be played of a plan; none if all can."""
    found = []
    knockout = plan.format == "single_elimination" and plan.seats > 2
    if not 2 <= plan.fewest <= plan.seats <= MOST_SEATS:
        return (f"A table has 2 to {MOST_SEATS} seats, and can be played with 2 or more of them.",)
    if plan.format != "swiss" and not knockout and plan.seats != 2:
        found.append("This format is for tables of two seats; tables of more play a Swiss or single elimination.")
    if knockout and plan.fill == "bye":
        found.append(
            "Elimination at larger tables has bots in the seats that are left, or smaller tables; choose `fill`."
        )
    if knockout and plan.fill == "short" and plan.fewest > 2:
        found.append("Two may be left for the last table, and this game is not played by two; fill tables with bots.")
    if knockout and not 1 <= plan.advance <= plan.seats // 2:
        found.append("At most half of a table go on, and at least one.")
    if not knockout and plan.advance != 1:
        found.append("How many go on is said for single elimination at larger tables alone.")
    if plan.format != "swiss" and plan.rounds is not None:
        found.append("The rounds of this format follow from its entrants; leave `rounds` out.")
    if plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        found.append(f"A Swiss has 1 to {MOST_ROUNDS} rounds.")
    if plan.cut not in (0, 4, 8):
        found.append("The cut is 0, 4 or 8.")
    if plan.cut and (plan.format != "swiss" or plan.seats != 2):
        found.append("A cut is for a Swiss at tables of two seats.")
    if plan.legs != 1 and plan.format != "league":
        found.append("Legs are for a league.")
    if not 1 <= plan.legs <= 4:
        found.append("All meet one to four times in a league.")
    if plan.fill == "short" and plan.fewest >= plan.seats:
        found.append("This game is not played with fewer seats; choose byes or bots.")
    if plan.fill != "bye" and plan.format != "swiss" and not knockout:
        found.append("In this format an odd number makes byes; leave `fill` at `bye`.")
    if plan.fill == "bots" and plan.cut:
        found.append("Bots fill no seats before a cut.")
    if not 2 <= plan.most <= MOST_ENTRANTS:
        found.append(f"A tournament has 2 to {MOST_ENTRANTS} entrants.")
    if not 0 <= plan.late <= MOST_ROUNDS or (plan.late and plan.format != "swiss"):
        found.append("Only a Swiss has late entries.")
    if not 60 <= plan.show_up_seconds <= MOST_DAYS * 86_400:
        found.append("Players have a minute to a year to take their seats.")
    if plan.round_days is not None and (knockout or not 1 <= plan.round_days <= MOST_DAYS):
        found.append("A round has 1 to 365 days; elimination at larger tables has no deadlines.")
    if plan.overdue == "drawn" and (plan.cut or "elimination" in plan.format):
        found.append("In elimination no table ends drawn; who is to move at the deadline has lost.")
    if plan.format in ("round_robin", "league") and plan.legs * (plan.most - 1 + plan.most % 2) > MOST_ROUNDS:
        found.append(f"With so many entrants all cannot meet in {MOST_ROUNDS} rounds; lower `most` or `legs`.")
    return tuple(found)
