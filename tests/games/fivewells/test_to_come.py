"""Tests parts of the card language that no printed card uses yet."""

from unittest.mock import patch

import pytest

from domain.card_sets.cards.library import CARDS, SETS
from domain.card_sets.check.file import check_card_file
from domain.games.fivewells.characteristics import PRINTED, printed_on
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
def test_card_language_covers_planned_sets(title):
    play(TOLD[title])


def test_planned_cards_are_in_order_and_have_texts():
    report = check_card_file(FILE, SETS.values())
    assert report.faults == ()
    assert report.warnings == ()
