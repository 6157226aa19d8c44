"""Pairs entrants two by two in the order of the standings, such that as few as possible meet again (tournament 3.4).

The first who is not paired yet gets the highest below whom it has not met, such that the rest can still be paired. If
this is impossible, as few pairs as possible meet again: the first unpaired entrant then gets the highest that it has
met, such that no more pairs than needed meet again. Plain backtracking could take too long. Instead, a maximum
matching, which is updated at each step, shows whether the rest can be paired. It is found by augmenting paths with
blossoms (Edmonds).
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence

# --- Matching ---------------------------------------------------------------------------------------------


Partners = dict[int, int]
"""The partner of each entrant who is matched, both ways."""


class Graph:
    """The possible pairs: all of `order` with each other, except the barred pairs."""

    def __init__(self, order: Iterable[int], barred: dict[int, set[int]]) -> None:
        self.order = list(order)
        self.barred = barred

    def joined(self, a: int, b: int) -> bool:
        return a != b and b not in self.barred.get(a, ())


def maximum_matching(graph: Graph) -> Partners:
    """Return a matching of the most pairs."""
    partners: Partners = {}
    for one in graph.order:
        if one not in partners:
            augment(graph, partners, one, frozenset())
    return partners


def augment(graph: Graph, partners: Partners, root: int, without: frozenset[int]) -> bool:
    """Match one more pair by a path from the unmatched `root`, if there is one; return whether there was.

    Entrants in `without` are ignored.
    """
    search = _PathSearch(graph, partners, without)
    end = search.from_root(root)
    while end is not None:  # turn the path around, from its end
        before = search.parent[end]
        following = partners.get(before)
        partners[end], partners[before] = before, end
        end = following
    return root in partners


class _PathSearch:
    """One search for an augmenting path: the tree of alternating paths, and the bases of its blossoms."""

    def __init__(self, graph: Graph, partners: Partners, without: frozenset[int]) -> None:
        self.graph = graph
        self.partners = partners
        self.there = [one for one in graph.order if one not in without]
        self.alone = [one for one in self.there if one not in partners]
        self.base = {one: one for one in self.there}
        self.parent: dict[int, int] = {}

    def from_root(self, root: int) -> int | None:
        """Return the other end of an augmenting path from `root`; None if there is none."""
        outer, queue = {root}, deque([root])
        while queue:
            one = queue.popleft()
            for end in self.alone:  # Most searches end here immediately.
                if end != root and self.graph.joined(one, end):
                    self.parent[end] = one
                    return end
            for other in self.there:
                if (
                    not self.graph.joined(one, other)
                    or self.base[one] == self.base[other]
                    or self.partners.get(one) == other
                ):
                    continue
                if other == root or self.partners.get(other, other) in self.parent:
                    queue.extend(self._shrunk(one, other, outer))
                elif other not in self.parent:
                    self.parent[other] = one
                    mate = self.partners[other]
                    outer.add(mate)
                    queue.append(mate)
        return None

    def _shrunk(self, one: int, other: int, outer: set[int]) -> list[int]:
        """Contract the blossom that two outer entrants close; return the entrants that became outer."""
        base = self._common(one, other)
        circle: set[int] = set()
        self._mark(one, base, other, circle)
        self._mark(other, base, one, circle)
        fresh = []
        for each in self.there:
            if self.base[each] in circle:
                self.base[each] = base
                if each not in outer:
                    outer.add(each)
                    fresh.append(each)
        return fresh

    def _common(self, one: int, other: int) -> int:
        """Return the base at which the paths of two entrants to the root meet."""
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if one not in self.partners:
                break
            one = self.parent[self.partners[one]]
        while (other := self.base[other]) not in seen:
            other = self.parent[self.partners[other]]
        return other

    def _mark(self, one: int, base: int, child: int, circle: set[int]) -> None:
        while self.base[one] != base:
            mate = self.partners[one]
            circle |= {self.base[one], self.base[mate]}
            self.parent[one] = child
            child = mate
            one = self.parent[mate]


# --- Pairs ------------------------------------------------------------------------------------------------

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
    partners = maximum_matching(graph)
    pairs: Pairs = []
    while graph.order:
        first, *below = graph.order
        strangers = [one for one in below if graph.joined(first, one)]
        known = [one for one in below if not graph.joined(first, one)]
        other, partners = next(
            (one, left)
            for one in strangers + known
            if (left := _match_the_others(graph, partners, first, one)) is not None
        )
        pairs.append((first, other))
        graph = Graph([one for one in below if one != other], barred)
    return pairs


def _match_the_others(graph: Graph, partners: Partners, first: int, other: int) -> Partners | None:
    """Return a matching of the rest once these two are paired, with no more entrants unmatched; None if impossible.

    `partners` is a maximum matching, so any augmenting path of the rest begins at an entrant who lost a partner.
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
