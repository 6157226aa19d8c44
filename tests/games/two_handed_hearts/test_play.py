"""Tests Two-Handed Hearts, rule by rule and ruling by ruling."""

from itertools import pairwise
from random import Random

import pytest

from domain.core.cards import BACK, PACK, backs, card, card_names, hand
from domain.core.choices import NoArguments, OneCard, Shuffle
from domain.core.game import CHANCE, Refused, answer_chance, check_move, is_admitted, play_move, seen_by
from domain.core.tricks import Trick
from domain.games import catalogue
from domain.games.two_handed_hearts import GAME
from domain.games.two_handed_hearts import rules as two
from domain.games.two_handed_hearts.events import (
    Accusation,
    CardCut,
    CardPlayed,
    ClaimingStarted,
    ClaimPassed,
    ClaimRejected,
    ClaimRevoke,
    Cut,
    Deal,
    DrawingCompleted,
    DrawnCardKept,
    DrawnCardRejected,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandReplenished,
    HandScored,
    HandStarted,
    KeepCard,
    PassClaim,
    PlayCard,
    RejectCard,
    RevokeFound,
    StockDrawn,
    TrickTaken,
)
from domain.games.two_handed_hearts.options import Options, Taken, bad_options, most_hands
from domain.match.creation import Common
from domain.match.status import judge_series
from tests.acceptance.reading import pile
from tests.games.two_handed_hearts.examples import start
from tests.match.table import Table, last_state

HONOUR = {"revoke_mode": "honour"}
CLAIM = HONOUR | {"revoke_detection": "claim"}
REPLENISH = {"mode": "replenish"}


def refusal(state, seat, move):
    with pytest.raises(Refused) as refused:
        check_move(GAME, state, seat, move)
    return refused.value.code


def dealt(options=None, pack=PACK, dealer=0):
    """Return a hand dealt from this pack: the non-dealer has its even positions up to 26."""
    return play_move(GAME, start(options or {}, next_dealer=dealer), CHANCE, Deal(pack))


def playing(options, first, second, stock=(), leader=0):
    """Return the table before one of the last tricks of a hand, with hands as short as the test needs."""
    state = start(options, phase="playing", leader=leader, turn=leader, stock=stock, deal_no=1, dealer=leader)
    state.hands = (hand(" ".join(first)), hand(" ".join(second)))
    state.tricks = (Trick(0, pile(["2C", "3C"]), 1),) * (state.rules.tricks - len(state.hands[0]))
    return state


def plays(state, *cards):
    """Play these cards with the seat to act, one after the other; return all events."""
    happened = []
    for name in cards:
        check_move(GAME, state, state.turn, PlayCard(card(name)))
        state, events = play_move(GAME, state, state.turn, PlayCard(card(name)))
        happened += events
    return state, happened


# --- Options (two_handed_hearts 1) --------------------------------------------------------------


def test_default_options_equal_the_preset_seed():
    assert Options(**GAME.setup.presets["seed"]) == Options()
    assert GAME.setup.best_of == 3
    assert GAME.setup.reveal == "hand_end"


def test_revokes_are_claimed_only_where_they_can_happen():
    assert set(bad_options(Options(revoke_detection="claim"), 2)) == {"revoke_detection"}
    assert not bad_options(Options(**CLAIM), 2)
    assert not bad_options(Options(**HONOUR), 2)


def test_max_hands_limits_the_hands():
    assert most_hands(Options(), 2) == 30
    assert most_hands(Options(max_hands=0), 2) is None


def test_every_preset_limits_the_hands():
    """A match against only bots, which no player can end by resigning, has a limit (two_handed_hearts 9.12)."""
    offered = [GAME.setup.resolve(preset, 2) for preset in ({}, *GAME.setup.presets.values())]
    assert all(most_hands(Options(**options), 2) for options in offered)


# --- Cut and deal (two_handed_hearts 3) ---------------------------------------------------------


def cut(*drawn):
    pack = pile(drawn)
    state = GAME.start(Options(), 2, None)
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.phase(state) == "cut"
    assert GAME.ask(state) == Shuffle(Cut, "cut", PACK)
    return play_move(GAME, state, CHANCE, Cut((*pack, *(c for c in PACK if c not in pack))))


def test_seat_with_the_higher_cut_deals():
    state, events = cut("2C", "3C")
    assert events == [
        GameStarted(1),
        CardCut(0, card("2C")),
        CardCut(1, card("3C")),
        FirstDealerChosen(1, "cut"),
    ]
    assert GAME.phase(state) == "hand_setup"
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0] == HandStarted(1, 1, 1)


def test_equal_ranks_cut_again():
    _, events = cut("TC", "TS", "4D", "4H", "AS", "KS")
    assert [e.seat for e in events if isinstance(e, CardCut)] == [0, 1] * 3
    assert events[-1] == FirstDealerChosen(0, "cut")


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_non_dealer_gets_the_first_card(dealer):
    state, events = dealt(dealer=dealer)
    assert state.hands[1 - dealer] == PACK[0:26:2]
    assert state.hands[dealer] == PACK[1:26:2]
    assert events[1].stock == PACK[26:]
    assert events[1].counts == (13, 13)


def test_seat_sees_only_its_own_thirteen_cards_and_not_the_stock():
    first = start({}, next_dealer=0)
    _, events = play_move(GAME, first, CHANCE, Deal(PACK))
    own = seen_by(GAME, first, events, 1)
    assert own.hands == (backs(13), PACK[0:26:2])
    assert own.stock == backs(25)
    assert own.drawn == BACK
    table = GAME.view(own, 1)
    assert table["hand"] == card_names(PACK[0:26:2])
    assert table["hands"][0] is None
    assert table["drawn"] is None
    assert GAME.view(seen_by(GAME, first, events, 0), 0)["drawn"] == "2H"
    spectator = GAME.view(seen_by(GAME, first, events, None), None)
    assert (spectator["hand"], spectator["hands"], spectator["drawn"]) == ([], [None, None], None)


def test_the_deal_alternates_hand_by_hand_and_through_the_games():
    state = start({}, phase="scored", dealer=1, next_dealer=0, deal_no=3, hand_no=7, started=True)
    state, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert events[0] == HandStarted(8, 4, 0)
    state.phase, state.game_no = "game_over", 1
    again = GAME.start(Options(), 2, state)
    assert GAME.ask(again) == Shuffle(Deal, "deal", PACK)  # no new cut
    assert play_move(GAME, again, CHANCE, Deal(PACK))[1][:2] == [GameStarted(2), HandStarted(9, 1, 1)]


# --- Drawing (two_handed_hearts 4) --------------------------------------------------------------


def test_the_dealer_draws_first_and_both_draw_thirteen():
    state, events = dealt(dealer=1)
    drew = [e for e in events if isinstance(e, StockDrawn)]
    while state.phase == "drawing":
        state, events = play_move(GAME, state, state.turn, RejectCard())
        drew += [e for e in events if isinstance(e, StockDrawn)]
    assert [e.seat for e in drew] == [1, 0] * 13
    assert [e.draw_no for e in drew] == list(range(1, 27))
    assert [e.stock_left for e in drew] == list(range(25, -1, -1))
    assert tuple(e.card for e in drew) == PACK[26:]
    assert events == [DrawnCardRejected(0), DrawingCompleted(1)]
    assert GAME.to_act(state) == (1,)
    assert [len(h) for h in state.hands] == [13, 13]


def test_kept_card_joins_the_hand_and_another_is_discarded():
    state, _ = dealt()
    state, events = play_move(GAME, state, 0, KeepCard(card("3C")))
    assert events[0] == DrawnCardKept(0, card("3C"))
    assert card("2H") in state.hands[0]
    assert card("3C") not in state.hands[0]
    assert state.waste == (pile(["3C"]), ())
    assert isinstance(events[1], StockDrawn)
    assert GAME.to_act(state) == (1,)


def test_discarded_cards_are_remembered_only_by_their_seat():
    first = start({}, next_dealer=0)
    state, events = play_move(GAME, first, CHANCE, Deal(PACK))
    for seat, move in ((0, KeepCard(card("3C"))), (1, RejectCard())):
        state, more = play_move(GAME, state, seat, move)
        events += more
    tables = [GAME.view(seen_by(GAME, first, events, seat), seat) for seat in (0, 1, None)]
    assert [table["waste"] for table in tables] == [["3C"], ["3H"], []]
    assert [table["waste_count"] for table in tables] == [2, 2, 2]
    assert [table["hand_counts"] for table in tables] == [[13, 13]] * 3


def test_invalid_drawing_moves_are_refused():
    state, _ = dealt()
    reject, keep = GAME.legal(state, 0)
    assert (reject, keep) == (NoArguments(RejectCard), OneCard(KeepCard, state.hands[0]))
    assert GAME.legal(state, 1) == ()
    assert refusal(state, 0, KeepCard(card("2H"))) == "must_discard_another"  # the one drawn
    assert refusal(state, 0, KeepCard(card("2C"))) == "card_not_in_hand"
    assert refusal(state, 1, KeepCard(card("2C"))) == "not_your_turn"
    assert refusal(state, 1, RejectCard()) == "not_your_turn"
    assert refusal(state, 0, PlayCard(card("3C"))) == "wrong_phase"
    assert refusal(state, 0, PassClaim()) == "wrong_phase"
    assert GAME.timing.default(state, 0) == RejectCard()


@pytest.mark.parametrize("is_next_game", [False, True])
@pytest.mark.parametrize("decides", [lambda hand: RejectCard(), lambda hand: KeepCard(hand[0])])
def test_last_trick_stays_until_the_next_hands_first_decision(is_next_game, decides):
    state = start({}, phase="scored", tricks=(Trick(1, pile(["KD", "AD"]), 0),))
    if is_next_game:
        state = GAME.start(Options(), 2, state)
    state, _ = play_move(GAME, state, CHANCE, Deal(PACK))
    (there,) = (zone for zone in GAME.scene(state, 0).zones if zone.kind == "last_trick")
    assert [(spot.card, spot.seat) for spot in there.spots] == [("KD", 1), ("AD", 0)]
    state, _ = play_move(GAME, state, 0, decides(state.hands[0]))
    assert all(zone.kind != "last_trick" for zone in GAME.scene(state, 0).zones)


# --- Replenish (two_handed_hearts 5) ------------------------------------------------------------


def test_winner_of_a_trick_draws_before_the_loser():
    state, events = dealt(REPLENISH)
    assert [type(e) for e in events] == [HandStarted, HandDealt]
    state, events = plays(state, "3C", "2C")
    assert events[-3:] == [
        TrickTaken(1, 0, pile(["3C", "2C"])),
        HandReplenished(0, 1, 25, card("2H")),
        HandReplenished(1, 2, 24, card("3H")),
    ]
    assert [len(h) for h in state.hands] == [13, 13]
    assert GAME.to_act(state) == (0,)


def test_all_fifty_two_cards_are_played():
    state, _ = dealt(REPLENISH, answer_chance(GAME.ask(start({})), Random(1)).pack)
    taken = []
    while state.phase == "playing":
        state, events = play_move(GAME, state, state.turn, GAME.timing.default(state, state.turn))
        taken += [c for e in events if isinstance(e, TrickTaken) for c in e.cards]
    assert sorted(taken) == list(PACK)
    assert len(state.tricks) == 26
    scored = next(e for e in events if isinstance(e, HandScored))
    assert sum(scored.points) == 16


def test_drawn_card_is_visible_only_to_its_seat():
    first = start(REPLENISH, next_dealer=0)
    state, events = play_move(GAME, first, CHANCE, Deal(PACK))
    _, more = plays(state, "3C", "2C")
    own = seen_by(GAME, first, events + more, 1)
    assert own.draws == ((BACK,), pile(["3H"]))
    assert card("3H") in own.hands[1]
    assert own.hands[0] == backs(13)


# --- Play (two_handed_hearts 6) -----------------------------------------------------------------


def test_the_dealer_leads_anything():
    state, _ = dealt(REPLENISH, dealer=1)
    assert GAME.to_act(state) == (1,)
    assert GAME.legal(state, 1) == (OneCard(PlayCard, state.hands[1]),)


def test_suit_must_be_followed_if_possible():
    state, _ = plays(playing({}, ["5C", "2D"], ["3C", "QS"]), "5C")
    assert refusal(state, 1, PlayCard(card("QS"))) == "must_follow_suit"
    assert refusal(state, 1, PlayCard(card("4S"))) == "card_not_in_hand"
    assert refusal(state, 0, PlayCard(card("2D"))) == "not_your_turn"
    assert refusal(state, 1, KeepCard(card("3C"))) == "wrong_phase"


@pytest.mark.parametrize(
    ("trick", "taker"), [(("5C", "6C"), 1), (("5C", "4C"), 0), (("5C", "AS"), 0), (("2H", "3H"), 1)]
)
def test_higher_card_of_the_suit_led_takes_the_trick_and_leads(trick, taker):
    lead, second = trick
    state, events = plays(playing({}, [lead, "2D"], [second, "3D"]), *trick)
    assert events == [
        CardPlayed(0, card(lead), 12),
        CardPlayed(1, card(second), 12),
        TrickTaken(12, taker, pile(trick)),
    ]
    assert GAME.to_act(state) == (taker,)


def test_clock_plays_the_lowest_card_that_follows_suit():
    state, _ = plays(playing({}, ["5C", "2D"], ["9C", "2S"]), "5C")
    assert GAME.timing.default(state, 1) == PlayCard(card("9C"))
    by_honour, _ = plays(playing(HONOUR, ["5C", "2D"], ["9C", "2S"]), "5C")
    assert GAME.timing.default(by_honour, 1) == PlayCard(card("9C"))


# --- Honour, and revokes (two_handed_hearts 6) --------------------------------------------------


def revoked(options):
    """Seat 1 holds 3C and discards QS on 5C; one more trick follows."""
    return plays(playing(options, ["5C", "2D"], ["3C", "QS"]), "5C", "QS")


def test_honour_mode_accepts_any_card_silently():
    state, events = revoked(HONOUR)
    assert [type(e) for e in events] == [CardPlayed, CardPlayed, TrickTaken]
    honest, _ = plays(playing(HONOUR, ["5C", "2D"], ["3C", "4C"]), "5C", "4C")
    assert {k for k, v in GAME.view(state, 0).items() if v != GAME.view(honest, 0)[k]} <= {
        "tricks", "last_trick", "points", "hands",
    }  # fmt: skip


def test_automatic_detection_finds_a_revoke_after_the_last_trick():
    state, events = plays(revoked(HONOUR)[0], "2D", "3C")
    found = RevokeFound(1, 12, card("QS"), pile(["3C"]), None)
    assert events[3:4] == [found]
    scored = events[4]
    assert scored == HandScored(scored.taken, 0, None, (1,), (0, 26), (0, 26))
    assert GAME.answers.move_of(found) is None
    assert GAME.view(state, 0)["revokes"] == [{"seat": 1, "trick_no": 12, "card": "QS", "held": ["3C"]}]


def test_revokes_of_both_seats_are_found():
    state = playing(HONOUR, ["5C", "2D", "9C", "6H"], ["3C", "QS", "4D", "7H"])
    state, events = plays(state, "5C", "QS", "2D", "3C", "9C", "4D", "6H", "7H")
    assert [(e.seat, e.trick_no, card_names(e.held)) for e in events if isinstance(e, RevokeFound)] == [
        (1, 10, ["3C"]), (1, 11, ["4D"]),
    ]  # fmt: skip


def test_seat_without_the_suit_does_not_revoke():
    _, events = plays(playing(HONOUR, ["5C", "2D"], ["3H", "QS"]), "5C", "QS", "2D", "3H")
    assert not any(isinstance(e, RevokeFound) for e in events)


def test_card_drawn_later_is_no_revoke():
    state = start(REPLENISH | HONOUR, phase="playing", leader=0, turn=0, deal_no=1)
    state.hands = (hand("5C 2D"), hand("3H QS"))
    state.stock = pile(["9D", "4C"])
    state.tricks = (Trick(0, pile(["2C", "3C"]), 1),) * 12
    state.draws = (pile(["2S"]) * 12, pile(["2S"]) * 12)
    state, _ = plays(state, "5C", "QS")
    assert card("4C") in state.hands[1]
    assert two.find_revoke(state, 13, 0) is None
    state, _ = plays(state, "2D", "4C")  # played since, and drawn since
    assert two.find_revoke(state, 13, 0) is None


def test_card_held_before_the_draw_proves_a_revoke():
    state = start(REPLENISH | CLAIM, phase="playing", leader=0, turn=0, deal_no=1)
    state.hands = (hand("5C 2D"), hand("3C QS"))
    state.stock = pile(["9D", "4C"])
    state.tricks = (Trick(0, pile(["2C", "3C"]), 1),) * 12
    state.draws = (pile(["2S"]) * 12, pile(["2S"]) * 12)
    state, _ = plays(state, "5C", "QS")
    assert two.find_revoke(state, 13, 0) == RevokeFound(1, 13, card("QS"), pile(["3C"]), 0)


def test_true_claim_ends_the_hand_immediately():
    state, _ = revoked(CLAIM)
    state, events = plays(state, "2D")  # in the middle of a trick, too
    state, events = play_move(GAME, state, 0, ClaimRevoke(12, 1))
    assert events[0] == RevokeFound(1, 12, card("QS"), pile(["3C"]), 0)
    assert GAME.answers.move_of(events[0]) == (0, ClaimRevoke(12, 1))
    assert isinstance(events[1], HandScored)
    assert events[1].points == (0, 26)
    assert len(events) == 2


def test_played_card_counts_as_held():
    state = playing(CLAIM, ["5C", "2D", "9H"], ["3C", "QS", "4D"])
    state, _ = plays(state, "5C", "QS", "2D", "4D", "3C")
    assert two.find_revoke(state, 11, 0) == RevokeFound(1, 11, card("QS"), pile(["3C"]), 0)


def test_claim_can_be_made_in_and_out_of_turn():
    state, _ = revoked(CLAIM)
    assert GAME.to_act(state) == (0,)
    assert GAME.legal(state, 0) == (OneCard(PlayCard, hand("2D")), Accusation(12, 1))
    assert GAME.legal(state, 1) == (Accusation(12, 0),)
    assert refusal(state, 1, PlayCard(card("3C"))) == "not_your_turn"


def test_false_claim_changes_only_its_count():
    state, _ = revoked(CLAIM)
    for n in range(1, 4):
        before = state.copy()
        state, events = play_move(GAME, state, 1, ClaimRevoke(12, 0))
        assert events == [ClaimRejected(1, 12, 0)]
        assert GAME.answers.move_of(events[0]) == (1, ClaimRevoke(12, 0))
        assert state.false_claims == (0, n)
        before.false_claims = state.false_claims
        assert state == before
    assert refusal(state, 1, ClaimRevoke(12, 0)) == "too_many_claims"
    assert GAME.legal(state, 1) == ()
    assert is_admitted(GAME.legal(state, 0), ClaimRevoke(12, 1))  # the other has its own three


def test_invalid_claims_are_refused():
    state, _ = revoked(CLAIM)
    assert refusal(state, 0, ClaimRevoke(13, 1)) == "no_such_object"  # incomplete
    assert refusal(state, 0, ClaimRevoke(12, 0)) == "not_your_turn"  # the accused is to be the other
    assert refusal(state, 0, PassClaim()) == "wrong_phase"
    for options in ({}, HONOUR):
        assert refusal(playing(options, ["5C"], ["3C"]), 0, ClaimRevoke(1, 1)) == "wrong_phase"
    assert refusal(dealt(CLAIM)[0], 0, ClaimRevoke(1, 1)) == "wrong_phase"
    assert refusal(dealt(CLAIM | REPLENISH)[0], 0, ClaimRevoke(1, 1)) == "no_such_object"


def test_both_seats_may_claim_after_the_last_trick_until_both_pass():
    state, events = plays(revoked(CLAIM)[0], "2D", "3C")
    assert events[-1] == ClaimingStarted()
    assert GAME.phase(state) == "claiming"
    assert GAME.to_act(state) == (0, 1)
    assert GAME.timing.default(state, 0) == PassClaim()
    state, events = play_move(GAME, state, 0, PassClaim())
    assert events == [ClaimPassed(0)]
    assert GAME.to_act(state) == (1,)
    assert refusal(state, 0, PassClaim()) == "already_done"
    _, events = play_move(GAME, state, 0, ClaimRevoke(12, 1))  # it may still claim
    assert events[1].points == (0, 26)
    state, events = play_move(GAME, state, 1, PassClaim())
    assert [type(e) for e in events] == [ClaimPassed, HandScored]
    assert events[1].points == (13, 0)  # an unclaimed revoke stands


def test_only_claimed_revokes_count():
    state = playing(CLAIM, ["5C", "2D"], ["3C", "4D"])
    state, _ = plays(state, "5C", "4D", "2D", "3C")
    assert play_move(GAME, state, 1, ClaimRevoke(12, 0))[1] == [ClaimRejected(1, 12, 0)]


# --- Scoring (two_handed_hearts 7) --------------------------------------------------------------


def points(options, *took, revokes=()):
    found = tuple(RevokeFound(seat, 1, BACK, (), None) for seat in revokes)
    tricks = tuple(Trick(i, pile(names.split()), i) for i, names in enumerate(took))
    return two.score_hand(start(options, tricks=tricks, revokes=found))


ALL = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"
SOME = "2H 3H 4H 5H 6H 7H 8H 9H QS"


@pytest.mark.parametrize(
    ("options", "first", "second", "expected", "moon"),
    [
        ({}, "2H 3H 4H 5H 6H JD", "QS 7H 8H", (-5, 15), None),
        ({"jack_of_diamonds": False}, "2H 3H 4H 5H 6H JD", "QS 7H 8H", (5, 15), None),
        (REPLENISH, ALL, "JD", (0, 16), 0),
        (REPLENISH, ALL + " JD", "", (-10, 26), 0),
        ({"jack_of_diamonds": False}, ALL, "JD", (0, 26), 0),
        ({"moon": "all_fourteen"}, "", SOME, (0, 21), None),
        ({"moon": "all_fourteen"}, "", ALL, (26, 0), 1),
        ({"moon": "all_fourteen"}, "", ALL.removeprefix("2H "), (0, 25), None),
        ({}, "", SOME, (26, 0), 1),
        ({"moon": "off"}, "", ALL, (0, 26), None),
        ({}, "2H 3H 4H 5H QS", "", (17, 0), None),  # four hearts are too few
        ({}, "2H 3H 4H 5H 6H QS", "", (0, 26), 0),
        ({}, "2H 3H 4H 5H 6H", "", (5, 0), None),  # no queen in play
        ({}, "2H 3H 4H 5H 6H QS", "7H", (18, 1), None),
        ({}, "2H 3H 4H 5H 6H 7H", "QS", (6, 13), None),
    ],
)
def test_points_of_a_hand(options, first, second, expected, moon):
    scored = points(options, first, second)
    assert scored.points == scored.totals == expected
    assert scored.moon == moon


def test_taken_cards_are_scored():
    scored = points({}, "2H 3H JD", "QS")
    assert scored.taken == (Taken(2, queen=False, jack=True, card_points=-8), Taken(0, True, False, 13))


def test_a_revoke_replaces_moon_and_jack():
    assert points({}, ALL + " JD", "", revokes=[0]).points == (26, 0)
    assert points({}, ALL, "JD", revokes=[1, 1]).points == (0, 26)
    assert points({}, "QS", "", revokes=[0, 1]).points == (26, 26)
    assert points({}, ALL, "", revokes=[1]).moon is None


# --- The end (two_handed_hearts 8) --------------------------------------------------------------


def ended(options, totals, hands=1, before=None):
    state = start(options, phase="scored", scores=totals, reached=before or totals, deal_no=hands)
    return GAME.consequences(state)


def test_the_lower_total_wins_at_the_target():
    assert ended({}, (100, 12)) == (GameEnded((100, 12), (2, 1), (1,), "target_score"),)
    assert ended({}, (120, 104))[0].winners == (1,)  # both are above
    assert ended({}, (99, -40)) == ()
    assert ended({"target_score": 50}, (-3, 50))[0].winners == (0,)


def test_equal_totals_are_a_draw_or_are_played_off():
    assert ended({}, (104, 104)) == (GameEnded((104, 104), (1, 1), (), "target_score"),)
    assert ended({"tie_break": "extra_hand"}, (104, 104)) == ()
    assert ended({"tie_break": "extra_hand"}, (94, 98), before=(104, 104))[0].winners == (0,)


def test_game_ends_after_max_hands():
    assert ended({}, (40, 12), hands=29) == ()
    assert ended({}, (40, 12), hands=30) == (GameEnded((40, 12), (2, 1), (1,), "max_hands"),)
    assert ended({}, (12, 12), hands=30)[0].winners == ()
    assert ended({"tie_break": "extra_hand", "max_hands": 3}, (104, 104), hands=3)[0].winners == ()
    assert ended({"max_hands": 0}, (40, 12), hands=10_000) == ()


def test_resigning_loses_and_an_agreed_draw_is_drawn():
    state = start({}, scores=(0, 99))
    assert GAME.leaving.stop(state, (0,), "resignation") == (GameEnded((0, 99), (2, 1), (1,), "resignation"),)
    assert GAME.leaving.stop(state, (), "draw")[0].winners == ()


# --- The match (rules 1.10; two_handed_hearts 3) ------------------------------------------------


@pytest.fixture
def matches(monkeypatch):
    games = {**catalogue.GAMES, GAME.name: GAME}
    monkeypatch.setattr("tests.match.table.GAMES", games)
    monkeypatch.setattr("tests.match.table.options", options_of)


def options_of(game, **chosen):
    """Return all options of a match of this game."""
    common = {f: getattr(Common(fairness_reveal="hand_end"), f) for f in Common.__slots__}
    return common | {f: getattr(Options(), f) for f in Options.__slots__} | chosen


@pytest.mark.parametrize("chosen", [{"target_score": 20}, REPLENISH, REPLENISH | CLAIM])
def test_a_match_is_the_best_of_three_with_one_cut(matches, chosen):
    table = Table(GAME.name, ("bot", "bot"), chosen | {"target_score": 20}, best_of=3, seed=3)
    table.plays_on()
    kinds = table.kinds()
    assert kinds[-1] == "MatchEnded"
    assert kinds.count("FirstDealerChosen") == 1
    winners = [e.winners[0] if e.winners else None for e in table.events if isinstance(e, GameEnded)]
    assert judge_series(3, winners).winner == table.match.series.winners[-1]
    assert judge_series(3, winners[:-1]) is None
    dealers = [e.dealer for e in table.events if isinstance(e, HandStarted)]
    assert all(a != b for a, b in pairwise(dealers))
    hands = [e.hand_no for e in table.events if isinstance(e, HandStarted)]
    assert hands == list(range(1, len(hands) + 1))
    assert last_state(table) == table.match


def test_seed_is_revealed_after_each_hand(matches):
    table = Table(GAME.name, ("bot", "bot"), CLAIM | {"target_score": 20}, seed=5)
    table.plays_on()
    for kind, following in pairwise(table.kinds()):
        if kind == "HandScored":
            assert following == "SeedRevealed"
