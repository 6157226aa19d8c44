"""Reads moves off the events that record them."""

from collections.abc import Mapping
from typing import Final

from domain.card_sets.cards.filters import Filter
from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.games.fivewells.events import (
    AbilityActivated,
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    CardsDiscarded,
    ChoiceMade,
    DeckSubmitted,
    Event,
    HandKept,
    LandPlayed,
    LibrarySearched,
    ManaAdded,
    MulliganTaken,
    PriorityPassed,
    Scouted,
    SpellCast,
    StopsSet,
)
from domain.games.fivewells.handles import NO_TARGETS, Targets
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    Arranged,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Move,
    Mulligan,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    SubmitDeck,
)
from domain.games.fivewells.printed import PRINTED

NO_DECK: Final = Deck(())

ANSWERS: Final[Mapping[type, str]] = {
    DeckSubmitted: "seat",
    MulliganTaken: "seat",
    HandKept: "seat",
    LandPlayed: "seat",
    ManaAdded: "seat",
    SpellCast: "seat",
    AbilityActivated: "seat",
    PriorityPassed: "seat",
    AttackersDeclared: "seat",
    BlockersDeclared: "seat",
    BlockersOrdered: "seat",
    ChoiceMade: "seat",
    Scouted: "seat",
    LibrarySearched: "seat",
    CardsDiscarded: "seat",
}
"""The events by which seats answer."""


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Give the move of a seat that the event records; None for an event that records none."""
    match event:
        case DeckSubmitted(how="built"):
            deck = event.deck or NO_DECK
            return event.seat, SubmitDeck(deck.main, deck.sideboard)
        case MulliganTaken():
            return event.seat, Mulligan()
        case HandKept():
            return event.seat, KeepHand(event.bottom or ())
        case LandPlayed():
            return event.seat, PlayLand(event.object)
        case ManaAdded():
            return event.seat, ActivateManaAbility(event.source, event.mana)
        case SpellCast():
            return event.seat, CastSpell(
                event.source, chosen_targets(event.targets), event.x, event.paid if event.by_hand else None
            )
        case AbilityActivated():
            return event.seat, activation(event)
        case PriorityPassed():
            return event.seat, PassPriority(event.until)
        case AttackersDeclared():
            return event.seat, DeclareAttackers(event.attackers)
        case BlockersDeclared(forced=False):
            return event.seat, DeclareBlockers(event.blocks)
        case BlockersOrdered():
            return event.seat, OrderBlockers(event.attacker, event.order)
        case StopsSet():
            return event.seat, SetStops(event.stops or (), event.once or ())
        case _:
            made = choice(event)
            return None if made is None else (event.seat, made)  # type: ignore[union-attr]


def chosen_targets(targets: Targets) -> Targets | None:
    """Give targets; None where none were chosen."""
    return None if targets == NO_TARGETS else targets


def activation(event: AbilityActivated) -> ActivateAbility:
    """Give the activation that an event records; a sacrifice of the source itself is no choice."""
    ability = dict(PRINTED[event.card].activated)[event.ability]
    given = event.sacrificed if isinstance(ability.cost.sacrifice, Filter) else None
    paid = event.paid if event.by_hand else None
    return ActivateAbility(event.source, event.ability, chosen_targets(event.targets), event.x, paid, given)


def choice(event: Event) -> Choose | None:
    """Give the answer to a question that an event records."""
    match event:
        case CardsDiscarded(why="choose"):
            return Choose("discard", tuple(face.object for face in event.cards))
        case CardsDiscarded(why="cleanup"):
            return Choose("cleanup_discard", tuple(face.object for face in event.cards))
        case Scouted():
            return Choose("scout", Arranged(event.bottom or (), event.top or ()))
        case LibrarySearched():
            return Choose("search", tuple(face.object for face in event.found))
        case ChoiceMade(choice="sacrifice"):
            return Choose("sacrifice", event.objects)
        case ChoiceMade(choice="trigger_targets"):
            return Choose("trigger_targets", event.targets)
        case ChoiceMade(choice="mode"):
            return Choose("mode", event.number)
        case ChoiceMade():
            return Choose(event.choice, event.number > 0)
        case _:
            return None
