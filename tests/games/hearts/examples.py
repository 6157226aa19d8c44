"""Checks the worked examples of Hearts."""

from domain.core.cards import BACK, NAMES, OF_SUIT, PACK, card, card_names
from domain.core.choices import Shuffle
from domain.core.game import CHANCE, fold, play_move
from domain.core.tricks import Trick
from domain.games.hearts import GAME
from domain.games.hearts import rules as hearts
from domain.games.hearts.events import (
    CardsReturned,
    Deal,
    GameEnded,
    HandScored,
    PassCards,
    PassChosen,
    PassReceived,
    PlayCard,
    PlayStarted,
    ReturnChosen,
    TrickTaken,
)
from domain.games.hearts.options import CODES, INDEX, SEATS, resolve
from tests.acceptance.general import drawn
from tests.acceptance.reading import (
    by_seat,
    cases,
    commands,
    hand,
    listed,
    named,
    of_seats,
    outcome,
    pile,
    refusals,
    refused,
    steps,
)
from tests.acceptance.reading import expect as expect_events
from tests.games.hearts.table import answer_to, in_play, options_in, ready, start, suit_of


def index(example):
    for case in cases(example):
        for pair in case["pairs"].items():
            code, number = pair if isinstance(pair[0], str) else pair[::-1]
            both = {"variant": code, "variant_index": number}
            assert CODES[number - 1] == code
            assert INDEX[code] == number
            for written in ({"variant": code}, {"variant": number}, {"variant_index": number}, both):
                assert resolve(written) == both


def dealt(case, deal_no=1):
    """Return a table whose hand was dealt by a vector, or simply in the order of the pack."""
    state = start(options_in(case), dealer=case.get("dealer", 0), deal_no=deal_no - 1)
    if deal_no > 1:
        state.dealer = (state.dealer - 1) % 4  # the deal moves on
    deal = Shuffle(Deal, "deal", PACK)
    return play_move(GAME, state, CHANCE, drawn(case, deal) if "vector" in case else Deal(PACK))[0]


def deal(example):
    for case in cases(example):
        state = dealt(case, case.get("deal_no", 1))
        for seat, held in by_seat(case["hands"]).items():
            assert state.hands[seat] == hand(held)


def passed(state):
    """Make all seats pass the cards that the clock would."""
    events = []
    while GAME.phase(state) == "passing" and (actors := GAME.to_act(state)) != (CHANCE,):
        state, new = play_move(GAME, state, actors[0], GAME.timing.default(state, actors[0]))
        events += new
    return events


def direction(example):
    for case in cases(example):
        rows = [passed(dealt(case, n)) for n in range(1, 10)]
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
            seat = command.get("seat", case.get("seat", 0))
            state = ready(options_in(case), {seat: hand(case["hand"])}, deal_no=case.get("deal_no", 1))
            expect(state, {"seat": seat} | command, outcome(command.get("then", case)))


def expect(state, command, then):
    """Send a command and compare its result with the expected one; return the resulting state."""
    answer = answer_to(state, command)
    if refused(answer, then):
        return state
    after, events = answer
    expect_events(GAME, after, events, then)
    if "goes_to" in then:
        assert returned_to(after, command["seat"]) == then["goes_to"]
    return after


def returned_to(state, seat):
    """Return the seat that gets the card returned by a seat, once the others have answered too."""
    others = [ReturnChosen(other, BACK) for other in GAME.to_act(state)]
    events = GAME.consequences(fold(GAME, state, others))
    assert isinstance(events[0], CardsReturned)
    return next(e.seat for e in events[1:] if e.from_ == seat)


def give_back(example):
    for case in cases(example):
        seat, giver = case["seat"], case["received_from"]
        state = ready(options_in(case), {seat: hand(case["hand_after"])}, deal_no=case.get("deal_no", 1))
        chosen = [PassChosen(other, (BACK,) * 4) for other in SEATS if other != seat]
        state.hands = tuple((*h, *(BACK,) * 4) if i == seat else h for i, h in enumerate(state.hands))
        state = fold(GAME, state, [*chosen, PassChosen(seat, (BACK,) * 4)])
        exchange = GAME.consequences(state)
        assert next(e.from_ for e in exchange if isinstance(e, PassReceived) and e.seat == seat) == giver
        state.hands = tuple(tuple(c for c in h if c not in hand(case["received"])) for h in state.hands)
        state = fold(GAME, state, [e for e in exchange if getattr(e, "seat", None) != seat])
        state = fold(GAME, state, [PassReceived(seat, giver, hand(case["received"]))])
        assert state.hands[seat] == hand(case["hand_after"])
        for command, then in steps(case):
            state = expect(state, {"seat": seat} | command, then)


def pool(example):
    for case in cases(example):
        state, passes = dealt(case), by_seat(case["passes"])
        for seat in case.get("order", SEATS):
            state, _ = play_move(GAME, state, seat, PassCards(pile(passes[seat])))
        ask = GAME.ask(state)
        assert ask.purpose == "dealer_redeal"
        _, events = play_move(GAME, state, CHANCE, drawn(case, ask))
        received = {e.seat: hand(card_names(e.cards)) for e in events if isinstance(e, PassReceived)}
        for seat, got in by_seat(case["received"]).items():
            assert received[seat] == hand(got)


def legal_names(state, seat):
    return {NAMES[c] for choice in GAME.legal(state, seat) for c in choice.of}


def play_card(example):
    for case in cases(example):
        seat = case.get("seat", 0)
        state = in_play(case, seat)
        if "legal" in case:
            assert legal_names(state, seat) == named(case["hand"] if case["legal"] == "all" else case["legal"])
        for name in sorted(named(case["hand"])):
            answer = answer_to(state, {"seat": seat, "command": "play_card", "args": {"card": name}})
            assert isinstance(answer, str) == (name not in legal_names(state, seat))
        for name, code in refusals(case):
            answer = answer_to(state, {"seat": seat, "command": "play_card", "args": {"card": name}})
            assert answer == (code or answer)
            assert isinstance(answer, str)
        for command, then in steps(case):
            state = expect(state, {"seat": seat} | command, then)


def leader(example):
    for case in cases(example):
        held = by_seat(case.get("twos", case.get("hands")))
        hands = {seat: hand(held.get(seat, ())) for seat in SEATS}
        state = ready(options_in(case), hands, case.get("dealer", 0), deal_no=4)
        state = fold(GAME, state, GAME.consequences(state))
        assert state.leader == case["leader"]
        if "legal" in case:
            assert legal_names(state, case["leader"]) == named(case["legal"])


def hearts_open(example):
    for case in cases(example):
        state = ready(options_in(case), {0: (card("2C"), card("2H"))}, deal_no=4)
        state = fold(GAME, state, [PlayStarted(0)])
        for sign in case["leads"] if isinstance(case["leads"], list) else case["leads"].replace(" ", ""):
            lead = min(OF_SUIT[suit_of(sign)])
            state.tricks += (Trick(0, (lead,), 0),)  # who followed with what does not matter
            state = fold(GAME, state, GAME.consequences(state))
        assert state.hearts_open == case["open"]
        assert ("2H" in legal_names(state, 0)) == case["open"]


def score(example):
    for case in cases(example):
        took = tuple(Trick(seat, pile(taken), seat) for seat, taken in by_seat(case["taken"]).items())
        before = tuple(of_seats(case.get("before"), 4))
        scored = hearts.score_hand(start(options_in(case), tricks=took, scores=before))
        if "points" in case:
            assert list(scored.points) == of_seats(case["points"], 4)
        if "moon" in case:
            assert scored.moon == case["moon"]
        if "totals" in case:
            assert list(scored.totals) == of_seats(case["totals"], 4)


def end(example):
    for case in cases(example):
        totals = case["totals"]
        state = start(options_in(case))
        for row in totals if isinstance(totals, list) and isinstance(totals[0], list) else [totals]:
            points = tuple(of_seats(row, 4))
            state = fold(GAME, state, [HandScored((), None, points, points)])
            events = GAME.consequences(state)
        assert bool(events) == case.get("over", bool(events))
        if events:
            (ended,) = events
            assert isinstance(ended, GameEnded)
            winners = listed(case.get("winners", case.get("winner", list(ended.winners))))
            assert sorted(ended.winners) == sorted(winners)
            assert list(ended.ranking) == of_seats(case.get("ranking", list(ended.ranking)), 4)


def trick(example):
    for case in cases(example):
        state = ready(options_in(case), {}, deal_no=4)
        state = fold(GAME, state, [PlayStarted(case["leader"])])
        for c in pile(case["trick"]):
            state, events = play_move(GAME, state, state.turn, PlayCard(c))
        taken = next(e for e in events if isinstance(e, TrickTaken))
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

ABOUT = [
    (4, {"variant": "1-1-1-1"}, "Nobody passes."),
    (4, {"variant": "2-2-2-1"}, "A seat that takes all hearts scores 0, and each other seat 26."),
    (4, {"moon_jack": "bonus"}, "and the queen of spades scores 0, and each other seat 26; the jack"),
    (4, {"jack_of_diamonds": False}, "Hearts cost 1, and the queen of spades 13. "),
    (4, {"jack_of_diamonds": False}, "A seat that takes all hearts and the queen of spades scores 0"),
    (4, {"variant": "2-2-2-4", "jack_of_diamonds": False}, "All hearts except two cost 2, and the queen of spades "),
    (4, {"moon_style": "shooter_minus"}, "scores -26, and each other seat 0."),
    (4, {"tie_break": "extra_hand", "target_score": 50}, "When a player reaches 50, "),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
