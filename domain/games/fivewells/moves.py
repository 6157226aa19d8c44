"""Defines the moves of a duel: the seats', then those of chance (fivewells 4)."""

from domain.card_sets.cards.card_kinds import Mana
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles, Targets
from domain.games.fivewells.records import Blocks, Kind, Paid, Stop, Until

Pay = tuple[Paid, ...]


@value
class SubmitDeck:
    """Play these cards, by their ids; what else there is lies beside the deck."""

    main: tuple[str, ...]
    """The ids of the cards that are played."""
    sideboard: tuple[str, ...] = ()
    """The ids of the cards beside them; all that is not played is beside the deck, named or not."""


@value
class Mulligan:
    pass


@value
class KeepHand:
    """Keep the hand, and put as many cards as mulligans were taken under the library; the first lies deepest."""

    bottom: Handles = ()
    """The cards that go under the library; the first lies deepest."""


@value
class PlayLand:
    card: Handle


@value
class CastSpell:
    """Cast a card. Without `pay`, the mana is paid automatically."""

    card: Handle
    """The id of the card."""
    targets: Targets | None = None
    """What it is aimed at, by the letters of the card."""
    x: int | None = None
    """The number for X, where the cost has one."""
    pay: Pay | None = None
    """The sources to be tapped; left out, the mana is paid automatically."""


@value
class ActivateAbility:
    """Activate the ability with this number on the card, counted from 0."""

    object: Handle
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: Targets | None = None
    """What it is aimed at, by the letters of the card."""
    x: int | None = None
    """The number for X, where the cost has one."""
    pay: Pay | None = None
    """The sources to be tapped; left out, the mana is paid automatically."""
    sacrifice: Handles | None = None
    """What is sacrificed for it, where there is a choice."""


@value
class ActivateManaAbility:
    """Tap or sacrifice a source for mana; `color` says which, where there is a choice."""

    object: Handle
    color: Mana | None = None
    """The kind of mana; it may be left out where there is one."""


@value
class PassPriority:
    """Pass, now or until something happens."""

    until: Until | None = None
    """How long to pass; left out, once."""


@value
class DeclareAttackers:
    attackers: Handles
    """The creatures that attack; none may be."""


@value
class DeclareBlockers:
    blocks: tuple[Blocks, ...]
    """Who blocks whom; nobody may."""


@value
class OrderBlockers:
    attacker: Handle
    order: Handles
    """The blockers, who is dealt damage first in front."""


@value
class Arranged:
    """Scouted cards are put under the library, the first of them deepest, and back on it, from the top on."""

    bottom: Handles
    """What goes under the library; the first lies deepest."""
    top: Handles
    """What stays on it, from the top on."""


Answer = Handles | Arranged | Targets | int | bool
"""An answer is chosen cards or permanents, scouted cards, the targets of a trigger, a mode from 0 on, or yes or no."""


@value
class Choose:
    """Answer what is asked."""

    choice: Kind
    """What is asked."""
    value: Answer | None = None
    """The cards or permanents, what goes under the library and what on it, the targets by their letters, a number, or
    true or false; who finds nothing may leave it out."""


@value
class SetStops:
    """Say in which windows to be asked, always or once."""

    stops: tuple[Stop, ...]
    """The windows in which to be asked, always."""
    once: tuple[Stop, ...] = ()
    """The windows in which to be asked the next time alone."""


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
