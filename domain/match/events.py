"""Defines what a match is created from, its commands and its events (contract 3; rules 1.5)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.core.fairness import KnownDeals
from domain.core.options import Odd, Range
from domain.core.values import value
from domain.core.visibility import Private

# --- What a match is created from ---------------------------------------------------------------

Level = Literal["random", "easy", "steady", "strong"]
Reveal = Literal["hand_end", "game_end", "match_end", "never"]


@value
class Common:
    """These are the options that every game has (rules 1.11)."""

    fairness_reveal: Reveal | None = None  # None: the game's own default
    nonce_commit: bool = False
    nonce_seconds: Annotated[int, Range(0, 30 * 24 * 3600)] = 0
    pause_between_hands: bool = False
    on_resign: Literal["bot", "end"] = "bot"
    take_backs: bool = False
    standing_orders: bool = False  # players may leave orders for when they are away


@value
class Series:
    """A series says how many games make a match (rules 1.10)."""

    best_of: Annotated[int, Odd(1, 99)] = 1


@value
class SeatPlan:
    """This is a seat as the match was created with it."""

    kind: Literal["open", "invite", "bot"]
    level: Level | None = None
    player: str | None = None  # for whom an invited seat is kept


@value
class Sitting:
    """This is a seat as the match started with it."""

    seat: Seat
    kind: Literal["player", "bot"]
    player: str | None
    level: Level | None


@value
class DealGroup:
    """The tables of a group get the same deals; `table` is the number of this one among `tables`, from 0."""

    id: str
    table: int
    tables: int


@value
class DealKnown:
    """The deals of a finished match are played once more, from this hand on."""

    match: str
    hand_no: int
    deals: KnownDeals


# --- Commands -----------------------------------------------------------------------------------


@value
class Sit:
    """Take the seat, or add a nonce to one's own seat."""

    player: str
    nonce: str | None = None
    nonce_hash: str | None = None
    entry: Any = None  # what the game asks of a seat before it begins


@value
class Leave:
    """Leave the seat before the start."""


@value
class Cancel:
    """Give the match up before the start."""


@value
class Expire:
    """End a lobby that has been open too long."""


@value
class CloseNonces:
    """End the time for nonces."""


@value
class AwaitNonces:
    """Give the seats this many seconds more for nonces, since the server was down."""

    seconds: int


@value
class ShareDeals:
    """Begin at a table of a group once all its tables are ready, with the nonces of all, table by table."""

    nonces: tuple[tuple[str, ...], ...]


@value
class OpenDeals:
    """Open the deals of a group of which every table is over."""


@value
class TimeOut:
    """Settle the decision of a seat whose time is over."""


@value
class Credit:
    """Give a seat time back that it could not use."""

    seconds: int
    why: Literal["outage", "vacation"]


@value
class Resign:
    """Give the game up, or the whole match."""

    whole_match: bool = False


@value
class OfferDraw:
    """Offer to call the game drawn."""


@value
class AcceptDraw:
    """Agree to call the game drawn."""


@value
class DeclineDraw:
    """Play on after a draw was offered."""


@value
class ContinueMatch:
    """Be ready for the next hand."""


@value
class RequestTakeBack:
    """Ask to take one's last move back."""


@value
class GrantTakeBack:
    """Let the requested move be taken back."""


@value
class RefuseTakeBack:
    """Let the move stand."""


@value
class TakeSeatBack:
    """Play on oneself after a bot sat in."""


SEAT_COMMANDS: Mapping[str, type] = {
    "resign": Resign,
    "offer_draw": OfferDraw,
    "accept_draw": AcceptDraw,
    "decline_draw": DeclineDraw,
    "continue_match": ContinueMatch,
    "request_take_back": RequestTakeBack,
    "grant_take_back": GrantTakeBack,
    "refuse_take_back": RefuseTakeBack,
    "take_seat_back": TakeSeatBack,
}
"""A seat sends these commands of the match like a move, by their names in the API."""

# --- Events -------------------------------------------------------------------------------------


@value
class MatchCreated:
    game: str
    rules: str
    options: Mapping[str, Any]
    preset: str | None
    seats: tuple[SeatPlan, ...]
    visibility: Literal["public", "unlisted", "private"]
    clock: Clock
    series: Series
    creator: str | None
    deal_group: DealGroup | None = None
    deal_known: DealKnown | None = None


@value
class FairnessCommitted:
    scheme: str
    epoch: int
    links: int
    commitment: str


@value
class SeatTaken:
    seat: Seat
    player: str


@value
class SeatLeft:
    seat: Seat


@value
class NoncesAwaited:
    """The seats may now send hashes, or nonces, until then; None means until all have done so."""

    epoch: int
    stage: Literal["hashes", "nonces"]
    until: Time | None
    credited: int = 0  # seconds by which the end of this stage has been put off so far


@value
class NonceCommitted:
    seat: Seat
    epoch: int
    hash: str


@value
class NonceSubmitted:
    seat: Seat
    epoch: int
    nonce: str


@value
class NoncesClosed:
    epoch: int
    stage: Literal["hashes", "nonces"]


@value
class DealsShared:
    """The tables of a group begin, with the nonces of all of them, table by table and seat by seat."""

    nonces: tuple[tuple[str, ...], ...]


@value
class AllTablesOver:
    """The last table of the group is over, so that all may be told."""


@value
class MatchStarted:
    options: Mapping[str, Any]
    seats: tuple[Sitting, ...]
    nonces: tuple[str, ...]


@value
class SeedRevealed:
    epoch: int
    link: int
    seed: str
    hand_no: int
    hand_key: str


@value
class DecisionRequested:
    seat: Seat
    decision: str
    deadline: Time
    opened: Time


@value
class ClockCredited:
    """The seat's decision falls due later: the server was down, or the player on vacation."""

    seat: Seat
    seconds: int
    why: Literal["outage", "vacation"]
    deadline: Time


@value
class DecisionTimedOut:
    seat: Seat
    decision: str
    defaults: int  # decisions in a row that the seat has let expire


@value
class BankSpent:
    """The seat has this much of its bank left: milliseconds, and the decisions that a Canadian period still serves."""

    seat: Seat
    left: int
    moves: int


@value
class ClockStopped:
    """The clock has stopped; only version 1 of the rules wrote this, where `UndoKept` is written now."""

    seat: Seat
    left: int


@value
class UndoKept:
    """The seat's move can be taken back; `left` are the milliseconds it had left for it, None without a deadline."""

    seat: Seat
    left: int | None


@value
class UndoLost:
    """The last move can no longer be taken back: something hidden was shown, or another seat has answered."""


@value
class SeatResigned:
    seat: Seat
    whole_match: bool


@value
class SeatHandedToBot:
    seat: Seat


@value
class SeatTakenBack:
    seat: Seat


@value
class DrawOffered:
    seat: Seat


@value
class DrawAccepted:
    seat: Seat


@value
class DrawDeclined:
    seat: Seat


@value
class TakeBackRequested:
    seat: Seat


@value
class TakeBackGranted:
    seat: Seat


@value
class TakeBackRefused:
    seat: Seat


@value
class MoveTakenBack:
    """The table is again as it was before the seat's last move. What has happened stays in the log."""

    seat: Seat
    deadlines: tuple[Time | None, ...]  # of the seats' open decisions, from here on


@value
class CauseSealed:
    """The seat made the move by hand, or a standing order of it did; others may know which after the match."""

    seat: Seat
    true_cause: Private[str]


@value
class GameWon:
    """The game is over; `winner` is the first seat of the side that won, nobody where it was drawn or shared."""

    winner: Seat | None


@value
class HandContinued:
    seat: Seat


@value
class Result:
    """A result says how a match ended: places from 1, games won, and the scores of the last game, seat by seat."""

    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    wins: tuple[int, ...]
    scores: tuple[int, ...]


@value
class MatchEnded:
    result: Result | None
    reason: Literal["played", "resignation", "abandoned", "cancelled", "expired"]


EVENTS: tuple[type, ...] = (
    MatchCreated,
    FairnessCommitted,
    SeatTaken,
    SeatLeft,
    NoncesAwaited,
    NonceCommitted,
    NonceSubmitted,
    NoncesClosed,
    DealsShared,
    MatchStarted,
    AllTablesOver,
    SeedRevealed,
    DecisionRequested,
    DecisionTimedOut,
    ClockCredited,
    BankSpent,
    ClockStopped,
    UndoKept,
    UndoLost,
    SeatResigned,
    SeatHandedToBot,
    SeatTakenBack,
    DrawOffered,
    DrawAccepted,
    DrawDeclined,
    TakeBackRequested,
    TakeBackGranted,
    TakeBackRefused,
    MoveTakenBack,
    CauseSealed,
    HandContinued,
    GameWon,
    MatchEnded,
)

TEXTS: Mapping[type, str] = {
    MatchCreated: "A match of {:created} is created.",
    FairnessCommitted: "The shuffles of epoch {epoch} are committed to: {commitment}.",
    SeatTaken: "Seat {seat} is taken.",
    SeatLeft: "Seat {seat} is free again.",
    NoncesAwaited: "The seats may send {stage}{until}.",
    NonceCommitted: "Seat {seat} commits to a nonce.",
    NonceSubmitted: "Seat {seat} gives the nonce {nonce}.",
    NoncesClosed: "No more of {stage} are awaited.",
    DealsShared: "The tables of the group have the same deals from here on.",
    MatchStarted: "The match starts; {seats}.",
    AllTablesOver: "All tables of the group are over.",
    SeedRevealed: "The shuffle of hand {hand_no} is disclosed: seed {seed}.",
    DecisionRequested: "Seat {seat} has until {deadline} to decide ({decision}).",
    DecisionTimedOut: "Seat {seat} has run out of time ({decision}).",
    ClockCredited: "The deadline of seat {seat} moves to {deadline} ({why}).",
    BankSpent: "Seat {seat} has drawn on its time bank: {left} left.",
    ClockStopped: "Seat {seat} has moved with {left} left.",
    UndoKept: "The move of seat {seat} can be taken back.",
    UndoLost: "The last move can no longer be taken back.",
    SeatResigned: "Seat {seat} gives up the {whole_match}.",
    SeatHandedToBot: "A bot plays on for seat {seat}.",
    SeatTakenBack: "Seat {seat} is played by its player again.",
    DrawOffered: "Seat {seat} offers a draw.",
    DrawAccepted: "Seat {seat} accepts the draw.",
    DrawDeclined: "Seat {seat} declines the draw.",
    TakeBackRequested: "Seat {seat} asks to take the last move back.",
    TakeBackGranted: "Seat {seat} lets the move be taken back.",
    TakeBackRefused: "Seat {seat} lets the move stand.",
    MoveTakenBack: "The last move of seat {seat} is taken back.",
    CauseSealed: "Whether seat {seat} moved by itself is sealed.",
    HandContinued: "Seat {seat} is ready for the next hand.",
    GameWon: "The game goes to {winner}.",
    MatchEnded: "The match {:ended}.",
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


IN_WORDS: words.Words = {
    "created": lambda event: f"{event.game.replace('_', ' ').title()}, for {len(event.seats)} seats,",
    "stage": {"hashes": "the hashes of their nonces", "nonces": "their nonces"}.__getitem__,
    "until": lambda until: "" if until is None else f" until {words.moment(until)}",
    "seats": lambda row: ", ".join(f"seat {s.seat}: {s.kind}{f' ({s.level})' if s.level else ''}" for s in row),
    "deadline": words.moment,
    "decision": lambda name: name.replace("_", " "),
    "left": words.duration,
    "winner": lambda seat: "nobody" if seat is None else f"seat {seat}",
    "whole_match": lambda whole: "match" if whole else "game",
    "ended": ended,
}

text = words.event_text(TEXTS, IN_WORDS)
"""Writes an event of a match's life in one English line."""
