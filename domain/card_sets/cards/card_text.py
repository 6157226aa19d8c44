"""Renders the text of a card from its keywords, abilities and effects."""

from collections.abc import Mapping
from typing import Final, assert_never

from domain.card_sets.cards import abilities
from domain.card_sets.cards.card import PrintedCard, Token
from domain.card_sets.cards.card_kinds import (
    MANA_NAMES,
    CardType,
    Controller,
    GraveyardExit,
    Keyword,
    LandDestination,
    Restriction,
    Trigger,
)
from domain.card_sets.cards.costs import NOTHING, Cost
from domain.card_sets.cards.effects import (
    AddCounters,
    ChooseOne,
    CounterSpell,
    CreateToken,
    Damage,
    Destroy,
    DiscardCards,
    Draw,
    Effect,
    Fight,
    Freeze,
    GainLife,
    If,
    IfDone,
    LoseLife,
    Mill,
    Pump,
    ReturnFromGraveyard,
    ReturnToHand,
    SacrificePermanents,
    Scout,
    SearchLand,
    Tap,
    Untap,
)
from domain.card_sets.cards.filters import Amount, ChosenX, Count, CountCards, Filter, Party, PowerOf, TargetRule
from domain.card_sets.cards.phrases import (
    CONTROLLED,
    Wording,
    all_that,
    cards_in,
    condition,
    each_object,
    join_words,
    many_targets,
    name_with_other,
    number_word,
    players,
    power,
    recipient,
    several,
    several_that,
    so_much,
    spell_that,
)
from domain.core.values import value

Tokens = Mapping[str, Token]
"""The tokens by their ids."""

UNTIL: Final = {"end_of_turn": " until end of turn", "your_next_turn": " until your next turn"}


@value
class Clause:
    """A clause: a subject and its acts. Without a subject, it is an imperative. Each act is a verb with its objects."""

    subject: str
    acts: tuple[tuple[str, str], ...]
    tail: str = ""

    def __str__(self) -> str:
        as_is = self.subject in ("", "you")
        acts = [f"{verb if as_is else finite(verb)} {rest}" for verb, rest in self.acts]
        return f"{self.subject} {join_words(acts)}{self.tail}".lstrip()

    def permitted(self) -> str:
        """Return the clause with `you may`, or `you may have` if there is a subject."""
        acts = join_words([f"{verb} {rest}" for verb, rest in self.acts]) + self.tail
        return f"you may {acts}" if self.subject in ("", "you") else f"you may have {self.subject} {acts}"


def finite(verb: str) -> str:
    """Return the third person of a verb."""
    return {"have": "has", "cannot": "cannot", "search": "searches"}.get(verb, f"{verb}s")


def effects_text(effects: tuple[Effect, ...], wording: Wording, tokens: Tokens) -> str:
    """Return the words of effects, one after another."""
    return "; ".join(str(effect_clause(effect, wording, tokens)) for effect in effects)


def effect_clause(effect: Effect, wording: Wording, tokens: Tokens) -> Clause | str:
    """Return the clause of an effect, or the text of one that holds others."""
    match effect:
        case Damage(amount=amount, to=to):
            rest = f"{so_much(amount, 'damage', wording)} to {recipient(to, wording, every=True)}"
            return Clause(wording.source, (("deal", rest),))
        case GainLife(who=who, amount=amount):
            return Clause(players(who, wording), (("gain", so_much(amount, "life", wording)),))
        case LoseLife(who=who, amount=amount):
            return Clause(players(who, wording), (("lose", so_much(amount, "life", wording)),))
        case Draw(who=who, amount=amount):
            return Clause(players(who, wording), (("draw", several(amount, "card", wording)),))
        case DiscardCards(who=who, amount=amount, how=how):
            return Clause(
                players(who, wording),
                (("discard", several(amount, "card", wording)),),
                " at random" * (how == "random"),
            )
        case Mill(who=who, amount=amount):
            return Clause(players(who, wording), (("mill", several(amount, "card", wording)),))
        case Scout(amount=amount):
            return _ordered("scout", _number(amount, wording))
        case Destroy(to=to):
            return _ordered("destroy", recipient(to, wording))
        case ReturnToHand(to=to):
            whose = "their" if many_targets(to, wording) else "its"
            return _ordered("return", f"{recipient(to, wording)} to {whose} owner's hand")
        case ReturnFromGraveyard(to=to, dest=dest):
            many = many_targets(to, wording)
            hand = f"{'their' if many else 'its'} owner's hand"
            where = hand if dest is GraveyardExit.HAND else "the battlefield under your control"
            return _ordered("return", f"{recipient(to, wording)} to {where}")
        case Tap(to=to):
            return _ordered("tap", recipient(to, wording))
        case Untap(to=to):
            return _ordered("untap", recipient(to, wording))
        case Freeze(to=to):
            return _ordered("freeze", recipient(to, wording))
        case Pump(to=to, power=more, toughness=toughness, keywords=keywords, until=until):
            gets = (("get", f"{more:+d}/{toughness:+d}"),) if more or toughness or not keywords else ()
            gains = (("gain", join_words(keywords)),) if keywords else ()
            return Clause(recipient(to, wording, every=True), (*gets, *gains), UNTIL[until])
        case AddCounters(to=to, amount=amount):
            return _ordered(
                "put", f"{several(amount, 'growth counter', wording)} on {recipient(to, wording, every=True)}"
            )
        case CreateToken(token=token, amount=amount, who=who):
            return Clause(players(who, wording), (("create", _tokens(tokens[token], amount, wording)),))
        case CounterSpell(to=to, unless_pays=pays):
            unless = "" if pays is None else f" unless its controller pays {_number(pays, wording)}"
            return _ordered("counter", recipient(to, wording) + unless)
        case SearchLand():
            return _search(effect, wording)
        case SacrificePermanents(who=who, amount=amount, filter=which):
            return Clause(players(who, wording), (("sacrifice", several_that(amount, which, wording)),))
        case Fight(a=a, b=b):
            return Clause(recipient(a, wording), (("fight", recipient(b, wording)),))
        case If(cond=cond, then=then):
            return f"if {condition(cond)}, {effects_text(then, wording, tokens)}"
        case IfDone(then=then):
            return f"if so, {effects_text(then, wording, tokens)}"
        case ChooseOne(modes=modes):
            return f"choose one: {' / '.join(effects_text(mode, wording, tokens) for mode in modes)}"
        case _:
            assert_never(effect)


def _ordered(verb: str, rest: str) -> Clause:
    return Clause("", ((verb, rest),))


def _number(amount: Amount, wording: Wording) -> str:
    match amount:
        case Count(of=which):
            return f"the number of {all_that(which)}"
        case CountCards():
            return f"the number of {cards_in(amount)}"
        case PowerOf(of=of):
            return power(of, wording)
        case ChosenX():
            return "X"
        case _:
            return str(amount)


def _tokens(token: Token, amount: Amount, wording: Wording) -> str:
    noun = f"{token.power}/{token.toughness} {token.name} token"
    return several(amount, noun, wording) + (f" with {join_words(token.keywords)}" if token.keywords else "")


def _search(effect: SearchLand, wording: Wording) -> Clause:
    one = effect.amount == 1
    lands = "a basic land" if one else f"up to {several(effect.amount, 'basic land', wording)}"
    you = effect.who is Party.YOU
    onto = {
        LandDestination.BATTLEFIELD_TAPPED: "onto the battlefield tapped",
        LandDestination.HAND: f"into {'your' if you else 'their'} hand (revealed)",
    }[effect.dest]
    put, shuffle = ("put", "shuffle") if you else ("puts", "shuffles")
    rest = f"{'your' if you else 'their'} library for {lands}, {put} {'it' if one else 'them'} {onto}, then {shuffle}"
    return Clause("" if you else players(effect.who, wording), (("search", rest),))


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


def ability_text(ability: abilities.Ability, card: PrintedCard | Token, tokens: Tokens) -> str:
    """Return the sentence of one ability."""
    source = source_name(card)
    match ability:
        case abilities.SpellAbility(effects=effects, targets=targets):
            return _sentence(effects_text(effects, _wording(source, targets), tokens))
        case abilities.TriggeredAbility():
            return _sentence(_triggered(ability, source, tokens))
        case abilities.ActivatedAbility(cost=cost, effects=effects, targets=targets):
            done = effects_text(effects, _wording(source, targets), tokens)
            return f"{_upper(cost_text(cost))}: {_sentence(done)}"
        case abilities.ManaAbility(cost=cost):
            return f"{_upper(cost_text(cost))}: add {_mana(ability)}."
        case abilities.StaticAbility():
            return _sentence(_static(ability, source))
        case abilities.EntersTapped():
            return "Enters tapped."
        case _:
            assert_never(ability)


def mode_texts(
    modes: tuple[tuple[Effect, ...], ...],
    ability: abilities.SpellAbility | abilities.TriggeredAbility | abilities.ActivatedAbility,
    card: PrintedCard | Token,
    tokens: Tokens,
) -> tuple[str, ...]:
    """Return the effects of each of several modes of an ability."""
    source = source_name(card)
    about = _about(ability, source) if isinstance(ability, abilities.TriggeredAbility) else ""
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


def _mana(ability: abilities.ManaAbility) -> str:
    number = number_word(ability.amount)
    if ability.add == "any":
        return f"{number} mana of any colour" if ability.amount == 1 else f"{number} mana of any one colour"
    return f"{number} {MANA_NAMES[ability.add]} mana"


def _static(ability: abilities.StaticAbility, source: str) -> str:
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


def _triggered(ability: abilities.TriggeredAbility, source: str, tokens: Tokens) -> str:
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


def _about(ability: abilities.TriggeredAbility, source: str) -> str:
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


def _when(ability: abilities.TriggeredAbility, source: str) -> str:
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
