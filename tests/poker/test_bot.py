"""Tests how well the poker bots play, and that they use only what their seat saw."""

from random import Random
from statistics import fmean, stdev

import pytest

from domain.core.cards import card_names, hand
from domain.core.game import CHANCE, answer_chance, check_move, fold, is_admitted, play_move
from domain.core.visibility import view_event
from domain.games.five_card_draw.options import Options as DrawOptions
from domain.games.holdem.options import Options as HoldemOptions
from domain.poker.betting_bot import choose
from domain.poker.betting_events import HandSettled
from domain.poker.betting_moves import Bet, Call, Check, Fold, Raise, SwapCards
from domain.poker.betting_table import nets
from domain.poker.standings import (
    exchange,
    on_board,
    outs,
    standing_after_draw,
    standing_before_draw,
    starting,
)
from tests.draws import is_thorough
from tests.games.tournament import wins
from tests.laws.play import steps
from tests.poker.games import POKER
from tests.poker.tables import DRAW, HOLDEM, Poker, cards

LEVELS = ("random", "easy", "steady", "strong")
OPTIONS = {HOLDEM.name: HoldemOptions, DRAW.name: DrawOptions}

# --- How well they play ---------------------------------------------------------------------------------


def won_by_the_first(game, options, levels, hands, seed=1):
    """Return the first bot's winnings in each hand.

    The bots change seats after each hand, and see only their seat's view.
    """
    rng, n, rows = Random(seed), len(levels), []
    state = game.start(options, n, None)
    own = [state.copy() for _ in levels]
    before = nets(state)
    while len(rows) < hands:
        if not (actors := game.to_act(state)):
            state = game.start(options, n, state)
            own = [state.copy() for _ in levels]
            before = nets(state)
            continue
        seat = actors[0]
        if seat == CHANCE:
            move = answer_chance(game.ask(state), rng)
        else:
            move = choose(levels[(seat - len(rows)) % n], own[seat], seat, (), rng)
            check_move(game, state, seat, move)
        state, events = play_move(game, state, seat, move)
        own = [fold(game, o, (view_event(e, i) for e in events)) for i, o in enumerate(own)]
        if any(isinstance(e, HandSettled) for e in events):
            at = len(rows) % n
            rows.append(nets(state)[at] - before[at])
            before = nets(state)
    return rows


def surely(rows):
    """Return the mean in standard errors."""
    return fmean(rows) / (stdev(rows) / len(rows) ** 0.5)


FORMS = {
    "hold'em": (HOLDEM, {}),
    "short": (HOLDEM, {"starting_stack": 40}),
    "on": (HOLDEM, {"rebuy": "on_bust", "hands": 20}),
    "limit": (DRAW, {}),
    "no limit": (DRAW, {"structure": "no_limit"}),
}
EVERY = [(form, other, seats, 2000) for form in FORMS for other in ("random", "easy") for seats in (2, 3, 6)]
USUAL = [
    ("hold'em", "random", 2, 500),
    ("hold'em", "easy", 3, 400),
    ("short", "random", 6, 300),
    ("limit", "random", 6, 100),
    ("limit", "easy", 2, 800),
    ("no limit", "random", 3, 300),
    ("no limit", "easy", 6, 1200),
]


@pytest.mark.long
@pytest.mark.parametrize(("form", "other", "seats", "hands"), EVERY if is_thorough() else USUAL)
def test_steady_bot_wins_chips(form, other, seats, hands):
    """Its winnings exceed zero by more than two standard errors, over 2,000 hands if more draws are requested."""
    game, options = FORMS[form]
    chosen = OPTIONS[game.name](**{"hands": 1000, "rebuy": "each_hand", **options})
    rows = won_by_the_first(game, chosen, ["steady", *[other] * (seats - 1)], hands)
    assert surely(rows) > 2


@pytest.mark.long
@pytest.mark.parametrize(("other", "seats"), [("random", 3), ("easy", 4)])
def test_steady_bot_wins_tournaments(other, seats):
    """With equal chances, it would win one in as many as there are players."""
    games = 300 if is_thorough() else 12
    options = HoldemOptions(format="sng", starting_stack=1500)
    won, _ = wins(HOLDEM, choose, options, ["steady", *[other] * (seats - 1)], games, Random(1))
    assert won > 1.3 * games / seats


# --- By what they saw, and by the rules -----------------------------------------------------------------


@pytest.mark.parametrize("entry", POKER, ids=lambda entry: f"{entry.game.name} for {entry.seats}")
@pytest.mark.parametrize("level", LEVELS)
def test_bots_choice_is_legal_and_depends_only_on_its_view(entry, level):
    """The bot chooses the same if other seats have random cards or if it sees all cards."""
    rng = Random(2)
    for block in entry.blocks.values():
        for options in block:
            for step in steps(entry, options, rng):
                if step.seat != CHANCE:
                    seed = rng.random()
                    own, true = (
                        choose(level, s, step.seat, (), Random(seed)) for s in (step.own[step.seat], step.state)
                    )
                    assert own == true
                    assert is_admitted(entry.game.legal(step.state, step.seat), own)


# --- Hold'em --------------------------------------------------------------------------------------------

BOARD = "2C 9D 5C 4H 2D JS 2H QS"  # burns at 0, 4, 6
BLANK = "5C 6S"


def holdem(hands, *said, level="steady", seats=6, stack=200, board=BOARD, button=0, stacks=(), **options):
    """Return a bot's move after these actions, with given cards.

    Seat 1 is the small blind, or two seats are in.
    """
    table = Poker(HOLDEM, stacks or (stack,) * seats, button, starting_stack=stack, **options)
    table.deals(hands, board).does(*said)
    (seat,) = HOLDEM.to_act(table.state)
    assert seat in hands
    move = choose(level, table.state, seat, (), Random(0))
    assert is_admitted(HOLDEM.legal(table.state, seat), move)
    return move


def test_good_starting_hands_rank_before_bad_ones():
    order = ["AS AD", "TS TD", "AS KS", "AS KD", "KS QS", "8S 7S", "QS 7D", "9S 4D", "7S 2D"]
    standings = [starting(hand(two)) for two in order]
    assert standings == sorted(standings)
    assert standings[0] < 0.005
    assert standings[-1] > 0.9


@pytest.mark.parametrize(
    ("two", "early", "late"),
    [
        ("AS AD", Raise(5), Raise(5)),
        ("9S 9D", Raise(5), Raise(5)),
        ("AS KD", Raise(5), Raise(5)),
        ("QS 8S", Fold(), Raise(5)),
        ("AS 7D", Fold(), Raise(5)),
        ("JS 4D", Fold(), Fold()),
        ("7S 2D", Fold(), Fold()),
    ],
)
def test_bot_opens_more_hands_when_fewer_players_are_still_to_act(two, early, late):
    assert holdem({3: two}) == early
    assert holdem({0: two}, "3 fold", "4 fold", "5 fold") == late


def test_bot_plays_more_hands_heads_up():
    assert holdem({0: "KS 7D"}, seats=2) == Raise(4)
    assert holdem({3: "KS 7D"}) == Fold()


def test_bot_needs_a_better_hand_to_reraise_than_to_call():
    assert isinstance(holdem({4: "KS KD"}, "3 raise 6"), Raise)
    assert holdem({2: "5S 5D"}, "3 raise 6", "4 fold", "5 fold", "0 fold", "1 fold") == Call()
    assert holdem({4: "QS 8D"}, "3 raise 6") == Fold()


def test_bot_reraises_with_more_hands_heads_up():
    assert isinstance(holdem({1: "JS TS"}, "0 raise 6", seats=2), Raise)
    assert holdem({4: "JS TS"}, "3 raise 6") == Fold()


def test_rivals_who_still_owe_chips_count_little():
    assert holdem({4: "8S 8D"}, "3 raise 6") == Call()


def test_bot_calls_an_all_in_only_with_strong_hands():
    assert holdem({4: "AS AD"}, "3 all_in") == Call()
    assert holdem({4: "KS 9D"}, "3 all_in") == Fold()


def test_bot_with_few_blinds_goes_all_in_or_folds():
    assert holdem({0: "KS 8D"}, seats=2, stack=16) == Raise(16)
    assert holdem({3: "AS 9D"}, stack=8) == Raise(8)
    assert holdem({3: "9S 4D"}, stack=8) == Fold()


def test_bot_calls_by_the_pot_odds():
    """The same hand calls a small stack that is all-in, and not a large one."""
    assert holdem({1: "QS 7D"}, "0 all_in", seats=2, stack=4) == Call()
    assert holdem({1: "QS 7D"}, "0 all_in", seats=2) == Fold()


def test_only_the_winnable_part_of_the_pot_counts():
    """A poor hand calls four chips for a pot of 18, but not for the side bets of two others."""
    hands, deep = {2: "7S 2D"}, (200, 200, 6)
    assert holdem(hands, "0 raise 100", "1 call", stacks=deep, seats=3) == Fold()
    assert holdem({2: "QS JD"}, "0 raise 100", "1 call", stacks=deep, seats=3) == Call()


def test_bot_never_folds_if_it_can_check():
    called = ["0 call", "1 check"]
    assert holdem({1: "3S 8H"}, "0 call", seats=2) == Check()
    assert holdem({1: "3S 8H"}, *called, seats=2) == Check()


PREFLOP = ("0 raise 6", "1 call")


def after_the_flop(two, *said, board=BOARD):
    return holdem({1: two} if len(said) % 2 == 0 else {0: two}, *PREFLOP, *said, seats=2, board=board)


def test_bot_bets_made_hands_for_value():
    assert after_the_flop("9S AH", "1 check") == Bet(8)
    assert after_the_flop("9S 9H") == Bet(8)
    assert after_the_flop("JD TC") == Check()


def test_bot_raises_calls_or_folds_by_the_strength_of_its_hand():
    assert isinstance(after_the_flop("9S 9H", "1 bet 8"), Raise)
    assert after_the_flop("5S AH", "1 bet 8") == Call()
    assert after_the_flop("JD TC", "1 bet 8") == Fold()


def test_bot_expects_a_better_hand_from_a_rival_who_paid_much():
    """A pair of nines raises a bet of half the pot in a small pot, and only calls in a large one."""
    dear = ("0 raise 60", "1 call", "1 check", "0 bet 60")
    cheap = ("0 raise 4", "1 call", "1 check", "0 bet 4")
    assert holdem({1: "9S AH"}, *dear, seats=2, board=BOARD) == Call()
    assert isinstance(holdem({1: "9S AH"}, *cheap, seats=2, board=BOARD), Raise)


def test_bot_pays_a_fair_price_for_a_draw():
    """Four spades on the turn: nine of the 46 cards help."""
    spades = "2C 9S 5C 4S 2D JH 2H QD"
    before = ("1 check", "0 check")
    assert after_the_flop("KS 7S", *before, "1 bet 8", board=spades) == Call()
    assert after_the_flop("KS 7S", *before, "1 bet 36", board=spades) == Fold()
    assert after_the_flop("KD 7D", *before, "1 bet 8", board=spades) == Fold()


def test_outs_and_better_hands_are_counted_exactly():
    """A card that helps the board as much is not an out."""
    assert outs(hand("KS 7S"), cards("9S 5C 4S JH")) == 9 / 46
    assert outs(hand("8S 7D"), cards("9S 6C 2H KD")) == 8 / 46
    assert outs(hand("3C 2D"), cards("9S TS JS 5S")) == 0
    assert outs(hand("KD 2C"), cards("9S TS JS 5S")) == 3 / 46
    assert on_board(hand("AS KS"), cards("QS JS TS")) == 0
    assert on_board(hand("2C 3D"), cards("AS KS QS JS TS")) == 0.5


# --- Five-card draw -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "thrown"),
    [
        ("9S 9D 4C 7H KD", "4C 7H KD"),
        ("9S 9D 4C 4H KD", "KD"),
        ("9S 9D 9C 4H KD", "4H KD"),
        ("9S 9D 9C 4H 4D", ""),
        ("5S 6D 7C 8H 9D", ""),
        ("2S 6S 9S JS KD", "KD"),
        ("5S 6D 7C 8H KD", "KD"),
        ("2S 3S 9S JS 9D", "2S 3S JS"),
        ("JS QD KC AH 4D", "JS QD 4D"),
        ("2S 4D 7C 9H AD", "2S 4D 7C 9H"),
        ("2S 4D 7C KH AD", "2S 4D 7C"),
    ],
)
def test_bot_keeps_made_hands_and_draws(held, thrown):
    assert card_names(exchange(hand(held))) == card_names(hand(thrown))


def test_bot_keeps_higher_cards_if_few_may_be_exchanged():
    assert exchange(hand("9S 9D 4C 7H KD"), 2) == hand("4C 7H")
    assert exchange(hand("9S 9D 4C 7H KD"), 0) == ()


def test_bot_judges_a_hand_by_the_rivals_exchange():
    """Nines and fours beat most hands that drew three cards, and almost none that drew no card."""
    two_pairs = hand("9S 9D 4C 4H KD")
    assert standing_before_draw(two_pairs) < 0.08
    assert standing_after_draw(two_pairs, 3) < 0.25
    assert standing_after_draw(two_pairs, 0) > 0.95
    assert (
        standing_after_draw(two_pairs, 4)
        < standing_after_draw(two_pairs, 3)
        < standing_after_draw(two_pairs, 1)
        < standing_after_draw(two_pairs, 2)
    )


def draw(hands, *said, level="steady", seats=4, **options):
    """Return a bot's move after these actions; seat 1 acts first."""
    table = Poker(DRAW, (200,) * seats, starting_stack=200, **options).deals(hands).does(*said)
    (seat,) = DRAW.to_act(table.state)
    move = choose(level, table.state, seat, (), Random(0))
    assert is_admitted(DRAW.legal(table.state, seat), move)
    return move


def test_bot_needs_a_better_hand_in_first_position_than_in_last():
    kings, fives = "KS KD 4C 7H 9D", "5S 5D 4C 7H 9D"
    checks = ("1 check", "2 check", "3 check")
    assert draw({1: kings}) == Bet(2)
    assert draw({1: fives}) == Check()
    assert draw({0: kings}, *checks) == Bet(2)
    assert draw({0: fives}, "1 fold", "2 fold", "3 check") == Bet(2)


def test_bot_raises_up_to_the_cap():
    full = "9S 9D 9C 4H 4D"
    assert draw({2: full}, "1 bet 2") == Raise(4)
    assert draw({1: full}, "1 bet 2", "2 raise 4", "3 raise 6", "0 raise 8") == Call()


def test_bot_folds_a_worthless_hand_to_a_bet():
    assert draw({2: "2S 4D 7C 9H JD"}, "1 bet 2") == Fold()


def test_bot_folds_a_pair_to_a_rival_who_drew_no_cards():
    pair = {1: "AS AD 4C 7H 9D"}
    before = ("1 bet 2", "0 call", "1 swap 4C")
    assert draw(pair, *before, "0 swap", "1 check", "0 bet 4", seats=2) == Fold()


def test_bot_exchanges_at_most_the_allowed_cards():
    two = draw({1: "9S 9D 4C 7H KD"}, "1 check", "0 check", seats=2, max_swap=2)
    assert two == SwapCards(hand("4C 7H"))


# --- A beginner -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [("3 raise 6",), ("3 raise 40", "4 raise 80"), ("3 all_in",)])
def test_easy_bot_calls_any_price_with_a_fair_hand(before):
    last = int(before[-1][0])
    seat = last + 1
    assert holdem({seat: "KS 9D"}, *before, level="easy") == Call()
    assert holdem({seat: "7S 2D"}, *before, level="easy") == Fold()


def test_easy_bot_plays_the_same_hands_in_every_position():
    early, late = (holdem({seat: "QS 8S"}, *before, level="easy") for seat, before in OPENINGS)
    assert early == late == Call()


OPENINGS = ((3, ()), (0, ("3 fold", "4 fold", "5 fold")))


def test_easy_bot_never_bluffs_and_raises_the_minimum_with_the_best_hands():
    assert holdem({3: "AS AD"}, level="easy") == Raise(4)
    assert holdem({1: "JD TC"}, *PREFLOP, seats=2, board=BOARD, level="easy") == Check()


def test_easy_bot_keeps_a_high_card_next_to_its_pair():
    assert draw({1: "9S 9D 4C 7H KD"}, "1 check", "0 check", seats=2, level="easy") == SwapCards(hand("4C 7H"))
