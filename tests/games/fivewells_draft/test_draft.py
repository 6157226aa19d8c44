"""Tests drafts: packs are opened, picked from and passed on, and decks are built from the picks."""

from collections import Counter

import pytest

from domain.card_sets.cards.card_kinds import Rarity
from domain.card_sets.cards.library import CARDS
from domain.card_sets.decks.deck import automatic_deck
from domain.core.game import Refused, check_move, fold, is_admitted
from domain.games.fivewells_draft import GAME
from domain.games.fivewells_draft.events import CardPicked, LastCardTaken, PackOffered, PickCard, SubmitDeck
from domain.games.fivewells_draft.shown import card_zone
from tests.games.fivewells_draft.table import Draft


def picks(draft, take=min):
    """Take a card with every seat; return the packs as they were before."""
    before = draft.packs()
    for seat, pack in enumerate(before):
        draft.move(seat, PickCard(take(pack)))
    return before


def test_every_seat_is_offered_a_separate_pack_of_fifteen_different_cards():
    draft = Draft(seats=8)
    assert [len(pack) for pack in draft.packs()] == [15] * 8
    assert GAME.to_act(draft.state) == tuple(range(8))


def test_the_cards_of_a_pack_are_of_the_set_of_its_round():
    draft = Draft(seats=2, packs=("bt1",))
    assert {CARDS[card].set for pack in draft.packs() for card in pack} == {"bt1"}


@pytest.mark.parametrize(("round_no", "giver"), [(1, -1), (2, 1), (3, -1)], ids=["left", "right", "left again"])
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_packs_are_passed_left_in_odd_rounds_and_right_in_even_ones(seats, round_no, giver):
    draft = Draft(seats=seats)
    while draft.state.round_no < round_no:
        draft.default(GAME.to_act(draft.state)[0])
    before = picks(draft)
    rest = [pack - {min(pack)} for pack in before]
    assert draft.packs() == [rest[(seat + giver) % seats] for seat in range(seats)]


def test_packs_are_passed_once_the_last_seat_has_picked():
    draft = Draft()
    draft.default(0)
    events = draft.default(2)
    assert [type(event) for event in events] == [CardPicked]
    assert GAME.to_act(draft.state) == (1,)
    assert [type(event) for event in draft.default(1)] == [CardPicked, *[PackOffered] * 3]


def test_last_card_of_a_pack_is_taken_automatically():
    draft = Draft()
    while draft.state.pick_no < 14:
        draft.default(GAME.to_act(draft.state)[0])
    before = draft.packs()
    assert {len(pack) for pack in before} == {2}
    picks(draft, min)
    last = [event for event in draft.log if isinstance(event, LastCardTaken)]
    assert [event.card for event in last] == [max(before[seat - 1]) for seat in range(3)]
    assert draft.state.round_no == 2


def test_all_packs_are_picked_into_pools_of_forty_five_cards():
    draft = Draft(seats=5).until("building")
    opened = [event.cards for event in draft.log if isinstance(event, PackOffered) and event.pick_no == 1]
    assert [len(pool) for pool in draft.state.pools] == [45] * 5
    assert Counter(card for pool in draft.state.pools for card in pool) == Counter(c for pack in opened for c in pack)


def test_the_clock_picks_the_rarest_card_with_the_lowest_number():
    draft = Draft()
    draft.state = fold(GAME, draft.state, [PackOffered(0, 1, 3, ("fw1-006", "fw1-042", "fw1-016"))])
    assert CARDS["fw1-042"].rarity is CARDS["fw1-016"].rarity is Rarity.RARE
    assert GAME.timing.default(draft.state, 0) == PickCard("fw1-016")


@pytest.mark.parametrize(
    ("moment", "move", "code"),
    [
        ("picking", PickCard("no-card"), "no_such_object"),
        ("picking", PickCard("fw1-001"), "no_such_object"),
        ("picking", SubmitDeck(("fw1-001",) * 40), "wrong_phase"),
        ("building", PickCard("fw1-006"), "wrong_phase"),
        ("building", SubmitDeck(("fw1-001",) * 39), "deck_too_small"),
        ("building", SubmitDeck(("fw1-001",) * 39 + ("no-card",)), "no_such_object"),
        ("building", SubmitDeck(("fw1-001",) * 1001), "bad_arguments"),
    ],
)
def test_invalid_move_is_refused_with_a_code(moment, move, code):
    draft = Draft().until(moment)
    with pytest.raises(Refused) as refused:
        check_move(GAME, draft.state, 0, move)
    assert refused.value.code == code


def test_seat_cannot_pick_or_build_twice():
    draft = Draft()
    for moment in ("picking", "building"):
        draft.until(moment)
        again = GAME.timing.default(draft.state, 0)
        draft.move(0, again)
        with pytest.raises(Refused, match="already_done"):
            check_move(GAME, draft.state, 0, again)


def test_a_deck_of_more_copies_than_were_picked_is_refused():
    draft = Draft().until("building")
    card = draft.state.pools[0][0]
    deck = (card,) * (1 + draft.state.pools[0].count(card)) + ("fw1-001",) * 40
    with pytest.raises(Refused, match="not_in_pool"):
        check_move(GAME, draft.state, 0, SubmitDeck(deck))


def test_deck_of_all_picks_and_basic_lands_has_no_maximum_size():
    draft = Draft().until("building")
    for deck in (("fw1-005",) * 40, (*draft.state.pools[0], *("fw1-001",) * 60)):
        assert is_admitted(GAME.legal(draft.state, 0), SubmitDeck(deck))


def test_picks_outside_the_deck_are_the_sideboard():
    draft = Draft().until("building")
    draft.move(0, SubmitDeck(("fw1-001",) * 40))
    deck = draft.state.decks[0]
    assert Counter(deck.sideboard) == Counter(draft.state.pools[0])


def test_a_draft_ends_without_a_winner_when_all_decks_are_built():
    draft = Draft(seats=2).until("game_over")
    outcome = GAME.outcome(draft.state)
    assert (outcome.winners, outcome.places, outcome.reason) == ((), (1, 1), "played")
    pools = [[CARDS[card] for card in pool] for pool in draft.state.pools]
    assert list(draft.state.decks) == [automatic_deck(pool) for pool in pools]


def test_draft_continues_after_a_resignation():
    draft = Draft(seats=3)
    draft.state = fold(GAME, draft.state, GAME.leaving.resign(draft.state, 1))
    draft.follow()
    assert GAME.to_act(draft.state) == (0, 2)
    draft.until("game_over")
    assert [len(pool) for pool in draft.state.pools] == [45] * 3
    assert {event.how for event in draft.log if isinstance(event, CardPicked) and event.seat == 1} == {"left"}


def test_a_seat_sees_its_own_pack_and_picks_and_counts_of_the_others():
    draft = Draft()
    for _ in range(4):
        picks(draft)
    own, spectators = draft.seen(1), draft.seen(None)
    assert [set(pack or ()) for pack in own.packs] == [set(), draft.packs()[1], set()]
    assert own.pools == ((None,) * 4, draft.state.pools[1], (None,) * 4)
    assert spectators.packs == (None,) * 3
    assert spectators.pools == ((None,) * 4,) * 3


def test_number_of_events_does_not_depend_on_the_picks():
    def shape(take):
        draft = Draft(seats=4)
        for _ in range(3 * 14):
            picks(draft, take)
        return [(type(event), getattr(event, "seat", None)) for event in draft.log]

    assert shape(min) == shape(max)


def test_picks_of_others_stay_hidden_until_the_pack_arrives():
    def seen_by_seat_3(take):
        draft = Draft(seats=4)
        for seat, pack in enumerate(draft.packs()):
            draft.move(seat, PickCard(take(pack) if seat == 1 else min(pack)))
            own = draft.seen(3)
            legal = [choice.schema() for choice in GAME.legal(own, 3)]
            yield GAME.view(own, 3), GAME.scene(own, 3), legal, GAME.to_act(own), len(draft.log)

    assert list(seen_by_seat_3(min)) == list(seen_by_seat_3(max))


# --- Sealed play ------------------------------------------------------------------------------------------

SEALED = GAME.setup.presets["sealed"]


def test_sealed_play_gives_each_seat_six_packs_and_goes_on_to_deck_building():
    draft = Draft(**SEALED)
    assert GAME.phase(draft.state) == "building"
    assert GAME.to_act(draft.state) == (0, 1, 2)
    for seat in range(3):
        opened = [event.cards for event in draft.log if type(event) is PackOffered and event.seat == seat]
        assert [CARDS[pack[0]].set for pack in opened] == ["fw1"] * 4 + ["bt1"] * 2
        assert Counter(draft.state.pools[seat]) == Counter(card for pack in opened for card in pack)
    assert not any(type(event) is CardPicked for event in draft.log)
    assert code_of(draft, PickCard(min(draft.state.pools[0]))) == "wrong_phase"


def test_sealed_pool_is_private_and_supplies_the_deck():
    draft = Draft(**SEALED)
    own, spectators = draft.seen(1), draft.seen(None)
    assert own.pools == ((None,) * 90, draft.state.pools[1], (None,) * 90)
    assert spectators.pools == ((None,) * 90,) * 3
    draft.until("game_over")
    assert GAME.lifecycle.gains(draft.state) == tuple(
        automatic_deck(CARDS[card] for card in pool) for pool in draft.state.pools
    )


def code_of(draft, move, seat=0):
    with pytest.raises(Refused) as refused:
        check_move(GAME, draft.state, seat, move)
    return refused.value.code


def test_rarity_has_a_readable_name():
    there = card_zone("hand", "fan", 0, sorted(CARDS), len(CARDS))
    assert {mark for spot in there.spots for mark in spot.marks} == {"common", "uncommon", "rare", "ultra rare"}
