"""Decides whose request is worked on next: networks take turns, and in a network its callers do (decision 35).

The known players of a network are one group, and all its other callers another one, so that a program without a token
does not slow down its neighbours.

It knows neither clock nor threads: times come in as seconds of a clock that only goes forward.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import field
from math import inf
from typing import Final, Generic, NamedTuple, TypeVar

from domain.core.values import mutable

T = TypeVar("T")

PART: Final = 0.1
"""The share of a processor for all requests that had to wait, while other networks send requests."""

CREDIT: Final = 0.1
"""The processor time that a network which has rested may use before that limit, in seconds."""

OTHERS_SECONDS: Final = 60.0
"""A caller counts as active for this time after its last request, because players think between two moves."""

MOST_GROUPS: Final = 1_024
"""With more groups of callers than this in memory, those at rest are forgotten."""

Group = tuple[str, bool]
"""Callers of a network: its known players, or all others."""


class Asker(NamedTuple):
    """A caller: its network and its player; 0 stands for all callers who are not known as players."""

    network: str
    player: int = 0

    @property
    def group(self) -> Group:
        return self.network, self.player != 0


@mutable
class _Waiting(Generic[T]):
    """A group's credit as of a time, and its waiting turns by player; true if nothing was before the turn."""

    credit: float
    counted: float
    waiting: OrderedDict[int, OrderedDict[T, bool]] = field(default_factory=OrderedDict)

    @property
    def next_is_first(self) -> bool:
        """Whether the next turn came while its group was idle."""
        return next(iter(next(iter(self.waiting.values())).values()))

    def take(self) -> T:
        """Return the next turn, and put its player behind the others."""
        player, turns = self.waiting.popitem(last=False)
        turn, _ = turns.popitem(last=False)
        if turns:
            self.waiting[player] = turns
        return turn


class FairQueue(Generic[T]):
    """Queues turns, of which `slots` run at the same time. A group of callers uses the slots that others leave free.

    A group without other requests is served immediately. Turns that wait behind requests of their own group use only
    part of the time while other networks wait, because a running turn cannot be interrupted and slows the others down.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._working: Counter[Group] = Counter()
        self._groups: dict[Group, _Waiting[T]] = {}
        # The groups with waiting requests, the next one first.
        self._ring: OrderedDict[Group, _Waiting[T]] = OrderedDict()
        # The groups whose next turn comes after other turns of the same group.
        self._behind: set[Group] = set()
        # The network of the last request and its time, and the time of the last request of another network.
        self._last = ("", -inf)
        self._other = -inf
        # The expected duration of a turn, until it has ended.
        self._usual = 0.0

    def counts(self) -> tuple[int, int]:
        """Return how many turns are worked on, and how many wait."""
        waiting = (turns for group in self._groups.values() for turns in group.waiting.values())
        return sum(self._working.values()), sum(map(len, waiting))

    def enter(self, caller: Asker, turn: T, now: float) -> None:
        """Let a turn wait."""
        where = caller.group
        self._note(caller.network, now)
        group = self._group(where, now)
        is_first = not group.waiting and where not in self._working
        group.waiting.setdefault(caller.player, OrderedDict())[turn] = is_first
        self._ring.setdefault(where, group)
        self._sort(where, group)

    def leave(self, caller: Asker, turn: T) -> None:
        """Remove a waiting turn."""
        group = self._groups[caller.group]
        turns = group.waiting[caller.player]
        del turns[turn]
        if not turns:
            del group.waiting[caller.player]
        self._left(caller.group, group)

    def begin(self, now: float) -> Iterator[T]:
        """Yield the turns that begin now; each uses a slot until `end`."""
        while where := next((each for each in self._ring if self._wait(each, now) <= 0), None):
            group = self._ring[where]
            self._ring.move_to_end(where)
            turn = group.take()
            self._left(where, group)
            self._free -= 1
            self._working[where] += 1
            group.credit -= self._usual
            yield turn

    def end(self, caller: Asker, used: float, now: float) -> None:
        """End a turn that has used this much processor time, in seconds."""
        self._free += 1
        self._working[caller.group] -= 1
        if not self._working[caller.group]:
            del self._working[caller.group]
        group = self._group(caller.group, now)
        group.credit += self._usual - used
        self._usual += (used - self._usual) / 10

    def wait(self, now: float) -> float:
        """Return after how many seconds a turn can begin, if none enters or ends before; infinity: none can."""
        return min((self._wait(where, now) for where in self._ring), default=inf)

    def _wait(self, where: Group, now: float) -> float:
        """Return after how many seconds the group's next turn can begin."""
        if self._free <= (self._working[where] + 1 if where in self._working else 0):
            return inf
        group = self._group(where, now)
        if group.credit >= 0 or group.next_is_first:
            return 0
        return -group.credit / self._rate

    def _is_alone(self, where: Group, now: float) -> bool:
        """Return whether no other network has asked lately."""
        other = self._other if where[0] == self._last[0] else self._last[1]
        return now - other > OTHERS_SECONDS

    @property
    def _rate(self) -> float:
        return PART / max(1, len(self._behind))

    def _group(self, where: Group, now: float) -> _Waiting[T]:
        """Return a group with its credit as of now, which is not below 0 while no other network asks."""
        group = self._groups.get(where)
        if group is None:
            if len(self._groups) >= MOST_GROUPS:
                self._forget(now)
            group = self._groups[where] = _Waiting(CREDIT, now)
        group.credit = min(CREDIT, group.credit + (now - group.counted) * self._rate)
        group.counted = now
        if self._is_alone(where, now):
            group.credit = max(0.0, group.credit)
        return group

    def _forget(self, now: float) -> None:
        """Forget the groups that are as if they had never been here."""
        busy = [where for where in self._groups if where in self._ring or where in self._working]
        kept = {where: self._group(where, now) for where in self._groups}
        self._groups = {w: group for w, group in kept.items() if w in busy or group.credit < CREDIT}

    def _left(self, where: Group, group: _Waiting[T]) -> None:
        if not group.waiting:
            del self._ring[where]
        self._sort(where, group)

    def _sort(self, where: Group, group: _Waiting[T]) -> None:
        if group.waiting and not group.next_is_first:
            self._behind.add(where)
        else:
            self._behind.discard(where)

    def _note(self, network: str, now: float) -> None:
        """Note a request of a network."""
        last, when = self._last
        if last != network:
            self._other = when
        self._last = (network, now)
