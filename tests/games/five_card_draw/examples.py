"""Checks the worked examples of Five-Card Draw."""

from domain.core.cards import NOBODY, PACK, drop_cards
from domain.core.choices import Shuffle
from domain.core.game import CHANCE, play_move
from domain.core.values import with_fields
from domain.core.visibility import view_event
from domain.games.five_card_draw import GAME
from domain.poker.betting import Limits, open_round
from domain.poker.betting_events import CardsSwapped
from domain.poker.button import Posts
from tests.acceptance import reading
from tests.acceptance.reading import answer_to, by_seat, cases, commands, hand, has, options_of, outcome, pile, refused
from tests.poker.examples import HAND, row


def swap(example):
    for case in cases(example):
        seat, held = case["seat"], hand(case["hand"])
        seats = max(2, 1 + max([seat, *by_seat(case.get("folded")), *by_seat(case.get("discarded"))]))
        options = options_of(GAME, reading.options_in(GAME, case), seats)
        state = GAME.start(options, seats, None)
        deck = pile(case["stock"])
        others = drop_cards(PACK, {*held, *deck})
        named = {i: hand(x) for i, x in by_seat(case.get("folded")).items()} | {seat: held}
        state.hands = tuple(named.get(i, others[HAND * i : HAND * i + HAND]) for i in range(seats))
        state.discards = tuple(hand(x) for x in row(case.get("discarded"), seats, ()))
        live = tuple(i not in by_seat(case.get("folded")) for i in range(seats))
        state.round = with_fields(open_round(Limits("fixed_limit", 2, 4), state.stacks, live), turn=NOBODY)
        state.at, state.phase, state.deck = Posts((seat - 1) % seats), "draw", deck
        for command in commands(case):
            then = outcome(command["then"]) if "then" in command else case["then"]
            answer = answer_to(GAME, state, command.get("seat", seat), command)
            if refused(answer, then):
                continue
            state, events = answer
            if GAME.to_act(state) == (CHANCE,):
                ask = GAME.ask(state)
                assert isinstance(ask, Shuffle)
                assert ask.purpose == "redeal"
                state, more = play_move(GAME, state, CHANCE, ask.make(ask.items))
                events += more
            for reader, due in then.items():
                seen_as(events, state, reader, due)


def seen_as(events, state, reader, due):
    """Return a reader's view of an exchange, and the hand after it."""
    seat = int(reader.removeprefix("seat_")) if reader.startswith("seat_") else None
    kind = due.get("type", "CardsSwapped")
    event = next(view_event(e, seat) for e in events if type(e).__name__ == kind)
    assert isinstance(event, CardsSwapped) or kind != "CardsSwapped"
    if seat is None and isinstance(event, CardsSwapped):
        assert event.discarded is None
        assert event.drawn is None
    assert has(event, {k: x for k, x in due.items() if k not in ("type", "hand")})
    if "drawn" in due:
        assert event.drawn == pile(due["drawn"])
    if "hand" in due:
        assert state.hands[seat] == hand(due["hand"])


KINDS = {"poker_swap": swap}

ABOUT = [
    (4, {}, "Bets are 2, after the draw 4, with at most 4 bets a round."),
    (4, {"structure": "no_limit"}, "No limit; the minimum bet is 2."),
    (4, {}, "Folded and mucked hands stay hidden until the shuffles are disclosed."),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
