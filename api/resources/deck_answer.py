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
    code: Annotated[str, says("The code with which a match would refuse it.", examples=["deck_too_small"])]
    detail: Annotated[str, says("The same about this deck, in a sentence.")]


class DeckFormatAnswer(Answer):
    format: Annotated[str, one_of(CARDS.formats), says("The format.")]
    fits: Annotated[bool, says("Whether the deck may be played in it.")]
    faults: Annotated[list[DeckFaultAnswer], says("All that is wrong with it; empty if it fits.")]


class DeckSizeAnswer(Answer):
    main: Annotated[Count, says("The cards that are played.")]
    sideboard: Annotated[Count, says("The sideboard.")]


class ListedDeckAnswer(Answer):
    id: Annotated[str, says("The id of the deck.")]
    name: Annotated[str, says("Its name.", examples=["Larks and boars"])]
    sets: Annotated[list[Set], says("The sets that it means to be built of; none: all of them.")]
    size: Annotated[DeckSizeAnswer, says("How many cards it has.")]
    created_at: Annotated[Timestamp, says("When it was first saved.")]
    changed_at: Annotated[Timestamp, says("When it was last changed.")]


class SavedDeckAnswer(ListedDeckAnswer):
    """A deck that was saved, and whether it may be played."""

    main: Annotated[list[CountedCardAnswer], says("The cards that are played, by set and number.")]
    sideboard: Annotated[list[CountedCardAnswer], says("The sideboard.")]
    list: Annotated[str, says("The same as text, as it can be sent again.", examples=[EXAMPLE])]
    formats: Annotated[
        Sequence[DeckFormatAnswer],
        says(
            "The deck's legality in each format. Of opened or drafted cards it is not asked here whether they are"
            " yours."
        ),
    ]


class DeckListAnswer(Answer):
    items: Annotated[list[ListedDeckAnswer], says("Your decks, those that were changed last first.")]
    next: NextCursor


def listed_deck_answer(saved: SavedDeck) -> dict[str, Any]:
    """Give what a list of decks shows of one."""
    return {
        "id": saved.deck_id,
        "name": saved.name,
        "sets": list(saved.sets),
        "size": DeckSizeAnswer(len(saved.deck.main), len(saved.deck.sideboard)),
        "created_at": write_time(saved.created_ms),
        "changed_at": write_time(saved.changed_ms),
    }


def saved_deck_answer(saved: SavedDeck, owned: Counts | None = None) -> SavedDeckAnswer:
    """Show a deck in full; with what its player owns, formats judge it by that."""
    return SavedDeckAnswer(
        **listed_deck_answer(saved),
        main=card_counts(Counter(saved.deck.main)),
        sideboard=card_counts(Counter(saved.deck.sideboard)),
        list=CARDS.write_list(saved.deck),
        formats=[_judged(name, saved, owned) for name in CARDS.formats],
    )


def card_counts(counts: Counts) -> list[CountedCardAnswer]:
    """List counted cards by set and number; cards that are in the catalogue no longer are left out."""
    known = (card for card in CARDS.cards.values() if counts.get(card.id))
    return [CountedCardAnswer(card.id, card.name, counts[card.id]) for card in known]


def _judged(name: str, saved: SavedDeck, owned: Counts | None) -> DeckFormatAnswer:
    faults = CARDS.formats[name](saved.deck, saved.sets or tuple(CARDS.sets), owned)
    return DeckFormatAnswer(name, not faults, [DeckFaultAnswer(fault.code, fault.sentence) for fault in faults])
