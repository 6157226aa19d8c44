"""Sorts what is printed on each card and token by what the engine asks for."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.card_sets.cards.abilities import (
    ActivatedAbility,
    EntersTapped,
    ManaAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from domain.card_sets.cards.card import PrintedCard, Token
from domain.card_sets.cards.card_kinds import COLORS, CardType, Keyword, Mana, Trigger
from domain.card_sets.cards.card_text import ability_text
from domain.card_sets.cards.costs import ManaCost
from domain.card_sets.cards.filters import Filter
from domain.card_sets.cards.library import CARDS, TOKENS
from domain.core.values import value


@value
class Printed:
    """This is what is printed on a card; each ability stands with its number on the card."""

    id: str
    name: str
    types: frozenset[CardType]
    cost: ManaCost
    mana_value: int
    power: int
    toughness: int
    keywords: frozenset[Keyword]
    creature: bool
    land: bool
    artifact: bool
    permanent: bool
    basic: bool
    token: bool
    spell: SpellAbility | None
    statics: tuple[StaticAbility, ...]
    mana: tuple[tuple[int, ManaAbility], ...]
    gives: tuple[Mana, ...]
    """The kinds of mana that it gives untapped, but for what the sacrifice of another gives."""
    gives_tapped: tuple[Mana, ...]
    """Those that it gives tapped, too."""
    activated: tuple[tuple[int, ActivatedAbility], ...]
    triggered: tuple[tuple[int, TriggeredAbility], ...]
    triggers: frozenset[Trigger]
    enters_tapped: bool
    texts: Mapping[int, str]
    """The texts of the abilities, by their numbers."""

    @property
    def aiming(self) -> Iterator[SpellAbility | ActivatedAbility | TriggeredAbility]:
        """The abilities that may have targets."""
        yield from (self.spell,) if self.spell else ()
        yield from (one for _, one in self.activated)
        yield from (one for _, one in self.triggered)


def printed_on(card: PrintedCard | Token) -> Printed:
    """Sort what is printed on a card."""
    numbered = tuple(enumerate(card.abilities))
    triggered = tuple((i, one) for i, one in numbered if isinstance(one, TriggeredAbility))
    types = frozenset(card.types)
    activated = tuple((i, one) for i, one in numbered if isinstance(one, ActivatedAbility))
    return Printed(
        id=card.id,
        name=card.name,
        types=types,
        cost=card.cost,
        mana_value=card.cost.mana_value,
        power=card.power,
        toughness=card.toughness,
        keywords=frozenset(card.keywords),
        creature=CardType.CREATURE in types,
        land=CardType.LAND in types,
        artifact=CardType.ARTIFACT in types,
        permanent=not types & {CardType.INSTANT, CardType.SORCERY},
        basic=isinstance(card, PrintedCard) and card.basic,
        token=isinstance(card, Token),
        spell=next((one for one in card.abilities if isinstance(one, SpellAbility)), None),
        statics=tuple(one for one in card.abilities if isinstance(one, StaticAbility)),
        mana=tuple((i, one) for i, one in numbered if isinstance(one, ManaAbility)),
        gives=mana_given(card, tapped=False),
        gives_tapped=mana_given(card, tapped=True),
        activated=activated,
        triggered=triggered,
        triggers=frozenset(one.event for _, one in triggered),
        enters_tapped=any(isinstance(one, EntersTapped) for one in card.abilities),
        texts={i: ability_text(one, card, TOKENS).removesuffix(".") for i, one in numbered},
    )


def mana_given(card: PrintedCard | Token, *, tapped: bool) -> tuple[Mana, ...]:
    """Give the kinds of mana that a card gives, untapped or tapped."""
    free = [
        one
        for one in card.abilities
        if isinstance(one, ManaAbility) and not (tapped and one.cost.tap) and not isinstance(one.cost.sacrifice, Filter)
    ]
    return tuple(sorted({color for one in free for color in (COLORS if one.add == "any" else (one.add,))}))


PRINTED: Final[Mapping[str, Printed]] = {
    **{card.id: printed_on(card) for card in CARDS.values()},
    **{token.id: printed_on(token) for token in TOKENS.values()},
}
"""What is printed on the cards and tokens, by their ids; no token has the id of a card."""
