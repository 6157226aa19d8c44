"""Tests hands in the formats of other programs, with their quirks, and with invented names and cards."""

import warnings
from decimal import Decimal
from pathlib import Path

import pytest
from pokerkit import HandHistory

from events.operations.phh_imports import RefusedHand, replay_hands

FOLDER = Path(__file__).parent / "corpus" / "phh"

CORPUS = {
    "cash-in-cents.phhs": ("0.01", ["replayed", "replayed", "replayed", "unsupported"]),
    "main-event.phh": (None, ["replayed"]),
    "research-bots.phhs": (None, ["replayed", "replayed", "unsupported"]),
    "tournament-log.phh": (None, ["replayed"]),
}
"""The value of a chip in each file, and the outcomes of its hands."""


def by_pokerkit(content):
    """Return the stacks at the end of each hand as PokerKit plays it."""
    load = HandHistory.loads_all if content.startswith("[") else lambda text: [HandHistory.loads(text)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of folds where a check was free
        for hand in load(content):
            *_, end = hand
            yield tuple(end.stacks)


def test_every_file_of_the_corpus_has_an_expected_result():
    assert sorted(CORPUS) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", CORPUS)
def test_hand_of_another_program_ends_as_in_pokerkit(name):
    worth, statuses = CORPUS[name]
    content = (FOLDER / name).read_bytes()
    found = list(replay_hands(content, None if worth is None else Decimal(worth)))
    assert [each.status if isinstance(each, RefusedHand) else "replayed" for each in found] == statuses
    for each, theirs in zip(found, by_pokerkit(content.decode()), strict=True):
        if not isinstance(each, RefusedHand):
            assert tuple(chips * Decimal(worth or 1) for chips in each.match.table.stacks) == theirs


def test_a_cash_game_in_cents_needs_a_unit():
    found = list(replay_hands((FOLDER / "cash-in-cents.phhs").read_bytes()))
    assert {each.status for each in found} == {"unsupported"}
    assert all("`--unit 0.01`, in the API `?unit=0.01`, fits this document" in each.detail for each in found)


def test_raked_hand_is_refused_with_the_reason():
    *_, raked = replay_hands((FOLDER / "cash-in-cents.phhs").read_bytes(), Decimal("0.01"))
    assert "of 0.00, 59.25, but the rules give 0.00, 60.00. There is no rake here." in raked.detail
