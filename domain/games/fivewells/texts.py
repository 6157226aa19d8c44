"""Tells each event of a duel in one line, with the names of its cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.core import text as words
from domain.games.fivewells import events as told
from domain.games.fivewells.handles import Face, Handle, name
from domain.games.fivewells.printed import PRINTED

TEXTS: Final[Mapping[type, str]] = {
    told.GameStarted: "Game {game_no} begins.",
    told.FirstPlayerChosen: "Seat {seat} begins, {how}.",
    told.HandStarted: "Duel {hand_no} begins.",
    told.CardsNumbered: "The {count} cards of seat {seat} get their handles.",
    told.LibraryShuffled: "The library of seat {seat} is shuffled: {count} cards.",
    told.HandDealt: "Seat {seat} draws {count} cards{cards:known}.",
    told.MulliganTaken: "Seat {seat} takes mulligan {count}.",
    told.HandKept: "Seat {seat} keeps {cards_left} cards.",
    told.TurnStarted: "Turn {turn}: seat {seat} untaps.",
    told.CardDrawn: "Seat {seat} draws {card:face}.",
    told.DrawFailed: "Seat {seat} has to draw from an empty library.",
    told.StepEntered: "The step {step} begins{:stopped}.",
    told.PriorityGiven: "Seat {seat} has priority.",
    told.PriorityPassed: "Seat {seat} passes.",
    told.StopsSet: "Seat {seat} sets its stops.",
    told.TurnEnded: "The turn of seat {seat} ends.",
    told.LandPlayed: "Seat {seat} plays {card:named} ({object:handle}).",
    told.ManaAdded: "Seat {seat} adds {amount} {mana:mana} from {source:handle}.",
    told.SpellCast: "Seat {seat} casts {card:named} ({object:handle}){:aimed}{:paid}.",
    told.AbilityActivated: "Seat {seat} activates {card:named} ({source:handle}){:aimed}{:paid}.",
    told.TriggersNoted: "It triggers {triggers:noted}.",
    told.AbilityTriggered: "The ability of {card:named} ({source:handle}) goes to the stack{:aimed}.",
    told.TriggerDropped: "The ability of {card:named} ({source:handle}) has no target.",
    told.SpellResolved: "{card:named} has resolved.",
    told.AbilityResolved: "The ability of {card:named} has resolved.",
    told.SpellFailed: "{card:named} does nothing: no target is legal.",
    told.SpellCountered: "{card:named} is countered.",
    told.PermanentEntered: "{card:named} ({object:handle}) enters under seat {controller}.",
    told.TokenCreated: "Seat {owner} creates {token:named} ({object:handle}).",
    told.EffectDone: "{item:handle} waits for an answer.",
    told.ChoiceRequested: "Seat {seat} is asked: {choice:question}{cards:known}.",
    told.RandomDiscardDue: "Seat {seat} is to discard a card at random.",
    told.ChoiceMade: "Seat {seat} answers: {:answer}.",
    told.Scouted: "Seat {seat} scouts {count} and puts {to_bottom} under its library.",
    told.LibrarySearched: "Seat {seat} searches its library and finds {found:faces}.",
    told.PermanentsLeft: "{objects:departed}: {reason}.",
    told.PermanentsTapped: "Tapped: {objects:handles}.",
    told.PermanentsUntapped: "Untapped: {objects:handles}.",
    told.PermanentsFrozen: "Frozen: {objects:handles}.",
    told.DamageDealt: "Damage: {:damage}.",
    told.LifeChanged: "Seat {seat} {delta:gain}, and has {life}.",
    told.CountersAdded: "Growth counters: {amount} on each of {objects:handles}.",
    told.PumpApplied: "{:pump} until the end of the turn: {objects:handles}.",
    told.CardsDiscarded: "Seat {seat} discards {cards:faces}.",
    told.CardsMilled: "Seat {seat} mills {cards:faces}.",
    told.CardReturned: "{card:named} ({object:handle}) returns to the hand of seat {owner}.",
    told.AttackersDeclared: "Seat {seat} attacks with {attackers:handles}.",
    told.BlockersDeclared: "Seat {seat} blocks: {blocks:blocks}.",
    told.BlockersOrdered: "Seat {seat} orders the blockers of {attacker:handle}: {order:handles}.",
    told.CombatDamageDealt: "Combat damage: {:damage}.",
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


def card_name(card: str) -> str:
    """Name a card or a token by its id."""
    return PRINTED[card].name if card in PRINTED else "a hidden card"


def face(seen: Face | None) -> str:
    """Name a card that may be hidden."""
    return "a card" if seen is None else f"{card_name(seen.card)} ({name(seen.object)})"


def listed(row: Sequence[str], none: str = "nothing") -> str:
    """List words; of none, say so."""
    return words.listed(row) if row else none


def known(row: Sequence[Face] | None) -> str:
    """Name cards that one is shown, after what happens to them."""
    return f": {listed([face(one) for one in row])}" if row else ""


def aimed(event: Any) -> str:
    """Say at what a spell or an ability is aimed."""
    at = [aim(one) for letter in "abc" for one in event.targets.of(letter)]
    return f" at {listed(at)}" if at else ""


def aim(handle: Handle) -> str:
    """Name a target."""
    return f"seat {name(handle)}" if name(handle).isdigit() else name(handle)


def paid(event: Any) -> str:
    """Say what is tapped for a cost."""
    return f", tapping {listed([name(one.id) for one in event.paid])}" if event.paid else ""


def damage(event: Any) -> str:
    """Say who deals damage to whom."""
    wounds = [f"{name(one.source)} deals {one.amount} to {name(one.to)}" for one in event.wounds]
    return ", ".join(wounds + [f"{name(one.source)} deals {one.amount} to seat {one.player}" for one in event.hits])


def stopped(event: told.StepEntered) -> str:
    """Say in which windows nobody stopped before."""
    return f"; nobody stops in {listed(event.passed)}" if event.passed else ""


def answered(event: told.ChoiceMade) -> str:
    """Say what a seat has chosen."""
    if event.objects:
        return words.listed([name(one) for one in event.objects])
    if event.choice in ("may", "pay_or_not"):
        return "yes" if event.number else "no"
    return f"mode {event.number + 1}" if event.choice == "mode" else aimed(event).removeprefix(" at ") or "no target"


def pumped(event: told.PumpApplied) -> str:
    """Say what a pump gives."""
    return ", ".join([f"{event.power:+d}/{event.toughness:+d}", *event.keywords])


IN_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "how": {
        "random": "by lot",
        "loser": "having lost the game before",
        "again": "as in the drawn game before",
    }.__getitem__,
    "known": known,
    "face": face,
    "faces": lambda row: listed([face(one) for one in row]),
    "named": card_name,
    "handle": name,
    "handles": lambda row: listed([name(one) for one in row], "nobody"),
    "mana": lambda mana: f"{mana.name} mana",
    "aimed": aimed,
    "paid": paid,
    "noted": lambda row: words.listed([f"{card_name(one.card)} ({name(one.source)})" for one in row]),
    "question": lambda kind: kind.replace("_", " "),
    "answer": answered,
    "departed": lambda row: words.listed([f"{card_name(one.card)} ({name(one.object)})" for one in row]),
    "damage": damage,
    "gain": lambda delta: f"gains {delta} life" if delta > 0 else f"loses {-delta} life",
    "pump": pumped,
    "blocks": lambda row: listed([f"{name(one.blocker)} blocks {name(one.attacker)}" for one in row], "nobody"),
    "stopped": stopped,
    "ending": ENDINGS.__getitem__,
    # A card that may be hidden has words of its own here.
    "card": str,
    "cards": str,
}

text = words.event_text(TEXTS, IN_WORDS)
