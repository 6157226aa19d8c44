"""Names the parts of cards: mana, types, rarities, keywords, and the objects of triggers and targets.

The value of each member is the word that card files use.
"""

from collections.abc import Callable
from enum import IntEnum, StrEnum
from typing import Any, Final

from domain.core.types import TextForm, written_as


class Mana(IntEnum):
    """Mana is of one of the five colours, or neutral; the number is its place in costs and pools."""

    S = 0
    T = 1
    R = 2
    F = 3
    G = 4
    N = 5


COLORS: Final = (Mana.S, Mana.T, Mana.R, Mana.F, Mana.G)
"""The five colours, in the order used in costs."""

MANA_NAMES: Final = ("Sun", "Tide", "Root", "Forge", "Gloom", "neutral")
"""The name of each kind of mana, by its number."""


class CardType(StrEnum):
    LAND = "land"
    CREATURE = "creature"
    ARTIFACT = "artifact"
    INSTANT = "instant"
    SORCERY = "sorcery"


class Rarity(StrEnum):
    COMMON = "common"
    UNCOMMON = "uncommon"
    RARE = "rare"
    ULTRA_RARE = "ultra_rare"


class Keyword(StrEnum):
    FLYING = "flying"
    SKYGUARD = "skyguard"
    HASTE = "haste"
    STEADFAST = "steadfast"
    OVERRUN = "overrun"
    QUICKSTRIKE = "quickstrike"
    VENOM = "venom"
    LEECH = "leech"
    WARDED = "warded"
    DAUNTING = "daunting"
    SENTINEL = "sentinel"
    AMBUSH = "ambush"


class Restriction(StrEnum):
    CANNOT_ATTACK = "cannot_attack"
    CANNOT_BLOCK = "cannot_block"


class Controller(StrEnum):
    """The required controller of an object, seen from the controller of the ability."""

    YOU = "you"
    OPPONENT = "opponent"
    ANY = "any"


class Trigger(StrEnum):
    """The events that trigger abilities.

    The first six happen to an object that the ability names. Dawn and dusk are those of the controller's own turns.
    `life_gained` happens once for each gain, `draws` and `discards` once for each card.
    """

    ENTERS = "enters"
    DIES = "dies"
    ATTACKS = "attacks"
    BLOCKS = "blocks"
    HITS_PLAYER = "hits_player"
    CAST = "cast"
    DAWN = "dawn"
    DUSK = "dusk"
    LIFE_GAINED = "life_gained"
    DRAWS = "draws"
    DISCARDS = "discards"


OF_AN_OBJECT: Final = frozenset(
    [Trigger.ENTERS, Trigger.DIES, Trigger.ATTACKS, Trigger.BLOCKS, Trigger.HITS_PLAYER, Trigger.CAST]
)
"""The triggers that happen to an object."""


class TargetKind(StrEnum):
    CREATURE = "creature"
    PLAYER = "player"
    CREATURE_OR_PLAYER = "creature_or_player"
    ARTIFACT = "artifact"
    LAND = "land"
    PERMANENT = "permanent"
    SPELL = "spell"
    CREATURE_CARD_IN_GRAVEYARD = "creature_card_in_graveyard"


class OpenZone(StrEnum):
    """The zones whose cards can be counted. The number of cards in a hand is public."""

    HAND = "hand"
    GRAVEYARD = "graveyard"


class GraveyardExit(StrEnum):
    """The destination of a card from a graveyard: its owner's hand, or the battlefield under your control."""

    HAND = "hand"
    BATTLEFIELD = "battlefield"


class LandDestination(StrEnum):
    """The destination of a land found by a search."""

    HAND = "hand"
    BATTLEFIELD_TAPPED = "battlefield_tapped"


def _form(words: list[str], write: Callable[[Any], str], stored: Callable[[str], Any], what: str) -> TextForm:
    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(f"{text!r} is not {what}; write one of {', '.join(words)}")
        return stored(text)

    return TextForm(write=write, stored=stored, read=read, schema={"type": "string", "enum": words})


written_as(Mana, _form([one.name for one in Mana], lambda mana: Mana(mana).name, Mana.__getitem__, "mana"))
written_as(Keyword, _form([one.value for one in Keyword], str, Keyword, "a keyword"))
