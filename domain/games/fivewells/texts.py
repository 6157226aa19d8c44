"""Tells each event of a duel in one line, with the names of its cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.card_sets.cards.card_kinds import MANA_NAMES
from domain.card_sets.cards.library import SETS
from domain.core import text as words
from domain.games.fivewells import called
from domain.games.fivewells import events as told
from domain.games.fivewells.called import mark
from domain.games.fivewells.handles import LETTERS, Face, Handle, is_seat, seat_of
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.records import Hit
from domain.games.fivewells.state import State
from domain.games.fivewells.step_names import step_name

TEXTS: Final[Mapping[type, str]] = {
    told.GameStarted: "Game {game_no} begins.",
    told.FirstPlayerChosen: "Seat {seat} begins, {how}.",
    told.DeckBrought: "Seat {seat} brings a deck.",
    told.HandStarted: "{of:begins}",
    told.BoosterOpened: "Seat {seat} opens a booster of {set:of_set}{cards:opened}.",
    told.DeckSubmitted: "Seat {seat} plays a deck of {main} cards{sideboard:beside}.",
    told.DecksBuilt: "The decks are built.",
    told.CardsNumbered: "The {count} cards of seat {seat} are numbered.",
    told.LibraryShuffled: "The library of seat {seat} is shuffled: {count} cards.",
    told.HandDealt: "{counts:dealt}{cards:own}.",
    told.MulliganTaken: "Seat {seat} takes mulligan {count}.",
    told.HandKept: "Seat {seat} keeps {cards_left} cards.",
    told.TurnStarted: "Turn {turn}: seat {seat} untaps{:drawn}{:next}.",
    told.CardDrawn: "Seat {seat} draws {card:face}.",
    told.DrawFailed: "Seat {seat} has to draw from an empty library.",
    told.StepEntered: "{step:begun} begins.",
    told.WindowPassed: "Nobody stops in {step:named_step}{:next}.",
    told.PriorityGiven: "Seat {seat} has priority.",
    told.PriorityPassed: "Seat {seat} passes{until:until}{:next}.",
    told.StopsSet: "Seat {seat} sets its stops.",
    told.TurnEnded: "The turn of seat {seat} ends, and with it what lasts until then: {recovered:handles}.",
    told.LandPlayed: "Seat {seat} plays {:this}.",
    told.ManaAdded: "Seat {seat} adds {amount} {mana:mana} from {source:handle}.",
    told.SpellCast: "Seat {seat} casts {card:named}{:aimed}{:with_x}{:paid}.",
    told.AbilityActivated: "Seat {seat} activates {:its}{:aimed}{:with_x}{:paid}.",
    told.TriggersNoted: "Abilities trigger: {triggers:noted}.",
    told.AbilityTriggered: "The ability of {:its} goes to the stack{:aimed}.",
    told.TriggerDropped: "The ability of {:its} has no target.",
    told.ResolutionBegan: "{card:named} begins to resolve{:aimed}.",
    told.SpellResolved: "{card:named} has resolved{:next}.",
    told.SpellFailed: "{card:named} does nothing: no target is legal.",
    told.SpellCountered: "{card:named} is countered.",
    told.PermanentEntered: "{:this} enters under seat {controller}.",
    told.TokenCreated: "Seat {owner} creates {:token}.",
    told.EffectDone: "The resolution waits for an answer.",
    told.ChoiceRequested: "Seat {seat} is asked: {choice:question}{cards:known}.",
    told.RandomDiscardDue: "Seat {seat} is to discard a card at random.",
    told.ChoiceMade: "Seat {seat} answers: {:answer}.",
    told.Scouted: "Seat {seat} scouts {count} and puts {to_bottom} under its library.",
    told.LibrarySearched: "Seat {seat} searches its library and finds {found:faces}.",
    told.PermanentsLeft: "{were:departed} {:left}.",
    told.PermanentTapped: "{object:one} is tapped.",
    told.PermanentUntapped: "{object:one} is untapped.",
    told.PermanentFrozen: "{object:one} is frozen.",
    told.DamageDealt: "{rows:damage}.",
    told.LifeChanged: "Seat {seat} {delta:gain}, and has {life}.",
    told.CountersAdded: "{object:one} gets {amount:counters}, and has {total} in all.",
    told.PumpApplied: "{:pump} until {:lasts}: {objects:ones}.",
    told.CardsDiscarded: "Seat {seat} discards {cards:faces}.",
    told.CardsMilled: "Seat {seat} mills {cards:faces}.",
    told.CardReturned: "{:this} returns to the hand of seat {owner}.",
    told.AttackersDeclared: "Seat {seat} attacks with {attackers:handles}{:next}.",
    told.BlockersDeclared: "Seat {seat} blocks: {blocks:blocks}.",
    told.BlockersOrdered: "Seat {seat} orders the blockers of {attacker:handle}: {order:handles}.",
    told.CombatDamageDealt: "In combat {rows:damage}{:next}.",
    told.GameEnded: "The duel is over: {winners}, {reason:ending}.",
}

ENDINGS: Final = {
    "life": "for the other has no life left",
    "library": "for the other could not draw",
    "turns": "after the last turn",
    "endless": "for this turn would not end",
    "resignation": "after a resignation",
    "draw": "by agreement",
    "abandoned": "and the match is abandoned",
}

LEFT: Final = {
    "died": ("dies", "die"),
    "destroyed": ("is destroyed", "are destroyed"),
    "sacrificed": ("is sacrificed", "are sacrificed"),
    "returned": ("returns to its owner's hand", "return to their owners' hands"),
    "vanished": ("is no more", "are no more"),
}
"""What is said of one permanent, and of several, that leave the battlefield, by why they leave."""

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
    """List words; of none, say so."""
    return words.listed(row) if row else none


def shown_card_names(row: Sequence[Face] | None) -> str:
    """Name cards that one is shown, after what happens to them."""
    return f": {join_or_none([face(one) for one in row])}" if row else ""


def targets_text(event: Any) -> str:
    """Say at what a spell or an ability is aimed."""
    at = [aim(one) for letter in LETTERS for one in event.targets.of(letter)]
    return f" at {join_or_none(at)}" if at else ""


def aim(handle: Handle) -> str:
    """Name a target."""
    return f"seat {seat_of(handle)}" if is_seat(handle) else mark(handle, whose=True)


def payment_text(event: Any) -> str:
    """Say what is tapped for a cost."""
    return f", tapping {join_or_none([mark(one.id) for one in event.paid])}" if event.paid else ""


def with_x(event: Any) -> str:
    """Say which number was chosen for X."""
    return "" if event.x is None else f" with X = {event.x}"


def departure_text(event: told.PermanentsLeft) -> str:
    """Say what becomes of permanents that leave the battlefield."""
    return LEFT[event.reason][len(event.objects) > 1]


def damage(rows: Sequence[Hit]) -> str:
    """Say who deals damage to whom."""
    return ", ".join([f"{mark(one.source, whose=True)} deals {one.amount} damage to {aim(one.to)}" for one in rows])


def next_step(event: Any) -> str:
    """Say which step begins then, and in which windows before it nobody stopped."""
    if event.then is None:
        return ""
    passed = (
        f", nobody stops in {join_or_none([step_name(one) for one in event.then.passed])}" if event.then.passed else ""
    )
    return f"{passed}, and {step_name(event.then.step)} begins"


def draw_counts_text(counts: Sequence[int]) -> str:
    """Say who draws how many cards."""
    return words.listed([f"seat {seat} draws {count} cards" for seat, count in enumerate(counts) if count]).capitalize()


def dealt_cards_text(hands: Sequence[Sequence[Face] | None]) -> str:
    """Name the cards that one is dealt."""
    return "".join(map(shown_card_names, hands))


def choice_text(event: told.ChoiceMade) -> str:
    """Say what a seat has chosen."""
    if event.objects:
        return words.listed([mark(one) for one in event.objects])
    if event.choice in ("may", "pay_or_not"):
        return "yes" if event.number else "no"
    return (
        f"mode {event.number + 1}"
        if event.choice == "mode"
        else targets_text(event).removeprefix(" at ") or "no target"
    )


def turn_draw_text(event: told.TurnStarted) -> str:
    """Say what a seat draws in its turn."""
    return f" and draws {face(event.card)}" if event.draws else ""


def lasts(event: told.PumpApplied) -> str:
    """Say how long a pump lasts."""
    return "the end of the turn" if event.until_turn_of is None else f"the next turn of seat {event.until_turn_of}"


def pump_text(event: told.PumpApplied) -> str:
    """Say what a pump gives."""
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
    "handles": lambda row: join_or_none([mark(one) for one in row], "nobody"),
    "one": lambda handle: mark(handle, whose=True),
    "ones": lambda row: join_or_none([mark(one, whose=True) for one in row], "nobody"),
    "mana": lambda mana: f"{MANA_NAMES[mana]} mana",
    "aimed": targets_text,
    "paid": payment_text,
    "noted": lambda row: words.listed([mark(one.source, one.card) for one in row]),
    "question": QUESTIONS.__getitem__,
    "answer": choice_text,
    "departed": lambda row: words.listed([mark(one.object, one.card) for one in row]),
    "damage": damage,
    "gain": lambda delta: f"gains {delta} life" if delta > 0 else f"loses {-delta} life",
    "pump": pump_text,
    "lasts": lasts,
    "drawn": turn_draw_text,
    "left": departure_text,
    "blocks": lambda row: join_or_none([f"{mark(one.blocker)} blocks {mark(one.attacker)}" for one in row], "nobody"),
    "next": next_step,
    "until": lambda until: f" until {until.replace('_', ' ')}" if until else "",
    "begun": lambda step: step_name(step).capitalize(),
    "named_step": step_name,
    "with_x": with_x,
    "dealt": draw_counts_text,
    "own": dealt_cards_text,
    "counters": lambda amount: f"{amount} growth counter{'s' * (amount > 1)}",
    "ending": ENDINGS.__getitem__,
    "begins": {"duel": "A duel begins.", "boosters": "Boosters are opened."}.__getitem__,
    "of_set": lambda code: SETS[code].name if code in SETS else "another set",
    "opened": lambda row: f": {join_or_none([card_name(one) for one in row])}" if row else "",
    "beside": lambda count: f", with {count} beside it" if count else "",
    # A card that may be hidden has words of its own here.
    "card": str,
    "cards": str,
}

_marked = words.event_text(TEXTS, IN_WORDS)


def text(event: Any) -> str:
    """Tell an event without a table: what the event itself does not name is `a card`."""
    return called.fill_in_names(_marked(event), None)


def text_at(event: Any, s: State) -> str:
    """Tell an event with the names that the reader of a table knows."""
    return called.fill_in_names(_marked(event), s)
