"""Defines how cards point at objects and players: filters, targets, recipients, players, amounts, conditions."""

from enum import Enum
from typing import Final

from domain.card_sets.cards.card_kinds import CardType, Controller, Keyword, OpenZone, TargetKind
from domain.core.values import value


@value
class Filter:
    """A filter accepts objects that meet all of its conditions; None, and an empty `types_any`, are no condition.

    `types_any` requires at least one of the types. `other` excludes the source of the ability. `in_combat` means
    attacking or blocking.
    """

    types_any: tuple[CardType, ...] = ()
    controller: Controller = Controller.ANY
    other: bool = False
    tapped: bool | None = None
    attacking: bool | None = None
    in_combat: bool | None = None
    token: bool | None = None
    without_keyword: Keyword | None = None


EVERYTHING = Filter()


@value
class TargetRule:
    """The targets that can be chosen under this id, and their number; all must be different."""

    id: str
    what: TargetKind
    controller: Controller
    min: int
    max: int
    filter: Filter = EVERYTHING


TRIGGER: Final = "trigger"
"""The id by which effects of a triggered ability name the object of the trigger, which is not a target."""


# --- Recipients: what an effect is done to ----------------------------------------------------------------


@value
class Itself:
    """The effect is done to the source of the ability."""


@value
class YourOpponent:
    """The opponent of the ability's controller, as a player who is dealt damage."""


@value
class Targeted:
    """The chosen targets with this id that are still legal, or the object of the trigger."""

    id: str


@value
class Each:
    """Every permanent that the filter admits when the effect begins."""

    of: Filter


Recipient = Itself | YourOpponent | Targeted | Each


# --- Players ----------------------------------------------------------------------------------------------


class Party(Enum):
    """Names players, seen from the controller of the ability; `EACH_PLAYER` is both, the active one first."""

    YOU = "you"
    OPPONENT = "opponent"
    EACH_PLAYER = "each_player"


@value
class TargetedPlayer:
    """The players that were chosen as targets under this id."""

    id: str


@value
class ControllerOf:
    """The controllers of the targets with this id at the start of the resolution."""

    id: str


Players = Party | TargetedPlayer | ControllerOf


# --- Amounts and conditions -------------------------------------------------------------------------------


@value
class ChosenX:
    """The number chosen for X when the spell was cast, or the ability activated."""


@value
class Count:
    """The number of permanents on the battlefield that the filter admits, counted when the effect begins."""

    of: Filter


@value
class CountCards:
    """The number of cards in a hand or a graveyard of these players that are of the types of the filter."""

    of: Filter
    zone: OpenZone
    who: Party


@value
class PowerOf:
    """The current or last power of the source or of the target with this id; negative power counts as 0."""

    of: Itself | Targeted


Amount = int | ChosenX | Count | CountCards | PowerOf


@value
class LifeAtMost:
    """True while this player's life is `n` or less; `who` is never `EACH_PLAYER`."""

    who: Party
    n: int


Condition = LifeAtMost
"""A condition of an ability or effect; only one kind exists so far."""
