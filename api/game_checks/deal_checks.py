"""Repeats the deals of a game under check: the game's own check of deals must find nothing wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps, loads
from typing import Any

from api.game_checks.event_checks import shape_of
from api.game_checks.safe_calls import CheckFailed, run
from domain.core.cards import SUITS, Suit
from domain.core.choices import Ask, argument, argument_name
from domain.core.dealing import Dealing
from domain.core.json_form import JsonForm, apply, as_object, as_text, compile_form
from domain.core.types import Typed, fields_of
from domain.core.values import value
from domain.core.visibility import Reader


@value
class WrittenEvent:
    """An event as a record has it."""

    data: Mapping[str, Any]
    parts: Mapping[str, Mapping[Reader, Any]]


@dataclass(slots=True)
class DealtAgain:
    """Holds what chance has answered, by purpose and number, and what the game remembers of its deals."""

    game: Any
    dealing: Dealing
    answers: dict[tuple[str, int], tuple[Ask, Any]] = field(default_factory=dict)
    compared: set[str] = field(default_factory=set)
    """The purposes of the answers that a check of the deals has asked for."""

    def note(self, ask: Ask, move: Any) -> None:
        """Keep an answer of chance."""
        self.answers[ask.purpose, ask.n] = (ask, move)

    def see(self, events: Sequence[Any]) -> None:
        """Compare the events with the answers, as a verifier does. Raise `CheckFailed`."""
        life = self.game.lifecycle
        for event in events:
            kind, fact = type(event), _written(event, self.dealing.seats)
            if kind is life.hand_starts:
                self.dealing.hands, self.dealing.started = self.dealing.hands + 1, fact.data
            if kind in (life.game_starts, life.hand_starts):
                self.remember_anew()
            if kind in self.game.deal.sees:
                run(f"deal.sees[{kind.__name__}]", self.game.deal.sees[kind], self.dealing, fact)

    def end(self) -> None:
        """Check that every answer of chance was compared with an event. Raise `CheckFailed`."""
        for purpose in sorted({purpose for purpose, _ in self.answers} - self.compared):
            raise CheckFailed("deal.sees", f"What chance answers for {purpose!r} is compared with no event.")

    def remember_anew(self) -> None:
        """Forget the cards that were cut, and make the memory of the game's deals again."""
        self.dealing.cuts = []
        fresh = self.game.deal.fresh
        self.dealing.known = run("deal.fresh", fresh) if fresh else None


def dealt_again(game: Any, options: Mapping[str, Any], seats: int) -> DealtAgain:
    """Return a second dealer, before the first game."""
    again = DealtAgain(game, Dealing(seats, options, lambda ask, link: None))
    again.dealing.answer = lambda ask, link: _answer(again, ask)
    again.remember_anew()
    return again


def _answer(again: DealtAgain, asked: Ask) -> Any:
    if (asked.purpose, asked.n) not in again.answers:
        raise ValueError(f"chance was not asked for {asked.purpose!r}, number {asked.n}")
    again.compared.add(asked.purpose)
    ask, move = again.answers[asked.purpose, asked.n]
    hint = fields_of(ask.make)[argument_name(ask.make)]
    items = getattr(asked, "items", None)
    if items is not None and list(items) != as_recorded(hint, getattr(ask, "items", ())):
        raise ValueError(f"chance was asked to shuffle other things for {asked.purpose!r}")
    return as_recorded(hint, argument(move))


def _written(event: Any, seats: int) -> WrittenEvent:
    kind: Any = type(event)
    shape = shape_of(kind)
    return WrittenEvent(*loads(dumps((shape.data(event), shape.parts(event, seats)))))


def as_recorded(t: Typed, x: Any) -> Any:
    """Return a value as a record has it: cards and suits are names."""
    return loads(dumps(apply(compile_form(t, _leaf, as_object).write, x)))


def _leaf(t: Typed) -> JsonForm | None:
    return JsonForm(SUITS.__getitem__, SUITS.index) if t.of is Suit else as_text(t)
