"""Describes, as data, the answers to what a seat is asked while something resolves (fivewells 4)."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Final

from domain.core.choices import X_NAMES, described
from domain.core.type_schema import object_of
from domain.core.values import value
from domain.games.fivewells.answering import are_different
from domain.games.fivewells.handles import Handles, Targets
from domain.games.fivewells.legal import any_targets, some_of, targets_schema
from domain.games.fivewells.moves import Arranged, Choose
from domain.games.fivewells.records import Kind
from domain.games.fivewells.targets import Candidates, fault

ASKED: Final[Mapping[Kind, tuple[str, str]]] = {
    "discard": ("Discard", "Cards"),
    "cleanup_discard": ("Discard", "Cards"),
    "sacrifice": ("Sacrifice", "Permanents"),
    "scout": ("Put back", "Scouted cards"),
    "search": ("Take from the library", "Lands"),
    "trigger_targets": ("Choose targets", "Targets"),
    "mode": ("Choose one", "Mode"),
    "may": ("Let it happen", "Answer"),
    "pay_or_not": ("Pay for it", "Answer"),
}
"""The titles of an answer and of what is chosen in it, by what is asked."""


def asking(choice: Kind, answer: dict[str, Any], why: str = "") -> dict[str, Any]:
    """Describe the answer to a question; who finds nothing need not say so."""
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
    """What is chosen, and for which card."""
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
    """Give the objects that an answer names; None for another kind of answer. Who finds nothing need not say so."""
    if move.value is None and move.choice == "search":
        return ()
    return move.value if isinstance(move.value, tuple) else None


@value
class Scouting:
    """This choice is to put some of these cards under the library, and the rest back on top.

    What is named in neither row stays on top as it lies, below what is named.
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
        deepest, topmost = (", deepest first", ", topmost first") if len(self.cards) > 1 else ("", "")
        put = {
            "bottom": {"title": f"Under the library{deepest}", **row},
            "top": {"title": f"On top{topmost}", **row},
        }
        return asking("scout", described(put), f"{self.why}. What is not chosen stays on top as it lies")

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
