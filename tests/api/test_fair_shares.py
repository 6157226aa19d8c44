"""Tests the share of each caller, and which caller makes room for others."""

from random import Random

import pytest

from api.http.fair_shares import FairShares, NoRoom


class Piece:
    """A holding that records whether it was evicted; a fixed one cannot be."""

    def __init__(self, is_fixed=False):
        self.is_fixed = is_fixed
        self.is_evicted = False

    def evict(self):
        self.is_evicted = True


def shares_of(most):
    return FairShares(most, lambda pieces: next((piece for piece in pieces if not piece.is_fixed), None))


def take_all(shares, who, amount=1, **kwargs):
    """Let a caller take pieces until it gets no more; return the pieces."""
    taken = []
    while True:
        try:
            shares.take(who, piece := Piece(**kwargs), amount)
        except NoRoom:
            return taken
        taken.append(piece)


def test_single_caller_may_hold_everything():
    shares = shares_of(10)
    assert len(take_all(shares, "a")) == 10


@pytest.mark.parametrize("callers", [2, 6, 12, 50])
def test_greedy_callers_converge_to_equal_shares(callers):
    shares = shares_of(100)
    names = [str(number) for number in range(callers)]
    for who in names:
        take_all(shares, who)
    held = [shares.held(who) for who in names]
    assert max(held) - min(held) <= 2
    assert sum(held) == 100


@pytest.mark.parametrize("callers", [1, 6, 12, 50])
def test_newcomer_gets_its_share_when_others_hold_everything(callers):
    shares = shares_of(120)
    for number in range(callers):
        take_all(shares, str(number))
    mine = take_all(shares, "newcomer")
    assert len(mine) >= 120 // (callers + 1) - 1 >= 1
    assert not any(piece.is_evicted for piece in mine)


def test_newest_holding_of_the_largest_holder_is_evicted():
    shares = shares_of(6)
    few = take_all_of(shares, "few", 2)
    many = take_all_of(shares, "many", 4)
    shares.take("newcomer", Piece())
    assert [piece.is_evicted for piece in many] == [False, False, False, True]
    assert not any(piece.is_evicted for piece in few)


def take_all_of(shares, who, count):
    pieces = [Piece() for _ in range(count)]
    for piece in pieces:
        shares.take(who, piece)
    return pieces


def test_unevictable_holding_is_skipped():
    shares = shares_of(6)
    take_all_of(shares, "many", 4)
    for piece in list(shares._held["many"]):
        piece.is_fixed = True
    few = take_all_of(shares, "few", 2)
    with pytest.raises(NoRoom):
        shares.take("few", Piece())
    shares.take("newcomer", Piece())
    assert [piece.is_evicted for piece in few] == [False, True]


def test_refusal_says_whether_the_caller_holds_its_share():
    shares = shares_of(2)
    shares.take("a", Piece())
    shares.take("b", Piece())
    for who, by_caller in (("a", True), ("c", False)):
        with pytest.raises(NoRoom) as refused:
            shares.take(who, Piece())
        assert refused.value.by_caller is by_caller


def test_callers_with_equal_shares_take_nothing_from_each_other():
    shares = shares_of(4)
    mine, others = take_all_of(shares, "a", 2), take_all_of(shares, "b", 2)
    assert take_all(shares, "a") == take_all(shares, "b") == []
    assert not any(piece.is_evicted for piece in [*mine, *others])


def test_holding_may_grow_and_is_released_as_a_whole():
    shares = shares_of(10)
    piece = Piece()
    shares.take("a", piece, 4)
    shares.take("a", piece, 5)
    assert shares.held("a") == 9
    shares.give_back("a", piece)
    shares.give_back("a", piece)
    shares.take("b", Piece(), 10)
    assert shares.held("a") == 0


def test_held_shares_never_exceed_the_total():
    rng, shares = Random(1), shares_of(50)
    live = {}
    for _ in range(3000):
        who = str(rng.randrange(8))
        if rng.random() < 0.6:
            piece = Piece(is_fixed=rng.random() < 0.2)
            try:
                shares.take(who, piece, rng.randrange(1, 9))
            except NoRoom:
                continue
            live[piece] = who
        elif live:
            piece = rng.choice(list(live))
            shares.give_back(live.pop(piece), piece)
        live = {piece: who for piece, who in live.items() if not piece.is_evicted}
        held = sum(shares.held(str(number)) for number in range(8))
        assert held + shares._free == 50
        assert shares._free >= 0
        assert set(live.values()) == set(shares._held)
