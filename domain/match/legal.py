"""Lists the moves and commands of a seat, and refuses all others."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.choices import NoArguments
from domain.core.game import Choices, Refused, is_admitted, refusal_of
from domain.match.clocks import ContinueMatch
from domain.match.match_parts import gather
from domain.match.resignations import Resign
from domain.match.state import ANSWER_DRAW, ANSWER_TAKE_BACK, Match, humans
from domain.match.status import collects_nonces, is_game_on, is_paused, to_act, waits_for_group
from domain.match.take_backs import asked_to_grant


def legal(m: Match, seat: Seat) -> Choices:
    """Return the legal moves of the game for a seat played by a person, on its turn or off it."""
    if m.status != "playing" or collects_nonces(m) or m.table is None or m.by_bot[seat]:
        return ()
    return m.game.legal(m.table, seat)


def legal_answers(m: Match, seat: Seat) -> Choices:
    """Return the moves that answer the seat's open decision; none unless the match waits for it."""
    return tuple(choice for choice in _open(m, seat) if _answers(m, seat, choice.make))


def other_legal_moves(m: Match, seat: Seat) -> Choices:
    """Return all other moves of a seat: the game's moves out of turn, and the commands of the match."""
    return tuple(choice for choice in _open(m, seat) if not _answers(m, seat, choice.make))


def prompt(m: Match, seat: Seat) -> str:
    """Return the prompt for a seat's open decision, in one line; empty without a decision."""
    if not legal_answers(m, seat):
        return ""
    return "Continue when you are ready" if is_paused(m) else m.game.words.prompt(m.table, seat) or "Your turn"


def _open(m: Match, seat: Seat) -> Choices:
    return (*legal(m, seat), *commands(m, seat))


def _answers(m: Match, seat: Seat, make: type) -> bool:
    """Return whether moves of this kind answer the seat's open decision."""
    if seat not in to_act(m):
        return False
    if is_paused(m):
        return make is ContinueMatch
    return make not in _COMMANDS and make not in m.game.answers.off_turn


def commands(m: Match, seat: Seat) -> Choices:
    """Return the commands of the match open to a person's seat, including those out of turn."""
    if m.status != "playing" or seat in m.resigned or m.players[seat] is None or waits_for_group(m):
        return ()
    return tuple(NoArguments(make) for make, open_ in _COMMANDS.items() if open_(m, seat))


_COMMANDS: Final = gather(lambda part: part.is_open)


def open_requests(m: Match) -> tuple[tuple[Seat, str], ...]:
    """Return the seats of people who must answer a takeback request or a draw offer, each with the kind of request."""
    if m.status != "playing" or waits_for_group(m):
        return ()
    offered = is_game_on(m) and m.draws.offer is not None
    back = ((s, ANSWER_TAKE_BACK) for s in asked_to_grant(m))
    draw = ((s, ANSWER_DRAW) for s in humans(m) if offered and s != m.draws.offer)
    return tuple((s, what) for s, what in (*back, *draw) if s not in m.resigned)


def check_command(m: Match, seat: Seat, move: Any) -> None:
    """Raise `Refused` unless the seat may now make this move or give this command."""
    if type(move) in _COMMANDS:
        if not is_admitted(commands(m, seat), _bare(move)):
            done = seat in m.resigned or (type(move) is ContinueMatch and is_paused(m) and seat in m.clocks.ready)
            raise Refused("already_done" if done else "wrong_phase")
    elif not is_admitted(legal(m, seat), move):
        playing = m.status == "playing" and not collects_nonces(m) and m.table is not None
        if not playing or waits_for_group(m):
            raise Refused("wrong_phase")
        raise Refused("not_your_turn") if m.by_bot[seat] else refusal_of(m.game, m.table, seat, move)


def _bare(move: Any) -> Any:
    return Resign() if type(move) is Resign else move
