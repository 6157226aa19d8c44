"""Reads card files in the format `fivewells-cards/1`: JSON with the field names of the card classes as keys.

An object that is one of several kinds has one key, such as `{"draw": {"who": "you", "amount": 1}}`; the tables below
list the keys. Reading checks names and types. The package `check` finds everything else.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, Final

from domain.card_sets.cards import abilities, effects, filters
from domain.card_sets.cards.card import CardSet, PrintedCard, Slot, Token
from domain.card_sets.cards.card_kinds import Mana, OpenZone
from domain.card_sets.cards.costs import AddedMana, ManaCost, read_cost
from domain.core.types import Typed, fields_of, key, parse_hint
from domain.core.values import value, with_fields

FORMAT: Final = "fivewells-cards/1"

ODDS: Final = r"^[0-9]{1,4}/[1-9][0-9]{0,3}$"
"""A chance as card files write it."""

DEEPEST: Final = 40
"""Maximum depth of nested objects in a file."""

EFFECTS: Final[Mapping[str, type]] = {
    "damage": effects.Damage,
    "gain_life": effects.GainLife,
    "lose_life": effects.LoseLife,
    "draw": effects.Draw,
    "discard": effects.DiscardCards,
    "mill": effects.Mill,
    "scout": effects.Scout,
    "destroy": effects.Destroy,
    "return_to_hand": effects.ReturnToHand,
    "return_from_graveyard": effects.ReturnFromGraveyard,
    "tap": effects.Tap,
    "untap": effects.Untap,
    "freeze": effects.Freeze,
    "pump": effects.Pump,
    "add_counters": effects.AddCounters,
    "create_token": effects.CreateToken,
    "counter": effects.CounterSpell,
    "search_land": effects.SearchLand,
    "sacrifice": effects.SacrificePermanents,
    "fight": effects.Fight,
    "if": effects.If,
    "if_done": effects.IfDone,
    "choose_one": effects.ChooseOne,
}
"""The effects, by the keys of card files."""

ABILITIES: Final[Mapping[str, type]] = {
    "spell": abilities.SpellAbility,
    "triggered": abilities.TriggeredAbility,
    "activated": abilities.ActivatedAbility,
    "mana": abilities.ManaAbility,
    "static": abilities.StaticAbility,
    "enters_tapped": abilities.EntersTapped,
}
"""The abilities, by the keys of card files."""

CONDITIONS: Final[Mapping[str, type]] = {"life_at_most": filters.LifeAtMost}
"""The conditions, by the keys of card files."""


class BadCards(ValueError):
    """A card file cannot be read. `path` is the place, such as `cards.3.cost`, and `fault` a sentence."""

    def __init__(self, path: str, fault: str) -> None:
        super().__init__(f"{path}: {fault}")
        self.path = path
        self.fault = fault


def read_set(file: Any) -> CardSet:
    """Read a set from the JSON of its file. Raises `BadCards`."""
    top = _object(file, "", required={"format", "set", "booster", "cards"}, optional={"tokens"})
    if top["format"] != FORMAT:
        raise BadCards("format", f"This must be {FORMAT!r}.")
    said = _object(top["set"], "set", required={"code", "name", "kind", "released", "size"})
    booster = _object(top["booster"], "booster", required={"size", "slots"})
    read = {name: _reader(hint) for name, hint in fields_of(CardSet).items()}
    made = {name: read[name](said[name], f"set.{name}") for name in ("code", "name", "kind", "released")}
    rows = {name: read[name](top.get(name, []), name) for name in ("cards", "tokens")}
    slots: tuple[Slot, ...] = read["booster"](booster["slots"], "booster.slots")
    _counted(said["size"], len(rows["cards"]), "set.size")
    _counted(booster["size"], sum(slot.count for slot in slots), "booster.size")
    return CardSet(**made, **rows, booster=slots)


def read_card(row: Any, path: str) -> PrintedCard:
    """Read the card at this path of its file. Raises `BadCards`."""
    card: PrintedCard = _record(PrintedCard, row, path)
    return card


def read_token(row: Any, path: str) -> Token:
    """Read the token at this path of its file. Raises `BadCards`."""
    token: Token = _record(Token, row, path)
    return token


def _counted(said: Any, there: int, path: str) -> None:
    if _plain(int, said, path) != there:
        raise BadCards(path, f"This must be {there}, the number of cards.")


# --- By types ---------------------------------------------------------------------------------------------


ReadPart = Callable[[Any, str], Any]
"""Reads a value at a path of its file. Raises `BadCards`."""


@value
class RecordForm:
    """The keys of an object that is read into a record: the field and the reader of each."""

    fields: Mapping[str, tuple[str, ReadPart]]
    required: Collection[str]
    optional: Collection[str]


def _reader(hint: Typed) -> ReadPart:
    """Return the function that reads values of this type."""
    if (read := _READERS.get(with_fields(hint, optional=False))) is not None:
        return read
    match hint.kind:
        case "row":
            return partial(_row, _reader(hint.of))
        case "record":
            return partial(_record, hint.of)
        case "words":
            return partial(_one_of, {word: word for word in hint.of})
        case _ if issubclass(hint.of, Enum):
            return partial(_one_of, {one.value: one for one in hint.of})
        case _:
            return partial(_plain, hint.of)


def _row(read: ReadPart, x: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(x, list):
        raise BadCards(path, "This must be a list.")
    return tuple(read(entry, f"{path}.{i}") for i, entry in enumerate(x))


@cache
def _form(cls: Any) -> RecordForm:
    """Return the form of a class: its field names are the keys, and fields with a default are optional."""
    hints = fields_of(cls)
    known = {key(f.name): (f.name, _reader(hints[f.name])) for f in fields(cls)}
    required = {key(f.name) for f in fields(cls) if f.default is MISSING}
    return RecordForm(known, required, known.keys() - required)


def _record(cls: Any, x: Any, path: str) -> Any:
    """Read an object into a record of this class."""
    form = _form(cls)
    row = _object(x, path, form.required, form.optional)
    read = [(*form.fields[name], y, f"{path}.{name}") for name, y in row.items()]
    return cls(**{name: reader(y, at) for name, reader, y, at in read})


def _object(x: Any, path: str, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, Any]:
    if not isinstance(x, dict):
        raise BadCards(path, "This must be an object.")
    if missing := sorted(set(required) - x.keys()):
        raise BadCards(path, f"{missing[0]!r} is missing.")
    if unknown := sorted(map(str, x.keys() - {*required, *optional})):
        raise BadCards(path, f"{unknown[0]!r} is not allowed here.")
    return x


def _one_of(words: Mapping[Any, Any], x: Any, path: str) -> Any:
    if not isinstance(x, str) or x not in words:
        raise BadCards(path, f"This must be one of {', '.join(map(str, words))}.")
    return words[x]


_PLAIN: Final = {int: "a whole number", str: "a text", bool: "true or false"}


def _plain(cls: type, x: Any, path: str) -> Any:
    if type(x) is not cls:
        raise BadCards(path, f"This must be {_PLAIN[cls]}.")
    return x


# --- What card files write in a form of its own -------------------------------------------------------------


def _tagged(table: Mapping[str, type], x: Any, path: str) -> Any:
    """Read an object of one key, which names a record of the table."""
    if path.count(".") > DEEPEST:
        raise BadCards(path, "This is nested too deeply.")
    if not isinstance(x, dict) or len(x) != 1:
        raise BadCards(path, "This must be an object with one key.")
    ((name, inner),) = x.items()
    if name not in table:
        raise BadCards(path, f"{name!r} does not exist. Use one of {', '.join(table)}.")
    below = f"{path}.{name}"
    match table[name]:
        case effects.ChooseOne:
            return effects.ChooseOne(_reader(fields_of(effects.ChooseOne)["modes"])(inner, below))
        case effects.IfDone:
            return effects.IfDone(_reader(fields_of(effects.IfDone)["then"])(inner, below))
        case abilities.EntersTapped:
            if inner is not True:
                raise BadCards(below, "This must be true.")
            return abilities.EntersTapped()
        case cls:
            return _record(cls, inner, below)


def _id(x: Any, path: str, there: str) -> str:
    if x == filters.TRIGGER:
        return filters.TRIGGER
    if not (isinstance(x, str) and len(x) == 1 and "a" <= x <= "z"):
        raise BadCards(path, f"This must be {there} trigger or the id of a target, which is a small letter.")
    return x


def _recipient(x: Any, path: str) -> filters.Recipient:
    if isinstance(x, dict):
        return filters.Each(_record(filters.Filter, _object(x, path, {"all"})["all"], f"{path}.all"))
    if x == "opponent":
        return filters.YourOpponent()
    return filters.Itself() if x == "self" else filters.Targeted(_id(x, path, "self, opponent, a filter under all, or"))


def _fighter(x: Any, path: str) -> filters.Itself | filters.Targeted:
    return filters.Itself() if x == "self" else filters.Targeted(_id(x, path, "self or"))


def _itself_or_filter(x: Any, path: str) -> filters.Itself | filters.Filter:
    if x == "self":
        return filters.Itself()
    passing: filters.Filter = _record(filters.Filter, x, path)
    return passing


def _players(x: Any, path: str) -> filters.Players:
    named = {one.value: one for one in filters.Party}
    if not isinstance(x, str) or x in named:
        party: filters.Party = _one_of(named, x, path)
        return party
    kind, _, target = x.partition(":")
    there = f"one of {', '.join(named)}, or target: or controller: with"
    known = kind == "controller" or (kind == "target" and target != filters.TRIGGER)
    target = _id(target if known else None, path, there)
    return filters.TargetedPlayer(target) if kind == "target" else filters.ControllerOf(target)


_IN_ZONES: Final[Mapping[str, Any]] = {"zone": OpenZone, "who": filters.Party}


def _amount(x: Any, path: str) -> filters.Amount:
    if x == "X":
        return filters.ChosenX()
    if isinstance(x, dict) and "power_of" in x:
        return filters.PowerOf(_fighter(_object(x, path, {"power_of"})["power_of"], f"{path}.power_of"))
    if isinstance(x, dict) and "zone" in x:
        row = _object(x, path, {"count", "zone", "who"})
        zone, who = (_one_of({one.value: one for one in cls}, row[k], f"{path}.{k}") for k, cls in _IN_ZONES.items())
        return filters.CountCards(_record(filters.Filter, row["count"], f"{path}.count"), zone, who)
    if isinstance(x, dict):
        return filters.Count(_record(filters.Filter, _object(x, path, {"count"})["count"], f"{path}.count"))
    if type(x) is not int or x < 0:
        raise BadCards(path, "This must be a number from 0, X, a filter under count, or power_of.")
    return x


def _mana_cost(x: Any, path: str) -> ManaCost:
    try:
        return read_cost(_plain(str, x, path))
    except BadCards:
        raise
    except ValueError as fault:
        raise BadCards(path, f"{fault}.") from None


def _odds(x: Any, path: str) -> Fraction:
    if re.fullmatch(ODDS, _plain(str, x, path)) is None or Fraction(x) > 1:
        raise BadCards(path, "This must be a chance from 0 to 1, written as 1/8.")
    return Fraction(x)


_MANA: Final = {mana.name: mana for mana in Mana}

_READERS: Final[Mapping[Typed, ReadPart]] = {
    parse_hint(effects.Effect): partial(_tagged, EFFECTS),
    parse_hint(abilities.Ability): partial(_tagged, ABILITIES),
    parse_hint(filters.Condition): partial(_tagged, CONDITIONS),
    parse_hint(filters.Recipient): _recipient,
    parse_hint(filters.Itself | filters.Targeted): _fighter,
    parse_hint(filters.Itself | filters.Filter): _itself_or_filter,
    parse_hint(filters.Players): _players,
    parse_hint(filters.Amount): _amount,
    parse_hint(ManaCost): _mana_cost,
    parse_hint(Fraction): _odds,
    parse_hint(Mana): partial(_one_of, _MANA),
    parse_hint(AddedMana): partial(_one_of, _MANA | {"any": "any"}),
}
