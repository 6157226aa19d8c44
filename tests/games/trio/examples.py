"""Checks the worked examples of Trio."""

from dataclasses import fields

from domain.core.choices import Shuffle
from domain.core.fairness import Dealer
from domain.core.game import CHANCE, fold, play_move
from domain.core.visibility import Secrecy, secret_fields, view_event
from domain.games.trio import GAME
from domain.games.trio.options import PACK, are_connected, compile_rules
from domain.games.trio.table import (
    CardRevealed,
    Deal,
    FirstPlayerChosen,
    GameEnded,
    HandDealt,
    HandStarted,
    RevealsReturned,
    SwapWindowOpened,
    Trio,
    TrioCompleted,
)
from tests.acceptance import reading
from tests.acceptance.reading import by_seat, cases, expect, listed, options_of, refused, steps

ROOT, LINKS = bytes(range(32)), 4
FILLER = (1, 2, 3)  # a hand that the example does not mention


# --- Tables -----------------------------------------------------------------------------------------


def options_in(case, **own):
    """Return the options of a case; its own options override the example's."""
    return own | reading.options_in(GAME, case)


def laid(hands, options, middle=(), turn=0):
    """Return a table with these cards, before a turn."""
    state = GAME.start(options_of(GAME, options, len(hands)), len(hands), None)
    dealt = HandDealt(tuple(tuple(sorted(hand)) for hand in hands), tuple(middle))
    state = fold(GAME, state, [FirstPlayerChosen(turn, "pick"), HandStarted(1), dealt])
    state.swaps_due = ""
    return state


def swapping(hands, options):
    """Return the same during the first swap window, which is open to all teams."""
    state = laid(hands, options)
    return fold(GAME, state, [SwapWindowOpened("start", tuple(range(len(hands) // 2)))])


def vector_packs(players):
    """Yield the pack of vector V2, and with more than three seats also that of the same vector with a nonce from
    each."""
    dealer = Dealer("m-0002", (ROOT,), b"")
    for nonces in sorted({3, players}):
        yield dealer.answer(Shuffle(tuple, "deal", PACK), 1, LINKS, 1, ("",) * nonces)


def by_vector(players, holds):
    """Check the deal of the vector."""
    *others, last = vector_packs(players)
    for pack in others:
        try:
            return holds(pack)
        except AssertionError:
            continue
    return holds(last)


def as_seen(events, seat):
    """Return all fields of the events as shown to the seat, with its own value where each seat has one."""
    said = {}
    for event in events:
        each = {name for name, mark in secret_fields(type(event)).items() if mark is Secrecy.EACH}
        shown = view_event(event, seat)
        for f in fields(shown):
            x = getattr(shown, f.name)
            said[f.name] = x[seat] if f.name in each else x
    return said


# --- Kinds ------------------------------------------------------------------------------------------


def numbers_connected(example):
    for case in cases(example):
        for a, b in case.get("pairs", ()):
            assert are_connected(a, b)
            assert are_connected(b, a)
        for a, b in case.get("not_connected", ()):
            assert not are_connected(a, b)


def deal(example):
    for case in cases(example):
        by_vector(case["players"], lambda pack, case=case: deals(case, pack))


def deals(case, pack):
    n = case["players"]
    state = GAME.start(options_of(GAME, options_in(case), n), n, None)
    state, _ = play_move(GAME, state, CHANCE, Deal(pack))
    for seat, held in by_seat(case.get("hands")).items():
        assert sorted(state.hands[seat]) == sorted(held)
    assert list(state.middle) == case.get("middle", list(state.middle))
    assert {len(held) for held in state.hands} == {case.get("each", len(state.hands[0]))}
    assert len(state.middle) == case.get("middle_count", len(state.middle))


def turn(example):
    for case in cases(example):
        given = case["given"]
        if "vector_deal" in given:
            by_vector(given["vector_deal"], lambda pack, case=case: plays_turn(case, from_vector(case, pack)))
        else:
            plays_turn(case, on_table(case, given))


def on_table(case, given):
    """Return a table with the given hands, middle and trios."""
    hands, options = by_seat(given["hands"]), options_in(case)
    least = 4 if options.get("teams") else 3
    seats = given.get("players", given.get("seats", max(least, *(seat + 1 for seat in hands))))
    rows = [hands.get(seat) or () for seat in range(seats + (seats % 2 if options.get("teams") else 0))]
    state = laid(rows, options, given.get("middle") or (), given.get("turn", 0))
    trios = by_seat(given.get("trios")).items()
    state.trios = tuple(Trio(seat, number) for seat, numbers in trios for number in listed(numbers))
    return state


def from_vector(case, pack):
    n, options = case["vector_deal"], options_in(case)
    state, _ = play_move(GAME, GAME.start(options_of(GAME, options, n), n, None), CHANCE, Deal(pack))
    return laid(state.hands, options, state.middle, case.get("turn", 0))


def plays_turn(case, state):
    begun = state
    for command, then in steps(case | {"given": {}}):
        begun = begun if state.face_up else state
        seat = command.get("by", command["seat"] if "args" in command and "seat" in command else state.turn)
        args = command.get("args") or {k: command[k] for k in ("seat", "position") if k in command}
        answer = reading.answer_to(GAME, state, seat, {"command": command["command"], "args": args})
        if refused(answer, then):
            continue
        state, events = answer
        assert_events(then if "then" in command else case["then"] if then else {}, begun, state, events)


def assert_events(then, begun, state, events):
    """Compare the expected result of a reveal with the actual one."""
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
    expect(GAME, state, events, {name: then[name] for name in ("event", "events") if name in then})
    wanted = {name: x for name, x in then.items() if name not in ("event", "events")}
    assert {name: happened[name] for name in wanted} == wanted
    if RevealsReturned in known:
        assert (state.hands, state.middle) == (begun.hands, begun.middle)


def win(example):
    for case in cases(example):
        seats = case.get("players", 4)
        options = options_of(GAME, options_in(case), seats)
        by = compile_rules(options, seats).won(listed(case["trios"]))
        assert (by is not None) == case["win"]
        assert case.get("by", by) == by


def team(example):
    for case in cases(example):
        options = options_of(GAME, options_in(case, teams=True), case["players"])
        rules, middle = compile_rules(options, case["players"]), case.get("middle", 0)
        if "partners" in case:
            assert sorted(map(sorted, rules.teams)) == sorted(map(sorted, case["partners"]))
        assert rules.each == case.get("each", rules.each)
        assert rules.in_middle == (len(middle) if isinstance(middle, list) else middle)


def swap(example):
    for case in cases(example):
        given, (a, b) = by_seat(case["given"]["hands"]), pair_of(case)
        hands = [given.get(seat, FILLER) for seat in range(2 * abs(b - a))]
        state = swapping(hands, options_in(case, teams=True))
        for command, then in steps(case):
            answer = reading.answer_to(GAME, state, command["seat"], {"args": {}, **command})
            if refused(answer, then):
                continue
            state, events = answer
            assert set(listed(then.get("public"))) <= {type(e).__name__ for e in events}
            assert_shown(then, events, len(hands))
            if "then" in command:
                assert_hands(state, then)
        assert_hands(state, case["then"])


def pair_of(case):
    """Return the partners, named by their seats or by the number of their team."""
    team, half = case["team"], case.get("players", 4) // 2
    return team if isinstance(team, list) else (team, team + half)


def assert_hands(state, then):
    for seat, held in by_seat(then.get("hands")).items():
        assert sorted(state.hands[seat]) == sorted(held)


def assert_shown(then, events, seats):
    """Compare the swap as shown to each seat; a seat that is not named sees no card."""
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
        empty = listed(case.get("hands_empty"))
        hands = [() if seat in empty else FILLER for seat in range(case.get("players", 4))]
        state = laid(hands, options_in(case, teams=True))
        state.swaps_due = "start"
        if case.get("trio_by") is not None:
            state = fold(GAME, state, [TrioCompleted(case["trio_by"], None, 12, ())])
        opened = [e for e in GAME.consequences(state) if isinstance(e, SwapWindowOpened)]
        eligible = GAME.to_act(fold(GAME, state, opened)) if opened else ()
        assert sorted(eligible) == sorted(case.get("eligible_seats", eligible))
        teams = [team for e in opened for team in e.teams]
        assert sorted(teams) == sorted(case.get("eligible_teams", teams))


KINDS = {
    "trio_connected": numbers_connected,
    "trio_deal": deal,
    "trio_turn": turn,
    "trio_win": win,
    "trio_team": team,
    "trio_swap": swap,
    "trio_window": swap_window,
}

ABOUT = [
    (4, {"teams": True}, "4 players hold 9 cards each, none lie in the middle."),
    (5, {"mode": "spicy"}, "add up to 7 or differ by 7"),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
