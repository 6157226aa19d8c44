"""How the examples of RULES chapter 5 are checked."""

from dataclasses import fields

from domain import cards
from domain.cards import PACK, names, without
from domain.choices import Shuffle
from domain.game import CHANCE, Refused, check, fold, play
from domain.gin_rummy import GAME, Options, events, moves
from domain.gin_rummy.melds import LaidCard, arrange, deadwood, defend, in_order
from domain.gin_rummy.moves import LayOff
from domain.gin_rummy.options import PRESETS, compile_rules, knock_points, resolve
from tests.acceptance.general import drawn
from tests.acceptance.table import cases, commands, hand, pile

KNOCKER, DEFENDER = 0, 1


def options_of(written):
    """The options of an example, of which some may be named by a preset."""
    written = dict(written)
    preset = written.pop("preset", "seed")
    return Options(**resolve({**PRESETS[preset], **written}, 2))


def options_in(case):
    """The options that stand among the other values of a case."""
    known = {f.name for f in fields(Options)}
    return options_of(case["options"] | {k: v for k, v in case.items() if k in known})


def dealt(options, dealer=1, pack=PACK):
    """A hand of two, dealt from this pack."""
    state = GAME.start(options, 2, None)
    state.dealer = dealer
    return play(GAME, state, CHANCE, moves.Deal(pack))[0]


def topped(upcard):
    """A pack with this upcard."""
    rest = without(PACK, (upcard,))
    return (*rest[:20], upcard, *rest[20:])


def holding(options, hands, stock=None, taken=None, turn=KNOCKER):
    """The moment when a seat with eleven cards is to end its turn."""
    state = dealt(options)
    state.hands = tuple(hands.get(seat, state.hands[seat]) for seat in range(2))
    table = state.tables[0]
    table = type(table)(
        table.pair, "discard", turn, table.stock if stock is None else stock, table.pile, taken
    )
    state.tables = (table,)
    return state


def melds_of(written):
    return None if written is None else tuple(map(pile, written))


def move(command):
    """The move that a command names; `KeyError` or `ValueError` if it is no move."""
    make, args = GAME.moves[command["command"]], dict(command.get("args") or {})
    for name in ("card", "discard"):
        if name in args:
            args[name] = cards.read(args[name])
    if "melds" in args:
        args["melds"] = melds_of(args["melds"])
    if args.get("layoffs") is not None:
        args["layoffs"] = tuple(LaidCard(cards.read(x["card"]), x["meld"]) for x in args["layoffs"])
    return make(**args)


def told(state, seat, made):
    """The code that the move is refused with, or the state after it and its events."""
    before = state.copy()
    try:
        check(GAME, state, seat, made)
    except Refused as refused:
        assert state == before
        return refused.code
    return play(GAME, state, seat, made)


def put(state, seat, command):
    """The same of a command as it is written."""
    try:
        made = move(command)
    except (KeyError, TypeError, ValueError):
        return "bad_arguments"
    return told(state, seat, made)


def opening(example):
    for case in cases(example):
        state = dealt(options_in(case), case["dealer"], topped(cards.read(case["upcard"])))
        assert state.tables[0].pair == (1 - case["dealer"], case["dealer"])
        for command in commands(case):
            then = command.get("then", case)
            answer = put(state, command["seat"], command)
            if "refused" in then:
                assert answer == then["refused"]
                continue
            state, told_of = answer
            if "phase" in then:
                assert GAME.phase(state) == then["phase"]
            if "event" in then:
                assert type(told_of[0]).__name__ == then["event"]
            if "to_act" in then:
                assert list(GAME.to_act(state)) == then["to_act"]


def deal(example):
    for case in cases(example):
        ask = Shuffle(moves.Deal, "deal", PACK, case.get("n", 0))
        state = dealt(options_in(case), case["dealer"], drawn(case, ask).pack)
        table = state.tables[0]
        for seat in range(2):
            if f"hand_{seat}" in case:
                assert state.hands[seat] == hand(case[f"hand_{seat}"])
        assert [deadwood(h) for h in state.hands] == case.get("deadwood", [deadwood(h) for h in state.hands])
        assert names(table.pile) == [case.get("upcard", *names(table.pile))]
        top = case.get("stock_top", [])
        assert names(table.stock[: len(top)]) == top
        assert len(table.stock) == case.get("stock", 31)


def knocked(options, defender, event):
    """A table at which this was laid down, against these cards."""
    state = holding(options, {DEFENDER: defender})
    return fold(GAME, state, [event])


def laid(melds, discard=PACK[0], **said):
    """A knock with these melds."""
    values = {"deadwood": (), "value": 0, "gin": False} | said
    return events.Knocked(KNOCKER, discard, tuple(map(in_order, melds)), **values)


def settled(state):
    """What follows by itself."""
    found = []
    while happening := GAME.consequences(state):
        state = fold(GAME, state, happening)
        found += happening
    return found


def score(example):
    for case in cases(example):
        options, defender = options_in(case), hand(case["defender"])
        if case["kind"] in ("gin", "big_gin"):
            discard = None if case["kind"] == "big_gin" else PACK[0]
            happened = settled(knocked(options, defender, laid((), discard, gin=True)))
        else:
            happened = knocked_and_answered(options, case, defender)
        scored = next(e for e in happened if isinstance(e, events.HandScored))
        assert scored.kind == case["kind"] or case["kind"] == "knock"
        assert scored.values[DEFENDER] == case.get("defender_value", scored.values[DEFENDER])
        assert scored.values[KNOCKER] == case.get("knocker_value", scored.values[KNOCKER])
        assert list(scored.points) == case["points"]


def knocked_and_answered(options, case, defender):
    ten = hand(case["knocker"])
    spare = without(PACK, {*ten, *defender})[0]
    state = holding(options, {KNOCKER: tuple(sorted((*ten, spare))), DEFENDER: defender})
    state, happened = told(state, KNOCKER, moves.Knock(spare, melds_of(case.get("knocker_melds"))))
    return happened + (told(state, DEFENDER, LayOff())[1] if GAME.phase(state) == "lay_off" else [])


def points(example):
    for case in cases(example):
        rules = compile_rules(options_in(case), 2)
        assert list(knock_points(rules, case["k"], case["d"])) == case["points"]


def layoff(example):
    for case in cases(example):
        melds = melds_of(case["knocker_melds"])
        melded = [name for meld in case.get("defender_melds", ()) for name in meld]
        defender = hand([*case.get("defender", ()), *case.get("defender_rest", ()), *melded])
        state = knocked(options_in(case), defender, laid(melds))
        for command in commands(case):
            args = {k: command[k] for k in ("melds", "layoffs") if k in command}
            then = command.get("then", case)
            answer = put(state, DEFENDER, {"command": "lay_off", "args": command.get("args", args)})
            if "refused" in then:
                assert answer == then["refused"]
                continue
            answered = answer[1][0]
            assert answered.value == then.get("value", answered.value)
            if "deadwood" in then:
                assert answered.deadwood == hand(then["deadwood"])


def defence(example):
    for case in cases(example):
        melds, defender = melds_of(case["knocker_melds"]), hand(case["defender"])
        _, (answered, *_) = told(knocked(options_in(case), defender, laid(melds)), DEFENDER, LayOff())
        best = defend(defender, tuple(map(in_order, melds)))
        assert (answered.melds, answered.layoffs) == (best.melds, best.layoffs)
        assert answered.value == case["value"]
        if "deadwood" in case:
            assert answered.deadwood == hand(case["deadwood"])
        if "melds" in case:
            assert list(answered.melds) == [in_order(pile(meld)) for meld in case["melds"]]
        if "layoffs" in case:
            written = [x if isinstance(x, str) else (x["card"], x["meld"]) for x in case["layoffs"]]
            whole = [(names([x.card])[0], x.meld) for x in answered.layoffs]
            assert written in (whole, [name for name, _ in whole])


def knock(example):
    for case in cases(example):
        ten = hand(case["ten"])
        listed = {c for meld in melds_of(case.get("melds")) or () for c in meld}
        discard = cards.read(case["discard"]) if "discard" in case else without(PACK, {*ten, *listed})[0]
        state = holding(options_in(case), {KNOCKER: tuple(sorted({*ten, discard}))})
        answer = told(state, KNOCKER, moves.Knock(discard, melds_of(case.get("melds"))))
        if "refused" in case:
            assert answer == case["refused"]
            continue
        event = answer[1][0]
        assert isinstance(event, events.Knocked)
        assert event.value == case.get("value", event.value)
        assert event.gin == case.get("gin", event.value == 0)


def best(example):
    for case in cases(example):
        held = hand(next(case[name] for name in ("ten", "eleven", "hand", "cards") if name in case))
        found = arrange(held)
        assert found.value == deadwood(held) == case.get("value", found.value)
        if "melds" in case:
            assert list(found.melds) == [in_order(pile(meld)) for meld in case["melds"]]
        if "deadwood" in case:
            assert found.deadwood == hand(case["deadwood"])


GIN_HANDS = [hand(row.split()) for row in ("2C 3C 4C 5C 8D 8H 8S QC QD QH", "3D 4D 5D 9C 9D 9H TS JS QS KS")]


def rediscard(example):
    for case in cases(example):
        card = cards.read(case["card"])
        ten = next(ten for ten in GIN_HANDS if card not in ten)
        taken = card if case["taken_from"] in ("pile", "discard", "upcard") else None
        made = moves.Knock(card) if case.get("command") == "knock" else moves.Discard(card)
        for preset in PRESETS.keys() & case.keys():
            state = holding(
                options_of(case["options"] | {"preset": preset}),
                {KNOCKER: tuple(sorted((*ten, card)))},
                taken=taken,
            )
            answer = told(state, KNOCKER, made)
            assert (answer if isinstance(answer, str) else "accepted") == case[preset]


def void(example):
    for case in cases(example):
        options = options_of(case["options"] | {"stock_floor": case["floor"]})
        state = holding(options, {KNOCKER: PACK[::5]}, stock=PACK[1 : 1 + case["stock_after_discard"]])
        _, happened = told(state, KNOCKER, moves.Discard(PACK[0]))
        voided = [e for e in happened if isinstance(e, events.HandVoided)]
        assert bool(voided) == case["void"]
        assert all(e.stock_count == case["stock_after_discard"] for e in voided)


KINDS = {
    "gin_best": best,
    "gin_deal": deal,
    "gin_defence": defence,
    "gin_knock": knock,
    "gin_layoff": layoff,
    "gin_opening": opening,
    "gin_points": points,
    "gin_rediscard": rediscard,
    "gin_score": score,
    "gin_void": void,
}
