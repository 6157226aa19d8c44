"""How the examples of RULES chapter 4 are checked."""

from domain import cards
from domain import crazy_eights as eights
from domain.cards import NAMES, PACK, SUITS, backs, card, names
from domain.crazy_eights import GAME, Options
from domain.crazy_eights_rules import blocked_payments, is_eight
from domain.game import Refused, check, fold, play
from tests.acceptance.table import cases, commands, hand, pile


def start(options, seats=2, **values):
    """A table of these options, with these values in its state."""
    state = GAME.start(Options(**options), seats, None)
    for name, value in ({"next_dealer": seats - 1} | values).items():
        setattr(state, name, value)
    return state


def in_turn(case):
    """The turn of a seat with this hand: what lies on top, what is in force, what it has drawn."""
    seats, seat = case.get("seats", 2), case.get("seat", 0)
    top = card(case["top"])
    stock = case.get("stock", 10)
    under = tuple(c for c in PACK if c != top)[: case.get("pile", 1) - 1]
    held = {seat: tuple(sorted(pile(case["hand"])))}
    return start(
        case["options"],
        seats,
        phase="turn",
        turn=seat,
        hands=tuple(held.get(i, backs(5)) for i in range(seats)),
        stock=pile(stock) if isinstance(stock, list) else PACK[:stock],
        pile=(*under, top),
        suit=SUITS.index(case.get("suit", NAMES[top][1])),
        drawn=case.get("drawn", 0),
    )


def move(command):
    """The move that a command names."""
    args = dict(command.get("args", {}))
    if "card" in args:
        args["card"] = cards.read(args["card"])
    return GAME.moves[command["command"]](**args)


def told(state, command):
    """The code that the command is refused with, or the state after it and its events."""
    seat = command.get("seat", state.turn)
    try:
        check(GAME, state, seat, move(command))
    except Refused as refused:
        return refused.code
    return play(GAME, state, seat, move(command))


def offers(state, make):
    return [choice for choice in GAME.legal(state, state.turn) if choice.make is make]


def playable(state):
    """The cards that are offered, and the cards that are accepted."""
    offered = {NAMES[c] for choice in offers(state, eights.PlayCard) for c in choice.plain + choice.eights}
    tries = [eights.PlayCard(c, "C" if is_eight(c) else None) for c in state.hands[state.turn]]
    accepted = {NAMES[m.card] for m in tries if any(c.admits(m) for c in GAME.legal(state, state.turn))}
    assert offered == accepted
    return offered


def turn(example):
    for case in cases(example):
        state = in_turn(case)
        if "play" in case:
            assert playable(state) == set(names(hand(case["play"])))
        if "draw" in case:
            assert bool(offers(state, eights.DrawCard)) == case["draw"]
        if "pass" in case:
            assert bool(offers(state, eights.PassTurn)) == case["pass"]


def turn_commands(example):
    for case in cases(example):
        state = in_turn(case)
        for command in commands(case):
            answer, then = told(state, command), command.get("then", case)
            if "refused" in then:
                assert answer == then["refused"]
                continue
            state, events = answer
            expect(events, then)


def expect(events, then):
    """One of the events has the name, and the fields, that are expected."""
    if "event" in then:
        (event,) = (e for e in events if type(e).__name__ == then["event"])
        for name, value in then.items():
            if name in event.__slots__:
                is_card = name == "card" and isinstance(value, str)
                assert getattr(event, name) == (cards.read(value) if is_card else value)


def bury(example):
    before, left = example["given"], example["then"].get("stock")
    stock = pile(before["stock"])
    events = eights.starter(stock)
    state = fold(GAME, start(example.get("options", {}), stock=stock), events)
    for case in cases(example):
        buried = [NAMES[e.card] for e in events if isinstance(e, eights.EightBuried)]
        assert buried == case.get("buried", buried)
        assert names(state.pile) == [case["starter"]]
        if left is not None:
            assert names(state.stock) == left


def scored(case, hands, winner=None):
    """The score of a hand that ended so, every seat's cards being given."""
    state = start(case["options"], len(hands), hands=hands, out=winner)
    return eights.hand_scored(state)


def out(example):
    for case in cases(example):
        winner, held = case["winner"], {int(i): hand(h) for i, h in case["hands"].items()}
        seats = case.get("seats", max([winner, *held]) + 1)
        result = scored(case, tuple(held.get(i, ()) for i in range(seats)), winner)
        if "payments" in case:
            paid = {p.from_: p.amount for p in result.payments if p.amount}
            assert paid == {int(seat): amount for seat, amount in case["payments"].items() if amount}
        if "points" in case:
            points = case["points"]
            assert (list(result.points) if isinstance(points, list) else result.points[winner]) == points


def blocked(example):
    for case in cases(example):
        if "hands" in case:
            held = {int(i): hand(h) for i, h in dict(case["hands"]).items()}
            points = scored(case, tuple(held[i] for i in sorted(held))).points
        else:
            scoring = Options(**case["options"]).blocked_scoring
            _, points = blocked_payments(case["values"], case.get("blocked_scoring", scoring))
        assert list(points) == case["points"]


PLAYS, STUCK = pile(["2C", "3H"]), pile(["2H", "3H"])


def block_count(example):
    """Every seat is given what it needs to do as the sequence says; what happens is up to the rules."""
    for case in cases(example):
        seats, after = case["seats"], None
        state = in_turn({"top": "QC", "hand": [], "stock": 0, "seats": seats, "options": case["options"]})
        for number, word in enumerate(case["sequence"], 1):
            state, happened = acted(state, word)
            if any(isinstance(e, eights.HandBlocked) for e in happened):
                after = number
                break
        assert after == case["blocked_after"]


def acted(state, word):
    """Let the seat to act play, pass, draw, or draw and pass."""
    state, happened = state.copy(), []
    state.pile, state.suit = pile(["QC"]), 0
    state.hands = tuple(PLAYS if word == "play" else STUCK for _ in state.hands)
    if "draw" in word:
        state.stock = pile(["4H"])
        state, happened = play(GAME, state, state.turn, eights.DrawCard())
    if "pass" in word:
        check(GAME, state, state.turn, eights.PassTurn())
        return play(GAME, state, state.turn, eights.PassTurn())
    return play(GAME, state, state.turn, eights.PlayCard(PLAYS[0])) if word == "play" else (state, happened)


KINDS = {
    "eights_block_count": block_count,
    "eights_blocked": blocked,
    "eights_bury": bury,
    "eights_commands": turn_commands,
    "eights_last": turn_commands,
    "eights_out": out,
    "eights_play": turn,
}
