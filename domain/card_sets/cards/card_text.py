"""Renders the text of a card from its keywords and abilities."""

from typing import Final, assert_never

from domain.card_sets.cards.abilities import (
    Ability,
    ActivatedAbility,
    EntersTapped,
    ManaAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from domain.card_sets.cards.card import PrintedCard, Token
from domain.card_sets.cards.card_kinds import (
    MANA_NAMES,
    CardType,
    Controller,
    Keyword,
    Restriction,
    Trigger,
)
from domain.card_sets.cards.costs import NOTHING, Cost
from domain.card_sets.cards.effect_text import Clause, Tokens, effect_clause, effects_text
from domain.card_sets.cards.effects import Effect
from domain.card_sets.cards.filters import Filter, TargetRule
from domain.card_sets.cards.phrases import (
    CONTROLLED,
    Wording,
    condition,
    each_object,
    join_words,
    name_with_other,
    number_word,
    spell_that,
)


def card_text(card: PrintedCard, tokens: Tokens) -> str:
    """Return the text of a card: its keywords, then its abilities in their order. `tokens` are those of its set."""
    parts = [keywords_text(card.keywords), *(ability_text(ability, card, tokens) for ability in card.abilities)]
    return " ".join(part for part in parts if part)


def keywords_text(keywords: tuple[Keyword, ...]) -> str:
    """Return the sentence of keywords, such as `Flying, haste.`; empty if there are none."""
    return f"{join_words(keywords, ', ').capitalize()}." if keywords else ""


def source_name(card: PrintedCard | Token) -> str:
    """Return the name that a card uses for itself."""
    for kind in (CardType.CREATURE, CardType.ARTIFACT, CardType.LAND):
        if kind in card.types:
            return f"this {kind}"
    return "this spell"


def ability_text(ability: Ability, card: PrintedCard | Token, tokens: Tokens) -> str:
    """Return the sentence of one ability."""
    source = source_name(card)
    match ability:
        case SpellAbility(effects=effects, targets=targets):
            return _sentence(effects_text(effects, _wording(source, targets), tokens))
        case TriggeredAbility():
            return _sentence(_triggered(ability, source, tokens))
        case ActivatedAbility(cost=cost, effects=effects, targets=targets):
            done = effects_text(effects, _wording(source, targets), tokens)
            return f"{_upper(cost_text(cost))}: {_sentence(done)}"
        case ManaAbility(cost=cost):
            return f"{_upper(cost_text(cost))}: add {_mana(ability)}."
        case StaticAbility():
            return _sentence(_static(ability, source))
        case EntersTapped():
            return "Enters tapped."
        case _:
            assert_never(ability)


def mode_texts(
    modes: tuple[tuple[Effect, ...], ...],
    ability: SpellAbility | TriggeredAbility | ActivatedAbility,
    card: PrintedCard | Token,
    tokens: Tokens,
) -> tuple[str, ...]:
    """Return the effects of each of several modes of an ability."""
    source = source_name(card)
    about = _about(ability, source) if isinstance(ability, TriggeredAbility) else ""
    wording = _wording(source, ability.targets, about)
    return tuple(_upper(effects_text(mode, wording, tokens)) for mode in modes)


def _wording(source: str, targets: tuple[TargetRule, ...], about: str = "") -> Wording:
    return Wording(source, {rule.id: rule for rule in targets}, about)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{_upper(text)}."


def cost_text(cost: Cost) -> str:
    """Return the words of a cost: `2, tap, sacrifice this`."""
    parts = [] if cost.mana == NOTHING else [str(cost.mana)]
    parts += ["tap"] * cost.tap
    if cost.sacrifice is not None:
        parts.append(f"sacrifice {name_with_other(cost.sacrifice) if isinstance(cost.sacrifice, Filter) else 'this'}")
    return ", ".join(parts)


def _mana(ability: ManaAbility) -> str:
    number = number_word(ability.amount)
    if ability.add == "any":
        return f"{number} mana of any colour" if ability.amount == 1 else f"{number} mana of any one colour"
    return f"{number} {MANA_NAMES[ability.add]} mana"


def _static(ability: StaticAbility, source: str) -> str:
    acts = []
    if ability.power or ability.toughness:
        acts.append(("get", f"{ability.power:+d}/{ability.toughness:+d}"))
    if ability.grant:
        acts.append(("have", join_words(ability.grant)))
    if ability.restrict:
        verbs = {Restriction.CANNOT_ATTACK: "attack", Restriction.CANNOT_BLOCK: "block"}
        acts.append(("cannot", join_words([verbs[one] for one in ability.restrict], " or ")))
    subject = each_object(ability.affects) if isinstance(ability.affects, Filter) else source
    return str(Clause(subject, tuple(acts), f" while {condition(ability.if_)}" if ability.if_ else ""))


# --- Triggers ---------------------------------------------------------------------------------------------


def _triggered(ability: TriggeredAbility, source: str, tokens: Tokens) -> str:
    wording = _wording(source, ability.targets, _about(ability, source))
    clauses = [effect_clause(effect, wording, tokens) for effect in ability.effects]
    done = "; ".join(map(str, clauses))
    if ability.may:
        (first, *others) = clauses
        alone = isinstance(first, Clause) and not others
        done = first.permitted() if alone and isinstance(first, Clause) else f"you may have this happen: {done}"
    if ability.if_:
        done = f"if {condition(ability.if_)}, {done}"
    return f"{_when(ability, source)}: {done}"


def _about(ability: TriggeredAbility, source: str) -> str:
    """Return the name of the object of a trigger."""
    if not isinstance(ability.of, Filter):
        return source
    if ability.event is Trigger.CAST:
        return "that spell"
    if ability.event is Trigger.ENTERS:
        return f"that {ability.of.types_any[0] if len(ability.of.types_any) == 1 else 'permanent'}"
    return "that creature"


HAPPENS: Final = {
    Trigger.ENTERS: "enters",
    Trigger.DIES: "dies",
    Trigger.ATTACKS: "attacks",
    Trigger.BLOCKS: "blocks",
    Trigger.HITS_PLAYER: "deals combat damage to a player",
}


def _when(ability: TriggeredAbility, source: str) -> str:
    match ability.event:
        case Trigger.DAWN | Trigger.DUSK:
            return f"at your {ability.event}"
        case Trigger.LIFE_GAINED:
            return "whenever you gain life"
        case Trigger.DRAWS:
            return "whenever you draw a card"
        case Trigger.DISCARDS:
            return "whenever you discard a card"
        case Trigger.CAST:
            if not isinstance(ability.of, Filter):
                return "when you cast this spell"
            casters = {Controller.YOU: "you cast", Controller.OPPONENT: "your opponent casts"}
            return f"whenever {casters.get(ability.of.controller, 'a player casts')} {spell_that(ability.of)}"
        case Trigger.ENTERS | Trigger.DIES | Trigger.ATTACKS | Trigger.BLOCKS | Trigger.HITS_PLAYER as event:
            if not isinstance(ability.of, Filter):
                once = event in (Trigger.ENTERS, Trigger.DIES)
                return f"{'when' if once else 'whenever'} {source} {HAPPENS[event]}"
            if event is Trigger.ENTERS:
                under = {Controller.YOU: " under your control", Controller.OPPONENT: " under your opponent's control"}
                return f"whenever {name_with_other(ability.of)} enters{under.get(ability.of.controller, '')}"
            return f"whenever {name_with_other(ability.of)}{CONTROLLED[ability.of.controller]} {HAPPENS[event]}"
        case _:
            assert_never(ability.event)
