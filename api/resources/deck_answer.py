"""Shows decks that a player has saved, with what each format says of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from api.http.openapi_operations import Answer, Count, NextCursor, Ordinal, Timestamp, one_of, says
from api.resources.card_answer import Set
from api.resources.deck_request import EXAMPLE
from domain.core.collectible import Counts
from domain.games.catalogue import CARDS
from events.store.player_records import SavedDeck
from events.times import write_time


class CountedCardAnswer(Answer):
    card: Annotated[str, says("The id of the card.", examples=["fw1-007"])]
    name: Annotated[str, says("Its name.", examples=["Lantern Acolyte"])]
    count: Annotated[Ordinal, says("How many copies.")]


class DeckFaultAnswer(Answer):
    code: Annotated[str, says("The code that a match would return.", examples=["deck_too_small"])]
    detail: Annotated[str, says("The fault of this deck, in a sentence.")]


class DeckFormatAnswer(Answer):
    format: Annotated[str, one_of(CARDS.formats), says("The format.")]
    fits: Annotated[bool, says("Whether the deck is legal in it.")]
    faults: Annotated[list[DeckFaultAnswer], says("All faults of the deck; empty if it is legal.")]


class DeckSizeAnswer(Answer):
    main: Annotated[Count, says("The cards to play with.")]
    sideboard: Annotated[Count, says("The sideboard.")]


class ListedDeckAnswer(Answer):
    id: Annotated[str, says("The id of the deck.")]
    name: Annotated[str, says("Its name.", examples=["Larks and boars"])]
    sets: Annotated[list[Set], says("The sets that its cards must come from; empty for all sets.")]
    size: Annotated[DeckSizeAnswer, says("Number of cards.")]
    created_at: Annotated[Timestamp, says("Time at which it was created.")]
    changed_at: Annotated[Timestamp, says("Time of the last change.")]


class SavedDeckAnswer(ListedDeckAnswer):
    """A saved deck, with its faults."""

    main: Annotated[list[CountedCardAnswer], says("The cards to play with, by set and number.")]
    sideboard: Annotated[list[CountedCardAnswer], says("The sideboard.")]
    list: Annotated[str, says("The same as text, which `PUT …/list` accepts.", examples=[EXAMPLE])]
    formats: Annotated[
        Sequence[DeckFormatAnswer],
        says("The deck's legality in each format. For opened or drafted cards, ownership is not checked here."),
    ]


class DeckListAnswer(Answer):
    items: Annotated[list[ListedDeckAnswer], says("Your decks, the last changed first.")]
    next: NextCursor


def listed_deck_answer(saved: SavedDeck) -> dict[str, Any]:
    """Return a deck as lists show it."""
    return {
        "id": saved.deck_id,
        "name": saved.name,
        "sets": list(saved.sets),
        "size": DeckSizeAnswer(len(saved.deck.main), len(saved.deck.sideboard)),
        "created_at": write_time(saved.created_ms),
        "changed_at": write_time(saved.changed_ms),
    }


def saved_deck_answer(saved: SavedDeck, owned: Counts | None = None) -> SavedDeckAnswer:
    """Show a deck in full; formats compare it with the cards that its player owns, if they are given."""
    return SavedDeckAnswer(
        **listed_deck_answer(saved),
        main=card_counts(Counter(saved.deck.main)),
        sideboard=card_counts(Counter(saved.deck.sideboard)),
        list=CARDS.write_list(saved.deck),
        formats=[_judged(name, saved, owned) for name in CARDS.formats],
    )


def card_counts(counts: Counts) -> list[CountedCardAnswer]:
    """List counted cards by set and number; cards no longer in the catalogue are omitted."""
    known = (card for card in CARDS.cards.values() if counts.get(card.id))
    return [CountedCardAnswer(card.id, card.name, counts[card.id]) for card in known]


def _judged(name: str, saved: SavedDeck, owned: Counts | None) -> DeckFormatAnswer:
    faults = CARDS.formats[name](saved.deck, saved.sets or tuple(CARDS.sets), owned)
    return DeckFormatAnswer(name, not faults, [DeckFaultAnswer(fault.code, fault.sentence) for fault in faults])
