"""Decides what is told to duplicates alone: who enters which team, and whether there are enough (tournament 13)."""

from domain.core.game import Refused
from domain.tournament.duplicate import team_size
from domain.tournament.played_rounds import BOT
from domain.tournament.tournament_commands import Enter, FinishTable
from domain.tournament.tournament_state import Tournament


def check_team(t: Tournament, command: Enter) -> None:
    """Raise `Refused` for who names no team or pair, or one that is full, where they play."""
    if t.plan.teams is None:
        return
    if command.club is None:
        raise Refused("bad_arguments", "Name your team or pair, as your club.")
    there = [club for one, club in enumerate(t.clubs) if one not in t.left]
    if [*there, *(each.club for each in t.waiting.values())].count(command.club) >= team_size(t.plan):
        raise Refused("forbidden", f"This {'pair' if t.plan.teams == 'pairs' else 'team'} is full.")


def are_enough(t: Tournament, entrants: tuple[int, ...]) -> bool:
    """Say whether those who are there fill two tables at least, with bots in the places that are left."""
    sides = entrants if t.plan.teams is None else {t.clubs[one] for one in entrants}
    return len(sides) * team_size(t.plan) > t.plan.seats


def have_scores(t: Tournament, command: FinishTable) -> bool:
    """Say whether a match names the scores of its seats where they are compared, and nowhere else."""
    if t.plan.format != "duplicate":
        return command.scores is None
    return command.scores is not None and len(command.scores) == len(t.tables[command.table])


def stands_in(t: Tournament, entrant: int | None) -> bool:
    """Say whether a bot has the seat of an entrant in the open round: who had left before it, or has not come."""
    return entrant is not BOT and (entrant in t.stood_in or t.left.get(entrant, t.round) < t.round)
