"""Takes in questions and answers."""

from typing import assert_never

from domain.core.values import changed, shown
from domain.games.fivewells.events import ChoiceMade, ChoiceRequested, EffectDone, RandomDiscardDue
from domain.games.fivewells.evolve.stack import spend
from domain.games.fivewells.evolve.turns import stop_passing
from domain.games.fivewells.evolve.zones import know
from domain.games.fivewells.state import Question, State


def question(s: State, event: EffectDone | ChoiceRequested | ChoiceMade | RandomDiscardDue) -> None:
    """Take in what is asked and answered."""
    match event:
        case EffectDone():
            s.answer = None
            s.resolving = changed(s.resolving, n=event.n, unit=event.unit, amount=event.amount)
        case ChoiceRequested():
            cards = shown(event.cards, ())
            s.asked = Question(event.seat, event.choice, event.least, event.most, event.objects, cards)
            know(s, cards)
            stop_passing(s, event.seat)
        case ChoiceMade():
            s.asked, s.answer = None, event.number
            spend(s, event)
        case RandomDiscardDue():
            s.random_discard = event.seat
        case _:
            assert_never(event)
