"""Takes in what enters and leaves the battlefield, and what effects do to it and to life."""

from typing import assert_never

from domain.core.cards import remove
from domain.core.values import put
from domain.games.fivewells.events import (
    CountersAdded,
    DamageDealt,
    LifeChanged,
    PermanentEntered,
    PermanentFrozen,
    PermanentsLeft,
    PermanentTapped,
    PermanentUntapped,
    PumpApplied,
    TokenCreated,
)
from domain.games.fivewells.evolve.stack import take_off_stack
from domain.games.fivewells.evolve.zones import (
    change_permanents,
    permanents_of,
    put_onto_battlefield,
    take_off_battlefield,
    tap,
    wound,
)
from domain.games.fivewells.handles import Handle
from domain.games.fivewells.records import Lasting
from domain.games.fivewells.state import Permanent, State

Battle = (
    PermanentEntered
    | TokenCreated
    | PermanentsLeft
    | PermanentTapped
    | PermanentUntapped
    | PermanentFrozen
    | DamageDealt
    | LifeChanged
    | CountersAdded
    | PumpApplied
)


def battle(s: State, event: Battle) -> None:
    """Take in what happens to permanents and to life."""
    match event:
        case PermanentEntered():
            take_off_stack(s, event.resolved)
            for card in event.from_graveyard:
                s.graveyards = put(s.graveyards, event.owner, remove(s.graveyards[event.owner], card))
            s.cards = put(s.cards, event.object, event.card)
            put_onto_battlefield(s, Permanent(event.object, event.card, event.owner, event.controller, event.tapped))
        case TokenCreated():
            s.next_token = Handle(s.next_token + 1)
            put_onto_battlefield(s, Permanent(event.object, event.token, event.owner, event.owner, token=True))
        case PermanentsLeft():
            take_off_battlefield(s, event)
        case PermanentTapped():
            tap(s, (event.object,))
        case PermanentUntapped():
            change_permanents(s, (event.object,), tapped=False)
        case PermanentFrozen():
            change_permanents(s, (event.object,), frozen=True)
        case DamageDealt():
            wound(s, event.rows)
        case LifeChanged():
            s.life = put(s.life, event.seat, event.life)
        case CountersAdded():
            change_permanents(s, (event.object,), counters=event.total)
        case PumpApplied(until_turn_of=int() as seat):
            pump = Lasting(event.power, event.toughness, event.keywords)
            for p in permanents_of(s, event.objects):
                change_permanents(s, (p.object,), lasting=put(p.lasting, seat, (*p.lasting[seat], pump)))
        case PumpApplied():
            for p in permanents_of(s, event.objects):
                more = {"power": p.power + event.power, "toughness": p.toughness + event.toughness}
                change_permanents(s, (p.object,), keywords=p.keywords + event.keywords, **more)
        case _:
            assert_never(event)
