"""Checks the worked examples of Gin Rummy."""

from domain.core import cards
from domain.core.cards import PACK, card_names, drop_cards
from domain.core.choices import Shuffle
from domain.core.game import CHANCE, fold, play_move
from domain.games.gin_rummy import GAME, events
from domain.games.gin_rummy.events import LayOff
from domain.games.gin_rummy.melds import arrange, deadwood, defend, in_order
from domain.games.gin_rummy.options import PRESETS, compile_rules, knock_points
from tests.acceptance import reading
from tests.acceptance.general import drawn
from tests.acceptance.reading import (
    by_seat,
    cases,
    commands,
    expect,
    hand,
    moved,
    of_seats,
    options_of,
    outcome,
    pile,
    refused,
    steps,
)

KNOCKER, DEFENDER = 0, 1


def options_in(case):
    """Return the options of a case, including those written among its other values."""
    return options_of(GAME, reading.options_in(GAME, case), 2)


def dealt(options, dealer=1, pack=PACK):
    """Return a hand of two seats dealt from this pack."""
    state = GAME.start(options, 2, None)
    state.dealer = dealer
    return play_move(GAME, state, CHANCE, events.Deal(pack))[0]


def topped(upcard):
    """Return a pack with this upcard."""
    rest = drop_cards(PACK, (upcard,))
    return (*rest[:20], upcard, *rest[20:])


def holding(options, hands, stock=None, taken=None, turn=KNOCKER):
    """Return the table when a seat with eleven cards is to end its turn."""
    state = dealt(options)
    state.hands = tuple(hands.get(seat, state.hands[seat]) for seat in range(2))
    table = state.tables[0]
    table = type(table)(table.pair, "discard", turn, table.stock if stock is None else stock, table.pile, taken)
    state.tables = (table,)
    return state


def melds_of(written):
    return None if written is None else tuple(map(pile, written))


def answer_to(state, seat, command):
    """Return the refusal code of a command, or the resulting state and events."""
    args = dict(command.get("args") or {k: command[k] for k in ("card", "discard", "melds", "layoffs") if k in command})
    if args.get("layoffs") is not None:
        args["layoffs"] = [laid_card(x) for x in args["layoffs"]]
    if args.get("melds") is not None:
        args["melds"] = [meld.split() if isinstance(meld, str) else meld for meld in args["melds"]]
    return reading.answer_to(GAME, state, seat, {"command": command["command"], "args": args})


def laid_card(written):
    """Return a card and the meld that it is laid off on, written by name or as a pair."""
    return written if isinstance(written, dict) else {"card": written[0], "meld": written[1]}


def opening(example):
    for case in cases(example):
        dealer = case.get("dealer", 1)
        state = dealt(options_in(case), dealer, topped(cards.read_card(case.get("upcard", "7C"))))
        assert state.tables[0].pair == (1 - dealer, dealer)
        for command, then in steps(case):
            seat = command.get("seat", state.tables[0].turn)
            answer = answer_to(state, seat, command)
            if not refused(answer, then):
                state, happened = answer
                expect(GAME, state, happened, then)


def deal(example):
    for case in cases(example):
        ask = Shuffle(events.Deal, "deal", PACK, case.get("n", 0))
        state = dealt(options_in(case), case.get("dealer", 1), drawn(case, ask).pack)
        table = state.tables[0]
        for seat in range(2):
            if f"hand_{seat}" in case:
                assert state.hands[seat] == hand(case[f"hand_{seat}"])
        for seat, value in by_seat(case.get("deadwood")).items():
            assert deadwood(state.hands[seat]) == value
        for seat, held in by_seat(case.get("hands")).items():
            assert state.hands[seat] == hand(held)
        assert table.pile == pile([case.get("upcard", *card_names(table.pile))])
        top = pile(case.get("stock_top"))
        assert table.stock[: len(top)] == top
        assert len(table.stock) == case.get("stock", 31)


def knocked(options, defender, event):
    """Return a table after this knock, with these cards of the defender."""
    state = holding(options, {DEFENDER: defender})
    return fold(GAME, state, [event])


def laid(melds, discard=PACK[0], **said):
    """Return a knock with these melds."""
    values = {"deadwood": (), "value": 0, "gin": False} | said
    return events.Knocked(KNOCKER, discard, tuple(map(in_order, melds)), **values)


def settled(state):
    """Return the events that follow automatically."""
    found = []
    while happening := GAME.consequences(state):
        state = fold(GAME, state, happening)
        found += happening
    return found


def score(example):
    for case in cases(example):
        options, kind = options_in(case), case.get("kind", "knock")
        if "defender" not in case:
            assert list(knock_points(compile_rules(options, 2), *values_of(case))) == of_seats(case["points"], 2)
            continue
        defender = hand(case["defender"])
        if kind in ("gin", "big_gin"):
            discard = None if kind == "big_gin" else PACK[0]
            happened = settled(knocked(options, defender, laid((), discard, gin=True)))
        elif "knocker" not in case and "knocker_melds" not in case:
            melds, value = (), case["knocker_value"]
            state = knocked(options, defender, laid(melds, value=value))
            happened = answered(state, case)
        else:
            happened = knocked_and_answered(options, case, defender)
        scored = next(e for e in happened if isinstance(e, events.HandScored))
        assert kind in (scored.kind, "knock")
        assert scored.values[DEFENDER] == case.get("defender_value", scored.values[DEFENDER])
        assert scored.values[KNOCKER] == case.get("knocker_value", scored.values[KNOCKER])
        assert list(scored.points) == of_seats(case["points"], 2)


def values_of(case):
    """Return the deadwood of knocker and defender, by any of the case's names for it."""
    return case.get("knocker_value", case.get("k")), case.get("defender_value", case.get("d"))


def knocked_and_answered(options, case, defender):
    melds = melds_of(case.get("knocker_melds"))
    melded = [c for meld in melds or () for c in meld]
    ten = hand(case.get("knocker")) or tuple(sorted((*melded, *hand(case.get("knocker_rest")))))
    spare = pile([case["discard"]])[0] if "discard" in case else drop_cards(PACK, {*ten, *defender})[0]
    state = holding(options, {KNOCKER: tuple(sorted({*ten, spare})), DEFENDER: defender})
    state, happened = moved(GAME, state, KNOCKER, events.Knock(spare, melds))
    return happened + answered(state, case)


def answered(state, case):
    """Return the events after the defender's answer: the example's, or the best one."""
    if GAME.phase(state) != "lay_off":
        return []
    args = {"melds": case.get("defender_melds"), "layoffs": case.get("layoffs")}
    return answer_to(state, DEFENDER, {"command": "lay_off", "args": args})[1]


def points(example):
    for case in cases(example):
        rules = compile_rules(options_in(case), 2)
        assert list(knock_points(rules, *values_of(case))) == of_seats(case["points"], 2)


def layoff(example):
    for case in cases(example):
        melds = melds_of(case["knocker_melds"])
        melded = [c for meld in melds_of(case.get("defender_melds")) or () for c in meld]
        held = {*pile(case.get("defender")), *pile(case.get("defender_rest")), *melded}
        state = knocked(options_in(case), tuple(sorted(held)), laid(melds))
        given = commands(case) or [{k: case[k] for k in ("melds", "layoffs") if k in case}]
        for command in given:
            then = outcome(command["then"]) if "then" in command else case
            answer = answer_to(state, DEFENDER, command | {"command": "lay_off"})
            if refused(answer, then):
                continue
            laid_off = answer[1][0]
            assert laid_off.value == then.get("value", laid_off.value)
            if "deadwood" in then:
                assert laid_off.deadwood == hand(then["deadwood"])


def defence(example):
    for case in cases(example):
        melds, defender = melds_of(case["knocker_melds"]), hand(case["defender"])
        _, (answered, *_) = moved(GAME, knocked(options_in(case), defender, laid(melds)), DEFENDER, LayOff())
        best = defend(defender, tuple(map(in_order, melds)))
        assert (answered.melds, answered.layoffs) == (best.melds, best.layoffs)
        assert answered.value == case.get("value", answered.value)
        if "deadwood" in case:
            assert answered.deadwood == hand(case["deadwood"])
        if "melds" in case:
            assert list(answered.melds) == [in_order(pile(meld)) for meld in case["melds"]]
        if "layoffs" in case:
            for laid_off, written in zip(answered.layoffs, case["layoffs"], strict=True):
                said = {"card": written} if isinstance(written, str) else laid_card(written)
                assert (laid_off.card, laid_off.meld) == (
                    *pile([said["card"]]),
                    said.get("meld", laid_off.meld),
                )


def knock(example):
    for case in cases(example):
        held, listed = cards_of(case), {c for meld in melds_of(case.get("melds")) or () for c in meld}
        big = case.get("command") == "big_gin"
        discard = pile([case["discard"]]) if "discard" in case else drop_cards(PACK, {*held, *listed})[: not big]
        state = holding(options_in(case), {KNOCKER: tuple(sorted({*held, *discard}))})
        args = {"melds": case.get("melds")} | ({} if big else {"discard": card_names(discard)[0]})
        answer = answer_to(state, KNOCKER, {"command": "big_gin" if big else "knock", "args": args})
        if refused(answer, case):
            continue
        assert case.get("ok", True)
        event = answer[1][0]
        assert isinstance(event, events.Knocked)
        assert event.value == case.get("value", event.value)
        assert event.gin == case.get("gin", event.value == 0)
        if "deadwood" in case:
            assert event.deadwood == hand(case["deadwood"])


def cards_of(case):
    """Return the cards of a hand, by any of its names."""
    return hand(next(case[name] for name in ("ten", "eleven", "hand", "cards", "knocker") if name in case))


def best(example):
    for case in cases(example):
        held = cards_of(case)
        found = arrange(held)
        assert found.value == deadwood(held) == case.get("value", found.value)
        if "melds" in case:
            assert list(found.melds) == [in_order(pile(meld)) for meld in case["melds"]]
        if "deadwood" in case:
            assert found.deadwood == hand(case["deadwood"])


GIN_HANDS = [hand(row.split()) for row in ("2C 3C 4C 5C 8D 8H 8S QC QD QH", "3D 4D 5D 9C 9D 9H TS JS QS KS")]


def rediscard(example):
    for case in cases(example):
        card = cards.read_card(case["card"])
        ten = next(ten for ten in GIN_HANDS if card not in ten)
        taken = card if case["taken_from"] in ("pile", "discard", "upcard") else None
        command, hands = case.get("command", "discard"), {KNOCKER: tuple(sorted((*ten, card)))}
        name = "discard" if command == "knock" else "card"
        presets = PRESETS.keys() & case.keys()
        for preset in presets or {case.get("preset", case["options"].get("preset", "seed"))}:
            options = options_in(case | {"options": case["options"] | {"preset": preset}})
            state = holding(options, hands, taken=taken)
            answer = answer_to(state, KNOCKER, {"command": command, "args": {name: case["card"]}})
            refused(answer, outcome(case[preset]) if presets else case)


def void(example):
    for case in cases(example):
        state = holding(options_in(case), {KNOCKER: PACK[::5]}, stock=PACK[1 : 1 + case["stock_after_discard"]])
        _, happened = moved(GAME, state, KNOCKER, events.Discard(PACK[0]))
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

ABOUT = [
    (2, {"knock_limit": 0}, "Knock only with gin."),
    (4, {}, "The first to reach 125 wins."),
    (2, {"undercut_bonus": 10}, "scores the difference and 10."),
    (2, {"big_gin_bonus": 31}, "big gin 31"),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
