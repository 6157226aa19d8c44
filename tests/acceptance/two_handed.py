"""How the examples of RULES chapter 3 are checked."""

from domain import cards
from domain import two_handed_hearts as two
from domain.cards import BACK, NAMES, PACK, backs, names
from domain.game import CHANCE, Refused, check, fold, play
from domain.hearts_rules import Trick
from domain.series import decided
from domain.two_handed_hearts import GAME, Options
from domain.two_handed_hearts_rules import SEATS
from domain.visibility import secret_fields, seen
from tests.acceptance.table import cases, commands, hand, pile

SHORT = {"jack": "jack_of_diamonds", "revoke": "revoke_mode", "detection": "revoke_detection"}


def options_of(written):
    """The options, some by a short name; what belongs to the series is left out."""
    named = {SHORT.get(name, name): value for name, value in written.items()}
    return Options(**{name: value for name, value in named.items() if name not in ("best_of", "series")})


def start(options, **values):
    """A table of these options after the cut, with these values in its state."""
    state = GAME.start(options_of(options), 2, None)
    for name, value in ({"next_dealer": 0, "started": True} | values).items():
        setattr(state, name, value)
    return state


def dealt(case, hands, stock=(), leader=0):
    """A hand as dealt: hands that are not named are backs."""
    state = start(case["options"], next_dealer=case.get("dealer", leader))
    held = tuple(hands.get(seat, backs(13)) for seat in SEATS)
    begun = two.HandStarted(1, case.get("deal_no", 1), state.next_dealer)
    rest = (*stock, *backs(26 - len(stock)))
    return fold(GAME, state, [begun, two.HandDealt(tuple(map(len, held)), held, rest)])


def in_play(case, seat=0):
    """The moment when a seat with this hand is to play to this trick."""
    mine, trick = hand(case["hand"]), pile(case.get("trick", ()))
    leader = (seat + len(trick)) % 2
    state = dealt(case, {seat: mine}, leader=leader)
    state.stock = () if state.phase == "drawing" else state.stock
    state = fold(GAME, state, [two.DrawingCompleted(leader)])
    for c in trick:
        state, _ = play(GAME, state, state.turn, two.PlayCard(c))
    assert GAME.to_act(state) == (seat,)
    return state


def move(command):
    """The move that a command names."""
    args = {name: cards.read(x) if isinstance(x, str) else x for name, x in command.get("args", {}).items()}
    return GAME.moves[command["command"]](**args)


def told(state, command):
    """The code that the command is refused with, or the state after it and its events."""
    try:
        check(GAME, state, command["seat"], move(command))
    except Refused as refused:
        return refused.code
    return play(GAME, state, command["seat"], move(command))


def shown(event, seat):
    """An event as a seat is shown it: public fields, and those of its secrets that it may see."""
    own = {name: getattr(seen(event, seat), name) for name in event.__slots__}
    kept = {k: v for k, v in own.items() if v is not None or k not in secret_fields(type(event))}
    return {"type": type(event).__name__} | {
        k: NAMES[v] if k in ("card", "discarded") else v for k, v in kept.items()
    }


def draws(example):
    for case in cases(example):
        state = start(case["options"], next_dealer=case["dealer"])
        state, _ = play(GAME, state, CHANCE, two.Deal(PACK))
        assert len(state.stock) + 1 == case.get("stock", 26)  # the first card is drawn
        drew = []
        while state.phase == "drawing":
            drew.append(state.turn)
            state, _ = play(GAME, state, state.turn, two.RejectCard())
        assert [drew.count(seat) for seat in SEATS] == [case.get("draws_per_seat", 13)] * 2
        assert drew[0] == case.get("first_draw", drew[0])
        assert drew[-1] == case.get("last_draw", drew[-1])
        assert sum(map(len, state.waste)) == case.get("waste", 26)
        assert [len(h) for h in state.hands] == [13, 13]
        assert GAME.to_act(state) == (case["dealer"],)


def keep(example):
    after = example.get("then", {})
    for case in cases(example | {"then": {}}):  # a hand is given, and another one follows
        seat = case["seat"]
        state = dealt(case, {seat: hand(case["hand"])}, stock=pile([case["drawn"]]), leader=seat)
        state = fold(GAME, state, GAME.consequences(state))
        for command in commands(case):
            then = after | case.get("then", {}) | command.get("then", {})
            answer = told(state, command)
            if "refused" in then:
                assert answer == then["refused"]
                continue
            state, events = answer
            expected = {None: then.get("public")} | {i: then.get(f"seat_{i}") for i in SEATS}
            for reader, fields in expected.items():
                if fields is not None:
                    assert shown(events[0], reader) == fields
            if "hand" in then:
                assert state.hands[seat] == hand(then["hand"])


def legal_names(state, seat):
    return {NAMES[c] for choice in GAME.legal(state, seat) if choice.make is two.PlayCard for c in choice.of}


def play_card(example):
    for case in cases(example):
        seat = case.get("seat", 0)
        state = in_play(case, seat)
        if "legal" in case:
            assert legal_names(state, seat) == set(names(hand(case["legal"])))
        if isinstance(case.get("refused"), dict):
            for name, code in case["refused"].items():
                assert told(state, {"seat": seat, "command": "play_card", "args": {"card": name}}) == code
        for command in commands(case):
            answer = told(state, {"seat": seat} | command)
            then = command.get("then", case)
            if isinstance(then.get("refused"), str):
                assert answer == then["refused"]
            else:
                state = answer[0]


def refuse(example):
    for case in cases(example):
        for command in commands(case):
            seat = command.get("seat", 0)
            for mode in ("refuse", "honour"):
                if mode in case:
                    state = in_play(case | {"options": case["options"] | {"revoke_mode": mode}}, seat)
                    answer = told(state, {"seat": seat} | command)
                    assert (answer if isinstance(answer, str) else "accepted") == case[mode]


def score(example):
    for case in cases(example):
        took = [pile(taken) for taken in case["taken"]]
        tricks = tuple(Trick(seat, taken, seat) for seat, taken in enumerate(took))
        found = tuple(two.RevokeFound(seat, 1, BACK, (), None) for seat in case.get("revokes", ()))
        before = tuple(case.get("before", (0, 0)))
        scored = two.hand_scored(start(case["options"], tricks=tricks, revokes=found, scores=before))
        assert list(scored.points) == case["points"]
        if "moon" in case:
            assert scored.moon == case["moon"]
        if "totals" in case:
            assert list(scored.totals) == case["totals"]


def replenish(example):
    """One trick is taken and both draw; then the hand is played to its end."""
    for case in cases(example):
        left, top = case.get("stock_before", 26), pile(case["stock_top"])
        done = (26 - left) // 2
        low, high = [c for c in PACK[:13] if c not in top][:2]
        lead = case["trick_winner"]
        options = case["options"] | {"mode": "replenish"}
        state = dealt({"options": options}, {lead: (*backs(12), high), 1 - lead: (*backs(12), low)})
        state.stock = (*top, *backs(left - len(top)))[:left]
        state.tricks = (Trick(lead, (high, low), lead),) * done
        state.leader = state.turn = lead
        state, _ = play(GAME, state, lead, two.PlayCard(high))
        _, events = play(GAME, state, 1 - lead, two.PlayCard(low))
        drew = [e for e in events if isinstance(e, two.StockDrawn)]
        assert [{"seat": e.seat, "card": NAMES[e.card]} for e in drew] == case["draws"]
        assert tricks_of_a_hand(options) == (
            case.get("tricks_with_stock", 13),
            case.get("tricks_total", 26),
        )


def tricks_of_a_hand(options):
    """After how many tricks there were cards to draw, and how many tricks there were."""
    state, drew = start(options), 0
    state, _ = play(GAME, state, CHANCE, two.Deal(PACK))
    while state.phase == "playing":
        state, events = play(GAME, state, state.turn, GAME.default(state, state.turn))
        drew += any(isinstance(e, two.StockDrawn) for e in events)
    return drew, len(state.tricks)


def end(example):
    for case in cases(example):
        totals = tuple(case["totals"])
        state = start(case["options"], phase="scored", scores=totals, highest=max(totals))
        state.deal_no = case.get("hands", case.get("deal_no", 1))
        events = GAME.consequences(state)
        winner = events[0].winners[0] if events and events[0].winners else None
        said = {None: "drawn" if events else "goes_on"}.get(winner, winner)
        if "game" in case:
            assert said == case["game"] or (said == "goes_on" and case["game"] in ("continues", "open", None))
        if "winner" in case:
            assert winner == case["winner"]
        if "over" in case:
            assert bool(events) == case["over"]
        if "match_over" in case:
            assert match_over(case, events, winner) == case["match_over"]


def match_over(case, events, winner):
    """Whether the series is decided, the games won before being given per seat."""
    games = [seat for seat, wins in enumerate(case.get("wins", (0, 0))) for _ in range(wins)]
    best_of = case["options"].get("best_of", GAME.best_of)
    return bool(events) and decided(best_of, [*games, winner]) is not None


KINDS = {
    "two_draws": draws,
    "two_end": end,
    "two_keep": keep,
    "two_play": play_card,
    "two_refuse": refuse,
    "two_replenish": replenish,
    "two_score": score,
}
