"""Checks the worked examples of Texas Hold'em."""

from domain.core.cards import PACK
from domain.core.game import CHANCE, play_move
from domain.core.values import with_fields
from domain.games.holdem import GAME
from domain.poker.betting_events import BoardDealt, HandDealt, PotAwarded
from domain.poker.betting_moves import Fold
from tests.acceptance.reading import by_seat, cases, listed, options_of


def positions(example):
    """Deal a pack in which every card shows its position, and check the whole hand."""
    for case in cases(example):
        alive, at = case["seats_in"], case["button"]
        seats = case.get("seats", 1 + max([*alive, at]))
        state = GAME.start(options_of(GAME, {}, max(seats, 2)), max(seats, 2), None)
        state.round = with_fields(state.round, stacks=tuple(200 * (seat in alive) for seat in range(seats)))
        state.at = with_fields(state.at, button=at)
        state, events = play_move(GAME, state, CHANCE, GAME.ask(state).make(PACK))
        (dealt,) = [e for e in events if isinstance(e, HandDealt)]
        streets = {}
        while state.hand_no == 1 and state.phase != "settled":
            (seat,) = GAME.to_act(state)
            stay = next(choice.make for choice in GAME.legal(state, seat) if choice.make is not Fold)
            state, events = play_move(GAME, state, seat, stay())
            streets |= {e.street: list(e.cards) for e in events if isinstance(e, BoardDealt)}
            if any(isinstance(e, PotAwarded) for e in events):
                break
        if "hole" in case:
            assert {seat: list(dealt.cards[seat]) for seat in alive} == by_seat(case["hole"])
        assert list(state.burnt) == case.get("burn", list(state.burnt))
        for street in ("flop", "turn", "river"):
            assert streets[street] == listed(case.get(street, streets[street]))


KINDS = {"poker_positions": positions}

ABOUT = [
    (6, {}, "Folded and mucked hands stay hidden until the shuffles are disclosed."),
    (6, {"rebuy": "never"}, "Players without chips sit out"),
    (9, {"format": "sng"}, "All begin with 1500 chips, and the blinds rise every 10 hands."),
]  # fmt: skip
"""Check the rules summary of a table with these seats and options."""
