"""The language of cards does what it says where no card of the printed sets uses it yet."""

from unittest.mock import patch

import pytest

from domain.card_sets.cards.library import CARDS, SETS
from domain.card_sets.check.file import check_card_file
from domain.games.fivewells.printed import PRINTED, printed_on
from tests.card_sets.to_come import FILE, TO_COME
from tests.games.fivewells.specified import play, read
from tests.games.fivewells.table import IDS

TOLD = read("to_come.yaml")


@pytest.fixture(autouse=True)
def _in_print():
    cards = {card.id: card for card in TO_COME.cards}
    printed = {card.id: printed_on(card) for card in TO_COME.cards}
    ids = {card.name: card.id for card in TO_COME.cards}
    with patch.dict(CARDS, cards), patch.dict(PRINTED, printed), patch.dict(IDS, ids):
        yield


@pytest.mark.parametrize("title", TOLD)
def test_the_language_for_sets_to_come(title):
    play(TOLD[title])


def test_the_cards_are_in_order_and_say_what_they_do():
    report = check_card_file(FILE, SETS.values())
    assert report.faults == ()
    assert report.warnings == ()
