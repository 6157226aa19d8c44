"""Represents legal moves as data, small enough to send and exact enough to check and to sample.

Three cards of thirteen make 286 passes, so a game describes its moves instead of listing them. One object answers every
question about legality: `admits` checks a move, `schema` describes the arguments to clients, `sample` draws a move for
bots and tests.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, Protocol, runtime_checkable

from domain.core.cards import Cards, card_names
from domain.core.type_schema import object_of
from domain.core.types import key
from domain.core.values import value

X_USEFUL: Final = "x-useful"
"""Next to the limits of a number: common values, each with a title."""

X_STEP: Final = "x-step"
"""Next to the limits of a number: the usual step, such as a big blind; values between steps are legal."""

X_NAMES: Final = "x-names"
"""Next to an enum: titles of its values for people."""

X_FREE: Final = "x-free"
"""Next to the enum of a list that may repeat values: the values that are unlimited."""

X_OTHER: Final = "x-other"
"""Next to a list: the argument whose value it must not contain."""

X_CONFIRM: Final = "x-confirm"
"""Next to the title of a move: true if a program should ask the player again, because a mistake would be costly."""

X_PROPOSALS: Final = "x-proposals"
"""Next to the title of a move: complete arguments that the game proposes, the best first."""


@cache
def argument_name(make: type) -> str:
    """Return the name of the first argument of a move."""
    return fields(make)[0].name


def argument(move: Any) -> Any:
    """Return the value of a move's first argument."""
    cls: type = type(move)
    return getattr(move, argument_name(cls))


def _written(make: type) -> str:
    """Return the name of a move's first argument in the API."""
    return key(argument_name(make))


def arguments_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of an object with exactly these properties."""
    return object_of(properties, list(properties))


def some_pairs(first: str, second: str, partners: Mapping[Any, Iterable[Any]]) -> dict[str, Any]:
    """Describe a list of different pairs by the first element, each with its possible partners.

    Values with the same partners share a row, so that the schema grows with the elements and not with the pairs. A
    single row needs no alternatives.
    """
    alike: dict[tuple[Any, ...], list[Any]] = {}
    for one, fit in partners.items():
        alike.setdefault(tuple(fit), []).append(one)
    rows = [{first: {"enum": these}, second: {"enum": list(those)}} for those, these in alike.items()]
    items = arguments_schema(rows[0] if len(rows) == 1 else {first: {}, second: {}})
    if len(rows) != 1:
        items["anyOf"] = [{"properties": row} for row in rows]
    return {"type": "array", "items": items, "maxItems": len(partners), "uniqueItems": True}


@value
class NoArguments:
    """The move without arguments.

    `title` is for texts that change, such as the current price of the move. A fixed text is the `title` of the move's
    class. With `confirm`, programs ask the player again before they send the move.
    """

    make: type
    title: str = ""
    confirm: bool = False
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is self.make

    def schema(self) -> dict[str, Any]:
        said = ({"title": self.title} if self.title else {}) | ({X_CONFIRM: True} if self.confirm else {})
        return said | arguments_schema({})

    def sample(self, rng: Random) -> Any:
        return self.make()


@value
class OneCard:
    """The choice of a move with one of these cards."""

    make: type
    of: Cards
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is self.make and argument(move) in self.of

    def schema(self) -> dict[str, Any]:
        return arguments_schema({_written(self.make): {"enum": card_names(self.of)}})

    def sample(self, rng: Random) -> Any:
        return self.make(self.of[int(rng.random() * len(self.of))])


@value
class OneNumber:
    """The choice of a move with a whole number from `low` to `high`, both included.

    `useful` are common numbers with their titles; `step` is the usual step.
    """

    make: type
    low: int
    high: int
    useful: tuple[tuple[str, int], ...] = ()
    step: int = 1
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is self.make and self.low <= argument(move) <= self.high

    def schema(self) -> dict[str, Any]:
        number: dict[str, Any] = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.useful:
            number[X_USEFUL] = [{"title": title, "value": n} for title, n in self.useful]
        return arguments_schema({_written(self.make): number | ({X_STEP: self.step} if self.step > 1 else {})})

    def sample(self, rng: Random) -> Any:
        return self.make(rng.randint(self.low, self.high))


@value
class SomeCards:
    """The choice of a move with `count` different cards of these, or with `count` to `most` of them."""

    make: type
    of: Cards
    count: int
    most: int | None = None
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not self.make:
            return False
        cards = argument(move)
        different = len(cards) == len(set(cards)) and set(cards) <= set(self.of)
        return different and self.count <= len(cards) <= self._most()

    def only(self) -> Cards | None:
        """Return the only legal selection, if there is exactly one."""
        alone = self.count == self._most() and self.count in (0, len(self.of))
        return self.of[: self.count] if alone else None

    def _most(self) -> int:
        return self.count if self.most is None else self.most

    def schema(self) -> dict[str, Any]:
        cards = {
            "type": "array",
            "items": {"enum": card_names(self.of)},
            "minItems": self.count,
            "maxItems": self._most(),
            "uniqueItems": True,
        }
        return arguments_schema({_written(self.make): cards})

    def sample(self, rng: Random) -> Any:
        count = self.count if self.most is None else rng.randint(self.count, self.most)
        return self.make(tuple(sorted(rng.sample(self.of, count))))


@value
class Shuffle:
    """Asks chance for these items in a random order; `n` numbers the results of one purpose (rules 1.6)."""

    make: type
    purpose: str
    items: tuple[Any, ...]
    n: int = 0

    def admits(self, move: Any) -> bool:
        return type(move) is self.make and sorted(argument(move)) == sorted(self.items)

    def sample(self, rng: Random) -> Any:
        return self.make(tuple(rng.sample(self.items, len(self.items))))


@value
class Below:
    """Asks chance for a number from 0 up to, not including, `bound` (rules 1.6)."""

    make: type
    purpose: str
    bound: int
    n: int = 0

    def admits(self, move: Any) -> bool:
        return type(move) is self.make and 0 <= argument(move) < self.bound

    def sample(self, rng: Random) -> Any:
        return self.make(rng.randrange(self.bound))


@value
class Drawing:
    """A question to chance for a game's own draw from the words of one result (rules 1.6).

    `draw` computes it from the words, with `below` and `shuffled` of `domain.core.fairness`.
    """

    make: type
    purpose: str
    draw: Callable[[Iterator[int]], Any]
    n: int = 0

    def admits(self, move: Any) -> bool:
        return type(move) is self.make

    def sample(self, rng: Random) -> Any:
        return self.make(self.draw(iter(lambda: rng.getrandbits(32), -1)))


@runtime_checkable
class Choice(Protocol):
    """Describes the legal moves of one kind for a seat.

    A game with richer moves defines its own class. Two attributes are optional: `of` are the possible values of the
    first argument, and `plain` those that need no further arguments. Orders choose among them, and make the move if it
    is the only one. The optional method `proposals` returns complete moves that the game proposes, the best first.

    `exact` says whether `schema` allows exactly the legal arguments.
    """

    @property
    def make(self) -> type: ...
    @property
    def exact(self) -> bool: ...
    def admits(self, move: Any) -> bool: ...
    def schema(self) -> dict[str, Any]: ...
    def sample(self, rng: Random) -> Any: ...


def proposals(choice: Choice) -> tuple[Any, ...]:
    """Return the complete moves that a choice proposes; most choices propose none."""
    proposed: Callable[[], tuple[Any, ...]] | None = getattr(choice, "proposals", None)
    return proposed() if proposed else ()


Ask = Shuffle | Below | Drawing
"""A question to chance: a shuffle, a number, or a game's own draw from one stream of words."""
