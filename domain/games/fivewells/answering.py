"""Describes, as data, the moves that answer what a seat is asked: hands to keep, combat, choices (fivewells 4)."""

from collections import Counter
from random import Random
from typing import Any, ClassVar

from domain.core.choices import described
from domain.core.type_schema import object_of
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles, name
from domain.games.fivewells.legal import any_targets, names, some_of, targets_schema
from domain.games.fivewells.moves import (
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
)
from domain.games.fivewells.records import Blocks, Kind, Stop
from domain.games.fivewells.targets import Candidates, fault


@value
class Keeping:
    """This choice is to keep a hand, and to put so many of its cards under the library."""

    hand: Handles
    count: int
    make: ClassVar[type] = KeepHand
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is KeepHand and are_different(move.bottom, self.hand) and len(move.bottom) == self.count

    def schema(self) -> dict[str, Any]:
        known = {"bottom": some_of(self.hand, self.count, self.count)}
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
        return described({"card": {"enum": names(self.of)}})

    def sample(self, rng: Random) -> Any:
        return PlayLand(rng.choice(self.of))


@value
class Passes:
    """This choice is to pass; at random, it is to pass once."""

    make: ClassVar[type] = PassPriority
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is PassPriority

    def schema(self) -> dict[str, Any]:
        return object_of({"until": {"enum": ["next_turn", "something_on_stack", None]}})

    def sample(self, rng: Random) -> Any:
        return PassPriority()


@value
class StopsToSet:
    """This choice is to say in which windows to be asked."""

    windows: tuple[Stop, ...]
    make: ClassVar[type] = SetStops
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is SetStops and all(len(set(row)) == len(row) for row in (move.stops, move.once))

    def schema(self) -> dict[str, Any]:
        row = {"type": "array", "items": {"enum": list(self.windows)}, "uniqueItems": True}
        return object_of({"stops": row, "once": row}, ["stops"])

    def sample(self, rng: Random) -> Any:
        return SetStops(tuple(one for one in self.windows if rng.random() < 0.5))


# --- Combat -----------------------------------------------------------------------------------------------


@value
class Attacking:
    """This choice is to attack with any of these creatures."""

    of: Handles
    make: ClassVar[type] = DeclareAttackers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is DeclareAttackers and are_different(move.attackers, self.of)

    def schema(self) -> dict[str, Any]:
        return described({"attackers": some_of(self.of, 0, len(self.of))})

    def sample(self, rng: Random) -> Any:
        return DeclareAttackers(tuple(one for one in self.of if rng.random() < 0.5))


@value
class Blocking:
    """This choice is to block by some of these pairs; each creature blocks once, and `daunting` ones nobody alone."""

    pairs: tuple[Blocks, ...]
    daunting: Handles
    make: ClassVar[type] = DeclareBlockers
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not DeclareBlockers or not set(move.blocks) <= set(self.pairs):
            return False
        count = Counter(pair.attacker for pair in move.blocks)
        once = len({pair.blocker for pair in move.blocks}) == len(move.blocks)
        return once and not any(count[attacker] == 1 for attacker in self.daunting)

    def schema(self) -> dict[str, Any]:
        pairs = [{"blocker": name(pair.blocker), "attacker": name(pair.attacker)} for pair in self.pairs]
        most = len({pair.blocker for pair in self.pairs})
        return described({"blocks": {"type": "array", "items": {"enum": pairs}, "maxItems": most, "uniqueItems": True}})

    def sample(self, rng: Random) -> Any:
        picked: dict[Handle, Blocks] = {}
        for pair in rng.sample(self.pairs, len(self.pairs)):
            if rng.random() < 0.4:
                picked.setdefault(pair.blocker, pair)
        count = Counter(pair.attacker for pair in picked.values())
        alone = {attacker for attacker in self.daunting if count[attacker] == 1}
        return DeclareBlockers(tuple(pair for pair in picked.values() if pair.attacker not in alone))


@value
class BlockersToOrder:
    """This choice is to put the blockers of an attacker in order."""

    attacker: Handle
    blockers: Handles
    make: ClassVar[type] = OrderBlockers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not OrderBlockers or move.attacker != self.attacker:
            return False
        return sorted(move.order) == sorted(self.blockers)

    def schema(self) -> dict[str, Any]:
        count = len(self.blockers)
        order = some_of(self.blockers, count, count)
        return described({"attacker": {"enum": [name(self.attacker)]}, "order": order})

    def sample(self, rng: Random) -> Any:
        return OrderBlockers(self.attacker, tuple(rng.sample(self.blockers, len(self.blockers))))


# --- Choices ----------------------------------------------------------------------------------------------


@value
class SomeChosen:
    """This choice is to choose so many of these cards or permanents."""

    choice: Kind
    among: Handles
    least: int
    most: int
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != self.choice or move.value is None:
            return False
        return are_different(move.value, self.among) and self.least <= len(move.value) <= self.most and is_bare(move)

    def schema(self) -> dict[str, Any]:
        return described({"choice": {"enum": [self.choice]}, "value": some_of(self.among, self.least, self.most)})

    def sample(self, rng: Random) -> Any:
        count = rng.randint(self.least, min(self.most, len(self.among)))
        return Choose(self.choice, tuple(rng.sample(self.among, count)))


def is_bare(move: Choose) -> bool:
    """Say whether a choice has none of the arguments of other kinds."""
    return (move.top, move.targets, move.number, move.yes) == (None,) * 4


@value
class Scouting:
    """This choice is to put some of these cards under the library, and the rest back on top."""

    cards: Handles
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "scout" or (move.targets, move.number, move.yes) != (None,) * 3:
            return False
        return sorted((*(move.value or ()), *(move.top or ()))) == sorted(self.cards)

    def schema(self) -> dict[str, Any]:
        row = some_of(self.cards, 0, len(self.cards))
        return object_of({"choice": {"enum": ["scout"]}, "value": row, "top": row}, ["choice"])

    def sample(self, rng: Random) -> Any:
        mixed = tuple(rng.sample(self.cards, len(self.cards)))
        n = rng.randint(0, len(mixed))
        return Choose("scout", mixed[:n], mixed[n:])


@value
class TargetsOfTrigger:
    """This choice is to choose the targets of a trigger."""

    options: tuple[Candidates, ...]
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "trigger_targets":
            return False
        others = (move.value, move.top, move.number, move.yes)
        return others == (None,) * 4 and move.targets is not None and not fault(self.options, move.targets)

    def schema(self) -> dict[str, Any]:
        return described({"choice": {"enum": ["trigger_targets"]}, "targets": targets_schema(self.options)})

    def sample(self, rng: Random) -> Any:
        return Choose("trigger_targets", targets=any_targets(self.options, rng))


@value
class NumberChosen:
    """This choice is of a mode, by its number from 0 on."""

    most: int
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "mode" or move.number is None:
            return False
        others = (move.value, move.top, move.targets, move.yes)
        return others == (None,) * 4 and 0 <= move.number <= self.most

    def schema(self) -> dict[str, Any]:
        return described(
            {"choice": {"enum": ["mode"]}, "number": {"type": "integer", "minimum": 0, "maximum": self.most}}
        )

    def sample(self, rng: Random) -> Any:
        return Choose("mode", number=rng.randint(0, self.most))


@value
class YesOrNo:
    """This choice is to do something or not; what is paid for it is paid automatically."""

    choice: Kind
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != self.choice or move.yes is None:
            return False
        return (move.value, move.top, move.targets, move.number) == (None,) * 4

    def schema(self) -> dict[str, Any]:
        return described({"choice": {"enum": [self.choice]}, "yes": {"type": "boolean"}})

    def sample(self, rng: Random) -> Any:
        return Choose(self.choice, yes=rng.random() < 0.5)
