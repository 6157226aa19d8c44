"""Describes a duel in words: the names of objects and steps, events, moments of a replay, and prompts.

A text marks the objects that it names, and the marks are filled in with or without a table. Permanents with the same
name are numbered in the order in which they entered, or reached a graveyard. If it matters, their controller at that
time is named too. They keep these names, whatever enters later.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.card_sets.cards.card_kinds import MANA_NAMES
from domain.card_sets.cards.card_text import mode_texts
from domain.card_sets.cards.library import CARDS, SETS, TOKENS
from domain.core import text as words
from domain.core.cards import Seat
from domain.games.fivewells import events, turn_events
from domain.games.fivewells.characteristics import PRINTED, Mode, program, stack_program
from domain.games.fivewells.events import LifeChanged, PermanentsLeft
from domain.games.fivewells.records import LETTERS, STACK, Face, Handle, Hit, Kind, is_seat, seat_of
from domain.games.fivewells.state import Arrival, Question, State, top
from domain.games.fivewells.triggers import next_waiting
from domain.games.fivewells.turn_events import AttackersDeclared, CombatDamageDealt, TurnStarted

# --- Names of objects, as far as the reader of a table knows them ------------------------------------------


MARK: Final = re.compile("\x02(-?[0-9]+)(\\*?)\x03([^\x04]*)\x04")
"""An object in a text: its handle, a star if its controller matters, and its name without a table."""


def mark(handle: Handle, card: str = "", *, whose: bool = False) -> str:
    """Mark an object, which may be of this card, in a text whose names are filled in later."""
    unknown = "an object on the stack" if handle >= STACK else "a card"
    return f"\x02{int(handle)}{'*' * whose}\x03{PRINTED[card].name if card in PRINTED else unknown}\x04"


def fill_in_names(text: str, s: State | None) -> str:
    """Fill in a text with the names that the reader of this table knows."""
    line = MARK.sub(lambda said: object_name(s, Handle(int(said[1])), whose=bool(said[2])) or said[3], text)
    return words.capitalise(line)


def object_name(s: State | None, handle: Handle, *, whose: bool) -> str:
    """Return the name of an object, with its number among others of that name; an empty text if it is not known."""
    if s is None:
        return ""
    own = next((one for one in named_arrivals(s) if one.object == handle), None)
    if own is None:
        return name_of(s, handle)
    nth = arrival_number(s, own)
    order, seat = f" ({ordinal(nth)})" if nth > 1 else "", f" of seat {own.controller}" if whose else ""
    return f"{PRINTED[own.card].name}{order}{seat}"


def namesake_number(s: State, handle: Handle, controller: Seat) -> str:
    """Return a permanent's ordinal among its seat's permanents of that name, such as `2nd`; empty for the first."""
    own = next((one for one in named_arrivals(s) if one.object == handle and one.controller == controller), None)
    nth = arrival_number(s, own) if own else 1
    return ordinal(nth) if nth > 1 else ""


def arrival_number(s: State, own: Arrival) -> int:
    """Return the number of an arrival among those with the same card and seat, in the order of their first arrival."""
    alike = dict.fromkeys(
        one.object for one in named_arrivals(s) if (one.card, one.controller) == (own.card, own.controller)
    )
    return [*alike].index(own.object) + 1


def arrival_places(s: State, seat: Seat) -> Mapping[Handle, int]:
    """Return the places of a seat's objects in the order in which they first entered; their numbers follow from it."""
    return {
        object_: n
        for n, object_ in enumerate(dict.fromkeys(o.object for o in named_arrivals(s) if o.controller == seat))
    }


def named_arrivals(s: State) -> list[Arrival]:
    """Return the arrivals on the battlefield, and of creature cards in graveyards; others have no names yet."""
    return [one for one in s.arrivals if not one.is_buried or PRINTED[one.card].creature]


def ordinal(n: int) -> str:
    """Return a number as an ordinal, such as `2nd`."""
    teens = range(11, 14)
    return f"{n}{'th' if n % 100 in teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def name_of(s: State, handle: Handle) -> str:
    """Return the printed name of a card, or of an object on the stack; an empty text if it is not known."""
    rows, place = (s.pushed, handle - STACK - 1) if handle >= STACK else (s.cards, int(handle))
    card = rows[place] if 0 <= place < len(rows) else ""
    return PRINTED[card].name if card in PRINTED else ""


# --- Names of steps and windows (fivewells 3.1) ------------------------------------------------------------


STEPS: Final[Mapping[str, str]] = {
    "untap": "untap step",
    "dawn": "dawn",
    "main1": "first main phase",
    "attack": "attack",
    "block": "block",
    "first_damage": "first damage",
    "damage": "combat damage",
    "main2": "second main phase",
    "dusk": "dusk",
    "cleanup": "cleanup",
    "ended": "end",
}
"""The names of the steps."""


def step_name(step: str) -> str:
    """Name a step within a sentence."""
    return f"the {STEPS[step]}"


def window_name(stop: str) -> str:
    """Name a window, as `own main1`: whose turn it is, and the step."""
    whose, step = stop.split(" ")
    return f"{whose.capitalize()} {STEPS[step]}"


# --- Events in one line each -------------------------------------------------------------------------------


TEXTS: Final[Mapping[type, str]] = {
    turn_events.GameStarted: "Game {game_no} began.",
    turn_events.FirstPlayerChosen: "Seat {seat} got the first turn, {how}.",
    turn_events.DeckBrought: "Seat {seat} brought a deck.",
    turn_events.HandStarted: "{of:begins}",
    turn_events.BoosterOpened: "Seat {seat} opened a booster of {set:of_set}{cards:opened}.",
    turn_events.DeckSubmitted: "Seat {seat} chose a deck of {main} cards{sideboard:with_sideboard}.",
    turn_events.DecksBuilt: "The decks were built.",
    turn_events.CardsNumbered: "The {count} cards of seat {seat} were numbered.",
    turn_events.LibraryShuffled: "The library of seat {seat} was shuffled: {count} cards.",
    turn_events.HandDealt: "{counts:dealt}{cards:own}.",
    turn_events.MulliganTaken: "Seat {seat} took mulligan {count}.",
    turn_events.HandKept: "Seat {seat} kept {cards_left} cards.",
    turn_events.TurnStarted: "Turn {turn}: seat {seat} untapped{:drawn}{:next}.",
    events.CardDrawn: "Seat {seat} drew {card:face}.",
    events.DrawFailed: "Seat {seat} had to draw from an empty library.",
    turn_events.StepEntered: "{step:begun} began.",
    turn_events.WindowPassed: "No one stopped in {step:named_step}{:next}.",
    turn_events.PriorityGiven: "Seat {seat} received priority.",
    turn_events.PriorityPassed: "Seat {seat} passed{until:until}{:next}.",
    turn_events.StopsSet: "Seat {seat} set its stops.",
    turn_events.TurnEnded: "The turn of seat {seat} ended{recovered:ended}.",
    events.LandPlayed: "Seat {seat} played {:this}.",
    events.ManaAdded: "Seat {seat} added {amount} {mana:mana} from {source:handle}.",
    events.SpellCast: "Seat {seat} cast {card:named}{:aimed}{:with_x}{:paid}.",
    events.AbilityActivated: "Seat {seat} activated {:its}{:aimed}{:with_x}{:paid}.",
    events.TriggersNoted: "Abilities triggered: {triggers:noted}.",
    events.AbilityTriggered: "The ability of {:its} went on the stack{:aimed}.",
    events.TriggerDropped: "The ability of {:its} had no target.",
    events.ResolutionBegan: "{card:named} began to resolve{:aimed}.",
    events.SpellResolved: "{card:named} resolved{:next}.",
    events.SpellFailed: "{card:named} did nothing: no target was legal.",
    events.SpellCountered: "{card:named} was countered.",
    events.PermanentEntered: "{:this} entered under the control of seat {controller}.",
    events.TokenCreated: "Seat {owner} created {:token}.",
    events.EffectDone: "The resolution paused for an answer.",
    events.ChoiceRequested: "Seat {seat} was asked {choice:question}{cards:known}.",
    events.RandomDiscardDue: "Seat {seat} had to discard a card at random.",
    events.ChoiceMade: "Seat {seat} answered: {:answer}.",
    events.Scouted: "Seat {seat} scouted {count} and put {to_bottom} under its library.",
    events.LibrarySearched: "Seat {seat} searched its library and found {found:faces}.",
    events.PermanentsLeft: "{were:departed} {:left}.",
    events.PermanentTapped: "{object:one} was tapped.",
    events.PermanentUntapped: "{object:one} was untapped.",
    events.PermanentFrozen: "{object:one} was frozen.",
    events.DamageDealt: "{rows:damage}.",
    events.LifeChanged: "Seat {seat} {delta:gain}: now at {life}.",
    events.CountersAdded: "{object:one} got {amount:counters}: {total} in all.",
    events.PumpApplied: "{:pump} until {:lasts}: {objects:ones}.",
    events.CardsDiscarded: "Seat {seat} discarded {cards:faces}.",
    events.CardsMilled: "Seat {seat} milled {cards:faces}.",
    events.CardReturned: "{:this} returned to the hand of seat {owner}.",
    turn_events.AttackersDeclared: "Seat {seat} attacked with {attackers:handles}{:next}.",
    turn_events.BlockersDeclared: "Seat {seat} chose blocks: {blocks:blocks}.",
    turn_events.BlockersOrdered: "Seat {seat} ordered the blockers of {attacker:handle}: {order:handles}.",
    turn_events.CombatDamageDealt: "In combat {rows:damage}{:next}.",
    turn_events.GameEnded: "The duel ended: {winners}, {reason:ending}.",
}

ENDINGS: Final = {
    "life": "because life reached 0",
    "library": "because a library was empty",
    "turns": "after the last turn",
    "endless": "because the turn would not end",
    "resignation": "after a resignation",
    "draw": "by agreement",
    "abandoned": "and the match was abandoned",
}

LEFT: Final = {
    "died": ("died", "died"),
    "destroyed": ("was destroyed", "were destroyed"),
    "sacrificed": ("was sacrificed", "were sacrificed"),
    "returned": ("returned to its owner's hand", "returned to their owners' hands"),
    "vanished": ("ceased to exist", "ceased to exist"),
}
"""The words for one permanent, and for several, that leave the battlefield, by the reason."""

QUESTIONS: Final[Mapping[str, str]] = {
    "discard": "what to discard",
    "cleanup_discard": "what to discard, down to seven cards",
    "sacrifice": "what to sacrifice",
    "scout": "where the scouted cards go",
    "search": "what to take from its library",
    "trigger_targets": "the targets of a trigger",
    "mode": "which of its effects happens",
    "may": "whether it may happen",
    "pay_or_not": "whether to pay",
}
"""The text of each question, by its kind."""


def card_name(card: str) -> str:
    """Name a card or a token by its id."""
    return PRINTED[card].name if card in PRINTED else "a hidden card"


def face(seen: Face | None) -> str:
    """Name a card that may be hidden."""
    return "a card" if seen is None else card_name(seen.card)


def join_or_none(row: Sequence[str], none: str = "nothing") -> str:
    """List words, or return `none` if there are none."""
    return words.join_words(row) if row else none


def shown_card_names(row: Sequence[Face] | None) -> str:
    """Name the cards that the reader is shown, to follow the sentence about them."""
    return f": {join_or_none([face(one) for one in row])}" if row else ""


def targets_text(event: Any) -> str:
    """Describe the targets of a spell or an ability."""
    at = [aim(one) for letter in LETTERS for one in event.targets.of(letter)]
    return f" at {join_or_none(at)}" if at else ""


def aim(handle: Handle) -> str:
    """Name a target."""
    return f"seat {seat_of(handle)}" if is_seat(handle) else mark(handle, whose=True)


def payment_text(event: Any) -> str:
    """Describe the sources tapped for a cost."""
    return f", tapping {join_or_none([mark(one.id) for one in event.paid])}" if event.paid else ""


def with_x(event: Any) -> str:
    """Describe the number chosen for X."""
    return "" if event.x is None else f" with X = {event.x}"


def departure_text(event: events.PermanentsLeft) -> str:
    """Describe the new zones of permanents that leave the battlefield."""
    return LEFT[event.reason][len(event.objects) > 1]


def damage(rows: Sequence[Hit]) -> str:
    """Describe damage: its sources and recipients."""
    return ", ".join([f"{mark(one.source, whose=True)} dealt {one.amount} damage to {aim(one.to)}" for one in rows])


def next_step(event: Any) -> str:
    """Name the step that begins, and the windows before it in which no seat stopped."""
    if event.then is None:
        return ""
    passed = (
        f", no one stopped in {join_or_none([step_name(one) for one in event.then.passed])}"
        if event.then.passed
        else ""
    )
    return f"{passed}, and {step_name(event.then.step)} began"


def draw_counts_text(counts: Sequence[int]) -> str:
    """Describe the drawn cards of each seat."""
    return words.join_words(
        [f"seat {seat} drew {count} card{'s' * (count > 1)}" for seat, count in enumerate(counts) if count]
    ).capitalize()


def dealt_cards_text(hands: Sequence[Sequence[Face] | None]) -> str:
    """Name the cards that the reader is dealt."""
    return "".join(map(shown_card_names, hands))


def choice_text(event: events.ChoiceMade) -> str:
    """Describe the choice of a seat."""
    if event.objects:
        return words.join_words([mark(one) for one in event.objects])
    if event.choice in ("may", "pay_or_not"):
        return "yes" if event.number else "no"
    return (
        f"mode {event.number + 1}"
        if event.choice == "mode"
        else targets_text(event).removeprefix(" at ") or "no target"
    )


def turn_draw_text(event: turn_events.TurnStarted) -> str:
    """Describe a seat's draw in its turn."""
    return f" and drew {face(event.card)}" if event.draws else ""


def lasts(event: events.PumpApplied) -> str:
    """Return how long a pump lasts."""
    return "the end of the turn" if event.until_turn_of is None else f"the next turn of seat {event.until_turn_of}"


def pump_text(event: events.PumpApplied) -> str:
    """Describe the effect of a pump."""
    return ", ".join([f"{event.power:+d}/{event.toughness:+d}", *event.keywords])


IN_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "how": {
        "random": "by lot",
        "loser": "having lost the game before",
        "again": "as in the drawn game before",
    }.__getitem__,
    "known": shown_card_names,
    "face": face,
    "faces": lambda row: join_or_none([face(one) for one in row]),
    "named": card_name,
    "this": lambda event: mark(event.object, event.card),
    "its": lambda event: mark(event.source, event.card),
    "token": lambda event: mark(event.object, event.token),
    "handle": mark,
    "handles": lambda row: join_or_none([mark(one) for one in row]),
    "ended": lambda row: f"; effects ended on {words.join_words([mark(one) for one in row])}" if row else "",
    "one": lambda handle: mark(handle, whose=True),
    "ones": lambda row: join_or_none([mark(one, whose=True) for one in row]),
    "mana": lambda mana: f"{MANA_NAMES[mana]} mana",
    "aimed": targets_text,
    "paid": payment_text,
    "noted": lambda row: words.join_words([mark(one.source, one.card) for one in row]),
    "question": QUESTIONS.__getitem__,
    "answer": choice_text,
    "departed": lambda row: words.join_words([mark(one.object, one.card) for one in row]),
    "damage": damage,
    "gain": lambda delta: f"gained {delta} life" if delta > 0 else f"lost {-delta} life",
    "pump": pump_text,
    "lasts": lasts,
    "drawn": turn_draw_text,
    "left": departure_text,
    "blocks": lambda row: join_or_none([f"{mark(one.blocker)} blocked {mark(one.attacker)}" for one in row], "none"),
    "next": next_step,
    "until": lambda until: f" until {until.replace('_', ' ')}" if until else "",
    "begun": lambda step: step_name(step).capitalize(),
    "named_step": step_name,
    "with_x": with_x,
    "dealt": draw_counts_text,
    "own": dealt_cards_text,
    "counters": lambda amount: f"{amount} growth counter{'s' * (amount > 1)}",
    "ending": ENDINGS.__getitem__,
    "begins": {"duel": "A duel began.", "boosters": "Boosters were opened."}.__getitem__,
    "of_set": lambda code: SETS[code].name if code in SETS else "another set",
    "opened": lambda row: f": {join_or_none([card_name(one) for one in row])}" if row else "",
    "with_sideboard": lambda count: f", with {count} in the sideboard" if count else "",
    # A card that may be hidden has separate words here.
    "card": str,
    "cards": str,
}

_marked = words.event_text(TEXTS, IN_WORDS)


def text(event: Any) -> str:
    """Describe an event without a table: unnamed objects are `a card`."""
    return fill_in_names(_marked(event), None)


def text_at(event: Any, s: State) -> str:
    """Describe an event with the names that the reader of a table knows."""
    return fill_in_names(_marked(event), s)


# --- Moments for replays, from the public fields of events -------------------------------------------------


BIG_SWING: Final = 5
"""The life lost at one time that makes a moment: a quarter of the life at the start."""


def turn(data: Mapping[str, Any]) -> str:
    """Describe the beginning of a turn."""
    return f"turn {data['turn']}, of seat {data['seat']}"


def combat(data: Mapping[str, Any]) -> str:
    """Describe an attack; empty without attackers."""
    count = len(data["attackers"])
    return f"seat {data['seat']} attacked with {count} {'creature' if count == 1 else 'creatures'}" if count else ""


def death(data: Mapping[str, Any]) -> str:
    """Name the dying creatures, without creatures that return to a hand and other permanents."""
    gone = [one for one in data["were"] if data["to"] == "graveyard" and PRINTED[one["card"]].creature]
    names = [PRINTED[one["card"]].name for one in gone]
    if len(names) > 2:
        return f"{len(names)} creatures died"
    return f"{' and '.join(names)} died" if names else ""


def swing(data: Mapping[str, Any]) -> str:
    """Describe a change of life, if it is large."""
    return swung(data["seat"], data["delta"], data["life"])


def tell_heavy_damage(data: Mapping[str, Any]) -> str:
    """Describe the combat damage to a player, if it is large."""
    hits = [row for row in data["rows"] if row["to"] in ("0", "1")]
    if not hits:
        return ""
    seat = int(hits[0]["to"])
    return swung(seat, -sum(row["amount"] for row in hits), data["life"][seat])


def swung(seat: int, delta: int, life: int) -> str:
    """Describe a large loss or gain of life in one event; empty for a small one."""
    if abs(delta) < BIG_SWING:
        return ""
    return f"seat {seat} {'gained' if delta > 0 else 'lost'} {abs(delta)} life: now at {life}"


MOMENTS: Final[Mapping[str, Mapping[type, Callable[[Mapping[str, Any]], str]]]] = {
    "turn": {TurnStarted: turn},
    "combat": {AttackersDeclared: combat},
    "death": {PermanentsLeft: death},
    "swing": {LifeChanged: swing, CombatDamageDealt: tell_heavy_damage},
}


# --- Reasons for questions, and their answers (fivewells 4) ------------------------------------------------


WHAT: Final[Mapping[Kind, str]] = {
    "discard": "Cards to discard",
    "cleanup_discard": "Cards to discard, down to seven",
    "sacrifice": "Permanents to sacrifice",
    "search": "Lands to take",
}
"""The words for a choice among cards and permanents, by the question."""


def asker(s: State, asked: Question) -> tuple[str, int] | None:
    """Return the card and the number of its ability behind a prompt; None for prompts of the rules."""
    if asked.choice == "cleanup_discard":
        return None
    if asked.choice == "trigger_targets":
        waiting = next_waiting(s)
        return waiting.card, waiting.ability
    return top(s).card, top(s).ability


def why(s: State, asked: Question) -> str:
    """Name the card that asks a seat, with its text; an empty text if the rules ask."""
    by = asker(s, asked)
    return f"{PRINTED[by[0]].name}: {PRINTED[by[0]].texts[by[1]]}" if by else ""


def choice_reason(s: State, asked: Question) -> str:
    """Name the cards or permanents that a seat chooses among, and the card that asks."""
    by = asker(s, asked)
    return f"{WHAT[asked.choice]} for {PRINTED[by[0]].name}" if by else WHAT[asked.choice]


def answers_to(s: State, asked: Question) -> tuple[str, ...]:
    """Name the answers to a question that is answered by a word: the modes, or yes and no."""
    if asked.choice == "pay_or_not":
        return f"Pay {asked.most}", "Do not pay"
    if asked.choice == "may":
        return "Yes", "No"
    card, number = top(s).card, top(s).ability
    ability = stack_program(card, number)
    assert s.resolving is not None
    assert ability is not None
    step = program(card, number)[s.resolving.n]
    assert isinstance(step, Mode)
    return mode_texts(step.modes, ability, CARDS[card], TOKENS)
