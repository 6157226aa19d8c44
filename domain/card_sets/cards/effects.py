"""Defines the effects of spells and abilities: a closed union of records, each with its action and its recipients."""

from typing import Literal

from domain.card_sets.cards.card_kinds import GraveyardExit, Keyword, LandDestination
from domain.card_sets.cards.filters import Amount, Condition, Filter, Itself, Players, Recipient, Targeted
from domain.core.values import value


@value
class Damage:
    """The source deals damage to creatures and players."""

    amount: Amount
    to: Recipient


@value
class GainLife:
    who: Players
    amount: Amount


@value
class LoseLife:
    """The players lose life, which is no damage."""

    who: Players
    amount: Amount


@value
class Draw:
    """The players draw cards, one after another."""

    who: Players
    amount: Amount


@value
class DiscardCards:
    """The players discard cards of their choice or at random; all of them if they have fewer."""

    who: Players
    amount: Amount
    how: Literal["choose", "random"]


@value
class Mill:
    """The top cards of the players' libraries go into their graveyards."""

    who: Players
    amount: Amount


@value
class Scout:
    """You look at the top cards of your library, and put any of them under it in any order, the rest back on top."""

    amount: Amount


@value
class Destroy:
    to: Recipient


@value
class ReturnToHand:
    """Permanents return to their owners' hands; a token vanishes."""

    to: Recipient


@value
class ReturnFromGraveyard:
    to: Recipient
    dest: GraveyardExit


@value
class Tap:
    to: Recipient


@value
class Untap:
    to: Recipient


@value
class Freeze:
    """Permanents do not untap in their controllers' next untap steps; this does not tap them."""

    to: Recipient


@value
class Pump:
    """Creatures get power, toughness and keywords until the end of the turn, or until your next turn begins."""

    to: Recipient
    power: int
    toughness: int
    keywords: tuple[Keyword, ...] = ()
    until: Literal["end_of_turn", "your_next_turn"] = "end_of_turn"


@value
class AddCounters:
    """Growth counters, each +1/+1, are put on creatures."""

    to: Recipient
    amount: Amount


@value
class CreateToken:
    """The players create tokens; `token` is the id under which the table of tokens has it."""

    token: str
    amount: Amount
    who: Players


@value
class CounterSpell:
    """The target spell goes from the stack to its owner's graveyard, unless its controller pays this much mana."""

    to: Recipient
    unless_pays: Amount | None = None


@value
class SearchLand:
    """The players look through their libraries for up to `amount` basic lands, reveal them, and shuffle."""

    who: Players
    amount: Amount
    dest: LandDestination


@value
class SacrificePermanents:
    """The players sacrifice permanents of their choice that pass the filter."""

    who: Players
    amount: Amount
    filter: Filter


@value
class Fight:
    """Two creatures deal damage equal to their power to each other at the same time; no effect if either is gone."""

    a: Itself | Targeted
    b: Itself | Targeted


@value
class If:
    """The effects happen if the condition holds at this point of the resolution."""

    cond: Condition
    then: "tuple[Effect, ...]"


@value
class IfDone:
    """The effects happen if the discard or sacrifice just before was carried out, at least in part."""

    then: "tuple[Effect, ...]"


@value
class ChooseOne:
    """The controller chooses one of the modes, each a row of effects, when it resolves.

    Targets are chosen before that, for all modes; each mode may name some of them.
    """

    modes: "tuple[tuple[Effect, ...], ...]"


Effect = (
    Damage
    | GainLife
    | LoseLife
    | Draw
    | DiscardCards
    | Mill
    | Scout
    | Destroy
    | ReturnToHand
    | ReturnFromGraveyard
    | Tap
    | Untap
    | Freeze
    | Pump
    | AddCounters
    | CreateToken
    | CounterSpell
    | SearchLand
    | SacrificePermanents
    | Fight
    | If
    | IfDone
    | ChooseOne
)
