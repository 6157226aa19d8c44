"""Decides whose request is worked on next: networks take turns, and in a network its callers do (decision 35).

It knows neither clock nor threads: times come in as seconds of a clock that only goes forward.
"""

from collections import OrderedDict
from collections.abc import Iterator
from math import inf
from typing import Final, Generic, NamedTuple, TypeVar

from domain.core.values import mutable

T = TypeVar("T")

CALLERS_PART: Final = 0.1
"""The share of a processor for parallel requests of all callers together, while other callers send requests."""

CALLERS_CREDIT: Final = 0.2
"""The processor time that a caller who has rested may use before that limit, in seconds."""

NETWORKS_PART: Final = 0.5
"""The share of a processor for parallel requests of all networks together, while other networks send requests."""

NETWORKS_CREDIT: Final = 1.0
"""The processor time that a network which has rested may use before that limit, in seconds."""

OTHERS_SECONDS: Final = 60.0
"""A caller counts as active for this time after its last request, because players think between two moves."""

MOST_ACCOUNTS: Final = 1_024
"""With more networks or callers than this in memory, the one whose last request is the oldest is forgotten."""


class Asker(NamedTuple):
    """A caller: its network and its player; 0 stands for all callers who are not known as players."""

    network: str
    player: int = 0


@mutable
class _Account:
    """The processor time that a network or a caller may use, as of a time. Below 0, it has to be earned first.

    `asked` is the time of the last request. `behind` counts the waiting turns that will be charged to it.
    """

    level: "_Level"
    who: Asker
    credit: float
    counted: float
    asked: float = -inf
    turns: int = 0
    working: int = 0
    behind: int = 0


class _Level:
    """The accounts of all networks, or of all callers, which share a part of a processor."""

    def __init__(self, part: float, most: float) -> None:
        self.part, self.most = part, most
        # The number of accounts with waiting turns that will be charged to them.
        self.behind = 0
        # The last one to ask is last.
        self.accounts: OrderedDict[Asker, _Account] = OrderedDict()

    def account(self, who: Asker, now: float) -> _Account:
        """Return the account of a network or caller that asks now."""
        account = self.accounts.setdefault(who, _Account(self, who, self.most, now))
        account.asked = now
        self.accounts.move_to_end(who)
        if len(self.accounts) > MOST_ACCOUNTS:
            self.accounts.popitem(last=False)
        return account

    def is_alone(self, who: Asker, now: float) -> bool:
        """Return whether no other one has asked lately. Unknown callers are no others for a player."""
        for other in reversed(self.accounts.values()):
            if now - other.asked > OTHERS_SECONDS:
                return True
            if other.who != who and bool(other.who.player) is bool(who.player):
                return False
        return True


@mutable
class _QueuedTurn(Generic[T]):
    """A turn. It is charged to its network and its caller, unless these were idle when it came."""

    what: T
    network: _Account
    caller: _Account
    charged: tuple[_Account, ...]
    expected: float = 0.0

    def count(self, by: int) -> None:
        """Count this turn as one more (1) or one less (-1) that waits and will be charged."""
        for account in self.charged:
            account.level.behind += (account.behind + by > 0) - (account.behind > 0)
            account.behind += by


class FairQueue(Generic[T]):
    """Queues turns, of which `slots` run at the same time. Networks and callers use the slots that others leave free.

    A caller without other requests is served immediately. Turns that come while others of the same caller wait or run
    use only part of the time while other callers ask, because a running turn cannot be interrupted and slows the others
    down. The same holds for networks, which get a larger part.
    """

    def __init__(self, slots: int) -> None:
        self._slots = self._free = slots
        self._networks = _Level(NETWORKS_PART, NETWORKS_CREDIT)
        self._callers = _Level(CALLERS_PART, CALLERS_CREDIT)
        self._turns: dict[T, _QueuedTurn[T]] = {}
        # The waiting turns by network and caller, the next ones first.
        self._ring: OrderedDict[Asker, OrderedDict[Asker, OrderedDict[T, _QueuedTurn[T]]]] = OrderedDict()
        # The expected duration of a turn, until it has ended.
        self._usual = 0.0

    def counts(self) -> tuple[int, int]:
        """Return how many turns are worked on, and how many wait."""
        working = self._slots - self._free
        return working, len(self._turns) - working

    def enter(self, caller: Asker, what: T, now: float) -> None:
        """Let a turn wait."""
        network = Asker(caller.network)
        accounts = self._networks.account(network, now), self._callers.account(caller, now)
        turn = self._turns[what] = _QueuedTurn(what, *accounts, tuple(each for each in accounts if each.turns))
        turn.count(1)
        for account in accounts:
            account.turns += 1
        self._ring.setdefault(network, OrderedDict()).setdefault(caller, OrderedDict())[what] = turn

    def leave(self, what: T) -> None:
        """Remove a waiting turn."""
        self._stop_waiting(self._forget(what))

    def begin(self, now: float) -> Iterator[T]:
        """Yield the turns that begin now; each uses a slot until `end`."""
        while turn := next(filter(None, (self._next(each, now)[1] for each in self._ring.values())), None):
            self._ring.move_to_end(turn.network.who)
            self._ring[turn.network.who].move_to_end(turn.caller.who)
            self._stop_waiting(turn)
            self._free -= 1
            turn.network.working += 1
            turn.caller.working += 1
            turn.expected = self._usual
            for account in turn.charged:
                account.credit -= turn.expected
            yield turn.what

    def end(self, what: T, used: float, now: float) -> None:
        """End a turn that has used this much processor time, in seconds."""
        turn = self._forget(what)
        self._free += 1
        turn.network.working -= 1
        turn.caller.working -= 1
        for account in turn.charged:
            self._wait(account, now)
            account.credit += turn.expected - used
        self._usual += (used - self._usual) / 10

    def wait(self, now: float) -> float:
        """Return after how many seconds a turn can begin, if none enters or ends before; infinity: none can."""
        return min((self._next(each, now)[0] for each in self._ring.values()), default=inf)

    def _next(
        self, callers: OrderedDict[Asker, OrderedDict[T, _QueuedTurn[T]]], now: float
    ) -> tuple[float, _QueuedTurn[T] | None]:
        """Return after how many seconds a network's next turn can begin, and that turn if it can begin now."""
        first = _head(next(iter(callers.values())))
        if self._free <= (first.network.working + 1 if first.network.working else 0):
            return inf, None
        # All other turns were added while their network had this one.
        if not first.charged:
            return 0, first
        if (seconds := self._wait(first.network, now)) > 0:
            return seconds, None
        soonest = inf
        for turn in map(_head, callers.values()):
            if turn.caller.working and self._free <= turn.network.working + turn.caller.working:
                continue
            seconds = max((self._wait(account, now) for account in turn.charged), default=0.0)
            if seconds <= 0:
                return 0, turn
            soonest = min(soonest, seconds)
        return soonest, None

    def _wait(self, account: _Account, now: float) -> float:
        """Count an account's credit as of now. Return after how many seconds a turn may be charged to it."""
        level, who = account.level, account.who
        rate = level.part / max(1, level.behind)
        account.credit = min(level.most, account.credit + (now - account.counted) * rate)
        account.counted = now
        if self._networks.is_alone(Asker(who.network), now) and self._callers.is_alone(who, now):
            account.credit = max(0.0, account.credit)
        return max(0.0, -account.credit / rate)

    def _forget(self, what: T) -> _QueuedTurn[T]:
        turn = self._turns.pop(what)
        turn.network.turns -= 1
        turn.caller.turns -= 1
        return turn

    def _stop_waiting(self, turn: _QueuedTurn[T]) -> None:
        turn.count(-1)
        callers = self._ring[turn.network.who]
        turns = callers[turn.caller.who]
        del turns[turn.what]
        if not turns:
            del callers[turn.caller.who]
        if not callers:
            del self._ring[turn.network.who]


def _head(turns: OrderedDict[T, _QueuedTurn[T]]) -> _QueuedTurn[T]:
    return next(iter(turns.values()))
