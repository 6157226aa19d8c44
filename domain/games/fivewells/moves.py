"""Defines the moves of a duel: the seats', then those of chance (fivewells 4)."""

from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.cards.kinds import Mana
from domain.games.fivewells.handles import Handle, Handles, Targets
from domain.games.fivewells.records import Blocks, Kind, Paid, Stop, Until

Pay = tuple[Paid, ...]


@value
class Mulligan:
    pass


@value
class KeepHand:
    """Keep the hand, and put as many cards as mulligans were taken under the library; the first lies deepest."""

    bottom: Handles = ()


@value
class PlayLand:
    card: Handle


@value
class CastSpell:
    """Cast a card. Without `pay`, the mana is paid automatically."""

    card: Handle
    targets: Targets | None = None
    x: int | None = None
    pay: Pay | None = None


@value
class ActivateAbility:
    """Activate the ability with this number on the card, counted from 0."""

    object: Handle
    ability: int
    targets: Targets | None = None
    x: int | None = None
    pay: Pay | None = None
    sacrifice: Handles | None = None


@value
class ActivateManaAbility:
    """Tap or sacrifice a source for mana; `color` says which, where there is a choice."""

    object: Handle
    color: Mana | None = None


@value
class PassPriority:
    """Pass, now or until something happens."""

    until: Until | None = None


@value
class DeclareAttackers:
    attackers: Handles


@value
class DeclareBlockers:
    blocks: tuple[Blocks, ...]


@value
class OrderBlockers:
    attacker: Handle
    order: Handles


@value
class Choose:
    """Answer what is asked.

    `value` are the chosen cards or permanents, of a scout those that go under the library, the first deepest; `top` the
    rest, from the top on. `targets` are those of a trigger, `number` that of a mode, `yes` answers a question.
    """

    choice: Kind
    value: Handles | None = None
    top: Handles | None = None
    targets: Targets | None = None
    number: int | None = None
    yes: bool | None = None


@value
class SetStops:
    """Say in which windows to be asked, always or once."""

    stops: tuple[Stop, ...]
    once: tuple[Stop, ...] = ()


@value
class ChooseFirst:
    seat: Seat


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
    Mulligan
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
    | NumberCards
    | ShuffleLibrary
    | DiscardAtRandom
)
