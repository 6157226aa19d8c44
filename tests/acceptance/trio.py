"""How the examples of RULES chapter 6 are checked."""

from dataclasses import fields

from domain.choices import Shuffle
from domain.fairness import Dealer
from domain.game import CHANCE, Refused, check, fold, play
from domain.trio import GAME, Options
from domain.trio.rules import PACK, compile_rules, connected
from domain.trio.table import (
    CardRevealed,
    Deal,
    FirstPlayerChosen,
    GameEnded,
    HandDealt,
    HandStarted,
    RevealsReturned,
    SwapWindowOpened,
    TrioCompleted,
)
from domain.visibility import Mark, secret_fields, seen
from tests.acceptance.table import cases, commands

ROOT, LINKS = bytes(range(32)), 4
FILLER = (1, 2, 3)  # a hand that an example says nothing of


# --- Tables -----------------------------------------------------------------------------------------


def laid(hands, middle=(), turn=0, **options):
    """A table on which these cards lie, before somebody's turn."""
    state = GAME.start(Options(**options), len(hands), None)
    dealt = HandDealt(tuple(tuple(sorted(hand)) for hand in hands), tuple(middle))
    state = fold(GAME, state, [FirstPlayerChosen(turn, "pick"), HandStarted(1), dealt])
    state.swaps_due = ""
    return state


def swapping(hands, **options):
    """The same in the middle of the first swap window, open to all teams."""
    state = laid(hands, teams=True, **options)
    return fold(GAME, state, [SwapWindowOpened("start", tuple(range(len(hands) // 2)))])


def vector_packs(players):
    """The pack of vector V2; beside it, where more than three sit, the same vector with a nonce of each."""
    dealer = Dealer("m-0002", (ROOT,), b"")
    for nonces in sorted({3, players}):
        yield dealer.answer(Shuffle(tuple, "deal", PACK), 1, LINKS, 1, ("",) * nonces)


def by_vector(players, holds):
    """Check it of the vector's deal."""
    *others, last = vector_packs(players)
    for pack in others:
        try:
            return holds(pack)
        except AssertionError:
            continue
    return holds(last)


def told(state, seat, move):
    """The code that the move is refused with, or the state after it and what happened."""
    before = state.copy()
    try:
        check(GAME, state, seat, move)
    except Refused as refused:
        assert state == before
        return refused.code
    return play(GAME, state, seat, move)


def as_seen(events, seat):
    """All fields of the events, as far as the seat is shown them; its own part where each has one."""
    said = {}
    for event in events:
        each = {name for name, mark in secret_fields(type(event)).items() if mark is Mark.EACH}
        shown = seen(event, seat)
        for f in fields(shown):
            x = getattr(shown, f.name)
            said[f.name] = x[seat] if f.name in each else x
    return said


# --- Kinds ------------------------------------------------------------------------------------------


def numbers_connected(example):
    for case in cases(example):
        for a, b in case.get("pairs", ()):
            assert connected(a, b)
            assert connected(b, a)
        for a, b in case.get("not_connected", ()):
            assert not connected(a, b)


def deal(example):
    for case in cases(example):
        by_vector(case["players"], lambda pack, case=case: deals(case, pack))


def deals(case, pack):
    options = Options(teams=case.get("teams", False), **case["options"])
    state, _ = play(GAME, GAME.start(options, case["players"], None), CHANCE, Deal(pack))
    assert {seat: list(state.hands[seat]) for seat in case["hands"]} == case["hands"]
    assert list(state.middle) == case.get("middle", list(state.middle))


def turn(example):
    given = example["given"]
    if "vector_deal" not in given:
        hands = given["hands"]
        names = {name: given[name] for name in ("mode", "teams", "max_turns") if name in given}
        rows = [hands.get(seat, ()) for seat in range(max(3, *(seat + 1 for seat in hands)))]
        state = laid(rows, given.get("middle", ()), given["turn"], **names, **example.get("options", {}))
        plays_turn(example, state)
    else:
        by_vector(given["vector_deal"], lambda pack: plays_turn(example, from_vector(example, pack)))


def from_vector(example, pack):
    given = example["given"]
    options = Options(teams=given.get("teams", False), **example.get("options", {}))
    state, _ = play(GAME, GAME.start(options, given["vector_deal"], None), CHANCE, Deal(pack))
    return laid(state.hands, state.middle, given["turn"], teams=options.teams, mode=options.mode)


def plays_turn(example, state):
    begun = state
    for command in commands(example):
        args = command.get("args") or {
            name: command[name] for name in ("seat", "position") if name in command
        }
        then = command.get("then", {})
        begun = begun if state.face_up else state
        result = told(state, state.turn, GAME.moves[command["command"]](**args))
        if isinstance(result, str):
            assert then.get("refused") == result
            continue
        assert "refused" not in then
        state, events = result
        assert_told(then, begun, state, events)


def assert_told(then, begun, state, events):
    """Compare what an example expects of a reveal with what happened."""
    known = {type(event): event for event in events}
    trio, ended = known.get(TrioCompleted), known.get(GameEnded)
    happened = {
        "number": known[CardRevealed].number,
        "nth": known[CardRevealed].nth,
        "trio": trio.number if trio else None,
        "mismatch": RevealsReturned in known,
        "turn_over": not state.face_up,
        "next": None if ended else state.turn,
        "game_over": ended is not None,
        "win": ended is not None and bool(ended.winners),
        "winner": ended.winner if ended else None,
        "by": ended.by if ended else None,
    }
    assert {name: happened[name] for name in then} == then
    if RevealsReturned in known:
        assert (state.hands, state.middle) == (begun.hands, begun.middle)


def win(example):
    for case in cases(example):
        by = compile_rules(Options(mode=case.get("mode", "simple"), **case["options"]), 4).won(case["trios"])
        assert (by is not None) == case["win"]
        assert case.get("by", by) == by


def team(example):
    for case in cases(example):
        rules = compile_rules(Options(teams=True, **case["options"]), case["players"])
        assert [list(pair) for pair in rules.teams] == case["partners"]
        assert rules.each == case["each"]
        assert rules.middle == case.get("middle", 0)


def swap(example):
    given = example["given"]
    a, b = given["team"]
    hands = [given["hands"].get(seat, FILLER) for seat in range(2 * abs(b - a))]
    state = swapping(hands, **example.get("options", {}))
    for command in commands(example):
        then = command.get("then", {})
        move = GAME.moves[command["command"]](**command.get("args", {}))
        result = told(state, command["seat"], move)
        if isinstance(result, str):
            assert then.get("refused") == result
            continue
        assert "refused" not in then
        state, events = result
        public = then.get("public", [])
        assert {public} if isinstance(public, str) else set(public) <= {type(e).__name__ for e in events}
        assert_shown(then, events, len(hands))
    for seat, hand in (example.get("then") or {}).get("hands", {}).items():
        assert list(state.hands[seat]) == hand


def assert_shown(then, events, seats):
    """Compare what each seat is shown of a swap; whoever is not named sees no card."""
    for seat in range(seats):
        said = as_seen(events, seat)
        expected = then.get(f"seat_{seat}")
        if expected is not None:
            assert {name: said[name] for name in expected} == expected
        else:
            own = said.get("seat") == seat
            assert own or said.get("card") is said.get("gave") is said.get("got") is None


def swap_window(example):
    for case in cases(example):
        empty = case.get("hands_empty") or ()
        hands = [() if seat in empty else FILLER for seat in range(case["players"])]
        state = laid(hands, teams=True, **case["options"])
        state.swaps_due = "start"
        if case.get("trio_by") is not None:
            state = fold(GAME, state, [TrioCompleted(case["trio_by"], None, 12, ())])
        opened = [e for e in GAME.consequences(state) if isinstance(e, SwapWindowOpened)]
        eligible = GAME.to_act(fold(GAME, state, opened)) if opened else ()
        assert list(eligible) == case["eligible_seats"]


KINDS = {
    "trio_connected": numbers_connected,
    "trio_deal": deal,
    "trio_turn": turn,
    "trio_win": win,
    "trio_team": team,
    "trio_swap": swap,
    "trio_window": swap_window,
}
