"""Checks the plan of a tournament. Rules of a single format are in its file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.tournament.format import TournamentFormat
from domain.tournament.tournament_plan import MOST_DAYS, MOST_ENTRANTS, MOST_ROUNDS, MOST_SEATS, TournamentPlan

_DUPLICATE: Final = "`better_score` and `teams` are only for a duplicate, which needs `better_score`."
_STACKS: Final = "`stack` and `levels` are only for a tournament of many tables."

NO_DEADLINE: Final = f"`round_days` must be 1 to {MOST_DAYS}. Elimination at larger tables has no deadlines."

NO_DRAWS: Final = "In elimination, no table can be drawn. Leave `overdue` at `lost`."

NOT_TAKEN: Final[Mapping[str, str]] = {
    "stack": _STACKS,
    "levels": _STACKS,
    "advance": "`advance` is only for elimination at larger tables.",
    "rounds": "In this format, the number of entrants sets the number of rounds. Leave `rounds` out.",
    "cut": "`cut` is only for a Swiss at tables of two.",
    "legs": "`legs` is only for a league.",
    "fill": "In this format, an odd entrant gets a bye. Leave `fill` at `bye`.",
    "late": f"`late` must be 0 to {MOST_ROUNDS}, and is only for a Swiss.",
    "better_score": _DUPLICATE,
    "teams": _DUPLICATE,
    "ends": "An arena needs `ends`. Other formats must not have it.",
}
"""The fields of a plan that only some formats take, and the sentence that refuses each in all others."""


def faults_of(plan: TournamentPlan, by: TournamentFormat) -> tuple[str, ...]:
    """Return a sentence for each fault of a plan of this format; empty if it can be played."""
    if not 2 <= plan.fewest <= plan.seats <= MOST_SEATS:
        return (f"A table must have 2 to {MOST_SEATS} seats, and `fewest` must be at least 2.",)
    found = (*refused_fields(plan, NOT_TAKEN.keys() - by.takes), *by.faults(plan), *_common_faults(plan, by))
    return tuple(dict.fromkeys(found))


def refused_fields(plan: TournamentPlan, names: Iterable[str]) -> Iterator[str]:
    """Yield a refusal for each of these fields that the plan has set."""
    usual = TournamentPlan(plan.format, plan.seats, plan.fewest)
    return (why for name, why in NOT_TAKEN.items() if name in names and getattr(plan, name) != getattr(usual, name))


def _common_faults(plan: TournamentPlan, by: TournamentFormat) -> Iterator[str]:
    if plan.seats > by.most_seats:
        yield "This format needs tables of two. For larger tables, choose another format."
    if plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        yield f"`rounds` must be 1 to {MOST_ROUNDS}."
    if plan.fill == "short" and plan.fewest >= plan.seats:
        yield "This game needs full tables. Set `fill` to `bye` or `bots`."
    if not 2 <= plan.most <= MOST_ENTRANTS:
        yield f"`most` must be 2 to {MOST_ENTRANTS}."
    if plan.most_waiting is not None and not 0 <= plan.most_waiting <= MOST_ENTRANTS:
        yield f"`most_waiting` must be at most {MOST_ENTRANTS}."
    if not 60 <= plan.show_up_seconds <= MOST_DAYS * 86_400:
        yield "`show_up_seconds` must be between a minute and a year."
    if plan.round_days is not None and not 1 <= plan.round_days <= MOST_DAYS:
        yield NO_DEADLINE
