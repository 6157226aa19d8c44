"""Checks that each effect can affect its recipient, and that targets are declared."""

from collections.abc import Iterator
from typing import Final, Literal

from domain.card_sets.cards import effects, filters
from domain.card_sets.cards.card_kinds import CardType, OpenZone, TargetKind
from domain.card_sets.cards.effects import ChooseOne, Effect, Fight, If, IfDone
from domain.card_sets.cards.read import EFFECTS
from domain.core.values import value

DONE: Final = (effects.DiscardCards, effects.SacrificePermanents)
"""The effects that may do nothing, for example without a card to discard; `IfDone` depends on them."""

KEYS: Final = {cls: name for name, cls in EFFECTS.items()}

PERMANENTS: Final = frozenset([CardType.LAND, CardType.CREATURE, CardType.ARTIFACT])


@value
class CardFault:
    """A fault in a card file, with its path, such as `cards.3.abilities.0.cost`."""

    path: str
    sentence: str


Faults = Iterator[CardFault]


@value
class Around:
    """The context of effects: their source, the declared targets, and whether X can be chosen.

    `source` is `spell` for an instant or sorcery, otherwise `creature` or `permanent`. `about` is the object of a
    trigger.
    """

    source: Literal["spell", "creature", "permanent"]
    targets: dict[str, filters.TargetRule]
    x: bool
    tokens: frozenset[str]
    about: TargetKind | None = None


@value
class Takes:
    """The possible recipients of an effect."""

    targets: frozenset[TargetKind]
    itself: frozenset[str]
    each: bool = True
    opponent: bool = False


_CREATURE: Final = frozenset([TargetKind.CREATURE])
_WITH_POWER: Final = _CREATURE | {TargetKind.CREATURE_CARD_IN_GRAVEYARD}
"""The kinds of targets with power, now or last."""
_PERMANENT: Final = frozenset([TargetKind.CREATURE, TargetKind.ARTIFACT, TargetKind.LAND, TargetKind.PERMANENT])
_OF_PERMANENTS: Final = Takes(_PERMANENT, frozenset(["creature", "permanent"]))
_OF_CREATURES: Final = Takes(_CREATURE, frozenset(["creature"]))

TAKES: Final = {
    effects.Damage: Takes(
        frozenset([TargetKind.CREATURE, TargetKind.PLAYER, TargetKind.CREATURE_OR_PLAYER]),
        frozenset(["creature"]),
        opponent=True,
    ),
    effects.Destroy: _OF_PERMANENTS,
    effects.ReturnToHand: _OF_PERMANENTS,
    effects.ReturnFromGraveyard: Takes(frozenset([TargetKind.CREATURE_CARD_IN_GRAVEYARD]), frozenset(), each=False),
    effects.Tap: _OF_PERMANENTS,
    effects.Untap: _OF_PERMANENTS,
    effects.Freeze: _OF_PERMANENTS,
    effects.Pump: _OF_CREATURES,
    effects.AddCounters: _OF_CREATURES,
    effects.CounterSpell: Takes(frozenset([TargetKind.SPELL]), frozenset(), each=False),
    effects.Fight: Takes(_CREATURE, frozenset(["creature"]), each=False),
}
"""The possible recipients of each effect that has one."""


def effects_faults(row: tuple[Effect, ...], around: Around, path: str) -> Faults:
    """Find the faults in a list of effects."""
    if not row:
        yield CardFault(path, "There must be an effect.")
    for i, effect in enumerate(row):
        below = f"{path}.{i}.{KEYS[type(effect)]}"
        if isinstance(effect, IfDone) and (i == 0 or not isinstance(row[i - 1], DONE)):
            yield CardFault(below, "`if_done` must directly follow a discard or a sacrifice.")
        yield from _effect(effect, around, below)


def _effect(effect: Effect, around: Around, path: str) -> Faults:
    match effect:
        case If(cond=cond, then=then):
            yield from condition_faults(cond, f"{path}.cond")
            yield from effects_faults(then, around, f"{path}.then")
        case IfDone(then=then):
            yield from effects_faults(then, around, path)
        case ChooseOne(modes=modes):
            if len(modes) < 2:
                yield CardFault(path, "There must be at least two modes to choose from.")
            for i, mode in enumerate(modes):
                yield from effects_faults(mode, around, f"{path}.{i}")
        case effects.Pump(power=0, toughness=0, keywords=()):
            yield CardFault(path, "This does nothing.")
        case effects.CreateToken(token=token) if token not in around.tokens:
            yield CardFault(f"{path}.token", f"There is no token {token!r} in this file.")
        case effects.SacrificePermanents(filter=which):
            yield from filter_faults(which, f"{path}.filter")
        case _:
            pass
    for name in ("to", "a", "b"):
        if hasattr(effect, name):
            yield from _recipient(effect, getattr(effect, name), around, f"{path}.{name}")
    if hasattr(effect, "who"):
        yield from _players(effect.who, around, f"{path}.who")
    for name in ("amount", "unless_pays"):
        yield from _amount(getattr(effect, name, None), around, f"{path}.{name}")


def _recipient(effect: Effect, to: object, around: Around, path: str) -> Faults:
    takes = TAKES[type(effect)]
    match to:
        case filters.Targeted(id=id_):
            yield from _declared(id_, takes.targets, around, path)
        case filters.Itself() if around.source not in takes.itself:
            yield CardFault(path, "This effect does nothing to its own source.")
        case filters.YourOpponent() if not takes.opponent:
            yield CardFault(path, "This effect does nothing to a player.")
        case filters.Each(of=which):
            if not takes.each:
                yield CardFault(path, "This effect applies only to targets.")
            yield from filter_faults(which, f"{path}.all")
        case _:
            pass


def _players(who: object, around: Around, path: str) -> Faults:
    match who:
        case filters.TargetedPlayer(id=id_):
            yield from _declared(id_, frozenset([TargetKind.PLAYER]), around, path)
        case filters.ControllerOf(id=id_):
            yield from _declared(id_, frozenset(TargetKind) - {TargetKind.PLAYER}, around, path)
        case _:
            pass


def _declared(id_: str, kinds: frozenset[TargetKind], around: Around, path: str) -> Faults:
    if id_ == filters.TRIGGER:
        if around.about is None:
            yield CardFault(path, "No trigger here happens to an object.")
        elif around.about not in kinds:
            yield CardFault(path, f"This effect does nothing to a {around.about}, the object of the trigger.")
    elif id_ not in around.targets:
        yield CardFault(path, f"There is no target {id_!r} in `targets`.")
    elif around.targets[id_].what not in kinds:
        yield CardFault(path, f"This effect does nothing to a target that is {around.targets[id_].what}.")


def _amount(amount: object, around: Around, path: str) -> Faults:
    match amount:
        case 0:
            yield CardFault(path, "With 0, nothing happens.")
        case filters.ChosenX() if not around.x:
            yield CardFault(path, "No cost here contains X, so it cannot be chosen.")
        case filters.Count(of=which):
            yield from filter_faults(which, f"{path}.count")
        case filters.CountCards(of=which, zone=zone):
            yield from _cards(which, zone, path)
        case filters.PowerOf(of=filters.Targeted(id=id_)):
            yield from _declared(id_, _WITH_POWER if id_ == filters.TRIGGER else _CREATURE, around, f"{path}.power_of")
            if id_ in around.targets and around.targets[id_].max > 1:
                yield CardFault(f"{path}.power_of", "The power is that of a single target, so allow only one target.")
        case filters.PowerOf() if around.source != "creature":
            yield CardFault(f"{path}.power_of", "Only a creature has power.")
        case _:
            pass


def _cards(which: filters.Filter, zone: OpenZone, path: str) -> Faults:
    if which != filters.Filter(types_any=which.types_any):
        yield CardFault(f"{path}.count", "Filter cards that are not in play only by type.")
    if zone is OpenZone.HAND and which.types_any:
        yield CardFault(f"{path}.count", "Cards in a hand are hidden, so they can only be counted without a filter.")


def condition_faults(cond: filters.Condition, path: str) -> Faults:
    """Find the faults in a condition."""
    if cond.who is filters.Party.EACH_PLAYER:
        yield CardFault(f"{path}.life_at_most.who", "This must be you or opponent.")
    if cond.n < 1:
        yield CardFault(f"{path}.life_at_most.n", "This is never true: a player with less than 1 life has lost.")


def filter_faults(which: filters.Filter, path: str) -> Faults:
    """Return why no permanent can pass a filter."""
    types = set(which.types_any)
    if never := sorted(types - PERMANENTS):
        yield CardFault(f"{path}.types_any", f"No permanent is of the type {never[0]}.")
    fights = which.attacking is True or which.in_combat is True
    if (fights and types and CardType.CREATURE not in types) or (which.attacking is True and which.in_combat is False):
        yield CardFault(path, "This filter matches nothing.")


def used_targets(row: tuple[Effect, ...]) -> frozenset[str]:
    """Return the targets that effects use."""
    used: set[str] = set()
    for effect in row:
        if isinstance(effect, If | IfDone):
            used |= used_targets(effect.then)
        if isinstance(effect, ChooseOne):
            used |= frozenset().union(*map(used_targets, effect.modes))
        parts = (effect.a, effect.b) if isinstance(effect, Fight) else ()
        for part in (*parts, getattr(effect, "to", None), getattr(effect, "who", None)):
            if isinstance(part, filters.Targeted | filters.TargetedPlayer | filters.ControllerOf):
                used.add(part.id)
        for amount in (getattr(effect, "amount", None), getattr(effect, "unless_pays", None)):
            if isinstance(amount, filters.PowerOf) and isinstance(amount.of, filters.Targeted):
                used.add(amount.of.id)
    return frozenset(used)
