"""Changes the rows of cards, one thing at a time: every number, keyword, cost, target, filter, player and condition.

A mutant is the row of a card with one change, and a note about the change. Changes without effect are not mutants, nor
are changes that the check of card files refuses.
"""

import json
import re
from copy import deepcopy
from importlib.resources import files

import domain.card_sets.cards
from domain.card_sets.cards.card_kinds import COLORS, Keyword, TargetKind, Trigger
from domain.card_sets.cards.library import TOKENS
from domain.card_sets.cards.read import BadCards, read_card, read_token
from domain.card_sets.check.file import ability_faults

SETS = [json.loads(file.read_text("utf-8")) for file in (files(domain.card_sets.cards) / "sets").iterdir()]
ROWS = {row["name"]: row for one in SETS for row in one["cards"]}
TOKEN_ROWS = {row["name"]: row for one in SETS for row in one["tokens"]}

KEYWORDS = [word.value for word in Keyword]
PLAYERS = ["you", "opponent", "each_player"]
CONTROLLERS = ["you", "opponent", "any"]
OF_OBJECTS = ["enters", "dies", "attacks", "blocks", "hits_player", "cast"]
OF_PLAYERS = [one.value for one in Trigger if one.value not in OF_OBJECTS]
YOURS = {"types_any": ["creature"], "controller": "you", "other": True}
THEIRS = {"types_any": ["creature"], "controller": "opponent"}

SAME = ("id", "name", "set", "number", "rarity", "text", "subtypes", "colors")
"""Fields without effect in a duel."""

OTHERS = {
    "controller": CONTROLLERS,
    "what": [one.value for one in TargetKind],
    "dest": ["hand", "battlefield", "battlefield_tapped"],
    "how": ["choose", "random"],
    "add": [*(color.name for color in COLORS), "N", "any"],
    "token": list(TOKENS),
    "without_keyword": KEYWORDS[:2],
}
"""The words that a field may contain."""

OPTIONAL = (
    "controller",
    "other",
    "tapped",
    "attacking",
    "in_combat",
    "token",
    "without_keyword",
    "types_any",
    "filter",
    "may",
    "if",
    "unless_pays",
    "tap",
    "sacrifice",
    "mana",
    "keywords",
    "grant",
    "restrict",
    "basic",
    "power",
    "toughness",
    "targets",
    "cost",
)
"""The fields that are omitted, one at a time."""


def mutants(row, *, token=False):
    """Yield the mutants of a row, each with a note on the change."""
    read = read_token if token else read_card
    there = read(row, "")
    seen = [there]
    for what, changed in _changed(row, ""):
        try:
            card = read(changed, "")
        except BadCards:
            continue
        if card in seen or not (token or _is_allowed(card, changed)):
            continue
        seen.append(card)
        yield what, card


def _is_allowed(card, row):
    tokens = frozenset(TOKENS)
    faults = [fault for i, one in enumerate(card.abilities) for fault in ability_faults(one, card, tokens, f"{i}")]
    land = "land" in row["types"]
    return (
        not faults
        and ("cost" in row) is not land
        and card.power >= 0
        and ("creature" in row["types"]) is ("power" in row)
    )


SWAPPED = (
    ("gain_life", "lose_life"),
    ("draw", "mill"),
    ("destroy", "return_to_hand"),
    ("tap", "untap"),
    ("freeze", "untap"),
    ("return_to_hand", "tap"),
)
"""Effects with the same fields."""


def _changed(row, path):
    """Yield every change of a row, or of a part of it."""
    if isinstance(row, dict) and len(row) == 1:
        for pair in SWAPPED:
            for old, new in (pair, pair[::-1]):
                if isinstance(row.get(old), dict):
                    yield f"{path} {old} -> {new}", {new: deepcopy(row[old])}
    for key, value in row.items() if isinstance(row, dict) else enumerate(row):
        if path == "" and key in SAME:
            continue
        below = f"{path}.{key}".lstrip(".")
        for what, new in _values(key, value, below):
            copy = deepcopy(row)
            copy[key] = new
            yield what, copy
        if key in OPTIONAL and not (path == "" and key in ("power", "toughness", "cost")):
            yield f"{below} left out", {k: v for k, v in deepcopy(row).items() if k != key}
        if isinstance(value, dict | list):
            for what, inner in _changed(value, below):
                copy = deepcopy(row)
                copy[key] = inner
                yield what, copy
    if isinstance(row, list) and len(row) > 1:
        for i in range(len(row)):
            yield f"{path}.{i} left out", [deepcopy(one) for j, one in enumerate(row) if j != i]
    if path == "" and "abilities" in row and len(row["abilities"]) == 1:
        yield "abilities left out", {k: v for k, v in row.items() if k != "abilities"}
    if path == "" and "power" in row:
        yield from _more_keywords(row)


def _more_keywords(row):
    """Yield every keyword that the row does not have."""
    for word in KEYWORDS:
        if word not in row.get("keywords", []):
            yield f"keywords with {word}", row | {"keywords": [*row.get("keywords", []), word]}


def _values(key, value, path):
    """Return the replacements for a value."""
    match value:
        case bool():
            others = [not value]
        case int():
            others = [value - 1, value + 1]
        case str() if key in ("cost", "mana"):
            others = list(_costs(value))
        case str() if key in OTHERS:
            others = OTHERS[key]
        case str():
            others = _words(key, value)
        case dict() if key == "amount":
            others = [1, 2]
        case _:
            others = []
    yield from ((f"{path} {value} -> {other}", other) for other in others if other != value)


def _words(key, value):
    match key:
        case "who":
            return PLAYERS
        case "event":
            return OF_OBJECTS if value in OF_OBJECTS else OF_PLAYERS
        case "of" | "affects":
            return [YOURS, THEIRS]
        case "to":
            return ["self", "opponent", {"all": YOURS}, {"all": THEIRS}]
        case "sacrifice":
            return [YOURS]
        case "amount":
            return [1, 2]
        case int():
            return _listed(value)
        case _:
            return []


def _listed(word):
    """Return the replacements for a word in a list: a keyword, a restriction, a type."""
    if word in KEYWORDS:
        return KEYWORDS
    if word.startswith("cannot_"):
        return ["cannot_attack", "cannot_block"]
    return ["creature", "artifact", "instant", "sorcery", "land"]


def _costs(cost):
    """Yield costs with one symbol more, one symbol less, and one colour replaced."""
    x, number, colors = re.fullmatch(r"(X?)(\d*)([STRFG]*)", cost).groups()
    generic = int(number or 0)
    yield f"{x}{generic + 1}{colors}"
    if generic:
        yield f"{x}{generic - 1 or ''}{colors}" or "0"
    if x:
        yield cost[1:]
    for symbol in dict.fromkeys(colors):
        less = colors.replace(symbol, "", 1)
        yield f"{x}{generic or ''}{less}" or "0"
        yield f"{x}{generic + 1}{less}"
        for other in "STRFG":
            yield f"{x}{generic or ''}{''.join(sorted(less + other, key='STRFG'.index))}"
        yield f"{x}{generic or ''}{''.join(sorted(colors + symbol, key='STRFG'.index))}"
