"""Describes effects in words."""

from collections.abc import Mapping
from typing import Final, assert_never

from domain.card_sets.cards.card import Token
from domain.card_sets.cards.card_kinds import (
    GraveyardExit,
    LandDestination,
)
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
from domain.card_sets.cards.filters import Amount, ChosenX, Count, CountCards, Party, PowerOf
from domain.card_sets.cards.phrases import (
    Wording,
    all_that,
    cards_in,
    condition,
    join_words,
    many_targets,
    players,
    power,
    recipient,
    several,
    several_that,
    so_much,
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
