"""Describes, as data, the moves that answer what a seat is asked: hands to keep, combat, choices (fivewells 4)."""

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Final, get_args

from domain.core.choices import X_NAMES, arguments_schema, some_pairs
from domain.core.type_schema import object_of
from domain.core.values import value
from domain.games.fivewells.casting import Candidates, fault
from domain.games.fivewells.legal import any_targets, object_names, some_of, targets_schema
from domain.games.fivewells.moves import (
    Arranged,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
)
from domain.games.fivewells.records import Blocks, Handle, Handles, Kind, Stop, Targets, Until, name
from domain.games.fivewells.texts import window_name

# --- What the game asks for --------------------------------------------------------------------------------


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
    """Return whether objects are different, and among these."""
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
        return arguments_schema({"card": {"enum": object_names(self.of)}})

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
        return object_of({"stops": {"title": "Always", **row}, "once": {"title": "Next time only", **row}}, ["stops"])

    def sample(self, rng: Random) -> Any:
        # A seat that stops seldom would do nothing.
        return SetStops(tuple(one for one in self.windows if rng.random() < 0.9))


# --- Combat ------------------------------------------------------------------------------------------------


@value
class Attacking:
    """This choice is to attack with any of these creatures."""

    creatures: Handles
    make: ClassVar[type] = DeclareAttackers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is DeclareAttackers and are_different(move.attackers, self.creatures)

    def schema(self) -> dict[str, Any]:
        return arguments_schema({"attackers": some_of(self.creatures, 0, len(self.creatures))})

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
        return arguments_schema({"blocks": some_pairs("blocker", "attacker", self._named())})

    def _named(self) -> dict[str, tuple[str, ...]]:
        """Return who may block whom by names; those that may block the same attackers share these."""
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
        of = {"description": f"Blockers of {self.called}, in the order of damage"}
        order = some_of(self.blockers, count, count) | of
        return arguments_schema({"attacker": {"enum": [name(self.attacker)]}, "order": order})

    def sample(self, rng: Random) -> Any:
        return OrderBlockers(self.attacker, tuple(rng.sample(self.blockers, len(self.blockers))))


# --- What is asked while something resolves ----------------------------------------------------------------


ASKED: Final[Mapping[Kind, tuple[str, str]]] = {
    "discard": ("Discard", "Cards"),
    "cleanup_discard": ("Discard", "Cards"),
    "sacrifice": ("Sacrifice", "Permanents"),
    "scout": ("Put back", "Scouted cards"),
    "search": ("Choose from the library", "Lands"),
    "trigger_targets": ("Choose targets", "Targets"),
    "mode": ("Choose one", "Mode"),
    "may": ("Let it happen", "Answer"),
    "pay_or_not": ("Pay for it", "Answer"),
}
"""The titles of an answer and of the choice in it, by the question."""


def asking(choice: Kind, answer: dict[str, Any], why: str = "") -> dict[str, Any]:
    """Describe the answer to a question; a search that finds nothing may leave it out."""
    title, of = ASKED[choice]
    known = {"choice": {"enum": [choice]}, "value": {"title": of, **answer}}
    about = {"description": f"{why}."} if why else {}
    return {"title": title, **about, **object_of(known, ["choice"] if choice == "search" else list(known))}


def in_a_word(choice: Kind, answers: Mapping[Any, str], why: str) -> dict[str, Any]:
    """Describe a question that is answered by one of few values, with what people call them.

    The value is named before what is asked, for that is what is chosen.
    """
    called = {json.dumps(value): text for value, text in answers.items()}
    return asking(choice, {"enum": [*answers], X_NAMES: called}, why) | {"required": ["value", "choice"]}


@value
class SomeChosen:
    """This choice is to choose from `least` to `most` of these cards or permanents."""

    choice: Kind
    among: Handles
    least: int
    most: int
    why: str
    what: str
    """The object of the choice, and its card."""
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != self.choice:
            return False
        chosen = named_objects(move)
        return chosen is not None and are_different(chosen, self.among) and self.least <= len(chosen) <= self.most

    def schema(self) -> dict[str, Any]:
        return asking(self.choice, some_of(self.among, self.least, self.most) | {"description": self.what}, self.why)

    def sample(self, rng: Random) -> Any:
        count = rng.randint(self.least, min(self.most, len(self.among)))
        return Choose(self.choice, tuple(rng.sample(self.among, count)))


def named_objects(move: Choose) -> Handles | None:
    """Return the objects that an answer names; None for another kind of answer.

    A search that finds nothing may leave it out.
    """
    if move.value is None and move.choice == "search":
        return ()
    return move.value if isinstance(move.value, tuple) else None


@value
class Scouting:
    """This choice is to put some of these cards under the library, and the rest back on top.

    Cards named in neither row stay on top in their order, below the named ones.
    """

    cards: Handles
    why: str
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "scout" or not isinstance(move.value, Arranged):
            return False
        return are_different((*move.value.bottom, *move.value.top), self.cards)

    def schema(self) -> dict[str, Any]:
        row = some_of(self.cards, 0, len(self.cards))
        deepest, topmost = (", lowest first", ", topmost first") if len(self.cards) > 1 else ("", "")
        put = {
            "bottom": {"title": f"Under the library{deepest}", **row},
            "top": {"title": f"On top{topmost}", **row},
        }
        return asking("scout", arguments_schema(put), f"{self.why}. Other cards stay on top in their order")

    def sample(self, rng: Random) -> Any:
        mixed = tuple(rng.sample(self.cards, len(self.cards)))
        n = rng.randint(0, len(mixed))
        return Choose("scout", Arranged(mixed[:n], mixed[n:]))


@value
class TargetsOfTrigger:
    """This choice is to choose the targets of a trigger."""

    options: tuple[Candidates, ...]
    why: str
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "trigger_targets" or not isinstance(move.value, Targets):
            return False
        return not fault(self.options, move.value)

    def schema(self) -> dict[str, Any]:
        return asking("trigger_targets", targets_schema(self.options), self.why)

    def sample(self, rng: Random) -> Any:
        return Choose("trigger_targets", any_targets(self.options, rng))


@value
class NumberChosen:
    """This choice is of a mode, by its number from 0 on."""

    modes: tuple[str, ...]
    """What each of them does."""
    why: str
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not Choose or move.choice != "mode":
            return False
        return type(move.value) is int and 0 <= move.value < len(self.modes)

    def schema(self) -> dict[str, Any]:
        return in_a_word("mode", dict(enumerate(self.modes)), self.why)

    def sample(self, rng: Random) -> Any:
        return Choose("mode", rng.randrange(len(self.modes)))


@value
class YesOrNo:
    """This choice is to do something or not; what is paid for it is paid automatically."""

    choice: Kind
    yes: str
    no: str
    why: str
    make: ClassVar[type] = Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is Choose and move.choice == self.choice and isinstance(move.value, bool)

    def schema(self) -> dict[str, Any]:
        return in_a_word(self.choice, {True: self.yes, False: self.no}, self.why)

    def sample(self, rng: Random) -> Any:
        return Choose(self.choice, rng.random() < 0.5)
