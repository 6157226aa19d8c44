"""Tests decks brought to the lobby: from all cards, from a player's collection and from a player's draft."""

from collections import Counter

import pytest

from domain.card_sets.collectibles import STARTER
from domain.core.backing import OfCollection, OfMatch
from domain.core.collectible import Deck
from domain.core.game import Refused
from domain.games.fivewells import GAME, Options
from domain.games.fivewells.moves import SubmitDeck
from domain.games.fivewells.opening import deck_to_submit, may_change
from domain.games.fivewells_draft import GAME as DRAFTS
from tests.games.fivewells_draft.table import Draft

DRAFT = "0123456789abcdefghjk"
OWNED, DRAFTED = Options(collection="owned"), Options(format="draft", pool=DRAFT)
SUN, TIDE, ACOLYTE, COURIER, GUARD = "fw1-001", "fw1-002", "fw1-007", "fw1-008", "fw1-006"
LANDS = tuple(sorted([*STARTER.cards][:3] * 20))
PICKS = (ACOLYTE, ACOLYTE, ACOLYTE, ACOLYTE, ACOLYTE, COURIER)
BUILT = Deck(tuple(sorted([*PICKS[:5], *[SUN] * 35])), (COURIER,))
"""A drafted deck: five of six picks, which are more copies than other formats allow, and basic lands."""


def brings(options, deck, there):
    return GAME.entry.backed(options, deck, there)


def refused(options, deck, there):
    with pytest.raises(Refused) as refusal:
        brings(options, deck, there)
    return refusal.value.code


def test_deck_must_come_from_the_source_in_the_options():
    assert GAME.entry.backing(Options()) is None
    assert GAME.entry.backing(Options(format="sealed")) is None
    assert GAME.entry.backing(OWNED) == OfCollection()
    assert GAME.entry.backing(DRAFTED) == OfMatch(DRAFT)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (Options(format="draft"), ["pool"]),
        (Options(pool=DRAFT), ["pool"]),
        (Options(format="sealed", pool=DRAFT), ["pool"]),
        (Options(format="sealed", collection="owned"), ["collection"]),
        (Options(format="draft", pool=DRAFT, collection="owned"), ["collection"]),
        (OWNED, []),
        (DRAFTED, []),
    ],
)
def test_contradictory_options_are_named(options, named):
    assert list(GAME.setup.bad_options(options, 2)) == named


# --- Of what a player owns --------------------------------------------------------------------------------


def test_basic_lands_of_the_starter_can_form_a_deck():
    assert brings(OWNED, Deck(LANDS), STARTER.cards) == Deck(LANDS)


@pytest.mark.parametrize(
    ("deck", "owned"),
    [
        (Deck((*LANDS, SUN)), STARTER.cards),
        (Deck(LANDS, (SUN,)), STARTER.cards),
        (Deck((*LANDS, ACOLYTE)), STARTER.cards),
        (Deck((*LANDS, ACOLYTE, ACOLYTE)), {**STARTER.cards, ACOLYTE: 1}),
        (Deck((*LANDS, ACOLYTE), (ACOLYTE,)), {**STARTER.cards, ACOLYTE: 1}),
        (Deck(LANDS), {}),
    ],
    ids=["a land more", "a land beside it", "a card", "two of one copy", "one of it beside", "no collection"],
)
def test_deck_beyond_the_owned_cards_is_refused(deck, owned):
    assert not GAME.entry.fault(OWNED, deck), "nothing else is wrong with it"
    assert refused(OWNED, deck, owned) == "not_in_pool"


def test_other_deck_faults_keep_their_order():
    owned = {**STARTER.cards, ACOLYTE: 5}
    assert refused(OWNED, Deck((ACOLYTE,) * 5), owned) == "deck_too_small"
    assert refused(OWNED, Deck((*LANDS, *[ACOLYTE] * 5)), owned) == "too_many_copies"
    assert refused(Options(collection="owned", sets=("bt1",)), Deck((*LANDS, ACOLYTE)), owned) == "set_not_allowed"


# --- Of what a player has drafted -------------------------------------------------------------------------


def test_player_without_a_deck_plays_the_drafted_one():
    assert brings(DRAFTED, None, BUILT) == BUILT


def test_other_picks_become_the_sideboard():
    other = Deck((COURIER, ACOLYTE, *[TIDE] * 38))
    assert brings(DRAFTED, other, BUILT) == Deck(tuple(sorted(other.main)), (ACOLYTE,) * 4)


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (Deck((*PICKS, *[SUN] * 33)), "deck_too_small"),
        (Deck((*PICKS, COURIER, *[SUN] * 40)), "not_in_pool"),
        (Deck((*PICKS, *[SUN] * 40), (GUARD,)), "not_in_pool"),
        (Deck((*[SUN] * 40, "no-card")), "no_such_object"),
    ],
)
def test_deck_with_unpicked_cards_is_refused(deck, code):
    assert refused(DRAFTED, deck, BUILT) == code


def test_general_deck_rules_are_checked_without_the_draft():
    assert GAME.entry.fault(DRAFTED, BUILT) is None
    assert GAME.entry.fault(DRAFTED, Deck((SUN,) * 39)).code == "deck_too_small"


def test_sideboarding_allows_all_picks_and_any_basic_lands():
    s = GAME.start(DRAFTED, 2, None)
    whole = Deck((*PICKS, *[SUN] * 34))
    for event in GAME.entry.opening(s, (whole, None)):
        GAME.evolve(s, event)
    later = s.copy()
    later.first_duel = False
    assert (may_change(s, 0), may_change(later, 0)) == (False, True)
    between = deck_to_submit(s, 0)
    assert between.admits(SubmitDeck((*PICKS, *[TIDE] * 60)))
    assert not between.admits(SubmitDeck((*PICKS, COURIER, *[TIDE] * 60)))
    assert not between.admits(SubmitDeck((SUN,) * 39))


def test_draft_gains_are_the_deck_and_the_other_picks():
    draft = Draft(packs=("fw1",))
    while seats := DRAFTS.to_act(draft.state):
        draft.default(seats[0])
    gained = DRAFTS.lifecycle.gains(draft.state)
    for deck, pool in zip(gained, draft.state.pools, strict=True):
        assert not Counter(pool) - Counter(deck.main + deck.sideboard)
        assert brings(DRAFTED, None, deck) == deck


def test_stopped_draft_has_no_gains():
    draft = Draft(packs=("fw1",))
    assert DRAFTS.lifecycle.gains(draft.state) == (None,) * 3
