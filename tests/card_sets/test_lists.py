"""Tests decks as text: written, read back, with unreadable lines named."""

import pytest

from domain.card_sets.cards.library import CARDS
from domain.card_sets.decks.deck_lists import read_list, write_list
from domain.core.collectible import Deck

DECK = Deck(("bt1-026", "fw1-001", "fw1-001", "fw1-018"), ("fw1-033", "fw1-033"))
TEXT = """\
2 Sunfield
1 Ysolde, Keeper of First Light
1 Night's Levy

Sideboard
2 Bramble Boar
"""


def lines(text):
    return [(fault.line, fault.sentence) for fault in read_list(text)[1]]


def test_a_deck_is_written_in_the_order_of_sets_and_numbers():
    assert write_list(DECK) == TEXT


def test_a_deck_without_sideboard_is_written_without_its_line():
    assert write_list(Deck(("fw1-001",))) == "1 Sunfield\n"


def test_written_list_is_read_back():
    assert read_list(TEXT) == (DECK, ())


def test_deck_of_every_card_can_be_written_and_read_back():
    deck = Deck(tuple(sorted(CARDS)))
    assert read_list(write_list(deck)) == (deck, ())


def test_case_spaces_comments_and_apostrophes_do_not_matter():
    text = (
        "# mine\r\n  2x  sunfield \r\n\r\n1 ysolde,  keeper of FIRST light\n1 Night’s Levy\nSIDEBOARD:\n2 bramble boar"
    )
    assert read_list(text) == (DECK, ())


def test_lines_with_the_same_card_add_up():
    assert read_list("1 Sunfield\n2 Sunfield")[0].main == ("fw1-001",) * 3


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Bramble Boar", "Write a number and the name of a card, as 4 Bramble Boar."),
        ("-1 Bramble Boar", "Write a number and the name of a card, as 4 Bramble Boar."),
        ("99999 Bramble Boar", "Write a number and the name of a card, as 4 Bramble Boar."),
        ("0 Bramble Boar", "Write the number of copies, at least 1. For none, leave the line out."),
        ("4 Brambel Boar", "There is no card 'Brambel Boar'. Did you mean Bramble Boar?"),
        ("4 zzzz", "There is no card 'zzzz'."),
        ("1001 Sunfield", "A list names at most 1000 cards."),
        ("1 " + "x" * 40, f"There is no card {'x' * 40!r}."),
        ("1 " + "x" * 41, "No card has a name of more than 40 characters."),
        ("Sideboard", "Write a number and the name of a card, as 4 Bramble Boar."),
    ],
)
def test_unreadable_line_is_reported_and_the_others_are_read(line, sentence):
    text = f"1 Sunfield\nSideboard\n{line}\n1 Tidepool"
    assert lines(text) == [(3, sentence)]
    assert read_list(text)[0] == Deck(("fw1-001",), ("fw1-002",))


def test_card_limit_applies_to_all_lines_together():
    deck, found = read_list("600 Sunfield\n600 Sunfield\n400 Sunfield")
    assert [fault.line for fault in found] == [2]
    assert len(deck.main) == 1000


def test_list_with_too_many_lines_is_not_read_completely():
    assert lines("\n" * 500) == []
    assert lines("\n" * 100_000) == [(501, "A list has at most 500 lines.")]


def test_reading_stops_after_twenty_faults():
    assert [line for line, _ in lines("4 Brambel Boar\n" * 400)] == list(range(1, 21))
