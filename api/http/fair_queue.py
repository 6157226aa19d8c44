"""Decides whose request is worked on next: networks take turns, and in a network its callers do (decision 35).

It knows neither clock nor threads: times come in as seconds of a clock that only goes forward.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

PART: Final = 0.1
"""The part of a processor that requests which had to wait get together, while others ask."""

CREDIT: Final = 0.1
"""The processor time that a network which has rested may use before that limit, in seconds."""

OTHERS_SECONDS: Final = 60.0
"""Others ask as long as their last request is no older than this: a player thinks between two moves."""

MOST_NETWORKS: Final = 1_024
"""With more networks than this in memory, those at rest are forgotten."""


class Asker(NamedTuple):
    """A caller comes from a network, and is a player there; 0 stands for all that are not known as players."""

    network: str
    player: int = 0


@dataclass(slots=True)
class _Network(Generic[T]):
    """A network has its credit as of a time, and the turns that wait, by player; true: nothing was before it."""

    credit: float
    counted: float
    waiting: OrderedDict[int, OrderedDict[T, bool]] = field(default_factory=OrderedDict)

    @property
    def next_is_first(self) -> bool:
        """Whether the next turn came when the network had nothing else to do here."""
        return next(iter(next(iter(self.waiting.values())).values()))

    def take(self) -> T:
        """Return the next turn, and put its player behind the others."""
        player, turns = self.waiting.popitem(last=False)
        turn, _ = turns.popitem(last=False)
        if turns:
            self.waiting[player] = turns
        return turn


class FairQueue(Generic[T]):
    """Queues turns, of which `slots` are worked on at once. A network works on as many as it leaves free.

    A network with nothing else to do here is served at once. What has to wait behind other requests of its own network
    uses a part of the time only, while other networks ask: a turn that has begun cannot be interrupted, and slows down
    those of others.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._working: Counter[str] = Counter()
        self._networks: dict[str, _Network[T]] = {}
        # The networks in which something waits, the next one first.
        self._ring: OrderedDict[str, _Network[T]] = OrderedDict()
        # Those of them whose next turn has others of the network before it.
        self._behind: set[str] = set()
        # The network that asked last, and when; and when another one asked last.
        self._last = ("", -inf)
        self._other = -inf
        # The time that a turn is expected to use, until it has ended.
        self._usual = 0.0

    def counts(self) -> tuple[int, int]:
        """Return how many turns are worked on, and how many wait."""
        waiting = (turns for network in self._networks.values() for turns in network.waiting.values())
        return sum(self._working.values()), sum(map(len, waiting))

    def enter(self, caller: Asker, turn: T, now: float) -> None:
        """Let a turn wait."""
        where = caller.network
        self._note(where, now)
        network = self._network(where, now)
        is_first = not network.waiting and where not in self._working
        network.waiting.setdefault(caller.player, OrderedDict())[turn] = is_first
        self._ring.setdefault(where, network)
        self._sort(where, network)

    def leave(self, caller: Asker, turn: T) -> None:
        """Let a turn wait no longer."""
        network = self._networks[caller.network]
        turns = network.waiting[caller.player]
        del turns[turn]
        if not turns:
            del network.waiting[caller.player]
        self._left(caller.network, network)

    def begin(self, now: float) -> Iterator[T]:
        """Yield the turns that begin now; each uses a slot until `end`."""
        while where := next((each for each in self._ring if self._wait(each, now) <= 0), None):
            network = self._ring[where]
            self._ring.move_to_end(where)
            turn = network.take()
            self._left(where, network)
            self._free -= 1
            self._working[where] += 1
            network.credit -= self._usual
            yield turn

    def end(self, caller: Asker, used: float, now: float) -> None:
        """End a turn that has used so many seconds of processor time."""
        self._free += 1
        self._working[caller.network] -= 1
        if not self._working[caller.network]:
            del self._working[caller.network]
        network = self._network(caller.network, now)
        network.credit += self._usual - used
        self._usual += (used - self._usual) / 10

    def wait(self, now: float) -> float:
        """Return after how many seconds a turn can begin, if none enters or ends before; infinity: none can."""
        return min((self._wait(where, now) for where in self._ring), default=inf)

    def _wait(self, where: str, now: float) -> float:
        """Return after how many seconds the network's next turn can begin."""
        if self._free <= (self._working[where] + 1 if where in self._working else 0):
            return inf
        network = self._network(where, now)
        other = self._other if where == self._last[0] else self._last[1]
        if network.credit >= 0 or network.next_is_first or now - other > OTHERS_SECONDS:
            return 0
        return -network.credit / self._rate

    @property
    def _rate(self) -> float:
        return PART / max(1, len(self._behind))

    def _network(self, where: str, now: float) -> _Network[T]:
        """Return a network with its credit as of now."""
        network = self._networks.get(where)
        if network is None:
            if len(self._networks) >= MOST_NETWORKS:
                self._forget(now)
            network = self._networks[where] = _Network(CREDIT, now)
        network.credit = min(CREDIT, network.credit + (now - network.counted) * self._rate)
        network.counted = now
        return network

    def _forget(self, now: float) -> None:
        """Forget the networks that are as if they had never been here."""
        busy = [where for where in self._networks if where in self._ring or where in self._working]
        kept = {where: self._network(where, now) for where in self._networks}
        self._networks = {w: n for w, n in kept.items() if w in busy or n.credit < CREDIT}

    def _left(self, where: str, network: _Network[T]) -> None:
        if not network.waiting:
            del self._ring[where]
        self._sort(where, network)

    def _sort(self, where: str, network: _Network[T]) -> None:
        if network.waiting and not network.next_is_first:
            self._behind.add(where)
        else:
            self._behind.discard(where)

    def _note(self, where: str, now: float) -> None:
        """Note who asks."""
        network, when = self._last
        if network != where:
            self._other = when
        self._last = (where, now)
