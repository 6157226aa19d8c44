"""A round robin, in which all meet once, and the pairing of all legs of a league (tournament 4)."""

from collections.abc import Iterator
from typing import Final

from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import Ground, PairedRound, Words
from domain.tournament.tournament_plan import MOST_ROUNDS, TournamentPlan
from domain.tournament.tournament_standings import places_by_standing


def meetings(order: tuple[int, ...], number: int) -> list[tuple[int | None, int | None]]:
    """Return the pairs of a round, counted from 0, seat by seat; None is the empty place of an odd number.

    The first of the circle stays and the others move on by one place (tournament 4). In every second leg, the seats are
    swapped.
    """
    ring: list[int | None] = [*order]
    if len(ring) % 2:
        ring.insert(0, None)
    size = len(ring)
    leg, turn = divmod(number, size - 1)
    moved = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    pairs = [(moved[i], moved[size - 1 - i]) for i in range(size // 2)]
    return [(other, one) if ((i or turn) + leg) % 2 else (one, other) for i, (one, other) in enumerate(pairs)]


def length(ground: Ground) -> int:
    """Return the number of rounds in which all meet in all legs."""
    return (len(ground.order) - 1 + len(ground.order) % 2) * ground.plan.legs


def pair_all(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round; None once all have met in all legs.

    The entrant opposite the empty place has a bye, once in a leg at most. The opponent of an entrant who has left has
    one too.
    """
    number, active = len(ground.rounds), set(ground.active)
    if number >= length(ground) or len(active) < 2:
        return None
    tables, byes = [], []
    for pair in meetings(ground.order, number):
        there = [who for who in pair if who is not None and who in active]
        if len(there) == 2:
            tables.append((there[0], there[1]))
        else:
            byes += there
    return PairedRound(tuple(tables), tuple(byes))


def meeting_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence if the maximum number of entrants cannot all meet."""
    if plan.legs * (plan.most - 1 + plan.most % 2) > MOST_ROUNDS:
        yield f"With this many entrants, all cannot meet in {MOST_ROUNDS} rounds. Lower `most` or `legs`."


PAIRING_RULE: Final = "The first shuffle puts the entrants in a circle. Opposite entrants meet. It turns each round."

FORMAT: Final = TournamentFormat(
    pair_all,
    places_by_standing,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    faults=meeting_faults,
    is_reported=True,
    most_entrants=lambda legs: MOST_ROUNDS // legs,
    most_seats=DUEL,
)
