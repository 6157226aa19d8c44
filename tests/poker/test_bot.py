"""How well the players of poker play, and that they play by what their seat saw."""

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
from domain.poker.odds import exchange, on_board, outs, standing_after_draw, standing_before_draw, starting
from tests.draws import factor
from tests.games.tournament import wins
from tests.laws.play import steps
from tests.poker.games import POKER
from tests.poker.tables import DRAW, HOLDEM, Poker, cards

LEVELS = ("random", "easy", "steady", "strong")
OPTIONS = {HOLDEM.name: HoldemOptions, DRAW.name: DrawOptions}

# --- How well they play ---------------------------------------------------------------------------------


def won_by_the_first(game, options, levels, hands, seed=1):
    """What the first of the players wins in each hand.

    The players change seats from hand to hand, and see what their seat sees.
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
    """The mean, in standard errors."""
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
    ("hold'em", "easy", 3, 300),
    ("short", "random", 6, 300),
    ("limit", "random", 6, 100),
    ("limit", "easy", 2, 200),
    ("no limit", "random", 3, 300),
    ("no limit", "easy", 6, 200),
]


@pytest.mark.long
@pytest.mark.parametrize(("form", "other", "seats", "hands"), EVERY if factor() > 1 else USUAL)
def test_steady_wins_chips(form, other, seats, hands):
    """What it wins is more than two standard errors from nothing, over 2,000 hands mostly five."""
    game, options = FORMS[form]
    chosen = OPTIONS[game.name](**{"hands": 1000, "rebuy": "each_hand", **options})
    rows = won_by_the_first(game, chosen, ["steady", *[other] * (seats - 1)], hands)
    assert surely(rows) > 2


@pytest.mark.long
@pytest.mark.parametrize(("other", "seats"), [("random", 3), ("easy", 4)])
def test_steady_wins_tournaments(other, seats):
    """With equal chances it would win one of as many as there are players."""
    games = 300 if factor() > 1 else 12
    options = HoldemOptions(format="sng", starting_stack=1500)
    won, _ = wins(HOLDEM, choose, options, ["steady", *[other] * (seats - 1)], games, Random(1))
    assert won > 1.3 * games / seats


# --- By what they saw, and by the rules -----------------------------------------------------------------


@pytest.mark.parametrize("entry", POKER, ids=lambda entry: f"{entry.game.name} for {entry.seats}")
@pytest.mark.parametrize("level", LEVELS)
def test_bots_choice_is_legal_and_depends_only_on_its_view(entry, level):
    """Where others play wildly with stacks from one chip up, and where they see all cards, they choose the same."""
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


def holdem(hands, *said, seats=6, stack=200, board=BOARD, button=0, stacks=(), **options):
    """What a steady player does after these actions, whose cards are named.

    Seat 1 is the small blind, or two are in.
    """
    table = Poker(HOLDEM, stacks or (stack,) * seats, button, starting_stack=stack, **options)
    table.deals(hands, board).does(*said)
    (seat,) = HOLDEM.to_act(table.state)
    assert seat in hands
    move = choose("steady", table.state, seat, (), Random(0))
    assert is_admitted(HOLDEM.legal(table.state, seat), move)
    return move


def test_good_hands_stand_before_bad_ones():
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
def test_more_hands_are_opened_with_the_fewer_are_still_to_act(two, early, late):
    assert holdem({3: two}) == early
    assert holdem({0: two}, "3 fold", "4 fold", "5 fold") == late


def test_two_play_more_hands():
    assert holdem({0: "KS 7D"}, seats=2) == Raise(4)
    assert holdem({3: "KS 7D"}) == Fold()


def test_to_raise_again_takes_a_better_hand_than_to_call():
    assert isinstance(holdem({4: "KS KD"}, "3 raise 6"), Raise)
    assert holdem({2: "5S 5D"}, "3 raise 6", "4 fold", "5 fold", "0 fold", "1 fold") == Call()
    assert holdem({4: "QS 8D"}, "3 raise 6") == Fold()


def test_two_raise_again_with_more_hands():
    assert isinstance(holdem({1: "JS TS"}, "0 raise 6", seats=2), Raise)
    assert holdem({4: "JS TS"}, "3 raise 6") == Fold()


def test_rivals_who_have_yet_to_pay_count_little():
    assert holdem({4: "8S 8D"}, "3 raise 6") == Call()


def test_everything_is_called_with_few_hands():
    assert holdem({4: "AS AD"}, "3 all_in") == Call()
    assert holdem({4: "KS 9D"}, "3 all_in") == Fold()


def test_bot_with_few_blinds_goes_all_in_or_folds():
    assert holdem({0: "KS 8D"}, seats=2, stack=16) == Raise(16)
    assert holdem({3: "AS 9D"}, stack=8) == Raise(8)
    assert holdem({3: "9S 4D"}, stack=8) == Fold()


def test_the_price_decides():
    """The same hand calls a small stack that is all-in, and not a large one."""
    assert holdem({1: "QS 7D"}, "0 all_in", seats=2, stack=4) == Call()
    assert holdem({1: "QS 7D"}, "0 all_in", seats=2) == Fold()


def test_only_the_pot_that_can_be_won_counts():
    """Four chips are called with a poor hand for a pot of 18, and not for what two others bet aside."""
    hands, deep = {2: "7S 2D"}, (200, 200, 6)
    assert holdem(hands, "0 raise 100", "1 call", stacks=deep, seats=3) == Fold()
    assert holdem({2: "QS JD"}, "0 raise 100", "1 call", stacks=deep, seats=3) == Call()


def test_it_never_folds_what_it_may_check():
    called = ["0 call", "1 check"]
    assert holdem({1: "3S 8H"}, "0 call", seats=2) == Check()
    assert holdem({1: "3S 8H"}, *called, seats=2) == Check()


PREFLOP = ("0 raise 6", "1 call")


def after_the_flop(two, *said, board=BOARD):
    return holdem({1: two} if len(said) % 2 == 0 else {0: two}, *PREFLOP, *said, seats=2, board=board)


def test_made_hands_are_bet_for_value():
    assert after_the_flop("9S AH", "1 check") == Bet(8)
    assert after_the_flop("9S 9H") == Bet(8)
    assert after_the_flop("JD TC") == Check()


def test_a_raise_over_a_bet_takes_more():
    assert isinstance(after_the_flop("9S 9H", "1 bet 8"), Raise)
    assert after_the_flop("5S AH", "1 bet 8") == Call()
    assert after_the_flop("JD TC", "1 bet 8") == Fold()


def test_rival_who_paid_much_has_a_better_hand():
    """A pair of nines raises a bet of half the pot, and only calls it in a large one."""
    dear = ("0 raise 60", "1 call", "1 check", "0 bet 60")
    cheap = ("0 raise 4", "1 call", "1 check", "0 bet 4")
    assert holdem({1: "9S AH"}, *dear, seats=2, board=BOARD) == Call()
    assert isinstance(holdem({1: "9S AH"}, *cheap, seats=2, board=BOARD), Raise)


def test_a_draw_is_worth_a_price():
    """Four spades on the turn: nine of 46 cards help."""
    spades = "2C 9S 5C 4S 2D JH 2H QD"
    before = ("1 check", "0 check")
    assert after_the_flop("KS 7S", *before, "1 bet 8", board=spades) == Call()
    assert after_the_flop("KS 7S", *before, "1 bet 36", board=spades) == Fold()
    assert after_the_flop("KD 7D", *before, "1 bet 8", board=spades) == Fold()


def test_outs_and_better_hands_are_counted_exactly():
    """One that helps the board as much is none."""
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
def test_made_hands_and_draws_are_kept(held, thrown):
    assert card_names(exchange(hand(held))) == card_names(hand(thrown))


def test_higher_cards_stay_if_few_may_be_exchanged():
    assert exchange(hand("9S 9D 4C 7H KD"), 2) == hand("4C 7H")
    assert exchange(hand("9S 9D 4C 7H KD"), 0) == ()


def test_a_hand_is_judged_by_how_many_the_other_has_exchanged():
    """Nines and fours beat most who drew three, and hardly anybody who drew none."""
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


def draw(hands, *said, seats=4, **options):
    """What a steady player does after these actions; seat 1 acts first."""
    table = Poker(DRAW, (200,) * seats, starting_stack=200, **options).deals(hands).does(*said)
    (seat,) = DRAW.to_act(table.state)
    move = choose("steady", table.state, seat, (), Random(0))
    assert is_admitted(DRAW.legal(table.state, seat), move)
    return move


def test_the_first_to_act_needs_more_than_the_last():
    kings, fives = "KS KD 4C 7H 9D", "5S 5D 4C 7H 9D"
    checks = ("1 check", "2 check", "3 check")
    assert draw({1: kings}) == Bet(2)
    assert draw({1: fives}) == Check()
    assert draw({0: kings}, *checks) == Bet(2)
    assert draw({0: fives}, "1 fold", "2 fold", "3 check") == Bet(2)


def test_the_limit_is_raised_up_to_the_cap():
    full = "9S 9D 9C 4H 4D"
    assert draw({2: full}, "1 bet 2") == Raise(4)
    assert draw({1: full}, "1 bet 2", "2 raise 4", "3 raise 6", "0 raise 8") == Call()


def test_nothing_is_folded_to_a_bet():
    assert draw({2: "2S 4D 7C 9H JD"}, "1 bet 2") == Fold()


def test_after_the_draw_a_pair_does_not_call_who_drew_none():
    pair = {1: "AS AD 4C 7H 9D"}
    before = ("1 bet 2", "0 call", "1 swap 4C")
    assert draw(pair, *before, "0 swap", "1 check", "0 bet 4", seats=2) == Fold()


def test_it_swaps_what_may_be_swapped():
    two = draw({1: "9S 9D 4C 7H KD"}, "1 check", "0 check", seats=2, max_swap=2)
    assert two == SwapCards(hand("4C 7H"))
