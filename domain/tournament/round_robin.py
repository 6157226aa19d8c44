"""Pairs a round robin, in which all meet once, and a league, in which they meet in several legs."""

from domain.tournament.round_pairing import Ground, PairedRound, Words


def pair_all(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round, by a circle of which the first stays and the others move on by one place (tournament 4).

    With an odd number nobody is the first: somebody has a bye in each round, nobody twice in a leg. In each second leg
    the seats are changed. Who would have met somebody who has left has a bye. None once all have met in all legs.
    """
    ring: list[int | None] = [*ground.order]
    if len(ring) % 2:
        ring.insert(0, None)
    size, number = len(ring), len(ground.rounds)
    each = size - 1
    if number >= each * ground.plan.legs or len(ground.active) < 2:
        return None
    leg, turn = divmod(number, each)
    active = set(ground.active)
    moved = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    tables, byes = [], []
    for i in range(size // 2):
        one, other = moved[i], moved[size - 1 - i]
        if ((i or turn) + leg) % 2:
            one, other = other, one
        there = [who for who in (one, other) if who is not None and who in active]
        if len(there) == 2:
            tables.append((there[0], there[1]))
        else:
            byes += there
    return PairedRound(tuple(tables), tuple(byes))
