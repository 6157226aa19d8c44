"""Decides whose request is worked on next: networks take turns, and in a network its players do (decision 35).

It knows neither clock nor threads: times come in as seconds of a clock that only goes forward.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import field
from enum import Enum
from math import inf
from typing import Any, Final, Generic, NamedTuple, TypeVar

from domain.core.values import mutable

T = TypeVar("T")

PART: Final = 0.1
"""The part of a processor that a network uses for its parallel requests, while other networks ask."""

PART_AMONG_PLAYERS: Final = 0.5
"""The same while all requests come from one network, but from several players."""

CREDIT: Final = 0.1
"""The processor time that a network which has rested may use before that limit, in seconds."""

PLAYER_CREDIT: Final = 0.5
"""The same for the additional requests of a player while only other players of the network ask, in seconds."""

OTHERS_SECONDS: Final = 60.0
"""A caller counts as active for this time after its last request, because players think between two moves."""

MOST_NETWORKS: Final = 1_024
"""With more networks than this in memory, those at rest are forgotten."""

MOST_RESTING: Final = 128
"""Maximum number of players of a network without a request who are remembered. Others count as new when they return."""

LEFT_FREE: Final = 2
"""A network leaves one slot free for each so many that it uses, and a player for each that the player uses."""


class Asker(NamedTuple):
    """A caller comes from a network, and is a player there. All who are not known as players are one caller, ``""``."""

    network: str
    player: str = ""


class _TurnKind(Enum):
    """A turn is additional if its player has others, and single if not."""

    SINGLE = "single"
    ADDITIONAL = "additional"


@mutable
class _Latest:
    """The caller that asked last, when, and when another one had asked before."""

    who: str = ""
    when: float = -inf
    other: float = -inf

    def note(self, who: str, now: float) -> None:
        if who != self.who:
            self.other = self.when
        self.who, self.when = who, now

    def is_alone(self, who: str, now: float) -> bool:
        """Return whether no other caller has asked lately."""
        return now - (self.other if who == self.who else self.when) > OTHERS_SECONDS


@mutable
class _Budget:
    """Processor time that may be used, in seconds, as of a time. Below 0, it has to be earned first."""

    most: float
    credit: float
    counted: float

    def wait(self, now: float, rate: float, *, is_free: bool) -> float:
        """Count it as of now. Return after how many seconds it may be used. Time that is free leaves no debt."""
        self.credit = min(self.most, self.credit + (now - self.counted) * rate)
        self.counted = now
        if is_free:
            self.credit = max(0.0, self.credit)
        return max(0.0, -self.credit / rate)


@mutable
class _Player(Generic[T]):
    """A player of a network. `used` is processor time in seconds, which orders the players."""

    caller: Asker
    budget: _Budget
    used: float = 0.0
    waiting: OrderedDict[T, _TurnKind] = field(default_factory=OrderedDict)
    working: int = 0


@mutable
class _Network(Generic[T]):
    """A network with its players who have turns, and some of those who had.

    `waiting` has players by the kind of their next turn. `leads` is whether a single turn runs that began because no
    other one did. `reached` is what the player of the last turn had used before.
    """

    name: str
    budgets: dict[_TurnKind, _Budget]
    waiting: dict[_TurnKind, dict[Asker, _Player[T]]] = field(default_factory=lambda: {kind: {} for kind in _TurnKind})
    present: dict[Asker, _Player[T]] = field(default_factory=dict)
    resting: OrderedDict[Asker, _Player[T]] = field(default_factory=OrderedDict)
    latest: _Latest = field(default_factory=_Latest)
    leads: bool = False
    working: int = 0
    reached: float = 0.0


@mutable
class _QueuedTurn(Generic[T]):
    """A turn. `leads` is whether it has begun because no other single turn of its network was running."""

    network: _Network[T]
    player: _Player[T]
    kind: _TurnKind
    leads: bool = False


class FairQueue(Generic[T]):
    """Queues turns, of which `slots` run at the same time. A caller uses the slots that others leave free.

    A running turn cannot be interrupted and slows the others down. So each network has one turn at a time that begins
    immediately, for players with a single turn. All others use only part of the time while several callers ask.
    """

    def __init__(self, slots: int) -> None:
        self._slots = self._free = slots
        self._turns: dict[T, _QueuedTurn[T]] = {}
        self._networks: dict[str, _Network[T]] = {}
        # The networks with waiting turns, the next one first.
        self._ring: OrderedDict[str, _Network[T]] = OrderedDict()
        # The number of networks and kinds of waiting turns, which share the time.
        self._behind = 0
        self._latest = _Latest()
        # The expected duration of a turn, until it has ended.
        self._usual = 0.0

    def counts(self) -> tuple[int, int]:
        """Return how many turns are worked on, and how many wait."""
        working = self._slots - self._free
        return working, len(self._turns) - working

    def enter(self, caller: Asker, turn: T, now: float) -> None:
        """Let a turn wait."""
        network = self._network(caller.network, now)
        self._latest.note(caller.network, now)
        network.latest.note(caller.player, now)
        player = network.present.get(caller)
        kind = _TurnKind.ADDITIONAL
        if player is None:
            player = network.present[caller] = self._returned(network, caller, now)
            kind = _TurnKind.SINGLE
        player.waiting[turn] = kind
        self._turns[turn] = _QueuedTurn(network, player, kind)
        self._sort(network, player)

    def leave(self, turn: T) -> None:
        """Remove a waiting turn."""
        self._stop_waiting(turn)
        self._forget_turn(turn)

    def begin(self, now: float) -> Iterator[T]:
        """Yield the turns that begin now; each uses a slot until `end`."""
        while player := next(filter(None, (self._next(each, now)[1] for each in self._ring.values())), None):
            turn = next(iter(player.waiting))
            found = self._turns[turn]
            network = found.network
            self._ring.move_to_end(network.name)
            self._stop_waiting(turn)
            self._free -= 1
            network.working += 1
            player.working += 1
            network.reached = player.used
            if found.kind is _TurnKind.SINGLE and not network.leads:
                found.leads = network.leads = True
            self._charge(found, self._usual, now)
            yield turn
        self._behind = sum(bool(players) for each in self._ring.values() for players in each.waiting.values())

    def end(self, turn: T, used: float, now: float) -> None:
        """End a turn that has used this much processor time, in seconds."""
        ended = self._turns[turn]
        self._charge(ended, used - self._usual, now)
        self._usual += (used - self._usual) / 10
        self._free += 1
        ended.network.working -= 1
        ended.player.working -= 1
        if ended.leads:
            ended.network.leads = False
        self._forget_turn(turn)

    def wait(self, now: float) -> float:
        """Return after how many seconds a turn can begin, if none enters or ends before; infinity: none can."""
        return min((self._next(network, now)[0] for network in self._ring.values()), default=inf)

    def _next(self, network: _Network[T], now: float) -> tuple[float, _Player[T] | None]:
        """Return after how many seconds the network's next turn can begin, and its player if it can begin now.

        Of several players, that is the one who has used the least.
        """
        if not _leaves_enough(LEFT_FREE * self._free, network.working):
            return inf, None
        ready: list[_Player[T]] = []
        soonest = inf
        for kind, players in network.waiting.items():
            if not players:
                continue
            if (seconds := self._network_wait(network, kind, now)) > 0:
                soonest = min(soonest, seconds)
            elif kind is _TurnKind.SINGLE:
                ready += players.values()
            else:
                waits = [(self._player_wait(network, player, now), player) for player in players.values()]
                ready += [player for seconds, player in waits if seconds <= 0]
                soonest = min(soonest, *(seconds for seconds, _ in waits))
        return (0, min(ready, key=_used)) if ready else (soonest, None)

    def _network_wait(self, network: _Network[T], kind: _TurnKind, now: float) -> float:
        """Return after how many seconds a turn of this kind can begin, as far as its network is concerned."""
        is_alone = self._latest.is_alone(network.name, now)
        rate = (PART_AMONG_PLAYERS if is_alone else PART) / max(1, self._behind)
        seconds = network.budgets[kind].wait(
            now, rate, is_free=is_alone and network.latest.is_alone(network.latest.who, now)
        )
        return 0 if kind is _TurnKind.SINGLE and not network.leads else seconds

    def _player_wait(self, network: _Network[T], player: _Player[T], now: float) -> float:
        """Return after how many seconds a player may use time for an additional turn; infinity: only after an end."""
        rate = PART / max(1, len(network.waiting[_TurnKind.ADDITIONAL]))
        seconds = player.budget.wait(now, rate, is_free=network.latest.is_alone(player.caller.player, now))
        return seconds if _leaves_enough(self._free, player.working) else inf

    def _charge(self, turn: _QueuedTurn[T], seconds: float, now: float) -> None:
        """Count the time that a turn uses."""
        turn.player.used += seconds
        if turn.leads:
            return
        self._network_wait(turn.network, turn.kind, now)
        turn.network.budgets[turn.kind].credit -= seconds
        if turn.kind is _TurnKind.ADDITIONAL:
            self._player_wait(turn.network, turn.player, now)
            turn.player.budget.credit -= seconds

    def _returned(self, network: _Network[T], caller: Asker, now: float) -> _Player[T]:
        """Return a player who had no turn. A rested player comes before the others, but by one turn at most."""
        player = network.resting.pop(caller, None) or _Player(caller, _Budget(PLAYER_CREDIT, PLAYER_CREDIT, now))
        player.used = max(player.used, network.reached - self._usual)
        return player

    def _stop_waiting(self, turn: T) -> None:
        found = self._turns[turn]
        del found.player.waiting[turn]
        # The player goes behind the others.
        found.network.waiting[found.kind].pop(found.player.caller, None)
        self._sort(found.network, found.player)

    def _sort(self, network: _Network[T], player: _Player[T]) -> None:
        """List the player by the next turn, and the network by its players."""
        for kind in player.waiting.values():
            network.waiting[kind][player.caller] = player
            break
        if any(network.waiting.values()):
            self._ring.setdefault(network.name, network)
        else:
            self._ring.pop(network.name, None)

    def _forget_turn(self, turn: T) -> None:
        ended = self._turns.pop(turn)
        network, player = ended.network, ended.player
        if not player.waiting and not player.working:
            network.resting[player.caller] = network.present.pop(player.caller)
            if len(network.resting) > MOST_RESTING:
                network.resting.popitem(last=False)

    def _network(self, name: str, now: float) -> _Network[T]:
        network = self._networks.get(name)
        if network is None:
            if len(self._networks) >= MOST_NETWORKS:
                self._forget_networks(now)
            budgets = {kind: _Budget(CREDIT, CREDIT, now) for kind in _TurnKind}
            network = self._networks[name] = _Network(name, budgets)
        return network

    def _forget_networks(self, now: float) -> None:
        """Forget the networks that are as if they had never been here."""
        self._networks = {
            name: network for name, network in self._networks.items() if network.present or self._owes(network, now)
        }

    def _owes(self, network: _Network[T], now: float) -> bool:
        """Return whether a network has used more than it has earned."""
        for kind in network.budgets:
            self._network_wait(network, kind, now)
        return any(budget.credit < budget.most for budget in network.budgets.values())


def _leaves_enough(free: int, used: int) -> bool:
    """Return whether a caller with this many slots can take another one."""
    return free > (used + 1 if used else 0)


def _used(player: _Player[Any]) -> float:
    return player.used
