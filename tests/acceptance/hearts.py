"""How the examples of RULES chapter 2 are checked."""

from domain import hearts
from domain.cards import BACK, NAMES, OF_SUIT, PACK, card, names
from domain.choices import Shuffle
from domain.game import CHANCE, fold, play
from domain.hearts import (
    GAME,
    CardsReturned,
    GameEnded,
    HandScored,
    PassReceived,
    PlayCard,
    ReturnChosen,
)
from domain.hearts_rules import CODES, INDEX, SEATS, Trick, resolve
from tests.acceptance.general import drawn
from tests.acceptance.table import (
    cases,
    commands,
    hand,
    in_play,
    pile,
    ready,
    start,
    suit_of,
    told,
)


def index(example):
    for case in cases(example):
        for code, number in case["pairs"].items():
            both = {"variant": code, "variant_index": number}
            assert CODES[number - 1] == code
            assert INDEX[code] == number
            for written in ({"variant": code}, {"variant": number}, {"variant_index": number}, both):
                assert resolve(written) == both


def dealt(case, deal_no=1):
    """A table whose hand was dealt by a vector, or simply in the order of the pack."""
    state = start(case["options"], dealer=case.get("dealer", 0), deal_no=deal_no - 1)
    if deal_no > 1:
        state.dealer = (state.dealer - 1) % 4  # the deal moves on
    deal = Shuffle(hearts.Deal, "deal", PACK)
    return play(GAME, state, CHANCE, drawn(case, deal) if "vector" in case else hearts.Deal(PACK))[0]


def deal(example):
    for case in cases(example):
        state = dealt(case)
        assert {seat: names(state.hands[seat]) for seat in case["hands"]} == case["hands"]


def passed(state):
    """Let all seats pass what the clock would."""
    events = []
    while GAME.phase(state) == "passing" and (actors := GAME.to_act(state)) != (CHANCE,):
        state, new = play(GAME, state, actors[0], GAME.default(state, actors[0]))
        events += new
    return events


def direction(example):
    for case in cases(example):
        options = case["options"] | ({"pass": case["pass"]} if "pass" in case else {})
        rows = [passed(dealt(case | {"options": options}, n)) for n in range(1, 6)]
        received = [[e for e in row if isinstance(e, PassReceived)] for row in rows]
        given = [next((e.seat for e in row if e.from_ == case["seat"]), None) for row in received]
        taken = [next((e.from_ for e in row if e.seat == case["seat"]), None) for row in received]
        if "receiver_by_deal" in case:
            assert given[: len(case["receiver_by_deal"])] == case["receiver_by_deal"]
        if "giver_by_deal" in case:
            assert taken[: len(case["giver_by_deal"])] == case["giver_by_deal"]


def count(example):
    for case in cases(example):
        for command in commands(case):
            seat = command["seat"]
            state = ready(case["options"], {seat: hand(case["hand"])}, deal_no=case.get("deal_no", 1))
            expect(state, command, case | command.get("then", {}))


def expect(state, command, then):
    """Put a command and compare what it is told; give the state after it."""
    answer = told(state, command)
    if "refused" in then:
        assert answer == then["refused"]
        return state
    after, events = answer
    if "event" in then:
        assert type(events[0]).__name__ == then["event"]
    if "goes_to" in then:
        assert returned_to(after, command["seat"]) == then["goes_to"]
    return after


def returned_to(state, seat):
    """Who gets the card that a seat gives back, once the others have answered too."""
    others = [ReturnChosen(other, BACK) for other in GAME.to_act(state)]
    events = GAME.consequences(fold(GAME, state, others))
    assert isinstance(events[0], CardsReturned)
    return next(e.seat for e in events[1:] if e.from_ == seat)


def give_back(example):
    for case in cases(example):
        seat, giver = case["seat"], case["received_from"]
        state = ready(case["options"], {seat: hand(case["hand_after"])}, deal_no=case["deal_no"])
        chosen = [hearts.PassChosen(other, (BACK,) * 4) for other in SEATS if other != seat]
        state.hands = tuple((*h, *(BACK,) * 4) if i == seat else h for i, h in enumerate(state.hands))
        state = fold(GAME, state, [*chosen, hearts.PassChosen(seat, (BACK,) * 4)])
        exchange = GAME.consequences(state)
        assert next(e.from_ for e in exchange if isinstance(e, PassReceived) and e.seat == seat) == giver
        state.hands = tuple(tuple(c for c in h if c not in hand(case["received"])) for h in state.hands)
        state = fold(GAME, state, [e for e in exchange if getattr(e, "seat", None) != seat])
        state = fold(GAME, state, [PassReceived(seat, giver, hand(case["received"]))])
        assert state.hands[seat] == hand(case["hand_after"])
        for command in commands(case):
            state = expect(state, command, command.get("then", case))


def pool(example):
    for case in cases(example):
        state = dealt(case)
        for seat in case.get("order", SEATS):
            state, _ = play(GAME, state, seat, hearts.PassCards(pile(case["passes"][seat])))
        ask = GAME.ask(state)
        assert ask.purpose == "dealer_redeal"
        _, events = play(GAME, state, CHANCE, drawn(case, ask))
        received = {e.seat: names(e.cards) for e in events if isinstance(e, PassReceived)}
        assert {seat: received[seat] for seat in case["received"]} == case["received"]


def legal_names(state, seat):
    return {NAMES[c] for choice in GAME.legal(state, seat) for c in choice.of}


def play_card(example):
    for case in cases(example):
        seat = case.get("seat", 0)
        state = in_play(case, seat)
        if "legal" in case:
            assert legal_names(state, seat) == set(names(hand(case["legal"])))
        for name in case["hand"]:
            answer = told(state, {"seat": seat, "command": "play_card", "args": {"card": name}})
            assert isinstance(answer, str) == (name not in legal_names(state, seat))
        if isinstance(case.get("refused"), dict):
            for name, code in case["refused"].items():
                assert told(state, {"seat": seat, "command": "play_card", "args": {"card": name}}) == code
        for command in commands(case):
            state = expect(state, command, command.get("then", case))


def leader(example):
    for case in cases(example):
        held = case.get("twos", case.get("hands", {}))
        hands = {seat: hand(held.get(seat, ())) for seat in SEATS}
        state = ready(case["options"], hands, case["dealer"], deal_no=4)
        state = fold(GAME, state, GAME.consequences(state))
        assert state.leader == case["leader"]
        if "legal" in case:
            assert legal_names(state, case["leader"]) == set(case["legal"])


def hearts_open(example):
    for case in cases(example):
        options = case["options"] | ({"h": case["h"]} if "h" in case else {})
        state = ready(options, {0: (card("2C"), card("2H"))}, deal_no=4)
        state = fold(GAME, state, [hearts.PlayStarted(0)])
        for sign in case["leads"]:
            lead = min(OF_SUIT[suit_of(sign)])
            state.tricks += (Trick(0, (lead,), 0),)  # who followed with what does not matter
            state = fold(GAME, state, GAME.consequences(state))
        assert state.hearts_open == case["open"]
        assert ("2H" in legal_names(state, 0)) == case["open"]


def score(example):
    for case in cases(example):
        took = tuple(Trick(seat, pile(taken), seat) for seat, taken in enumerate(case["taken"]))
        scored = hearts.hand_scored(
            start(case["options"], tricks=took, scores=tuple(case.get("before", (0,) * 4)))
        )
        assert list(scored.points) == case["points"]
        if "moon" in case:
            assert scored.moon == case["moon"]
        if "totals" in case:
            assert list(scored.totals) == case["totals"]


def end(example):
    for case in cases(example):
        totals = case["totals"]
        state = start(case["options"])
        for row in totals if isinstance(totals[0], list) else [totals]:
            state = fold(GAME, state, [HandScored((), None, tuple(row), tuple(row))])
            events = GAME.consequences(state)
        assert bool(events) == case["over"]
        if events:
            (ended,) = events
            assert isinstance(ended, GameEnded)
            assert list(ended.winners) == case.get("winners", list(ended.winners))
            assert list(ended.ranking) == case.get("ranking", list(ended.ranking))


def trick(example):
    for case in cases(example):
        state = ready(case["options"], {}, deal_no=4)
        state = fold(GAME, state, [hearts.PlayStarted(case["leader"])])
        for c in pile(case["trick"]):
            state, events = play(GAME, state, state.turn, PlayCard(c))
        taken = next(e for e in events if isinstance(e, hearts.TrickTaken))
        assert taken.winner == case["winner"] == state.turn


KINDS = {
    "hearts_count": count,
    "hearts_deal": deal,
    "hearts_direction": direction,
    "hearts_end": end,
    "hearts_end_multi": end,
    "hearts_index": index,
    "hearts_leader": leader,
    "hearts_open": hearts_open,
    "hearts_play": play_card,
    "hearts_pool": pool,
    "hearts_return": give_back,
    "hearts_score": score,
    "hearts_score_multi": score,
    "hearts_trick": trick,
}
