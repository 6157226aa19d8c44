"""Shows a duel as a scene."""

from collections.abc import Iterable

from domain.core.cards import Seat
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, counted, named, numbers
from domain.core.text import listed
from domain.games.fivewells.called import arrival_places, name_of, namesake_number, object_name
from domain.games.fivewells.characteristics import Thing, board
from domain.games.fivewells.handles import BACK, Faces, Handle, is_seat, name, seat_of
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import StackItem, State
from domain.games.fivewells.step_names import STEPS
from domain.games.fivewells.targets import everything
from domain.games.fivewells.waiting import phase, to_act


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this reader knows it."""
    zones = [zone for one in (0, 1) for zone in zones_of(s, one)]
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, one) for one in (0, 1)),
        (*zones, stack(s), *looked_at(s)),
        numbers(turn=s.turn or None),
        (f"{STEPS[s.step].capitalize()}.",) if s.step and s.ended is None else (),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    held = badges(turn=seat in to_act(s), own_turn=seat == s.active)
    pool = sum(s.pools[seat])
    return SeatShown(seat, held, numbers(life=s.life[seat], mana=pool or None))


def zones_of(s: State, seat: Seat) -> Iterable[Zone]:
    """Give what a seat holds, has before it, and has used."""
    yield card_zone(s, "hand", seat, s.hands[seat])
    yield counted("library", len(s.libraries[seat]) - len(shown_of_library(s, seat)), seat)
    yield card_zone(s, "graveyard", seat, s.graveyards[seat])
    order = arrival_places(s, seat)
    own = sorted(
        (thing for thing in board(s).things.values() if thing.controller == seat),
        key=lambda thing: (order.get(thing.object, len(order)), thing.object),
    )
    yield permanents(s, "lands", seat, [thing for thing in own if thing.printed.land])
    yield permanents(s, "battlefield", seat, [thing for thing in own if not thing.printed.land])


def card_zone(s: State, kind: str, seat: Seat, handles: Iterable[Handle]) -> Zone:
    """Give a hand or a graveyard; cards that are not known lie face down."""
    row = list(handles)
    known = [one for one in row if one != BACK and s.cards[one]]
    spots = tuple(Spot(PRINTED[s.cards[one]].name, id=name(one)) for one in known)
    return Zone(named(kind, seat), kind, "fan" if kind == "hand" else "pile", seat, spots, len(row))


def permanents(s: State, kind: str, seat: Seat, things: Iterable[Thing]) -> Zone:
    """Give permanents with what is to be seen of them."""
    spots = tuple(Spot(thing.printed.name, marks=marks(s, thing), id=name(thing.object)) for thing in things)
    return Zone(named(kind, seat), kind, "row", seat, spots, len(spots))


def marks(s: State, thing: Thing) -> tuple[str, ...]:
    """Say in a few words which permanent of its name it is, and what it is now."""
    p = thing.permanent
    nth = namesake_number(s, thing.object, thing.controller)
    size = (f"{thing.power}/{thing.toughness}", *sorted(thing.keywords)) if thing.printed.creature else ()
    states = badges(tapped=p.tapped, frozen=p.frozen, new=p.new and thing.printed.creature, attacking=p.attacking)
    blocking = (f"blocks {named_attacker(s, p.blocks)}".rstrip(),) if p.blocks else ()
    return (*([nth] if nth else ()), *size, *states, *blocking, *((f"damage {p.damage}",) if p.damage else ()))


def named_attacker(s: State, attacker: Handle) -> str:
    """Name what is blocked, a token too; nothing is known any more of a token that is gone."""
    if there := board(s).things.get(attacker):
        return there.printed.name
    card = s.cards[attacker] if attacker < len(s.cards) else ""
    return PRINTED[card].name if card else ""


def looked_at(s: State) -> Iterable[Zone]:
    """Give the cards of a library that one who is asked is shown; for that long they do not lie in it."""
    for seat in (0, 1):
        if known := shown_of_library(s, seat):
            spots = tuple(Spot(PRINTED[face.card].name, id=name(face.object)) for face in known)
            yield Zone(named("looked_at", seat), "looked_at", "row", seat, spots, len(spots))


def shown_of_library(s: State, seat: Seat) -> Faces:
    """Give the cards of its library that a seat is shown, as far as the reader knows them."""
    return tuple(face for face in s.asked.cards if face.card) if s.asked and s.asked.seat == seat else ()


def stack(s: State) -> Zone:
    """Give the stack, its top last, with what each object is aimed at."""
    spots = tuple(
        Spot(
            PRINTED[one.card].name,
            seat=one.controller,
            marks=(*(() if one.spell else ("ability",)), *aims(s, one)),
            id=name(one.item),
        )
        for one in s.stack
    )
    return Zone("stack", "stack", "row", None, spots, len(spots))


def aims(s: State, item: StackItem) -> tuple[str, ...]:
    """Say at what something on the stack is aimed."""
    at = [aim(s, one) for one in everything(item.targets)]
    return (f"at {listed(at)}",) if at else ()


def aim(s: State, target: Handle) -> str:
    """Name a target: a player, or an object, and whose it is where the other has one of that name."""
    if is_seat(target):
        return f"seat {seat_of(target)}"
    things = board(s).things
    alike = {one.controller for one in things.values() if one.printed.name == name_of(s, target)}
    return object_name(s, target, whose=target in things and len(alike) > 1)
