"""Says of a duplicate whether there are enough to begin, and in whose seats bots play (tournament 13)."""

from domain.tournament.duplicate import team_size
from domain.tournament.played_rounds import BOT
from domain.tournament.tournament_state import Tournament


def are_enough(t: Tournament, entrants: tuple[int, ...]) -> bool:
    """Say whether those who are there fill two tables at least, with bots in the places that are left."""
    sides = entrants if t.plan.teams is None else {t.clubs[one] for one in entrants}
    return len(sides) * team_size(t.plan) > t.plan.seats


def stands_in(t: Tournament, entrant: int | None) -> bool:
    """Say whether a bot has the seat of an entrant in the open round: who had left before it, or has not come."""
    return entrant is not BOT and (entrant in t.stood_in or t.left.get(entrant, t.round) < t.round)
