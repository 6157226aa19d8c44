"""Shows a duel to a seat or to spectators: the table, its scene, places of arguments, prompts, facts for orders."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypedDict, get_args

from domain.core.cards import Card, Seat, seat_or_none
from domain.core.game import FactKind
from domain.core.prompts import some_cards
from domain.core.scene import (
    LIBRARY,
    Scene,
    SeatShown,
    Spot,
    StepShown,
    Zone,
    badges,
    face_down_heap,
    numbers,
    zone_id,
)
from domain.core.scene_pointers import SEATS, At, Where, zone_pointer
from domain.core.shown import TableShown
from domain.core.text import capitalise, join_words
from domain.games.fivewells import moves
from domain.games.fivewells.casting import all_targets
from domain.games.fivewells.characteristics import PRINTED, Thing, board
from domain.games.fivewells.combat import attackers
from domain.games.fivewells.records import BACK, LETTERS, Faces, Handle, Handles, Kind, is_seat, name, seat_of
from domain.games.fivewells.state import Question, StackItem, State, top
from domain.games.fivewells.texts import STEPS, arrival_places, asker, name_of, namesake_number, object_name
from domain.games.fivewells.turns import WINDOWS, stop_of
from domain.games.fivewells.waiting import LandToPlay, default, phase, to_act, with_priority

# --- The table ---------------------------------------------------------------------------------------------


class CardShown(TypedDict):
    """A card that the reader sees."""

    object: str
    """Its handle."""
    card: str
    """Its id."""
    name: str
    """Its name."""


class PermanentShown(CardShown):
    """A permanent as it is now."""

    owner: Seat
    """The seat that began with it, or created it."""
    controller: Seat
    """The seat that controls it."""
    power: int
    """Its power."""
    toughness: int
    """Its toughness."""
    keywords: list[str]
    """Its keywords."""
    damage: int
    """The damage that is marked on it."""
    counters: int
    """Its growth counters."""
    tapped: bool
    """Whether it is tapped."""
    frozen: bool
    """Whether it is frozen."""
    new: bool
    """Whether it has entered since its controller's last untap step."""
    attacking: bool
    """Whether it is attacking."""
    blocks: str | None
    """The attacker that it blocks."""


class StackShown(CardShown):
    """A spell or an ability on the stack."""

    source: str
    """The card, or the permanent whose ability it is."""
    controller: Seat
    """The seat that controls it."""
    spell: bool
    """Whether it is a spell."""
    targets: list[str]
    """Its targets."""
    x: int | None
    """The number chosen for X."""


class FivewellsShown(TableShown):
    """The table of a duel."""

    turn: int
    """The number of the turn, of both seats together."""
    active: Seat | None
    """The seat whose turn it is."""
    step: str
    """The step of the turn."""
    priority: Seat | None
    """The seat that has priority."""
    life: list[int]
    """The life of each seat."""
    library_counts: list[int]
    """The number of cards in each library."""
    pools: list[list[int]]
    """The mana in each pool: S T R F G and neutral."""
    held: list[CardShown]
    """The reader's cards."""
    graveyards: list[list[CardShown]]
    """The graveyards; the top card is the last."""
    battlefield: list[PermanentShown]
    """The permanents, in the order of their handles."""
    stack: list[StackShown]
    """The stack; its top is the last."""


def card_shown(s: State, handle: Handle) -> CardShown:
    """Show a card."""
    return {"object": name(handle), "card": s.cards[handle], "name": PRINTED[s.cards[handle]].name}


def shown_cards(s: State, handles: Handles) -> list[CardShown]:
    """Show the cards that are known."""
    return [card_shown(s, handle) for handle in handles if handle != BACK and s.cards[handle]]


def battlefield(s: State) -> list[PermanentShown]:
    """Show the permanents."""
    things = board(s).things
    rows: list[PermanentShown] = []
    for handle in sorted(things):
        thing, p = things[handle], things[handle].permanent
        rows.append(
            {
                "object": name(handle),
                "card": p.card,
                "name": thing.printed.name,
                "owner": p.owner,
                "controller": p.controller,
                "power": thing.power,
                "toughness": thing.toughness,
                "keywords": sorted(thing.keywords),
                "damage": p.damage,
                "counters": p.counters,
                "tapped": p.tapped,
                "frozen": p.frozen,
                "new": p.new,
                "attacking": p.attacking,
                "blocks": name(p.blocks) if p.blocks else None,
            }
        )
    return rows


def stack_shown(s: State) -> list[StackShown]:
    """Show the stack."""
    return [
        {
            "object": name(one.item),
            "card": one.card,
            "name": PRINTED[one.card].name,
            "source": name(one.source),
            "controller": one.controller,
            "spell": one.spell,
            "targets": [name(target) for letter in LETTERS for target in one.targets.of(letter)],
            "x": one.x,
        }
        for one in s.stack
    ]


def view(s: State, seat: Seat | None) -> FivewellsShown:
    """Return the table as this reader knows it."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": [int(s.ended is not None and one in s.ended.winners) for one in (0, 1)],
        "turn": s.turn,
        "active": seat_or_none(s.active),
        "step": s.step,
        "priority": seat_or_none(s.priority),
        "life": list(s.life),
        "library_counts": [len(library) for library in s.libraries],
        "pools": [list(pool) for pool in s.pools],
        "held": [] if seat is None else shown_cards(s, s.hands[seat]),
        "graveyards": [shown_cards(s, pile) for pile in s.graveyards],
        "battlefield": battlefield(s),
        "stack": stack_shown(s),
    }


# --- The scene ---------------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this reader knows it."""
    zones = [zone for one in (0, 1) for zone in seat_zones(s, one, seat)]
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, one) for one in (0, 1)),
        (*zones, stack_zone(s), *looked_at(s, seat)),
        numbers(turn=s.turn or None),
        (f"{STEPS[s.step].capitalize()}.",) if s.step and s.ended is None else (),
        steps=turn_steps(s, seat),
    )


def turn_steps(s: State, reader: Seat | None) -> tuple[StepShown, ...]:
    """Return the steps of a turn in which seats can act, with the reader's stops in this turn."""
    if not s.step or s.ended is not None:
        return ()
    stops = () if reader is None else (*s.stops[reader], *s.once[reader])
    windows = (step for step in STEPS if step in WINDOWS)
    return tuple(
        StepShown(STEPS[step], step == s.step, reader is not None and stop_of(s, reader, step) in stops)
        for step in windows
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    held = badges(turn=seat in to_act(s), own_turn=seat == s.active)
    pool = sum(s.pools[seat])
    return SeatShown(seat, held, numbers(life=s.life[seat], mana=pool or None))


def seat_zones(s: State, seat: Seat, reader: Seat | None) -> Iterable[Zone]:
    """Return a seat's hand, permanents and graveyard."""
    yield card_zone(s, "hand", seat, s.hands[seat])
    yield face_down_heap(LIBRARY, len(s.libraries[seat]) - len(shown_of_library(s, seat, reader)), seat)
    yield card_zone(s, "graveyard", seat, s.graveyards[seat])
    order = arrival_places(s, seat)
    own = sorted(
        (thing for thing in board(s).things.values() if thing.controller == seat),
        key=lambda thing: (order.get(thing.object, len(order)), thing.object),
    )
    yield permanents(s, "lands", seat, [thing for thing in own if thing.printed.land])
    yield permanents(s, "battlefield", seat, [thing for thing in own if not thing.printed.land])


def card_zone(s: State, kind: str, seat: Seat, handles: Iterable[Handle]) -> Zone:
    """Return a hand or a graveyard; unknown cards are face down."""
    row = list(handles)
    known = [one for one in row if one != BACK and s.cards[one]]
    spots = tuple(Spot(PRINTED[s.cards[one]].name, id=name(one)) for one in known)
    return Zone(zone_id(kind, seat), kind, "fan" if kind == "hand" else "pile", seat, spots, len(row))


def permanents(s: State, kind: str, seat: Seat, things: Iterable[Thing]) -> Zone:
    """Return permanents with their visible properties."""
    spots = tuple(
        Spot(thing.printed.name, marks=marks(s, thing), id=name(thing.object), aims=blocked_by(thing))
        for thing in things
    )
    return Zone(zone_id(kind, seat), kind, "row", seat, spots, len(spots))


def blocked_by(thing: Thing) -> tuple[str, ...]:
    """Return the id of the attacker that a permanent blocks."""
    return (name(thing.permanent.blocks),) if thing.permanent.blocks else ()


def marks(s: State, thing: Thing) -> tuple[str, ...]:
    """Describe a permanent in a few words: its number among equal names, and its current state."""
    p = thing.permanent
    nth = namesake_number(s, thing.object, thing.controller)
    size = (f"{thing.power}/{thing.toughness}", *sorted(thing.keywords)) if thing.printed.creature else ()
    states = badges(tapped=p.tapped, frozen=p.frozen, new=p.new and thing.printed.creature, attacking=p.attacking)
    blocking = (f"blocks {named_attacker(s, p.blocks)}".rstrip(),) if p.blocks else ()
    return (*([nth] if nth else ()), *size, *states, *blocking, *((f"damage {p.damage}",) if p.damage else ()))


def named_attacker(s: State, attacker: Handle) -> str:
    """Name a blocked object, even a token; a removed token is unknown."""
    if there := board(s).things.get(attacker):
        return there.printed.name
    card = s.cards[attacker] if attacker < len(s.cards) else ""
    return PRINTED[card].name if card else ""


def looked_at(s: State, reader: Seat | None) -> Iterable[Zone]:
    """Return the cards of a library that a seat is shown while it is asked; they are not counted in the library."""
    for seat in (0, 1):
        if known := shown_of_library(s, seat, reader):
            spots = tuple(Spot(PRINTED[face.card].name, id=name(face.object)) for face in known)
            yield Zone(zone_id("looked_at", seat), "looked_at", "row", seat, spots, len(spots))


def shown_of_library(s: State, seat: Seat, reader: Seat | None) -> Faces:
    """Return the cards of its library that a seat sees during its decision.

    For its opponent this is empty: their number is as secret as their faces.
    """
    if s.asked is None or s.asked.seat != seat or reader not in (None, seat):
        return ()
    return tuple(face for face in s.asked.cards if face.card)


def stack_zone(s: State) -> Zone:
    """Return the stack, its top last, with the targets of each object."""
    spots = tuple(
        Spot(
            PRINTED[one.card].name,
            seat=one.controller,
            marks=(*(() if one.spell else ("ability",)), *aims(s, one)),
            id=name(one.item),
            aims=tuple(map(name, all_targets(one.targets))),
        )
        for one in s.stack
    )
    return Zone("stack", "stack", "row", None, spots, len(spots))


def aims(s: State, item: StackItem) -> tuple[str, ...]:
    """Describe the targets of an object on the stack."""
    at = [aim(s, one) for one in all_targets(item.targets)]
    return (f"at {join_words(at)}",) if at else ()


def aim(s: State, target: Handle) -> str:
    """Name a target: a player, or an object, with its controller if the other has one with the same name."""
    if is_seat(target):
        return f"seat {seat_of(target)}"
    things = board(s).things
    alike = {one.controller for one in things.values() if one.printed.name == name_of(s, target)}
    return object_name(s, target, whose=target in things and len(alike) > 1)


# --- Places of arguments -----------------------------------------------------------------------------------


USED: Final = sorted({rule.id for p in PRINTED.values() for one in p.aiming for rule in one.targets})
"""The letters under which cards have targets."""


def argument_places(s: State, seat: Seat) -> Where:
    """Return the places of hands, permanents, spells and players."""
    hand, own, theirs = (
        zone_pointer("hand", seat),
        zone_pointer("battlefield", seat),
        zone_pointer("battlefield", 1 - seat),
    )
    things = [thing for thing in board(s).things.values() if thing.controller == seat]
    abilities = zones_holding(s, seat, [thing.object for thing in things if thing.printed.activated])
    mana = zones_holding(s, seat, [thing.object for thing in things if thing.printed.mana])
    targets = targets_of(s)
    acts = target_places("targets", targets) | ({"pay.id": mana} if mana else {})
    given = {"sacrifice": all_own} if (all_own := zones_holding(s, seat, [thing.object for thing in things])) else {}
    return {
        moves.KeepHand: {"bottom": hand},
        moves.PlayLand: {"card": hand},
        moves.CastSpell: {"card": hand} | acts,
        moves.ActivateAbility: {"object": abilities} | acts | given if abilities else {},
        moves.ActivateManaAbility: {"object": mana} if mana else {},
        moves.DeclareAttackers: {"attackers": own},
        moves.DeclareBlockers: {"blocks.blocker": own, "blocks.attacker": theirs},
        moves.OrderBlockers: {"order": theirs},
        moves.Choose: of_question(s, seat, targets),
    }


def target_places(targets: str, there: At) -> dict[str, At]:
    """Return the positions of the targets under each letter."""
    return {f"{targets}.{letter}": there for letter in USED}


def targets_of(s: State) -> At:
    """Point to the zones with possible targets, and to the seats."""
    shown = {(thing.printed.land, thing.controller) for thing in board(s).things.values()}
    zones = [zone_pointer("lands" if is_land else "battlefield", seat) for is_land, seat in sorted(shown)]
    graveyards = [zone_pointer("graveyard", seat) for seat, pile in enumerate(s.graveyards) if pile]
    return (*zones, *([zone_pointer("stack")] if s.stack else ()), *graveyards, SEATS)


def of_question(s: State, seat: Seat, targets: At) -> dict[str, At]:
    """Return the positions of the objects that a seat chooses from: cards in hand, permanents, or targets."""
    if s.asked is None or s.asked.seat != seat:
        return {}
    if s.asked.choice == "trigger_targets":
        return target_places("value", targets)
    if s.asked.choice == "scout":
        return dict.fromkeys(("value.bottom", "value.top"), zone_pointer("looked_at", seat))
    there = answers_of(s, seat, s.asked)
    return {"value": there} if there else {}


def answers_of(s: State, seat: Seat, asked: Question) -> At | None:
    """Point to the cards in hand, or the permanents, that are an answer."""
    if asked.choice in ("discard", "cleanup_discard"):
        return zone_pointer("hand", seat)
    if asked.choice == "search":
        return zone_pointer("looked_at", seat) if asked.cards else None
    return zones_holding(s, seat, asked.objects) if asked.choice == "sacrifice" else None


def zones_holding(s: State, seat: Seat, handles: Iterable[Handle]) -> At | None:
    """Point to the zone of a seat's permanents, or to both zones; None if there are none."""
    lands = {board(s).things[one].printed.land for one in handles}
    zones = tuple(zone_pointer("lands" if is_land else "battlefield", seat) for is_land in sorted(lands, reverse=True))
    return zones[0] if len(zones) == 1 else zones or None


# --- Facts for standing orders -----------------------------------------------------------------------------


KINDS: Final[Mapping[str, FactKind]] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "turn": FactKind.NUMBER,
    "whose_turn": FactKind.WORD,
    "life": FactKind.NUMBER,
    "opponent_life": FactKind.NUMBER,
    "hand_count": FactKind.NUMBER,
    "opponent_hand_count": FactKind.NUMBER,
    "library_count": FactKind.NUMBER,
    "opponent_library_count": FactKind.NUMBER,
    "creatures": FactKind.NUMBER,
    "opponent_creatures": FactKind.NUMBER,
    "attackers": FactKind.NUMBER,
    "stack_count": FactKind.NUMBER,
    "mulligans": FactKind.NUMBER,
}

PHASES: Final = frozenset({*WINDOWS, *get_args(Kind), "deck_building", "mulligan", "order_blockers"})
"""The phases in which seats have decisions."""

COMPLETES: Final = frozenset(
    [moves.SubmitDeck, moves.DeclareAttackers, moves.DeclareBlockers, moves.OrderBlockers, moves.Choose]
)
"""The moves that orders can make without arguments, as the clock would make them."""


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return the facts that the seat knows, all of which are public."""
    other = 1 - seat
    return {
        "turn": s.turn or None,
        "whose_turn": ("own" if seat == s.active else "opponent") if s.turn else None,
        "life": s.life[seat],
        "opponent_life": s.life[other],
        "hand_count": len(s.hands[seat]),
        "opponent_hand_count": len(s.hands[other]),
        "library_count": len(s.libraries[seat]),
        "opponent_library_count": len(s.libraries[other]),
        "creatures": creatures(s, seat),
        "opponent_creatures": creatures(s, other),
        "attackers": len(attackers(s)),
        "stack_count": len(s.stack),
        "mulligans": s.mulligans[seat],
    }


def creatures(s: State, seat: Seat) -> int:
    """Count the creatures of a seat."""
    return sum(thing.printed.creature and thing.controller == seat for thing in board(s).things.values())


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> moves.Move | None:
    """Return the clock's move if it is of this class, otherwise None."""
    usual = default(s, seat)
    return usual if card is None and seat in to_act(s) and isinstance(usual, move) else None


# --- The prompt --------------------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    match phase(s):
        case "deck_building":
            return "Build your deck"
        case "mulligan":
            return mulligan(s, seat)
        case "order_blockers":
            return f"Order the blockers of {object_name(s, s.unordered[0], whose=False)}"
        case "attack" if not s.declared:
            return "Choose attackers, or do not attack"
        case "block" if not s.declared:
            return "Choose blockers, or do not block"
        case _:
            return question(s, s.asked) if s.asked else priority(s, seat)


def mulligan(s: State, seat: Seat) -> str:
    """Return the prompt about keeping the hand."""
    under = s.mulligans[seat]
    return f"Keep this hand, with {some_cards(under)} under the library?" if under else "Keep this hand?"


def count(asked: Question, noun: str = "card") -> str:
    """Return the number of answers to a question."""
    return f"{'' if asked.least == asked.most else 'up to '}{some_cards(asked.most, noun)}"


QUESTIONS: Final[Mapping[Kind, Callable[[Question], str]]] = {
    "discard": lambda asked: f"Discard {count(asked)}",
    "cleanup_discard": lambda asked: f"Discard {count(asked)}, down to seven cards",
    "sacrifice": lambda asked: f"Sacrifice {count(asked, 'permanent')}",
    "scout": lambda _: "Leave each card on top, or put it under",
    "search": lambda asked: f"Take {count(asked, 'land')} from the library",
    "trigger_targets": lambda _: "Choose a target",
    "mode": lambda _: "Choose an effect",
    "may": lambda _: "Use this ability?",
    "pay_or_not": lambda asked: f"Pay {asked.most}?",
}
"""The words for a question, by its kind."""


def question(s: State, asked: Question) -> str:
    """Return the prompt of a card, named first, or of the rules."""
    by, said = asker(s, asked), QUESTIONS[asked.choice](asked)
    return f"{PRINTED[by[0]].name}: {said[0].lower()}{said[1:]}" if by else said


def priority(s: State, seat: Seat) -> str:
    """Return the prompt for an act or a pass."""
    if s.stack:
        return f"Respond to {PRINTED[top(s).card].name}, or let it resolve"
    makes = {choice.make for choice in with_priority(s, seat)}
    if s.active == seat and s.step in ("main1", "main2"):
        ways = (["play a land"] if LandToPlay.make in makes else []) + (
            ["cast a spell"] if moves.CastSpell in makes else []
        )
        asked = ", ".join([*ways, "or go on"]) if ways else "nothing to play: go on"
        return capitalise(asked)
    whose = "Your" if s.active == seat else "Opponent's"
    return f"{whose} {STEPS[s.step]}: act, or pass"
