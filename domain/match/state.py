"""Defines the state of a match: its seats, its current game, its shuffles and its clocks."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, Protocol

from domain.core.cards import Seat
from domain.core.choices import Ask
from domain.core.clock import Bank, Clock, Time, first_bank
from domain.core.game import AnyGame
from domain.core.staking import LeavingStack, TableStakes
from domain.core.values import Copied, mutable, value
from domain.match.creation import Common, MatchCreated

RULES: Final = "1"
"""The version of the rules of a match, for every game; it rises when the events change."""

ANSWER_TAKE_BACK: Final = "answer_take_back"

ANSWER_DRAW: Final = "answer_draw"

REQUESTS: Final = (ANSWER_TAKE_BACK, ANSWER_DRAW)
"""A person may be asked for these without the match waiting for the answer."""


class Chance(Protocol):
    """Answers questions to chance from the secrets of a match, as `fairness.Dealer` does; tests may name the cards."""

    def commitment(self, epoch: int, links: int) -> str: ...
    def seed(self, epoch: int, links: int, link: int) -> str: ...
    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any: ...
    def hand_key(self, hand_no: int) -> bytes: ...


@value
class RecordedEvent:
    """An event of a match, its cause, and the hand whose key seals it (0: none; contract 6)."""

    event: Any
    cause: str
    hand: int = 0


@value
class Result:
    """The result of a match: places from 1, games won, and the scores of the last game, seat by seat.

    A drawn match has no winners; the drawn seats share the first place.
    """

    winners: tuple[Seat, ...]
    """The winning seats; none if the match is drawn."""
    places: tuple[int, ...]
    """The place of each seat, from 1; tied seats share one."""
    wins: tuple[int, ...]
    """The games won, seat by seat."""
    scores: tuple[int, ...]
    """The score of each seat in the last game."""


@value
class Undo:
    """The state before the last move of a seat, while it can be restored.

    `left` is the seat's unused milliseconds, None without a deadline.
    """

    seat: Seat
    table: Any
    clocks: "ClockState"
    left: int | None


@mutable
class ShuffleState(Copied):
    """The epochs of the shuffles, the nonces of the seats, and the hands whose seeds are still hidden."""

    nonces: tuple[str | None, ...]
    hashes: tuple[str | None, ...]
    brought_nonce: tuple[bool, ...]
    """Whether each seat gave a nonce; the nonce itself is not public."""
    epoch: int = 0
    links: int = 0
    begun: int = 0
    """The number of hands begun in the epoch."""
    commitment: str = ""
    stage: str = ""
    """The stage of collecting nonces: empty, `hashes`, `hashes_closed`, `nonces` or `nonces_closed`."""
    stage_until: Time | None = None
    stage_credited: int = 0
    """The seconds by which the end of the stage was postponed."""
    collected: tuple[tuple[str, tuple[str | None, ...], tuple[str | None, ...], tuple[str | None, ...]], ...] = ()
    """The name of each closed stage, with the players, hashes and nonces at its end."""
    undisclosed: tuple[tuple[int, int, int], ...] = ()
    """The epoch, link and number of each hand whose shuffles are not disclosed."""
    disclosed: tuple[int, ...] = ()
    """The numbers of the hands that are disclosed."""


@mutable
class GroupState(Copied):
    """The data that the tables of the match's duplicate group share."""

    committed: tuple[tuple[str, ...], ...] = ()
    """The hashes of all tables of the group, once they are closed."""
    shared: tuple[str, ...] = ()
    """The nonces of all tables of the group, once they begin."""
    all_over: bool = False
    """Whether every table of the group is over."""


@mutable
class ClockState(Copied):
    """The open decisions of the seats, their deadlines and time banks."""

    asked: tuple[Time | None, ...]
    """When the open decision of each seat falls due."""
    opened: tuple[Time | None, ...]
    """When the open decision of each seat opened."""
    decisions: tuple[str, ...]
    """The name of each seat's decision when it was requested; empty before the first."""
    credited: tuple[int, ...]
    """The seconds by which each deadline was extended since it was set."""
    banks: tuple[Bank, ...]
    defaults: tuple[int, ...]
    """The number of decisions in a row that each seat has let expire."""
    moved: tuple[bool, ...]
    """Whether the person of each seat has answered a decision in time."""
    on_answer: tuple[tuple[int, bool], ...]
    """The values of `defaults` and `moved` after the next answer, by seat."""
    timed: bool
    """Whether decisions have deadlines, by the clock or by the game's own limit."""
    ready: tuple[Seat, ...] = ()
    """The seats that are ready for the next hand."""


@mutable
class SeriesState(Copied):
    """The games of the series that are over."""

    winners: tuple[Seat | None, ...] = ()
    """The winner of each game so far."""
    scores: tuple[tuple[int, ...], ...] = ()
    """The scores of each of these games, seat by seat."""
    judged: bool = False
    """Whether the winner of the game that is over has been named."""


@mutable
class StakeState(Copied):
    """The stacks of a tournament table."""

    arrived: TableStakes | None = None
    """The stacks from other tables; None if each game begins with its own."""
    left: tuple[LeavingStack, ...] = ()
    """The stacks that they have taken away."""


@mutable
class DrawState(Copied):
    """The draw offers of the current game."""

    offer: Seat | None = None
    refused: tuple[Seat, ...] = ()
    """The seats whose draw offers were declined in this game."""


@mutable
class TakeBackState(Copied):
    """The open request to take a move back."""

    asked_by: Seat | None = None
    """The seat that asks to take a move back."""
    granted: tuple[Seat, ...] = ()
    """The seats that have granted it."""


@mutable
class Match(Copied):
    """A match has seats and a current game, and the states of its parts; `table` is the game's state."""

    id: str
    created: MatchCreated
    game: AnyGame
    options: Any
    common: Common
    players: tuple[str | None, ...]
    """The players by seat; None for a seat that is open, invited or a bot's."""
    keys: tuple[str | None, ...]
    """The keys with which the players sign their moves, by seat; None for a seat with unsigned moves."""
    by_bot: tuple[bool, ...]
    """Whether a bot moves, by seat."""
    entries: tuple[Any, ...]
    """The entry of each seat in the lobby."""
    shuffles: ShuffleState
    clocks: ClockState
    group: GroupState
    series: SeriesState
    stakes: StakeState
    draws: DrawState
    take_backs: TakeBackState
    status: str = "lobby"
    """One of `lobby`, `playing`, `finished`, `abandoned`, `stopped`, `cancelled` and `expired`."""
    resigned: tuple[Seat, ...] = ()
    """The seats that have resigned the whole match, in order."""
    table: Any = None
    hand_no: int = 0
    hand_open: bool = False
    last_hand: int = 0
    """The number of the last hand that has begun in the game; 0 before its first, and after the game."""
    undo: Undo | None = None
    aborted: bool = False
    """Whether the match was cancelled after hashes of nonces had been sent."""
    stopped: bool = False
    """Whether the operator stopped the match while it was running."""
    result: Result | None = None
    annulled: str | None = None
    """Why the match counts for nothing although it has a result; None for one that counts."""

    def copy(self) -> "Match":
        twin = super(Match, self).copy()  # noqa: UP008 -- with slots, a class is made twice
        twin.shuffles, twin.clocks, twin.group = self.shuffles.copy(), self.clocks.copy(), self.group.copy()
        twin.series, twin.stakes = self.series.copy(), self.stakes.copy()
        twin.draws, twin.take_backs = self.draws.copy(), self.take_backs.copy()
        if self.table is not None:
            twin.table = self.table.copy()
        return twin

    @property
    def seats(self) -> range:
        return range(len(self.created.seats))

    @property
    def contributed(self) -> tuple[Seat, ...]:
        """Return the seats that gave a nonce."""
        return tuple(seat for seat in self.seats if self.shuffles.brought_nonce[seat])

    @property
    def over(self) -> bool:
        return self.status not in ("lobby", "playing")

    @property
    def clock(self) -> Clock:
        return self.created.clock


def rules_of(game: AnyGame) -> str:
    """Return the rules version of a new match: that of the match, and the game's own."""
    return f"{RULES}.{game.rules}"


DEALT: Final = ("finished", "abandoned", "stopped")
"""The statuses of a match that has ended after its start."""


def disclosed_hands(m: Match) -> frozenset[int]:
    """Return the hands with disclosed secrets; after the match, also hand 0, for data outside hands."""
    ended = m.status in DEALT
    open_ = ended and (bool(m.shuffles.disclosed) or (m.common.fairness_reveal or m.game.setup.reveal) != "never")
    return frozenset(m.shuffles.disclosed) | frozenset((0,) if open_ else ())


def humans(m: Match) -> tuple[Seat, ...]:
    """Return the seats currently played by a person, not by a bot."""
    return tuple(s for s in m.seats if m.players[s] is not None and not m.by_bot[s])


def people_in_play(m: Match) -> tuple[Seat, ...]:
    """Return the seats of people who still take part: not resigned, and not out of the game."""
    out = () if m.table is None else m.game.leaving.out(m.table)
    return tuple(s for s in humans(m) if s not in m.resigned and s not in out)


def initial_match(game: AnyGame, match_id: str, created: MatchCreated) -> Match:
    """Return the initial state of a match of this game."""
    n = len(created.seats)
    nobody: tuple[None, ...] = (None,) * n
    return Match(
        match_id,
        created,
        game,
        _take(game.setup.options, created.options),
        _take(Common, created.options),
        players=nobody,
        keys=nobody,
        by_bot=tuple(plan.kind == "bot" for plan in created.seats),
        entries=nobody,
        shuffles=ShuffleState(nobody, nobody, (False,) * n),
        clocks=ClockState(
            asked=nobody,
            opened=nobody,
            decisions=("",) * n,
            credited=(0,) * n,
            banks=(first_bank(created.clock),) * n,
            defaults=(0,) * n,
            moved=(False,) * n,
            on_answer=((0, False),) * n,
            timed=created.clock.ticks,
        ),
        group=GroupState(),
        series=SeriesState(),
        stakes=StakeState(),
        draws=DrawState(),
        take_backs=TakeBackState(),
    )


def _take(cls: Any, options: Mapping[str, Any]) -> Any:
    return cls(**{f.name: options[f.name] for f in fields(cls) if f.name in options})
