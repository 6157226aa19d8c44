"""Decides what is told to duplicates alone: who enters which team, and how matches there have ended (tournament 13)."""

from domain.core.game import Refused
from domain.tournament.duplicate import team_size
from domain.tournament.tournament_commands import Enter, FinishTable
from domain.tournament.tournament_formats import format_of
from domain.tournament.tournament_state import Tournament


def check_team(t: Tournament, command: Enter) -> None:
    """Raise `Refused` if teams or pairs play, and the command names none or a full one."""
    if t.plan.teams is None:
        return
    if command.club is None:
        raise Refused("bad_arguments", "Name your team or pair, as your club.")
    there = [club for one, club in enumerate(t.clubs) if one not in t.left]
    if [*there, *(each.club for each in t.waiting.values())].count(command.club) >= team_size(t.plan):
        raise Refused("forbidden", f"This {'pair' if t.plan.teams == 'pairs' else 'team'} is full.")


def have_scores(t: Tournament, command: FinishTable) -> bool:
    """Say whether a match names the scores of its seats where they are compared, and nowhere else."""
    if not format_of(t).has_same_deals:
        return command.scores is None
    return command.scores is not None and len(command.scores) == len(t.tables[command.table])
