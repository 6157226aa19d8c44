"""Tests how long the number of a revealed card can be read (trio 8)."""

from random import Random

import pytest

from domain.core.game import CHANCE, answer_chance, fold, play_move
from domain.games.trio import GAME, Options
from domain.games.trio.table import (
    CardRevealed,
    DeclineSwap,
    GameEnded,
    RevealLowest,
    RevealMiddle,
    RevealsReturned,
    SwapWindowOpened,
    TrioCompleted,
)
from tests.games.trio.tables import laid

HANDS, MIDDLE = [(1, 4), (2, 5), (3, 6)], (8, 9, 10, 12)
READERS = (0, 1, 2, None)


def turns(count, state=None, **options):
    """Play this many turns without a trio, begun by seat 0; return the final state and the reveals of the first
    turn."""
    state = state or laid(HANDS, MIDDLE, **options)
    reveals = []
    for _ in range(count):
        for move in (RevealMiddle(0), RevealMiddle(1)):
            state, events = play_move(GAME, state, state.turn, move)
            reveals += [e for e in events if isinstance(e, CardRevealed)]
    return state, reveals[:2]


def readers(state, reveal):
    return [reader for reader in READERS if GAME.memory.remembered(state, reader, reveal)]


def test_numbers_stay_readable_until_the_seats_next_turn_is_over():
    """Seat 0 reveals in turn 1; its own next turn is the fourth."""
    known = [[readers(turns(n)[0], reveal) for reveal in turns(1)[1]] for n in range(1, 6)]
    assert known == [
        [[0, 1, 2, None]] * 2,
        [[0, 2, None]] * 2,
        [[0, None]] * 2,
        [[]] * 2,
        [[]] * 2,
    ]


def test_numbers_stay_readable_during_the_seats_next_turn():
    state, (first, _) = turns(1)
    state, _ = play_move(GAME, state, 1, RevealMiddle(0))
    assert 1 in readers(state, first)
    state, _ = play_move(GAME, state, 1, RevealMiddle(1))
    assert 1 not in readers(state, first)


def test_turn_with_a_trio_counts_as_a_turn():
    state, (first, _) = turns(1, laid([(1,), (2, 2, 2), (3,)], MIDDLE))
    for _ in range(3):
        assert 1 in readers(state, first)
        state, events = play_move(GAME, state, 1, RevealLowest(1))
    assert isinstance(events[-1], TrioCompleted)
    assert 1 not in readers(state, first)


def test_open_memory_keeps_everything():
    state, reveals = turns(20, memory="open")
    assert readers(state, reveals[0]) == list(READERS)


def test_a_strict_memory_lasts_until_the_next_turn_begins():
    """The next turn begins with its first reveal; until then, all can read the card that ended the last turn."""
    state, reveals = turns(1, memory="strict")
    assert [readers(state, reveal) for reveal in reveals] == [list(READERS)] * 2
    state, (new,) = play_move(GAME, state, 1, RevealMiddle(0))
    assert [readers(state, reveal) for reveal in reveals] == [[]] * 2
    assert readers(state, new) == list(READERS)


def test_swap_window_does_not_count_as_a_turn():
    state = laid([(9, 9, 9), (1,), (2,), (3,)], teams=True, memory="strict")
    reveals = []
    for _ in range(3):
        state, events = play_move(GAME, state, 0, RevealLowest(0))
        reveals.append(events[0])
    assert [type(e) for e in events[1:]] == [TrioCompleted, SwapWindowOpened]
    state, _ = play_move(GAME, state, 1, DeclineSwap())
    state, _ = play_move(GAME, state, 3, DeclineSwap())
    assert [readers(state, reveal) for reveal in reveals] == [list(READERS)] * 3
    state, _ = play_move(GAME, state, 1, RevealLowest(1))
    assert [readers(state, reveal) for reveal in reveals] == [[]] * 3


@pytest.mark.parametrize("memory", ["table", "strict"])
def test_everything_is_readable_once_the_game_is_over(memory):
    state, reveals = turns(9, memory=memory)
    assert readers(state, reveals[0]) == []
    over = fold(GAME, state, GAME.leaving.stop(state, (), "draw"))
    assert readers(over, reveals[0]) == list(READERS)
    following = GAME.start(Options(memory=memory), 3, over)
    assert readers(following, reveals[0]) == list(READERS)


def test_other_events_are_never_forgotten():
    state, _ = turns(9, memory="strict")
    trio = TrioCompleted(0, None, 3, ())
    assert readers(state, trio) == list(READERS)


@pytest.mark.parametrize("memory", ["table", "strict", "open"])
@pytest.mark.parametrize(("seats", "teams"), [(3, False), (4, True), (5, False), (6, False)])
def test_readable_numbers_match_a_count_of_completed_turns(seats, teams, memory):
    """Two games are followed, and the completed turns are counted without the state."""
    rng = Random(seats)
    state = None
    for _ in range(2):
        state = GAME.start(Options(teams=teams, memory=memory, max_turns=25), seats, state)
        reveals, owners, done = [], {}, []
        while actors := GAME.to_act(state):
            seat = actors[0]
            choices = GAME.legal(state, seat)
            move = answer_chance(GAME.ask(state), rng) if seat == CHANCE else rng.choice(choices).sample(rng)
            state, events = play_move(GAME, state, seat, move)
            for event in events:
                if isinstance(event, CardRevealed):
                    owners.setdefault(len(done), event.by)
                    reveals.append((len(done), event))
                elif isinstance(event, RevealsReturned | TrioCompleted):
                    done.append(owners[len(done)])
            over = isinstance(events[-1], GameEnded)
            for turn, reveal in reveals:
                kept = {
                    "open": set(range(seats)),
                    "strict": set(range(seats)) if turn == max(owners) else set(),
                    "table": {r for r in range(seats) if r not in done[turn + 1 :]},
                }[memory]
                kept = set(range(seats)) if over else kept
                assert {r for r in range(seats) if GAME.memory.remembered(state, r, reveal)} == kept
                assert GAME.memory.remembered(state, None, reveal) == bool(kept)
