"""Checks the worked examples of High Card."""

from high_card import GAME, play

from domain.core.cards import PACK, card
from domain.core.game import CHANCE, Refused, check_move
from domain.core.game import play_move as made


def dealt(given):
    """Return a table at which the seats hold these fans."""
    fans = [[card(name) for name in fan] for fan in given["fans"]]
    first = [c for turn in zip(*fans, strict=True) for c in turn]
    state = GAME.start(play.Options(), len(fans), None)
    return made(GAME, state, CHANCE, play.DealOut((*first, *(c for c in PACK if c not in first))))[0]


def refused(state, seat, move):
    """Return the refusal code of a move, or None if it is legal."""
    try:
        check_move(GAME, state, seat, move)
    except Refused as why:
        return why.code
    return None


def moves(example):
    """Make the moves of an example, and compare the result of the last one."""
    state, then = dealt(example["given"]), example["then"]
    for seat, name, named in example["when"]:
        move = GAME.moves[name](card(named))
        if (code := refused(state, seat, move)) is not None:
            assert then == {"refused": code}
            return
        state, events = made(GAME, state, seat, move)
    assert [event.who for event in events if type(event) is play.RoundWon] == [then["won_by"]]


KINDS = {"high_card": moves}

ABOUT = [(2, {}, "2 seats get 3 cards"), (3, {"rounds": 7}, "Most of 7 rounds win.")]
"""Check the rules summary of a table with these seats and options."""
