"""Pairs two by two for a Swiss round, in the order of the standings (tournament 3.4).

The first who is not paired yet gets the highest below whom it has not met, such that the rest can still be paired.
Where nobody can be paired so, the fewest pairs meet again: the first unpaired then gets the highest whom it has met,
such that no more pairs than needed meet again. Searching back and forth for this may take for ever; whether the rest
can be paired is told by a matching of the most pairs instead, which is kept from step to step.
"""

from collections.abc import Collection, Sequence

from domain.tournament.matching import Graph, Partners, augment, most

Pairs = list[tuple[int, int]]


def pairs_of(order: Sequence[int], met: Collection[tuple[int, int]]) -> Pairs:
    """Pair an even number of entrants, in the order of the standings; `met` has each pair, the lower number first."""
    there = set(order)
    barred: dict[int, set[int]] = {}
    for a, b in met:
        if a in there and b in there:
            barred.setdefault(a, set()).add(b)
            barred.setdefault(b, set()).add(a)
    graph = Graph(order, barred)
    partners = most(graph)
    pairs: Pairs = []
    while graph.order:
        first, *below = graph.order
        strangers = [one for one in below if graph.joined(first, one)]
        known = [one for one in below if not graph.joined(first, one)]
        other, partners = next(
            (one, left) for one in strangers + known if (left := _without(graph, partners, first, one)) is not None
        )
        pairs.append((first, other))
        graph = Graph([one for one in below if one != other], barred)
    return pairs


def _without(graph: Graph, partners: Partners, first: int, other: int) -> Partners | None:
    """Give a matching of the rest after two are paired, with no more left unmatched; None if there is none.

    The matching has the most pairs, so a better one of the rest begins with who has lost the partner.
    """
    due = len(partners) - 2 * graph.joined(first, other)
    left, alone = dict(partners), []
    for one in (first, other):
        mate = left.pop(one, None)
        if mate is not None:
            left.pop(mate)
            if mate not in (first, other):
                alone.append(mate)
    gone = frozenset((first, other))
    for one in alone:
        if len(left) < due and one not in left:
            augment(graph, left, one, gone)
    return left if len(left) >= due else None
