"""Writes the list of all available cards: `python -m tests.card_sets.card_list`."""

from fractions import Fraction
from pathlib import Path

from domain.card_sets.cards.boosters import odds
from domain.card_sets.cards.card import CardSet, PrintedCard, Token
from domain.card_sets.cards.card_kinds import CardType, Rarity
from domain.card_sets.cards.library import SETS

PAGE = Path(__file__).parents[2] / "domain/card_sets/cards.md"

HEAD = """\
# The cards

The text of a card is generated from its abilities. Only creatures have power and toughness.
"""


def page() -> str:
    """Return the page that lists all cards and tokens."""
    return HEAD + "".join(map(_of_set, SETS.values()))


def _of_set(one: CardSet) -> str:
    cards = "".join(map(_card, one.cards))
    tokens = "".join(map(_token, one.tokens))
    return f"""
## {one.name} (`{one.code}`)

| number | name | cost | types | size | rarity | text |
|---|---|---|---|---|---|---|
{cards}
| token | types | colours | size | keywords |
|---|---|---|---|---|
{tokens}
A booster has {sum(slot.count for slot in one.booster)} cards and no basic land. It holds a given card with this chance:

| card | chance |
|---|---|
{_odds(one)}"""


def _odds(one: CardSet) -> str:
    """Yield a row for each group of cards with the same chance."""
    chances = odds(one)
    rows: dict[str, set[Fraction]] = {}
    for card in sorted(one.cards, key=lambda card: [*Rarity].index(card.rarity)):
        if card.id in chances:
            alone = ", of one colour" if len(card.colors) == 1 and card.rarity is Rarity.COMMON else ""
            other = ", of none or several" if not alone and card.rarity is Rarity.COMMON else ""
            rows.setdefault(card.rarity.replace("_", " ") + alone + other, set()).add(chances[card.id])
    return "".join(f"| {kind} | {chance} ({float(chance):.2%}) |\n" for kind, row in rows.items() for chance in row)


def _types(card: PrintedCard | Token) -> str:
    subtypes = f" – {' '.join(card.subtypes)}" if card.subtypes else ""
    return " ".join(card.types) + subtypes


def _card(card: PrintedCard) -> str:
    size = f"{card.power}/{card.toughness}" if CardType.CREATURE in card.types else "–"
    cost = "–" if CardType.LAND in card.types else str(card.cost)
    rarity = "basic" if card.basic else card.rarity.replace("_", " ")
    return f"| {card.number} | {card.name} | {cost} | {_types(card)} | {size} | {rarity} | {card.text or '–'} |\n"


def _token(token: Token) -> str:
    colors = "".join(color.name for color in token.colors) or "–"
    size = f"{token.power}/{token.toughness}"
    return (
        f"| {token.name} (`{token.id}`) | {_types(token)} | {colors} | {size} | {', '.join(token.keywords) or '–'} |\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page())
