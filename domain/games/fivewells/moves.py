"""Defines the moves of a duel, of seats and of chance, and reads them from events (fivewells 4)."""

from collections.abc import Mapping
from typing import Final

from domain.card_sets.cards.card_kinds import Mana
from domain.card_sets.cards.filters import Filter
from domain.card_sets.decks.deck import DECK_REFUSALS
from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.refusals import Refusal
from domain.core.values import value
from domain.games.fivewells import events, turn_events
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.records import NO_TARGETS, Blocks, Handle, Handles, Kind, Paid, Stop, Targets, Until

Pay = tuple[Paid, ...]


@value
class SubmitDeck:
    """Play these cards, by their ids; all others are the sideboard."""

    main: tuple[str, ...]
    """The ids of the cards that are played."""
    sideboard: tuple[str, ...] = ()
    """The ids of the sideboard cards; all other unplayed cards are added to it."""


@value
class Mulligan:
    pass


@value
class KeepHand:
    """Keep the hand, and put as many cards as mulligans were taken under the library; the first lies deepest."""

    bottom: Handles = ()
    """The cards for the bottom of the library, the deepest first."""


@value
class PlayLand:
    card: Handle


@value
class CastSpell:
    """Cast a card. Without `pay`, the mana is paid automatically."""

    card: Handle
    """The id of the card."""
    targets: Targets | None = None
    """The targets, by the letters of the card."""
    x: int | None = None
    """The number for X, if the cost has one."""
    pay: Pay | None = None
    """The sources to tap; if omitted, they are chosen automatically."""


@value
class ActivateAbility:
    """Activate the ability with this number on the card, counted from 0."""

    object: Handle
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: Targets | None = None
    """The targets, by the letters of the card."""
    x: int | None = None
    """The number for X, if the cost has one."""
    pay: Pay | None = None
    """The sources to tap; if omitted, they are chosen automatically."""
    sacrifice: Handles | None = None
    """The permanent to sacrifice, if there is a choice."""


@value
class ActivateManaAbility:
    """Tap or sacrifice a source for mana; `color` names the colour if there is a choice."""

    object: Handle
    color: Mana | None = None
    """The kind of mana; can be omitted if there is only one."""


@value
class PassPriority:
    """Pass, now or until something happens."""

    until: Until | None = None
    """How long to pass; once if omitted."""


@value
class DeclareAttackers:
    attackers: Handles
    """The attacking creatures; can be empty."""


@value
class DeclareBlockers:
    blocks: tuple[Blocks, ...]
    """The blocks; can be empty."""


@value
class OrderBlockers:
    attacker: Handle
    order: Handles
    """The blockers in order of damage."""


@value
class Arranged:
    """Scouted cards are put under the library, the first of them deepest, and back on it, from the top on."""

    bottom: Handles
    """The cards for the bottom of the library, the deepest first."""
    top: Handles
    """The cards that stay on top, the top card first."""


Answer = Handles | Arranged | Targets | int | bool
"""An answer is chosen cards or permanents, scouted cards, the targets of a trigger, a mode from 0 on, or yes or no."""


@value
class Choose:
    """Answer what is asked."""

    choice: Kind
    """The requested choice."""
    value: Answer | None = None
    """The cards or permanents, the cards for the bottom and for the top of the library, the targets by their letters, a
    number, or true or false. Leave it out if you find nothing.
    """


@value
class SetStops:
    """Set the windows with stops, permanent or one-time."""

    stops: tuple[Stop, ...]
    """The windows for permanent stops."""
    once: tuple[Stop, ...] = ()
    """The windows for one-time stops."""


@value
class ChooseFirst:
    seat: Seat


@value
class OpenBooster:
    cards: tuple[str, ...]


@value
class NumberCards:
    places: tuple[int, ...]
    """The places in the sorted deck of the cards that get the next handles."""


@value
class ShuffleLibrary:
    library: Handles


@value
class DiscardAtRandom:
    place: int


Move = (
    SubmitDeck
    | Mulligan
    | KeepHand
    | PlayLand
    | CastSpell
    | ActivateAbility
    | ActivateManaAbility
    | PassPriority
    | DeclareAttackers
    | DeclareBlockers
    | OrderBlockers
    | Choose
    | SetStops
    | ChooseFirst
    | OpenBooster
    | NumberCards
    | ShuffleLibrary
    | DiscardAtRandom
)


# --- The moves that events record --------------------------------------------------------------------------


NO_DECK: Final = Deck(())

ANSWERS: Final[Mapping[type, str]] = {
    turn_events.DeckSubmitted: "seat",
    turn_events.MulliganTaken: "seat",
    turn_events.HandKept: "seat",
    events.LandPlayed: "seat",
    events.ManaAdded: "seat",
    events.SpellCast: "seat",
    events.AbilityActivated: "seat",
    turn_events.PriorityPassed: "seat",
    turn_events.AttackersDeclared: "seat",
    turn_events.BlockersDeclared: "seat",
    turn_events.BlockersOrdered: "seat",
    events.ChoiceMade: "seat",
    events.Scouted: "seat",
    events.LibrarySearched: "seat",
    events.CardsDiscarded: "seat",
}
"""The events by which seats answer."""


def move_of(event: events.Event) -> tuple[Seat, Move] | None:
    """Return the move of a seat that the event records; None for an event that records none."""
    match event:
        case turn_events.DeckSubmitted(how="built"):
            deck = event.deck or NO_DECK
            return event.seat, SubmitDeck(deck.main, deck.sideboard)
        case turn_events.MulliganTaken():
            return event.seat, Mulligan()
        case turn_events.HandKept():
            return event.seat, KeepHand(event.bottom or ())
        case events.LandPlayed():
            return event.seat, PlayLand(event.object)
        case events.ManaAdded():
            return event.seat, ActivateManaAbility(event.source, event.mana)
        case events.SpellCast():
            return event.seat, CastSpell(
                event.source, chosen_targets(event.targets), event.x, event.paid if event.by_hand else None
            )
        case events.AbilityActivated():
            return event.seat, activation(event)
        case turn_events.PriorityPassed():
            return event.seat, PassPriority(event.until)
        case turn_events.AttackersDeclared():
            return event.seat, DeclareAttackers(event.attackers)
        case turn_events.BlockersDeclared(forced=False):
            return event.seat, DeclareBlockers(event.blocks)
        case turn_events.BlockersOrdered():
            return event.seat, OrderBlockers(event.attacker, event.order)
        case turn_events.StopsSet():
            return event.seat, SetStops(event.stops or (), event.once or ())
        case _:
            made = choice(event)
            return None if made is None else (event.seat, made)  # type: ignore[union-attr]


def chosen_targets(targets: Targets) -> Targets | None:
    """Return targets; None if none were chosen."""
    return None if targets == NO_TARGETS else targets


def activation(event: events.AbilityActivated) -> ActivateAbility:
    """Return the activation that an event records; a sacrifice of the source itself is no choice."""
    ability = dict(PRINTED[event.card].activated)[event.ability]
    given = event.sacrificed if isinstance(ability.cost.sacrifice, Filter) else None
    paid = event.paid if event.by_hand else None
    return ActivateAbility(event.source, event.ability, chosen_targets(event.targets), event.x, paid, given)


def choice(event: events.Event) -> Choose | None:
    """Return the answer to a question that an event records."""
    match event:
        case events.CardsDiscarded(why="choose"):
            return Choose("discard", tuple(face.object for face in event.cards))
        case events.CardsDiscarded(why="cleanup"):
            return Choose("cleanup_discard", tuple(face.object for face in event.cards))
        case events.Scouted():
            return Choose("scout", Arranged(event.bottom or (), event.top or ()))
        case events.LibrarySearched():
            return Choose("search", tuple(face.object for face in event.found))
        case events.ChoiceMade(choice="sacrifice"):
            return Choose("sacrifice", event.objects)
        case events.ChoiceMade(choice="trigger_targets"):
            return Choose("trigger_targets", event.targets)
        case events.ChoiceMade(choice="mode"):
            return Choose("mode", event.number)
        case events.ChoiceMade():
            return Choose(event.choice, event.number > 0)
        case _:
            return None


# --- Refusals that only Fivewells has ----------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    **DECK_REFUSALS,
    "wrong_timing": Refusal("Not at this moment", "Play lands, creatures, artifacts and sorceries in your main step."),
    "land_already_played": Refusal("One land a turn", "Play the next land in your next turn."),
    "not_untapped": Refusal("It is tapped", "Choose an untapped permanent."),
    "new_creature": Refusal("This creature is new", "It may attack and use tap abilities from your next turn on."),
    "may_not_attack": Refusal("This creature may not attack", "Choose one of the offered creatures."),
    "may_not_block": Refusal("This creature may not block", "Choose one of the offered creatures."),
    "illegal_block": Refusal("Illegal block", "Check flying and daunting, and which creatures attack."),
    "illegal_target": Refusal("Illegal target", "Choose from the offered targets."),
    "wrong_target_count": Refusal("Wrong number of targets", "Choose as many targets as the card needs."),
    "cannot_pay": Refusal("There is not enough mana", "Choose a cheaper action, or enough untapped sources."),
    "bad_choice": Refusal("Invalid choice", "Choose from the offered options, and do not overpay."),
    "no_more_mulligans": Refusal("No more mulligans", "Keep this hand."),
}
