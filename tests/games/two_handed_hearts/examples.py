"""Checks the worked examples of Two-Handed Hearts."""

from domain.core.cards import BACK, NAMES, PACK, backs
from domain.core.game import CHANCE, fold, play_move
from domain.core.tricks import Trick
from domain.core.visibility import secret_fields, view_event
from domain.games.two_handed_hearts import GAME
from domain.games.two_handed_hearts import rules as two
from domain.games.two_handed_hearts.events import (
    Deal,
    DrawingCompleted,
    HandDealt,
    HandReplenished,
    HandStarted,
    PlayCard,
    RejectCard,
    RevokeFound,
)
from domain.games.two_handed_hearts.options import SEATS
from domain.match.status import judge_series
from tests.acceptance import reading
from tests.acceptance.reading import (
    best_of,
    by_seat,
    cases,
    expect,
    hand,
    listed,
    named,
    of_seats,
    options_in,
    options_of,
    outcome,
    pile,
    refusals,
    refused,
    steps,
)


def start(options, **values):
    """Return a table with these options after the cut, with these values in its state."""
    state = GAME.start(options_of(GAME, options, 2), 2, None)
    for name, value in ({"next_dealer": 0, "started": True} | values).items():
        setattr(state, name, value)
    return state


def dealt(case, hands, stock=(), leader=0):
    """Return a hand as dealt: hands that are not named are backs."""
    state = start(options_in(GAME, case), next_dealer=case.get("dealer", leader))
    held = tuple(hands.get(seat, backs(13)) for seat in SEATS)
    begun = HandStarted(1, case.get("deal_no", 1), state.next_dealer)
    rest = (*stock, *backs(26 - len(stock)))
    return fold(GAME, state, [begun, HandDealt(tuple(map(len, held)), held, rest)])


def in_play(case, seat=0):
    """Return the table when a seat with this hand is to play to this trick."""
    mine, trick = hand(case["hand"]), pile(case.get("trick"))
    leader = (seat + len(trick)) % 2
    state = dealt(case, {seat: mine}, leader=leader)
    state.stock = () if state.rules.draws else state.stock
    state = fold(GAME, state, [DrawingCompleted(leader)])
    for c in trick:
        state, _ = play_move(GAME, state, state.turn, PlayCard(c))
    assert GAME.to_act(state) == (seat,)
    return state


def answer_to(state, seat, command):
    """Return the refusal code of a command, or the resulting state and events."""
    return reading.answer_to(GAME, state, command.get("seat", seat), command)


def shown(event, seat):
    """Return an event as shown to a seat: public fields, and the secrets that it may see."""
    own = {name: getattr(view_event(event, seat), name) for name in event.__slots__}
    kept = {k: v for k, v in own.items() if v is not None or k not in secret_fields(type(event))}
    return {"type": type(event).__name__} | {k: NAMES[v] if k in ("card", "discarded") else v for k, v in kept.items()}


def draws(example):
    for case in cases(example):
        state = start(options_in(GAME, case), next_dealer=case.get("dealer", 0))
        state, _ = play_move(GAME, state, CHANCE, Deal(PACK))
        assert len(state.stock) + 1 == case.get("stock", 26)  # the first card is drawn
        drew = []
        while state.phase == "drawing":
            drew.append(state.turn)
            state, _ = play_move(GAME, state, state.turn, RejectCard())
        assert [drew.count(seat) for seat in SEATS] == [case.get("draws_per_seat", 13)] * 2
        assert drew[0] == case.get("first_draw", drew[0])
        assert drew[-1] == case.get("last_draw", drew[-1])
        assert sum(map(len, state.waste)) == case.get("waste", 26)
        assert [len(h) for h in state.hands] == [13, 13]
        assert GAME.to_act(state) == (case.get("dealer", 0),)


def keep(example):
    for case in cases(example):
        seat, given = case.get("seat", 0), case["given"]  # a hand is given, and another one follows
        state = dealt(case, {seat: hand(given["hand"])}, stock=pile([given["drawn"]]), leader=seat)
        state = fold(GAME, state, GAME.consequences(state))
        for command, own in steps(case):
            then = case["then"] | own if own else own
            answer = answer_to(state, seat, command)
            if refused(answer, then):
                continue
            state, events = answer
            expect(GAME, state, events, {k: v for k, v in then.items() if k in ("event", "events")})
            for reader in (None, *SEATS):
                fields = then.get("public" if reader is None else f"seat_{reader}")
                if fields is not None:
                    assert as_shown(events, reader, fields) == fields
            if "hand" in outcome(command.get("then", case["then"])):
                assert state.hands[seat] == hand(then["hand"])


def as_shown(events, reader, fields):
    """Return the event of the expected type, as shown."""
    event = next((e for e in events if type(e).__name__ == fields.get("type")), events[0])
    said = shown(event, reader)
    return said if "type" in fields else {k: v for k, v in said.items() if k != "type"}


def legal_names(state, seat):
    return {NAMES[c] for choice in GAME.legal(state, seat) if choice.make is PlayCard for c in choice.of}


def play_card(example):
    for case in cases(example):
        seat = case.get("seat", 0)
        state = in_play(case, seat)
        if "legal" in case:
            assert legal_names(state, seat) == named(case["hand"] if case["legal"] == "all" else case["legal"])
        for name, code in refusals(case):
            answer = answer_to(state, seat, {"command": "play_card", "args": {"card": name}})
            assert answer == (code or answer)
            assert isinstance(answer, str)
        for command, then in steps(case):
            answer = answer_to(state, seat, command)
            if not refused(answer, then):
                state, events = answer
                expect(GAME, state, events, then)


def refuse(example):
    for case in cases(example):
        seat = case.get("seat", 0)
        for command, then in steps(case):
            modes = [mode for mode in ("refuse", "honour") if mode in case]
            for mode in modes:
                state = in_play(case | {"options": case["options"] | {"revoke_mode": mode}}, seat)
                answer = answer_to(state, seat, command)
                assert (answer if isinstance(answer, str) else "accepted") == case[mode]
            if not modes:
                refused(answer_to(in_play(case, seat), seat, command), then)


def score(example):
    for case in cases(example):
        took = by_seat(case["taken"])
        tricks = tuple(Trick(seat, pile(taken), seat) for seat, taken in took.items())
        found = tuple(RevokeFound(seat, 1, BACK, (), None) for seat in listed(case.get("revokes")))
        values = {"tricks": tricks, "revokes": found, "scores": tuple(of_seats(case.get("before"), 2))}
        scored = two.score_hand(start(options_in(GAME, case), **values))
        if "points" in case:
            assert list(scored.points) == of_seats(case["points"], 2)
        if "moon" in case and case["moon"] != options_in(GAME, case).get("moon"):
            assert scored.moon == case["moon"]
        if "totals" in case:
            assert list(scored.totals) == of_seats(case["totals"], 2)


def replenish(example):
    """Take one trick, draw with both seats, and play the hand to its end."""
    for case in cases(example):
        left, top = case.get("stock_before", 26), pile(case.get("stock_top"))
        done = (26 - left) // 2
        low, high = [c for c in PACK[:13] if c not in top][:2]
        lead = case.get("trick_winner", 0)
        options = options_in(GAME, case) | {"mode": "replenish"}
        state = dealt({"options": options}, {lead: (*backs(12), high), 1 - lead: (*backs(12), low)})
        state.stock = (*top, *backs(left - len(top)))[:left]
        state.tricks = (Trick(lead, (high, low), lead),) * done
        state.leader = state.turn = lead
        state, _ = play_move(GAME, state, lead, PlayCard(high))
        _, events = play_move(GAME, state, 1 - lead, PlayCard(low))
        drew = [e for e in events if isinstance(e, HandReplenished)]
        written = [x if isinstance(x, dict) else {"seat": x[0], "card": x[1]} for x in case.get("draws", ())]
        assert [(e.seat, e.card) for e in drew] == [(x["seat"], *pile([x["card"]])) for x in written]
        assert tricks_of_a_hand(options) == (
            case.get("tricks_with_stock", 13),
            case.get("tricks_total", 26),
        )


def tricks_of_a_hand(options):
    """Return the number of tricks after which cards were drawn, and the number of tricks."""
    state, drew = start(options), 0
    state, _ = play_move(GAME, state, CHANCE, Deal(PACK))
    while state.phase == "playing":
        state, events = play_move(GAME, state, state.turn, GAME.timing.default(state, state.turn))
        drew += any(isinstance(e, HandReplenished) for e in events)
    return drew, len(state.tricks)


def end(example):
    for case in cases(example):
        totals = tuple(of_seats(case["totals"], 2))
        state = start(options_in(GAME, case), phase="scored", scores=totals, reached=totals)
        state.deal_no = case.get("hands", case.get("deal_no", 1))
        events = GAME.consequences(state)
        winner = events[0].winners[0] if events and events[0].winners else None
        said = {None: "drawn" if events else "goes_on"}.get(winner, winner)
        if "game" in case:
            assert {"draw": "drawn", "continues": "goes_on", "open": "goes_on", None: "goes_on"}.get(
                case["game"], case["game"]
            ) == said
        if "winner" in case:
            assert winner == (None if case["winner"] in ("draw", "drawn") else case["winner"])
        if "over" in case:
            assert bool(events) == case["over"]
        if "match_over" in case:
            assert match_over(case, events, winner) == case["match_over"]


def match_over(case, events, winner):
    """Return whether the series is decided, given the games won by each seat."""
    games = [seat for seat, wins in by_seat(case.get("wins")).items() for _ in range(wins)]
    return bool(events) and judge_series(best_of(case, GAME.setup.best_of), [*games, winner]) is not None


KINDS = {
    "two_draws": draws,
    "two_end": end,
    "two_keep": keep,
    "two_play": play_card,
    "two_refuse": refuse,
    "two_replenish": replenish,
    "two_score": score,
}

ABOUT = [
    (2, {"mode": "replenish"}, "26 tricks."),
    (2, {"jack_of_diamonds": False}, "Hearts cost 1, the queen of spades 13. "),
    (2, {"max_hands": 7}, "After 7 hands, the game ends"),
    (2, {"revoke_mode": "honour", "revoke_detection": "claim"}, "if the other claims it."),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
