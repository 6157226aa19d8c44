"""Checks a card file: that it can be read, and that its cards and their abilities obey the rules of the language.

A fault is refused, with its place in the file. A warning is allowed: a card that no booster contains, or a trigger that
can cause itself.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from domain.card_sets.cards import abilities
from domain.card_sets.cards.boosters import odds, of_color, of_rarity
from domain.card_sets.cards.card import CardSet, PrintedCard, Slot, Token
from domain.card_sets.cards.card_kinds import COLORS, OF_AN_OBJECT, CardType, Controller, Rarity, TargetKind, Trigger
from domain.card_sets.cards.card_text import card_text
from domain.card_sets.cards.costs import Cost
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import EVERYTHING, Filter, Itself, TargetRule
from domain.card_sets.cards.read import BadCards, read_card, read_set, read_token
from domain.card_sets.check.effect_checks import (
    PERMANENTS,
    Around,
    CardFault,
    Faults,
    condition_faults,
    effects_faults,
    filter_faults,
    used_targets,
)
from domain.card_sets.check.self_causing import can_cause_itself, tokens_made
from domain.core.values import value, with_fields

SPELLS = frozenset([CardType.INSTANT, CardType.SORCERY])

ENTERING: Mapping[tuple[CardType, ...], TargetKind] = {
    (CardType.CREATURE,): TargetKind.CREATURE,
    (CardType.ARTIFACT,): TargetKind.ARTIFACT,
    (CardType.LAND,): TargetKind.LAND,
}
"""The entering object as a target, if exactly one type is required."""


def ability_faults(ability: abilities.Ability, card: PrintedCard, tokens: frozenset[str], path: str) -> Faults:
    """Find the faults of one ability of a card. `tokens` are those in its file."""
    creature = CardType.CREATURE in card.types
    match ability:
        case abilities.SpellAbility(effects=row, targets=targets):
            yield from _done(row, targets, Around("spell", {}, card.cost.x, tokens), f"{path}.spell")
        case abilities.TriggeredAbility(effects=row, targets=targets):
            below = f"{path}.triggered"
            yield from _trigger(ability, creature=creature, path=below)
            around = with_fields(_around(tokens, creature=creature, x=False), about=_about(ability, creature=creature))
            yield from _done(row, targets, around, below)
        case abilities.ActivatedAbility(cost=cost, effects=row, targets=targets):
            below = f"{path}.activated"
            if not (cost.tap or cost.sacrifice is not None or cost.mana.mana_value):
                yield CardFault(f"{below}.cost", "An ability must cost mana, a tap or a sacrifice.")
            yield from _cost(cost, f"{below}.cost")
            yield from _done(row, targets, _around(tokens, creature=creature, x=cost.mana.x), below)
        case abilities.ManaAbility(cost=cost, amount=amount):
            below = f"{path}.mana"
            if cost.mana.mana_value or cost.mana.x or not (cost.tap or cost.sacrifice is not None):
                yield CardFault(f"{below}.cost", "A mana ability must cost a tap or a sacrifice, and no mana.")
            yield from _cost(cost, f"{below}.cost")
            if amount < 1:
                yield CardFault(f"{below}.amount", "A mana ability must add at least 1 mana.")
        case abilities.StaticAbility():
            yield from _static(ability, creature=creature, path=f"{path}.static")
        case abilities.EntersTapped():
            pass
        case _:
            assert_never(ability)


def _around(tokens: frozenset[str], *, creature: bool, x: bool) -> Around:
    return Around("creature" if creature else "permanent", {}, x, tokens)


def _done(row: tuple[Effect, ...], targets: tuple[TargetRule, ...], around: Around, path: str) -> Faults:
    """Find the faults in the targets and effects of an ability."""
    ids = Counter(rule.id for rule in targets)
    for i, rule in enumerate(targets):
        yield from _target(rule, f"{path}.targets.{i}")
        if ids[rule.id] > 1:
            yield CardFault(f"{path}.targets.{i}.id", f"The id {rule.id!r} is used twice.")
        if rule.id not in used_targets(row):
            yield CardFault(f"{path}.targets.{i}.id", f"No effect uses the target {rule.id!r}.")
    declared = {rule.id: rule for rule in targets}
    yield from effects_faults(row, with_fields(around, targets=declared), f"{path}.effects")


def _target(rule: TargetRule, path: str) -> Faults:
    if len(rule.id) != 1 or not "a" <= rule.id <= "z":
        yield CardFault(f"{path}.id", "The id of a target is a small letter.")
    if not 0 <= rule.min <= rule.max or rule.max < 1:
        yield CardFault(f"{path}.max", "`max` must be at least 1 and at least `min`.")
    if rule.filter.controller is not Controller.ANY:
        yield CardFault(f"{path}.filter.controller", "Set the controller of a target next to its filter, not inside.")
    if rule.what is TargetKind.SPELL:
        yield from _spell_filter(rule.filter, f"{path}.filter")
    elif rule.what in (TargetKind.PLAYER, TargetKind.CREATURE_OR_PLAYER, TargetKind.CREATURE_CARD_IN_GRAVEYARD):
        if rule.filter != EVERYTHING:
            yield CardFault(f"{path}.filter", "A filter is only for permanents and spells.")
    else:
        yield from filter_faults(rule.filter, f"{path}.filter")


def _spell_filter(which: Filter, path: str) -> Faults:
    if which != Filter(types_any=which.types_any, controller=which.controller):
        yield CardFault(path, "Filter spells only by type and controller.")
    if CardType.LAND in which.types_any:
        yield CardFault(f"{path}.types_any", "A land is not a spell.")


def _trigger(ability: abilities.TriggeredAbility, *, creature: bool, path: str) -> Faults:
    of = ability.of
    if (of is None) is (ability.event in OF_AN_OBJECT):
        wants = "must say `of` what" if of is None else "has no `of`"
        yield CardFault(f"{path}.of", f"The trigger {ability.event} {wants}.")
    elif isinstance(of, Filter):
        if ability.event is Trigger.CAST:
            yield from _spell_filter(of, f"{path}.of")
        else:
            yield from filter_faults(of, f"{path}.of")
        if (
            ability.event not in (Trigger.CAST, Trigger.ENTERS)
            and of.types_any
            and CardType.CREATURE not in of.types_any
        ):
            yield CardFault(f"{path}.of.types_any", f"The trigger {ability.event} is only for creatures.")
    elif isinstance(of, Itself) and not creature and ability.event not in (Trigger.CAST, Trigger.ENTERS):
        yield CardFault(f"{path}.of", f"The trigger {ability.event} is only for creatures.")
    if ability.if_ is not None:
        yield from condition_faults(ability.if_, f"{path}.if")


def _about(ability: abilities.TriggeredAbility, *, creature: bool) -> TargetKind | None:
    """Return the object of a trigger as if it were a target."""
    if ability.event not in OF_AN_OBJECT or ability.of is None:
        return None
    if ability.event is Trigger.CAST:
        return TargetKind.SPELL
    if ability.event is Trigger.DIES:
        return TargetKind.CREATURE_CARD_IN_GRAVEYARD
    if ability.event is not Trigger.ENTERS:
        return TargetKind.CREATURE
    types = ability.of.types_any if isinstance(ability.of, Filter) else (CardType.CREATURE,) * creature
    return ENTERING.get(types, TargetKind.PERMANENT)


def _cost(cost: Cost, path: str) -> Faults:
    if isinstance(cost.sacrifice, Filter):
        if cost.sacrifice.controller is Controller.OPPONENT:
            yield CardFault(f"{path}.sacrifice.controller", "A player can sacrifice only permanents that it controls.")
        yield from filter_faults(cost.sacrifice, f"{path}.sacrifice")


def _static(ability: abilities.StaticAbility, *, creature: bool, path: str) -> Faults:
    if not (ability.power or ability.toughness or ability.grant or ability.restrict):
        yield CardFault(path, "This does nothing.")
    affects = ability.affects
    if isinstance(affects, Filter):
        yield from filter_faults(affects, f"{path}.affects")
        if affects.types_any and CardType.CREATURE not in affects.types_any:
            yield CardFault(f"{path}.affects", "This affects only creatures.")
        if affects.without_keyword in ability.grant:
            yield CardFault(
                f"{path}.grant", "An ability cannot give a keyword to creatures that are chosen for lacking it."
            )
    elif not creature:
        yield CardFault(f"{path}.affects", "This affects only creatures.")
    if ability.if_ is not None:
        yield from condition_faults(ability.if_, f"{path}.if")


@value
class CardReport:
    """The faults and warnings of a card file."""

    faults: tuple[CardFault, ...]
    warnings: tuple[CardFault, ...] = ()


def check_card_file(file: Any, others: Iterable[CardSet] = ()) -> CardReport:
    """Check the JSON of a card file that would be added to the other sets."""
    unread = tuple(_unread(file))
    if unread:
        return CardReport(unread)
    cards = read_set(file)
    found = tuple(_faults(cards, file, tuple(others)))
    return CardReport(found, () if found else tuple(_warnings(cards)))


def _unread(file: Any) -> Faults:
    """Yield the places where the file cannot be read: at most one for each card and token, and one for the rest."""
    there = file if isinstance(file, dict) else {}
    found = 0
    for name, read in (("cards", read_card), ("tokens", read_token)):
        rows = there.get(name)
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            try:
                read(row, f"{name}.{i}")
            except BadCards as bad:
                found += 1
                yield CardFault(bad.path, bad.fault)
    if not found:
        try:
            read_set(file)
        except BadCards as bad:
            yield CardFault(bad.path, bad.fault)


def _faults(cards: CardSet, file: Mapping[str, Any], others: tuple[CardSet, ...]) -> Faults:
    if re.fullmatch("[a-z]{2}[0-9]", cards.code) is None:
        yield CardFault("set.code", "A code is two small letters and a digit.")
    tokens = {token.id: token for token in cards.tokens}
    if len(tokens) < len(cards.tokens):
        yield CardFault("tokens", "Two tokens have the same id.")
    yield from _numbers(cards, others)
    for i, token in enumerate(cards.tokens):
        yield from _token(token, others, f"tokens.{i}")
    for i, card in enumerate(cards.cards):
        path = f"cards.{i}"
        wrong = tuple(_card(card, file["cards"][i], frozenset(tokens), path))
        yield from wrong
        if not wrong and (due := card_text(card, tokens)) != card.text:
            yield CardFault(f"{path}.text", f"The abilities say: {due}")
    for i, slot in enumerate(cards.booster):
        yield from _slot(slot, cards, f"booster.slots.{i}")
    twice = [rarity for rarity, n in Counter(slot.rarity for slot in cards.booster).items() if n > 1]
    if twice:
        yield CardFault("booster.slots", f"There are two slots for {twice[0]}.")


def _numbers(cards: CardSet, others: tuple[CardSet, ...]) -> Faults:
    """Find ids, numbers and names that do not fit the set, or that belong to another set."""
    if any(one.code == cards.code for one in others):
        yield CardFault("set.code", f"A set {cards.code} already exists.")
    taken = {card.name for one in others if one.code != cards.code for card in one.cards}
    for i, card in enumerate(cards.cards):
        if card.number != i + 1:
            yield CardFault(f"cards.{i}.number", f"Cards are numbered in order; this must be {i + 1}.")
        if card.set != cards.code:
            yield CardFault(f"cards.{i}.set", f"This must be {cards.code}.")
        if card.id != f"{cards.code}-{card.number:03}":
            yield CardFault(f"cards.{i}.id", f"This must be {cards.code}-{card.number:03}.")
        if card.name in taken:
            yield CardFault(f"cards.{i}.name", f"A card {card.name!r} already exists.")
        taken.add(card.name)


def _token(token: Token, others: tuple[CardSet, ...], path: str) -> Faults:
    if CardType.CREATURE not in token.types or not set(token.types) <= PERMANENTS - {CardType.LAND}:
        yield CardFault(f"{path}.types", "A token must be a creature, and can also be an artifact.")
    if token.power < 0 or token.toughness < 1:
        yield CardFault(path, "A token must have a power of at least 0, and a toughness of at least 1.")
    if token.cost.mana_value or token.abilities:
        yield CardFault(path, "A token has no cost and no abilities.")
    if re.fullmatch("[a-z_]+", token.id) is None:
        yield CardFault(f"{path}.id", "The id of a token is a word of lowercase letters.")
    if any(one.id == token.id and one != token for other in others for one in other.tokens):
        yield CardFault(f"{path}.id", f"Another set has a token {token.id!r} that differs.")


def _card(card: PrintedCard, row: Mapping[str, Any], tokens: frozenset[str], path: str) -> Faults:
    types = set(card.types)
    creature, land = CardType.CREATURE in types, CardType.LAND in types
    if not 2 <= len(card.name) <= 40 or card.name != " ".join(card.name.split()):
        yield CardFault(f"{path}.name", "A name has 2 to 40 characters, and single spaces within.")
    if not types or len(types) < len(card.types) or (types & SPELLS and len(types) > 1) or (creature and land):
        yield CardFault(f"{path}.types", "A card cannot have this combination of types.")
    if ("cost" in row) is land:
        yield CardFault(f"{path}.cost", "A land has no cost." if land else "Every card except a land must have a cost.")
    if card.colors != card.cost.colors:
        yield CardFault(f"{path}.colors", "The colours of a card must be those in its cost, in the usual order.")
    for name, least in (("power", 0), ("toughness", 1)):
        if (name in row) is not creature:
            yield CardFault(f"{path}.{name}", f"A creature must have {name}, and other cards must not.")
        elif creature and row[name] < least:
            yield CardFault(f"{path}.{name}", f"This must be at least {least}.")
    if card.keywords and (not creature or len(set(card.keywords)) < len(card.keywords)):
        yield CardFault(f"{path}.keywords", "Only creatures have keywords, and each keyword only once.")
    if card.basic and not (land and card.rarity is Rarity.COMMON):
        yield CardFault(f"{path}.basic", "Only a common land is basic.")
    spells = sum(isinstance(ability, abilities.SpellAbility) for ability in card.abilities)
    if (spells, len(card.abilities)) != (1, 1) if types & SPELLS else spells:
        yield CardFault(
            f"{path}.abilities", "Instants and sorceries must have one ability, `spell`; other cards must not have it."
        )
    for i, ability in enumerate(card.abilities):
        yield from ability_faults(ability, card, tokens, f"{path}.abilities.{i}")


def _slot(slot: Slot, cards: CardSet, path: str) -> Faults:
    if slot.rarity == "rare_or_ultra_rare":
        if slot.count != 1 or slot.one_of_each_color:
            yield CardFault(path, "This slot must hold 1 card, of any colour.")
        if slot.ultra_rare_odds > 0 and not of_rarity(cards, Rarity.ULTRA_RARE):
            yield CardFault(path, "There is no ultra rare card for this slot.")
        if slot.ultra_rare_odds < 1 and not of_rarity(cards, Rarity.RARE):
            yield CardFault(path, "There is no rare card for this slot.")
        return
    row = of_rarity(cards, Rarity(slot.rarity))
    if slot.ultra_rare_odds:
        yield CardFault(f"{path}.ultra_rare_odds", "Only a slot for rare cards can have these odds.")
    least = len(COLORS) if slot.one_of_each_color else 1
    if not least <= slot.count <= len(row):
        yield CardFault(f"{path}.count", f"This must be from {least} to {len(row)}, the number of cards for this slot.")
    if slot.one_of_each_color and (lost := [color.name for color in COLORS if not of_color(row, color)]):
        yield CardFault(path, f"There is no card whose only colour is {lost[0]}.")


def _warnings(cards: CardSet) -> Iterator[CardFault]:
    chances = odds(cards)
    used = {token for card in cards.cards for token in tokens_made(card)}
    for i, card in enumerate(cards.cards):
        if not card.basic and not chances.get(card.id):
            yield CardFault(f"cards.{i}", "No booster holds this card.")
        for j in can_cause_itself(card, {token.id: token for token in cards.tokens}):
            yield CardFault(f"cards.{i}.abilities.{j}", "This trigger can cause itself.")
    for i, token in enumerate(cards.tokens):
        if token.id not in used:
            yield CardFault(f"tokens.{i}", "No card creates this token.")
