"""Tells the events of a match in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.core import text as words
from domain.core.cards import Seat
from domain.match.creation import MatchCreated
from domain.match.events import (
    CauseSealed,
    CommitmentsAborted,
    GameWon,
    KeyProved,
    MatchAnnulled,
    MatchEnded,
    MatchStarted,
    MoveSigned,
    SeatLeft,
    SeatTaken,
    StacksArrived,
    StacksLeft,
)
from domain.match.match_parts import gather

TEXTS: Mapping[type, str] = {
    **gather(lambda part: part.texts),
    MatchCreated: "A match of {game} for {seats:count} seats is created.",
    StacksArrived: "The seats bring these stacks: {stakes}.",
    SeatTaken: "Seat {seat} joins the table.",
    KeyProved: "Seat {seat} has proved that it holds its key.",
    SeatLeft: "Seat {seat} leaves the table.",
    CommitmentsAborted: "The match is aborted after commitments: {seats:committed} had sent hashes of nonces.",
    MatchStarted: "The match starts: {seats}.",
    MoveSigned: "Seat {seat} has signed its move.",
    CauseSealed: "Whether seat {seat} moved in person or by a standing order is sealed until the match is over.",
    GameWon: "{winner:won}",
    StacksLeft: "The seats take away these stacks: {stacks}.",
    MatchEnded: "The match {:ended}.",
    MatchAnnulled: "The match is annulled, and counts for nothing: {reason:as_said}",
}
_WITHOUT_RESULT: Mapping[str, str] = {
    "cancelled": "is cancelled before its start",
    "abandoned": "is abandoned: nobody has ever moved",
}


def ended(event: MatchEnded) -> str:
    """Say how a match came out."""
    if event.result is None:
        return _WITHOUT_RESULT.get(event.reason, "has not started in time")
    games = f"; games won: {words.each(event.result.wins)}" if max(event.result.wins) > 1 else ""
    return f"is over: {words.won(event.result.winners)}{words.why(event.reason)}{games}"


def won(side: Sequence[Seat]) -> str:
    """Say which seats have won a game together."""
    who = words.won(side)
    return f"{who[0].upper()}{who[1:]} the game."


IN_WORDS: words.Words = {
    **gather(lambda part: part.words),
    "as_said": str,
    "count": lambda row: str(len(row)),
    "seats": lambda row: ", ".join(f"seat {s.seat} is {f'a bot ({s.level})' if s.level else 'a player'}" for s in row),
    "committed": words.seats,
    "won": lambda winner: won([] if winner is None else [winner]),
    "ended": ended,
    "stakes": lambda stakes: words.each(stakes.stacks),
    "stacks": lambda rows: ", ".join(f"seat {row.seat} {row.stack}" for row in rows),
}
_text = words.event_text(TEXTS, IN_WORDS)


def text(event: Any, title: str) -> str:
    """Write an event of a match's life in one English line; `title` is that of the game."""
    return _text(replace(event, game=title) if type(event) is MatchCreated else event)
