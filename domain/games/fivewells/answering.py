"""Describes, as data, the moves that answer what a seat is asked: hands to keep, combat, choices (fivewells 4)."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, get_args

from domain.core.choices import X_NAMES, described, some_pairs
from domain.core.type_schema import object_of
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles, name
from domain.games.fivewells.legal import object_names, some_of
from domain.games.fivewells.moves import (
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
)
from domain.games.fivewells.records import Blocks, Stop, Until
from domain.games.fivewells.step_names import window_name


@value
class Keeping:
    """This choice is to keep a hand, and to put `count` of its cards under the library."""

    hand: Handles
    count: int
    make: ClassVar[type] = KeepHand
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is KeepHand and are_different(move.bottom, self.hand) and len(move.bottom) == self.count

    def schema(self) -> dict[str, Any]:
        known = {"bottom": {"title": "Under the library"} | some_of(self.hand, self.count, self.count)}
        return object_of(known, ["bottom"] if self.count else [])

    def sample(self, rng: Random) -> Any:
        return KeepHand(tuple(rng.sample(self.hand, self.count)))


def are_different(chosen: Handles, among: Handles) -> bool:
    """Say whether objects are different, and among these."""
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(among)


@value
class LandToPlay:
    """This choice is to play one of these lands."""

    of: Handles
    make: ClassVar[type] = PlayLand
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is PlayLand and move.card in self.of

    def schema(self) -> dict[str, Any]:
        return described({"card": {"enum": object_names(self.of)}})

    def sample(self, rng: Random) -> Any:
        return PlayLand(rng.choice(self.of))


@value
class Passes:
    """This choice is to pass, now or until something happens."""

    make: ClassVar[type] = PassPriority
    exact: ClassVar[bool] = True
    until: ClassVar[tuple[Until | None, ...]] = (None, *get_args(Until))

    def admits(self, move: Any) -> bool:
        return type(move) is PassPriority

    def schema(self) -> dict[str, Any]:
        called = {"next_turn": "The next turn", "something_on_stack": "Something is on the stack"}
        return object_of({"until": {"enum": list(self.until), X_NAMES: called}})

    def sample(self, rng: Random) -> Any:
        return PassPriority(rng.choice(self.until))


@value
class StopsToSet:
    """This choice is to say in which windows to be asked."""

    windows: tuple[Stop, ...]
    make: ClassVar[type] = SetStops
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is SetStops and all(len(set(row)) == len(row) for row in (move.stops, move.once))

    def schema(self) -> dict[str, Any]:
        windows = {"enum": list(self.windows), X_NAMES: {one: window_name(one) for one in self.windows}}
        row = {"type": "array", "items": windows, "uniqueItems": True}
        return object_of({"stops": {"title": "Always", **row}, "once": {"title": "The next time", **row}}, ["stops"])

    def sample(self, rng: Random) -> Any:
        # A seat that stops seldom would do nothing.
        return SetStops(tuple(one for one in self.windows if rng.random() < 0.9))


# --- Combat -----------------------------------------------------------------------------------------------


@value
class Attacking:
    """This choice is to attack with any of these creatures."""

    creatures: Handles
    make: ClassVar[type] = DeclareAttackers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is DeclareAttackers and are_different(move.attackers, self.creatures)

    def schema(self) -> dict[str, Any]:
        return described({"attackers": some_of(self.creatures, 0, len(self.creatures))})

    def sample(self, rng: Random) -> Any:
        return DeclareAttackers(tuple(one for one in self.creatures if rng.random() < 0.5))


@value
class Blocking:
    """This choice is to block: each creature blocks one attacker at most, and two or more block a `daunting` one."""

    of_each: Mapping[Handle, Handles]
    """The creatures that may block, each with the attackers that it may."""
    daunting: Handles
    make: ClassVar[type] = DeclareBlockers
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not DeclareBlockers:
            return False
        if not all(pair.attacker in self.of_each.get(pair.blocker, ()) for pair in move.blocks):
            return False
        count = Counter(pair.attacker for pair in move.blocks)
        once = len({pair.blocker for pair in move.blocks}) == len(move.blocks)
        return once and not any(count[attacker] == 1 for attacker in self.daunting)

    def schema(self) -> dict[str, Any]:
        return described({"blocks": some_pairs("blocker", "attacker", self._named())})

    def _named(self) -> dict[str, tuple[str, ...]]:
        """Give who may block whom by names; those that may block the same attackers share these."""
        rows = {row: tuple(object_names(row)) for row in set(self.of_each.values())}
        return {name(blocker): rows[row] for blocker, row in self.of_each.items()}

    def sample(self, rng: Random) -> Any:
        picked = [Blocks(one, rng.choice(row)) for one, row in self.of_each.items() if rng.random() < 0.5]
        count = Counter(pair.attacker for pair in picked)
        alone = {attacker for attacker in self.daunting if count[attacker] == 1}
        return DeclareBlockers(tuple(pair for pair in picked if pair.attacker not in alone))


@value
class BlockersToOrder:
    """This choice is to put the blockers of an attacker in order."""

    attacker: Handle
    blockers: Handles
    called: str
    """What people call the attacker."""
    make: ClassVar[type] = OrderBlockers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not OrderBlockers or move.attacker != self.attacker:
            return False
        return sorted(move.order) == sorted(self.blockers)

    def schema(self) -> dict[str, Any]:
        count = len(self.blockers)
        of = {"description": f"Blockers of {self.called}, in the order in which they are dealt damage"}
        order = some_of(self.blockers, count, count) | of
        return described({"attacker": {"enum": [name(self.attacker)]}, "order": order})

    def sample(self, rng: Random) -> Any:
        return OrderBlockers(self.attacker, tuple(rng.sample(self.blockers, len(self.blockers))))
