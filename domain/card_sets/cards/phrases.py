"""Describes objects, targets, players and amounts in words."""

from collections.abc import Iterable
from dataclasses import field
from typing import Final, assert_never

from domain.card_sets.cards import filters
from domain.card_sets.cards.card_kinds import Controller, TargetKind
from domain.core.values import mutable

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
CONTROLLED: Final = {Controller.YOU: " you control", Controller.OPPONENT: " your opponent controls", Controller.ANY: ""}

SIDES: Final = {
    Controller.YOU: " on your side",
    Controller.OPPONENT: " on your opponent's side",
    Controller.ANY: "",
}


@mutable
class Wording:
    """The context of an ability's text: the name of its source, and the targets already mentioned.

    `about` is the name of the trigger's object.
    """

    source: str
    targets: dict[str, filters.TargetRule]
    about: str = ""
    mentioned: set[str] = field(default_factory=set)


def number_word(n: int) -> str:
    """Return a number up to ten as a word."""
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    return f"{noun}s"


def article(noun: str) -> str:
    """Return a noun with `a` or `an`."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def several(amount: filters.Amount, noun: str, wording: Wording) -> str:
    """Return a counted noun, such as `a card`, `two cards` or `X cards`."""
    return article(noun) if amount == 1 else _number_of(amount, plural(noun), wording)


def _number_of(amount: filters.Amount, nouns: str, wording: Wording) -> str:
    match amount:
        case int():
            return f"{number_word(amount)} {nouns}"
        case filters.ChosenX():
            return f"X {nouns}"
        case filters.Count(of=which):
            return f"as many {nouns} as there are {all_that(which)}"
        case filters.CountCards():
            return f"as many {nouns} as there are {cards_in(amount)}"
        case filters.PowerOf(of=of):
            return f"as many {nouns} as {power(of, wording)}"
        case _:
            assert_never(amount)


def so_much(amount: filters.Amount, of: str, wording: Wording) -> str:
    """Return an amount of something uncountable, such as `3 life` or `X damage`."""
    match amount:
        case int():
            return f"{amount} {of}"
        case filters.ChosenX():
            return f"X {of}"
        case filters.Count(of=which):
            return f"{of} equal to the number of {all_that(which)}"
        case filters.CountCards():
            return f"{of} equal to the number of {cards_in(amount)}"
        case filters.PowerOf(of=whose):
            return f"{of} equal to {power(whose, wording)}"
        case _:
            assert_never(amount)


def cards_in(amount: filters.CountCards) -> str:
    """Return the cards of a zone in words, such as `creature cards in your graveyard`."""
    whose = {filters.Party.YOU: "your", filters.Party.OPPONENT: "your opponent's", filters.Party.EACH_PLAYER: "all"}[
        amount.who
    ]
    kinds = join_words(map(str, amount.of.types_any), " or ") + " " if amount.of.types_any else ""
    return f"{kinds}cards in {whose} {amount.zone}{'s' * (amount.who is filters.Party.EACH_PLAYER)}"


def power(of: filters.Itself | filters.Targeted, wording: Wording) -> str:
    """Return the power of a creature in words, such as `its power` or `the power of target creature`."""
    known = isinstance(of, filters.Targeted) and of.id in wording.mentioned
    return "its power" if known else f"the power of {recipient(of, wording)}"


def join_words(words: Iterable[str], between: str = " and ") -> str:
    """List words as `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)}{between}{last}" if first else last


# --- Filters ----------------------------------------------------------------------------------------------


def _before(which: filters.Filter) -> str:
    """Return the words of a filter before the noun."""
    words = {
        "tapped ": which.tapped is True,
        "untapped ": which.tapped is False,
        "attacking ": which.attacking is True,
        "non-attacking ": which.attacking is False,
        "attacking or blocking ": which.in_combat is True,
        "nontoken ": which.token is False,
    }
    return "".join(word for word, there in words.items() if there)


def _after(which: filters.Filter) -> str:
    """Return the words of a filter after the noun, without the controller."""
    without = f" without {which.without_keyword}" if which.without_keyword else ""
    return (" outside combat" if which.in_combat is False else "") + without


def _noun(which: filters.Filter, *, many: bool) -> str:
    nouns = [f"{one} token" if which.token else str(one) for one in which.types_any or ("permanent",)]
    return join_words([plural(noun) for noun in nouns] if many else nouns, " or ")


def bare(which: filters.Filter, *, many: bool = False) -> str:
    """Return the objects of a filter in words, without a controller, such as `attacking creature`."""
    return _before(which) + _noun(which, many=many) + _after(which)


def name_with_other(which: filters.Filter) -> str:
    """Name an object that a filter admits, without its controller: `a creature`, `another creature`."""
    return f"another {bare(which)}" if which.other else article(bare(which))


def several_that(amount: filters.Amount, which: filters.Filter, wording: Wording) -> str:
    """Return a number of objects in words, without a controller, such as `two other creatures`."""
    nouns = f"{'other ' * which.other}{bare(which, many=True)}"
    return name_with_other(which) if amount == 1 else _number_of(amount, nouns, wording)


def each_object(which: filters.Filter) -> str:
    """Return every object of a filter in words, such as `each creature you control`."""
    return f"each {'other ' * which.other}{bare(which)}{CONTROLLED[which.controller]}"


def all_that(which: filters.Filter) -> str:
    """Return all objects of a filter in words, such as `creatures you control`."""
    return f"{'other ' * which.other}{bare(which, many=True)}{CONTROLLED[which.controller]}"


def spell_that(which: filters.Filter) -> str:
    """Return the spells of a filter in words, such as `an instant or sorcery`."""
    return article(join_words(map(str, which.types_any), " or ") if which.types_any else "spell")


# --- Targets ----------------------------------------------------------------------------------------------


def _target_noun(rule: filters.TargetRule, *, many: bool) -> str:
    types = join_words(map(str, rule.filter.types_any), " or ") + " " if rule.filter.types_any else ""
    before, after = _before(rule.filter) + types, _after(rule.filter)
    whose = CONTROLLED[rule.filter.controller if rule.controller is Controller.ANY else rule.controller]
    side = SIDES[rule.controller]
    s = "s" * many
    match rule.what:
        case TargetKind.PERMANENT if types:
            kinds = [f"{one}{s}" for one in rule.filter.types_any]
            return (
                f"{_before(rule.filter)}{join_words(kinds, ' or ')}{' token' * bool(rule.filter.token)}{after}{whose}"
            )
        case TargetKind.CREATURE | TargetKind.ARTIFACT | TargetKind.LAND | TargetKind.PERMANENT | TargetKind.SPELL:
            token = " token" if rule.filter.token else ""
            return f"{before}{rule.what}{token}{s}{after}{whose}"
        case TargetKind.PLAYER:
            return f"opponent{s}" if rule.controller is Controller.OPPONENT else f"player{s}{side}"
        case TargetKind.CREATURE_OR_PLAYER:
            return f"{before}creatures and/or players{side}" if many else f"{before}creature or player{side}"
        case TargetKind.CREATURE_CARD_IN_GRAVEYARD:
            graveyards = {Controller.YOU: "your", Controller.OPPONENT: "your opponent's", Controller.ANY: "a"}
            return f"{before}creature card{s} in {graveyards[rule.controller]} graveyard"
        case _:
            assert_never(rule.what)


def _aimed(rule: filters.TargetRule) -> str:
    noun = _target_noun(rule, many=rule.max > 1)
    least, most = number_word(rule.min), number_word(rule.max)
    if rule.min == rule.max == 1:
        return f"{'another ' * rule.filter.other}target {noun}"
    if rule.min == 0:
        number = f"up to {most}"
    elif rule.min == rule.max:
        number = most
    else:
        number = f"{least} {'or' if rule.max == rule.min + 1 else 'to'} {most}"
    return f"{number} {'other ' * rule.filter.other}target {noun}"


def target(id_: str, wording: Wording, *, every: bool = False) -> str:
    """Return the targets with this id in words, after the first mention as a pronoun; with `every`, as `each of …`."""
    if id_ == filters.TRIGGER:
        return wording.about
    rule = wording.targets[id_]
    many = rule.max > 1
    if id_ not in wording.mentioned:
        wording.mentioned.add(id_)
        return f"each of {_aimed(rule)}" if many and every else _aimed(rule)
    if many:
        return "each of them" if every else "them"
    return "that player" if rule.what is TargetKind.PLAYER else "it"


def recipient(to: filters.Recipient, wording: Wording, *, every: bool = False) -> str:
    """Return the recipients of an effect in words; with `every`, as `each of …`."""
    match to:
        case filters.Itself():
            return wording.source
        case filters.YourOpponent():
            return "your opponent"
        case filters.Targeted(id=id_):
            return target(id_, wording, every=every)
        case filters.Each(of=which):
            return each_object(which)
        case _:
            assert_never(to)


def many_targets(to: filters.Recipient, wording: Wording) -> bool:
    """Return whether an effect may have several targets."""
    return isinstance(to, filters.Targeted) and to.id != filters.TRIGGER and wording.targets[to.id].max > 1


# --- Players ----------------------------------------------------------------------------------------------


def players(who: filters.Players, wording: Wording) -> str:
    """Return players as the subject of a sentence."""
    match who:
        case filters.Party.YOU:
            return "you"
        case filters.Party.OPPONENT:
            return "your opponent"
        case filters.Party.EACH_PLAYER:
            return "each player"
        case filters.TargetedPlayer(id=id_):
            return target(id_, wording, every=True)
        case filters.ControllerOf(id=id_):
            if id_ == filters.TRIGGER or id_ not in wording.mentioned:
                return f"the controller of {target(id_, wording)}"
            return "each of their controllers" if wording.targets[id_].max > 1 else "its controller"
        case _:
            assert_never(who)


def condition(cond: filters.Condition) -> str:
    """Return a condition as a clause after `if` or `while`."""
    who = "you have" if cond.who is filters.Party.YOU else "your opponent has"
    return f"{who} {cond.n} or less life"
