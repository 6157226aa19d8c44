"""Writes the list of all cards that the game's folder holds: `python -m tests.games.fivewells.card_list`."""

from pathlib import Path

from domain.games.fivewells.cards.card import CardSet, PrintedCard, Token
from domain.games.fivewells.cards.kinds import CardType
from domain.games.fivewells.cards.library import SETS

PAGE = Path(__file__).parents[3] / "domain/games/fivewells/cards.md"

HEAD = """\
# The cards of Fivewells

What a card does is rendered from its abilities. Power and toughness are those of creatures.
"""


def page() -> str:
    """Give the page that lists all cards and tokens."""
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
{tokens}"""


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
