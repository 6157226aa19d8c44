"""Checks the worked examples of Crazy Eights."""

from domain.core.cards import NAMES, PACK, SUITS, backs
from domain.core.game import CHANCE, check_move, fold, play_move
from domain.games.crazy_eights import GAME
from domain.games.crazy_eights import rules as eights
from domain.games.crazy_eights.events import DrawCard, EightBuried, HandBlocked, PassTurn, PlayCard
from domain.games.crazy_eights.options import blocked_payments, is_eight
from tests.acceptance import reading
from tests.acceptance.general import drawn
from tests.acceptance.reading import (
    by_seat,
    cases,
    expect,
    hand,
    listed,
    named,
    of_seats,
    options_in,
    options_of,
    pile,
    refusals,
    refused,
    steps,
)


def start(options, seats=2, **values):
    """Return a table with these options and these values in its state."""
    state = GAME.start(options_of(GAME, options, seats), seats, None)
    for name, value in ({"next_dealer": seats - 1} | values).items():
        setattr(state, name, value)
    return state


def in_turn(case):
    """Return a table at the turn of a seat: its hand, the top card, the suit to follow, the number of drawn cards."""
    seat, held = case.get("seat", 0), {i: hand(h) for i, h in by_seat(case.get("hands")).items()}
    seats = case.get("seats", max(2, seat + 1, *(i + 1 for i in held)))
    stock, under = case.get("stock", 10), case.get("pile", 1)
    lies = pile(under) if not isinstance(under, int) else ()
    top = pile([case["top"]])[0] if "top" in case else lies[-1]
    if isinstance(under, int):
        lies = tuple(c for c in PACK * 2 if c != top)[: max(under - 1, 0)]
    if "hand" in case:
        held[seat] = hand(case["hand"])
    return start(
        options_in(GAME, case),
        seats,
        phase="turn",
        turn=seat,
        hands=tuple(held.get(i, backs(5)) for i in range(seats)),
        stock=(PACK * 2)[:stock] if isinstance(stock, int) else pile(stock),
        pile=lies if lies and lies[-1] == top else (*lies, top),
        suit=SUITS.index((case.get("suit") or NAMES[top][1]).upper()),
        drawn=case.get("drawn", 0),
        passes=case.get("passes", 0),
    )


def answer_to(state, command):
    """Return the refusal code of a command, or the resulting state and events."""
    answer = reading.answer_to(GAME, state, command.get("seat", state.turn), command)
    while not isinstance(answer, str) and answer[0].restocking:
        restock = drawn({}, GAME.ask(answer[0]))
        after, more = play_move(GAME, answer[0], CHANCE, restock)
        answer = after, [*answer[1], *more]
    return answer


def offers(state, make):
    return [choice for choice in GAME.legal(state, state.turn) if choice.make is make]


def playable(state):
    """Return the offered cards and the accepted cards."""
    offered = {NAMES[c] for choice in offers(state, PlayCard) for c in choice.plain + choice.eights}
    tries = [PlayCard(c, "C" if is_eight(c) else None) for c in state.hands[state.turn]]
    accepted = {NAMES[m.card] for m in tries if any(c.admits(m) for c in GAME.legal(state, state.turn))}
    assert offered == accepted
    return offered


def turn(example):
    for case in cases(example):
        state = in_turn(case)
        for name in {"play", "legal"} & case.keys():
            assert playable(state) == named(case["hand"] if case[name] == "all" else case[name])
        if "draw" in case:
            assert bool(offers(state, DrawCard)) == case["draw"]
        if "pass" in case:
            assert bool(offers(state, PassTurn)) == case["pass"]
        for name, code in refusals(case):
            answer = answer_to(state, {"command": "play_card", "args": {"card": name}})
            assert answer == (code or answer)
            assert isinstance(answer, str)


def turn_commands(example):
    for case in cases(example):
        state = in_turn(case)
        for command, then in steps(case):
            answer = answer_to(state, command)
            if not refused(answer, then):
                state, events = answer
                expect(GAME, state, events, then)


def bury(example):
    for case in cases(example):
        stock, left = pile(case["given"]["stock"]), case["then"].get("stock")
        events = eights.starter(stock)
        state = fold(GAME, start(options_in(GAME, case), stock=stock), events)
        buried = [e.card for e in events if isinstance(e, EightBuried)]
        if "buried" in case:
            assert buried == list(pile(listed(case["buried"])))
        if "starter" in case:
            assert state.pile == pile([case["starter"]])
        if left is not None:
            assert len(state.stock) == left if isinstance(left, int) else state.stock == pile(left)


def scored(case, hands, winner=None):
    """Return the score of a hand that ended with these cards in each hand."""
    state = start(options_in(GAME, case), len(hands), hands=hands, out=winner)
    return eights.score_hand(state)


def out(example):
    for case in cases(example):
        winner, held = case["winner"], {i: hand(h) for i, h in by_seat(case["hands"]).items()}
        seats = case.get("seats", max([winner, *held]) + 1)
        result = scored(case, tuple(held.get(i, ()) for i in range(seats)), winner)
        if "payments" in case:
            paid = {p.from_: p.amount for p in result.payments if p.amount}
            assert paid == {seat: amount for seat, amount in payments(case["payments"]).items() if amount}
        if "points" in case:
            points = case["points"]
            alone = result.points[winner] == points
            assert alone if isinstance(points, int) else list(result.points) == of_seats(points, seats)


def payments(written):
    """Return the payments, given by seat or as a list."""
    if isinstance(written, list) and any(isinstance(x, dict) for x in written):
        return {x["from"]: x["amount"] for x in written}
    return by_seat(written)


def blocked(example):
    for case in cases(example):
        if "hands" in case:
            held = {i: hand(h) for i, h in by_seat(case["hands"]).items()}
            points = scored(case, tuple(held[i] for i in sorted(held))).points
        else:
            values = list(by_seat(case["values"]).values())
            scoring = options_of(GAME, options_in(GAME, case), len(values)).blocked_scoring
            _, points = blocked_payments(values, scoring)
        assert list(points) == of_seats(case["points"], len(points))


PLAYS, STUCK = pile(["2C", "3H"]), pile(["2H", "3H"])


def block_count(example):
    """Each seat is dealt what it needs for the sequence; the rules determine what happens."""
    for case in cases(example):
        seats, after = case.get("seats", 2), None
        state = in_turn({"top": "QC", "hand": [], "stock": 0, "seats": seats, "options": options_in(GAME, case)})
        for number, word in enumerate(case["sequence"], 1):
            state, happened = acted(state, word)
            if any(isinstance(e, HandBlocked) for e in happened):
                after = number
                break
        assert after == case["blocked_after"]


def acted(state, word):
    """Make the seat to act play, pass, draw, or draw and pass."""
    state, happened = state.copy(), []
    state.pile, state.suit = pile(["QC"]), 0
    state.hands = tuple(PLAYS if word == "play" else STUCK for _ in state.hands)
    if "draw" in word:
        state.stock = pile(["4H"])
        state, happened = play_move(GAME, state, state.turn, DrawCard())
    if "pass" in word:
        check_move(GAME, state, state.turn, PassTurn())
        return play_move(GAME, state, state.turn, PassTurn())
    return play_move(GAME, state, state.turn, PlayCard(PLAYS[0])) if word == "play" else (state, happened)


KINDS = {
    "eights_block_count": block_count,
    "eights_blocked": blocked,
    "eights_bury": bury,
    "eights_commands": turn_commands,
    "eights_last": turn_commands,
    "eights_out": out,
    "eights_play": turn,
}

ABOUT = [
    (2, {"two_player_seven": True}, "2 seats get 7 cards each of one pack."),
    (3, {"two_player_seven": True}, "3 seats get 5 cards each of one pack."),
    (4, {"draw_limit": 3}, "You may draw 3 a turn at most while"),
    (4, {"target_score": 100}, "When a player reaches 100, the highest total wins."),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
