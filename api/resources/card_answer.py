"""Shows collectible cards and sets of them in answers, and marks the answers as cacheable."""

from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Final

from flask import Response, request
from msgspec import Raw, json
from werkzeug.http import quote_etag

from api.http.compression import compress
from api.http.openapi_operations import JSON, Answer, Count, Ordinal, one_of, says
from domain.core.collectible import CollectibleCard, CollectibleSet, CollectibleToken
from domain.games.catalogue import CARDS


def words_of(part: str) -> tuple[str, ...]:
    """Return the values of a field of cards, in the order of their first use."""
    rows = (getattr(card, part) for card in CARDS.cards.values())
    return tuple(dict.fromkeys(word for row in rows for word in ((row,) if isinstance(row, str) else row)))


Rarity = Annotated[str, one_of(words_of("rarity"))]
Set = Annotated[str, one_of(CARDS.sets)]
Frame = Annotated[
    Annotated[str, one_of(words_of("colors"))] | None, says("The colour of its frame; null for no colour.")
]


class TokenAnswer(Answer):
    """A token: what a card creates in play, and no deck holds."""

    id: Annotated[str, says("The id of the token in `abilities`.", examples=["wolf"])]
    name: Annotated[str, says("Its name in texts.", examples=["Wolf"])]
    types: Annotated[list[Annotated[str, one_of(words_of("types"))]], says("The permanent types.")]
    subtypes: Annotated[list[str], says("The subtypes.")]
    colors: Annotated[list[Annotated[str, one_of(words_of("colors"))]], says("Its colours; empty for no colour.")]
    frame: Frame
    power: Annotated[int | None, says("The damage that it deals in combat; null if it cannot fight.")]
    toughness: Annotated[int | None, says("The damage that destroys it; null if it cannot fight.")]
    keywords: Annotated[
        list[Annotated[str, one_of(words_of("keywords"))]],
        says("The abilities; the rulebook explains them."),
    ]
    text: Annotated[str, says("The same in a sentence; empty if there is nothing else.")]


class CollectibleCardAnswer(Answer):
    """A card as it is printed."""

    id: Annotated[str, says("The id of the card in requests.", examples=["fw1-007"])]
    name: Annotated[str, says("The name of the card in deck lists.", examples=["Lantern Acolyte"])]
    set: Annotated[Set, says("Its set.")]
    number: Annotated[Ordinal, says("Its number within the set.")]
    rarity: Annotated[Rarity, says("Its rarity in boosters.")]
    basic: Annotated[bool, says("Whether decks may have any number of it; then no booster has it.")]
    types: Annotated[list[Annotated[str, one_of(words_of("types"))]], says("The card types.")]
    subtypes: Annotated[list[str], says("The subtypes.")]
    colors: Annotated[
        list[Annotated[str, one_of(words_of("colors"))]], says("The colours of its cost; empty for no colour.")
    ]
    frame: Frame
    cost: Annotated[str | None, says("The cost, as `2SS`; null if there is none.", examples=["1S"])]
    mana_value: Annotated[Count, says("The number of symbols in its cost, without X.")]
    power: Annotated[int | None, says("The damage that it deals in combat; null if it cannot fight.")]
    toughness: Annotated[int | None, says("The damage that destroys it; null if it cannot fight.")]
    keywords: Annotated[
        list[Annotated[str, one_of(words_of("keywords"))]],
        says("The abilities; the rulebook explains them."),
    ]
    text: Annotated[str, says("The rules text, written from its abilities; empty if there are none.")]
    abilities: Annotated[list[Any], says("The same for programs, in the format of card files.")]
    tokens: Annotated[list[TokenAnswer], says("The tokens that it creates.", examples=[[]])]


class BoosterSlotAnswer(Answer):
    rarity: Annotated[str, says("The rarity of its cards.")]
    count: Annotated[Ordinal, says("Number of different cards.")]
    text: Annotated[str, says("The same in a sentence.")]


class BoosterAnswer(Answer):
    size: Annotated[Ordinal, says("Number of cards in a booster.")]
    slots: Annotated[list[BoosterSlotAnswer], says("The contents, slot by slot.")]


class ListedCardSetAnswer(Answer):
    """A set of cards."""

    id: Annotated[Set, says("The id of the set in requests.")]
    name: Annotated[str, says("The name of the set.", examples=["First Wells"])]
    kind: Annotated[str, says("`core`, or `expansion`.", examples=["core"])]
    released: Annotated[Ordinal, says("The position of the set in the order of release.")]
    cards: Annotated[Count, says("Number of its cards; `GET /v1/cards?set=` lists them.")]
    booster: Annotated[BoosterAnswer, says("The contents of its boosters.")]


class CardOddsAnswer(Answer):
    card: Annotated[str, says("The id of the card.", examples=["fw1-007"])]
    rarity: Annotated[Rarity, says("Its rarity.")]
    chance: Annotated[str, says("The exact chance that a booster holds it, as a fraction.", examples=["19/57"])]
    about: Annotated[float, says("The same as a number, rounded to six places.")]


class RarityOddsAnswer(Answer):
    rarity: Annotated[Rarity, says("A rarity.")]
    mean: Annotated[str, says("Average number in a booster, as a fraction.", examples=["11"])]


class CardSetAnswer(ListedCardSetAnswer):
    """A set of cards, with the odds of its boosters and the tokens of its cards."""

    odds: Annotated[list[CardOddsAnswer], says("The chance of each card that a booster can hold.")]
    rarities: Annotated[list[RarityOddsAnswer], says("Average number of cards of each rarity in a booster.")]
    tokens: Annotated[list[TokenAnswer], says("The tokens that its cards create.")]


def card_answer(card: CollectibleCard) -> CollectibleCardAnswer:
    """Show a card."""
    return CollectibleCardAnswer(
        id=card.id,
        name=card.name,
        set=card.set,
        number=card.number,
        rarity=card.rarity,
        basic=card.basic,
        types=list(card.types),
        subtypes=list(card.subtypes),
        colors=list(card.colors),
        frame=card.frame,
        cost=card.cost,
        mana_value=card.mana_value,
        power=card.power,
        toughness=card.toughness,
        keywords=list(card.keywords),
        text=card.text,
        abilities=Raw(card.abilities.encode()),  # type: ignore[arg-type] # it is JSON already
        tokens=list(map(_token, card.tokens)),
    )


def _token(token: CollectibleToken) -> TokenAnswer:
    return TokenAnswer(
        id=token.id,
        name=token.name,
        types=list(token.types),
        subtypes=list(token.subtypes),
        colors=list(token.colors),
        frame=token.frame,
        power=token.power,
        toughness=token.toughness,
        keywords=list(token.keywords),
        text=token.text,
    )


def listed_set_answer(one: CollectibleSet) -> ListedCardSetAnswer:
    """Show a set in a list."""
    return ListedCardSetAnswer(one.id, one.name, one.kind, one.released, len(one.cards), _booster(one))


def set_answer(one: CollectibleSet) -> CardSetAnswer:
    """Show a set with the odds of its boosters."""
    chances = {card: Fraction(chance) for card, chance in one.odds.items()}
    odds = [
        CardOddsAnswer(card, CARDS.cards[card].rarity, str(chance), round(float(chance), 6))
        for card, chance in chances.items()
    ]
    mean: dict[str, Fraction] = {}
    for row in odds:
        mean[row.rarity] = mean.get(row.rarity, Fraction(0)) + chances[row.card]
    rarities = [RarityOddsAnswer(rarity, str(count)) for rarity, count in mean.items()]
    head = (one.id, one.name, one.kind, one.released, len(one.cards), _booster(one))
    return CardSetAnswer(*head, odds, rarities, list(map(_token, one.tokens)))


def _booster(one: CollectibleSet) -> BoosterAnswer:
    slots = [BoosterSlotAnswer(slot.rarity, slot.count, slot.says) for slot in one.slots]
    return BoosterAnswer(sum(slot.count for slot in slots), slots)


# --- Cached -----------------------------------------------------------------------------------------------

FOR_ALL: Final = {"Cache-Control": "public, max-age=3600", "Vary": "Accept"}
"""The cards are the same for all callers, until the server's version changes."""


def cacheable_answer(body: Answer | str) -> Response:
    """Answer with data that any caller may cache for an hour; 304 if the caller has it already."""
    is_text = isinstance(body, str)
    data = body.encode() if isinstance(body, str) else json.encode(body)
    mark = sha256(data).hexdigest()[:32]
    response = Response(data, headers=FOR_ALL, content_type="text/plain; charset=utf-8" if is_text else JSON)
    if request.if_none_match.contains_weak(mark):
        response = Response(status=304, headers=FOR_ALL)
        del response.headers["Content-Type"]
    response.headers["ETag"] = quote_etag(mark)
    return compress(response)
