"""Checks the worked examples of poker."""

from fractions import Fraction

from domain.core.cards import NOBODY, PACK
from domain.core.values import put_at, with_fields
from domain.games.five_card_draw import GAME as DRAW
from domain.poker import pots
from domain.poker.betting import Limits, ask_seat, begin_betting, next_to_act, open_round
from domain.poker.betting_events import BetsCollected
from domain.poker.betting_play import order, shows
from domain.poker.button import Positions, Posts, first, move_button, posts_small
from domain.poker.pots import Pot
from domain.poker.ranking import category, strength, value
from domain.poker.sit_and_go import eliminated_places, prizes
from tests.acceptance.reading import (
    answer_to,
    by_seat,
    cases,
    commands,
    has,
    listed,
    options_of,
    outcome,
    pile,
    refused,
)

HAND = 5


def row(x, seats, otherwise=0):
    """Return a value for each seat."""
    rows = by_seat(x)
    return tuple(rows.get(seat, otherwise) for seat in range(seats))


def someone(seat):
    return NOBODY if seat is None else seat


# --- One betting round ----------------------------------------------------------------------------------


def round_of(case):
    """Return the given round: seats that are not in the order are not in the hand."""
    seats = 1 + max(by_seat(case["stacks"]))
    fixed = case.get("structure", "no_limit") == "fixed_limit"
    unit = case.get("unit", case.get("min_bet", case.get("big_blind", 2)))
    limits = Limits("fixed_limit" if fixed else "no_limit", unit, case.get("cap", case.get("raise_cap", 4)))
    committed = row(case.get("committed"), seats)
    least = unit if any(committed) and not fixed else 0
    current = case.get("current", max(*committed, least))
    live = tuple(
        seat in case.get("order", range(seats)) and seat not in case.get("folded", ()) for seat in range(seats)
    )
    fresh = with_fields(open_round(limits, row(case["stacks"], seats), live), committed=committed)
    begins = begin_betting(fresh, unit, current, int(current > 0))
    begins = with_fields(begins, **{k: case[k] for k in ("last_raise", "full", "bets") if k in case})
    return ask_seat(begins, next_to_act(begins, (case.get("first", case.get("order", [0])[0]) - 1) % seats))


def betting(case):
    """Return a table of draw poker in this round."""
    r = round_of(case)
    seats = len(r.stacks)
    state = DRAW.start(options_of(DRAW, {"rebuy": "never", "hands": 1}, seats), seats, None)
    state.at, state.deal_no = Posts(case.get("button", seats - 1)), 1
    state.hands = tuple(PACK[HAND * seat : HAND * seat + HAND] for seat in range(seats))
    state.deck = PACK[HAND * seats :]
    state.round, state.open, state.phase, state.paid = r, True, "bet1", r.committed
    state.before = tuple(a + b for a, b in zip(r.stacks, r.committed, strict=True))
    return state


def bet(example):
    for case in cases(example):
        state = betting(case)
        for command in commands(case):
            then = command.get("then", "ok")
            then = {then: True} if then in OVER else outcome(then)
            answer = answer_to(DRAW, state, command["seat"], command)
            if refused(answer, then):
                continue
            state, events = answer
            happened(state, events, then)


OVER = ("round_over", "hand_over")
"""The word for an action that ends the round."""


def happened(state, events, then):
    """Compare the events of an action with the expected ones."""
    over = any(isinstance(e, BetsCollected) for e in events)
    for word in then.keys() & set(OVER):
        assert over == then[word]
    assert has(events[0], then)
    for name in {"to_act", "turn", "next"} & then.keys():
        assert list(DRAW.to_act(state)) == listed(then[name])
    if "current" in then:
        assert state.round.current == then["current"]
    if "stacks" in then:
        assert state.stacks == row(then["stacks"], len(state.stacks))


# --- Pots and showdown ----------------------------------------------------------------------------------


def formed(example):
    for case in cases(example):
        seats = 1 + max(by_seat(case["contributions"]))
        paid = row(case["contributions"], seats)
        rest = pots.uncalled_bet(paid)
        if rest:
            paid = put_at(paid, rest.seat, paid[rest.seat] - rest.amount)
        if "refund" in case:
            assert ({rest.seat: rest.amount} if rest else {}) == by_seat(case["refund"])
        live = [seat in by_seat(case["contributions"]) and seat not in case["folded"] for seat in range(seats)]
        dead = case.get("dead", case.get("dead_ante", 0))
        made = [[pot.amount, list(pot.eligible)] for pot in pots.form_pots(paid, live, dead)]
        assert made == [[amount, sorted(eligible)] for amount, eligible in case["pots"]]


def ordered(values):
    """Return strengths in the order of these comparable values."""
    known = sorted(map(tuple, values.values()))
    return {seat: known.index(tuple(worth)) for seat, worth in values.items()}


def award(example):
    for case in cases(example):
        values = by_seat(case.get("values", case.get("order_values")))
        strengths = ordered(values) if values else dict.fromkeys(case["equal"], 1)
        won = {}
        for amount, eligible in case["given"]["pots"]:
            among = {seat: strengths.get(seat, 0) for seat in eligible}
            for share in pots.split_pot(Pot(amount, tuple(eligible)), among, case["button"], case["seats"]):
                won[share.seat] = won.get(share.seat, 0) + share.amount
        assert won == {seat: n for seat, n in by_seat(case["won"]).items() if n or seat in won}


def board(example):
    for case in cases(example):
        shared = pile(case["board"])
        hands = {seat: pile(hole) + shared for seat, hole in by_seat(case["hole"]).items()}
        in_hand = tuple(seat for seat in hands if seat not in case.get("folded", ()))
        strengths = {seat: strength(cards) for seat, cards in hands.items()}
        pot = Pot(case.get("pot", 2), in_hand)
        shares = pots.split_pot(pot, strengths, case.get("button", 0), case.get("seats", 1 + max(hands)))
        winners = {share.seat: share.amount for share in shares}
        assert sorted(winners) == sorted(listed(case.get("winners", list(winners))))
        if "amounts" in case:
            assert winners == by_seat(case["amounts"])
        if "category" in case:
            assert {category(hands[seat]) for seat in winners} == {case["category"]}


def showdown(example):
    for case in cases(example):
        strengths = ordered(by_seat(case["order_values"]))
        sequence = order(sorted(case["unfolded"]), someone(case.get("last_aggressor")), case["button"], case["seats"])
        eligible = [pot[1] for pot in case.get("pots", ())] or [case["unfolded"]]
        may = dict.fromkeys(sequence, True)
        if not (case.get("show_all") or case["options"].get("show_all") or case.get("all_in")):
            may = shows(sequence, strengths, [tuple(pot) for pot in eligible])
        if "sequence" in case:
            assert [{"seat": seat, "shows": show} for seat, show in may.items()] == case["sequence"]
        best = max(strengths[seat] for seat in eligible[0])
        winners = [seat for seat in eligible[0] if strengths[seat] == best]
        if "winner" in case or "winners" in case:
            assert sorted(winners) == sorted(listed(case.get("winner", case.get("winners"))))
        assert all(may[seat] for seat in winners)


# --- Button and places ----------------------------------------------------------------------------------


def button(example):
    for case in cases(example):
        last, alive, seats = case.get("last"), case["alive"], case["seats"]
        if last is None:
            at = first(case["button"], alive, seats)
        else:
            before = Positions(last["button"], someone(last.get("sbpos", last.get("sb"))), last["bb"])
            at = move_button(before, alive, seats)
        due = case["next"]
        small = posts_small(at, alive)
        said = {
            "button": at.button,
            "sb": None if small == NOBODY else small,
            "sbpos": at.small,
            "bb": at.big,
        }
        assert {name: said[name] for name in due} == due


def places(example):
    for case in cases(example):
        before = by_seat(case["alive_before"])
        seats = max(case.get("all_players", 0), 1 + max(before))
        made = eliminated_places(row(before, seats), case["busted"], len(before))
        assert made == by_seat(case.get("places", made))
        if "prizes" in case:
            total = case.get("all_players", len(before))
            winner = dict.fromkeys(set(before) - set(case["busted"]), 1)
            out = winner | made
            filled = sorted(set(range(1, total + 1)) - set(out.values()))
            table = [out.get(seat, filled[-1] if filled else total) for seat in range(total)]
            got = prizes(table)
            for seat, prize in by_seat(case["prizes"]).items():
                assert got[seat] == Fraction(str(prize))


# --- What hands are worth ---------------------------------------------------------------------------------


def values(example):
    for case in cases(example):
        for cards, worth in case["hands"].items():
            assert value(pile(cards)) == tuple(worth), cards


def compare(example):
    for case in cases(example):
        a, b = strength(pile(case["a"])), strength(pile(case["b"]))
        assert case["result"] == ("a" if a > b else "b" if b > a else "tie"), case


KINDS = {
    "poker_award": award,
    "poker_bet": bet,
    "poker_board": board,
    "poker_button": button,
    "poker_compare": compare,
    "poker_places": places,
    "poker_pots": formed,
    "poker_showdown": showdown,
    "poker_value": values,
}
