"""Hands in the forms of other programs: structure and oddities are theirs, names and cards are invented."""

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
"""What a chip is worth in each file, and what becomes of its hands."""


def by_pokerkit(content):
    """Give the stacks at the end of each hand as PokerKit plays it."""
    load = HandHistory.loads_all if content.startswith("[") else lambda text: [HandHistory.loads(text)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of folds where a check was free
        for hand in load(content):
            *_, end = hand
            yield tuple(end.stacks)


def test_every_file_of_the_corpus_is_expected():
    assert sorted(CORPUS) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", CORPUS)
def test_a_hand_of_another_program_ends_as_pokerkit_plays_it(name):
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


def test_a_raked_hand_says_why_it_is_unsupported():
    *_, raked = replay_hands((FOLDER / "cash-in-cents.phhs").read_bytes(), Decimal("0.01"))
    assert "of 0.00, 59.25, but the rules give 0.00, 60.00. There is no rake here." in raked.detail
