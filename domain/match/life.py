"""The life of a match, around any game: lobby, nonces, the games of a series, clocks, resignation.

It has the shape that a game has (`decide`, `consequences`, `evolve`, `legal`) and its events are the first
and last of every stream (RULES 1.5, CONTRACT 3). It is the one place where the rules meet what comes from
outside: the time, handed in as a number, and chance, handed in as a `Dealer`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any, Final, Literal, Protocol

from domain.core.cards import Seat
from domain.core.choices import Ask, Just
from domain.core.clock import Bank, Clock, Time, bank_after, between, deadline, elapsed, first_bank
from domain.core.fairness import SCHEME
from domain.core.game import CHANCE, Choices, Game, Refused, admitted, ranked
from domain.core.values import Copied, put, value
from domain.core.visibility import secret_fields
from domain.games.catalogue import GAMES
from domain.match import events as ev
from domain.match.series import Verdict, decided

RULES: Final = "1"
"""The version of the rules that new matches name."""

LINKS: Final = 4096
MOST_LINKS: Final = 65_536

LATER_EPOCH_SECONDS: Final = 24 * 3600
"""For so long a match that is on waits for nonces, where its options set no time: a lobby may wait, play may not."""

LIFE = frozenset(ev.EVENTS)


class Chance(Protocol):
    """The secrets of a match, asked: `fairness.Dealer`, or a test that names its cards."""

    def commitment(self, epoch: int, links: int) -> str: ...
    def seed(self, epoch: int, links: int, link: int) -> str: ...
    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any: ...
    def hand_key(self, hand_no: int) -> bytes: ...


@value
class Happening:
    """An event with its cause, and the hand whose key seals it (0: none; CONTRACT 6)."""

    event: Any
    cause: str
    hand: int


@value
class Undo:
    """What was before the last move of a seat, as long as it can be restored.

    `asked` are the deadlines that stood then; `left` is how many milliseconds the seat had not used of its own.
    """

    seat: Seat
    table: Any
    bank: Bank
    asked: tuple[Time | None, ...]
    left: int | None = None  # None: it had all the time it wished


# --- State ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Match(Copied):
    """A match: who sits, which game is on, how its shuffles and clocks stand; `table` is the game's state."""

    id: str
    created: ev.MatchCreated
    game: Game[Any, Any, Any, Any]
    options: Any
    common: ev.Common
    status: str = "lobby"  # playing, finished, abandoned, cancelled, expired
    players: tuple[str | None, ...] = ()  # by seat; None: open, invited or a bot
    by_bot: tuple[bool, ...] = ()  # a bot moves for the seat
    resigned: tuple[Seat, ...] = ()  # out of the whole match, in the order they gave up
    table: Any = None
    # the series
    winners: tuple[Seat | None, ...] = ()  # of each game so far
    result: ev.Result | None = None
    # hands and shuffles
    hand_no: int = 0
    hand_open: bool = False
    epoch: int = 0
    links: int = 0
    link: int = 1  # the link of the hand that is on, or of the next one
    commitment: str = ""
    nonces: tuple[str | None, ...] = ()
    hashes: tuple[str | None, ...] = ()
    stage: str = ""  # of collecting nonces: "", hashes, hashes_closed, nonces, nonces_closed
    stage_until: Time | None = None
    stage_credited: int = 0  # seconds by which that was put off
    shared: tuple[str, ...] = ()  # the nonces of all tables of the group, once they begin
    all_over: bool = False  # every table of the group is
    contributed: tuple[Seat, ...] = ()
    undisclosed: tuple[tuple[int, int, int], ...] = ()  # (epoch, link, hand_no)
    disclosed: tuple[int, ...] = ()  # hand numbers
    # the seats' decisions
    ready: tuple[Seat, ...] = ()  # for the next hand
    avocados: tuple[Time | None, ...] = ()
    draw_offer: Seat | None = None
    undo: Undo | None = None
    take_back: Seat | None = None  # who asks for a move back
    granted: tuple[Seat, ...] = ()  # by whom it has been granted
    draw_refused: Seat | None = None  # whose offer was declined in this game
    asked: tuple[Time | None, ...] = ()  # when an open decision falls due
    opened: tuple[Time | None, ...] = ()  # when it opened
    credited: tuple[int, ...] = ()  # seconds added to its deadline since
    banks: tuple[Bank, ...] = ()
    defaults: tuple[int, ...] = ()  # in a row
    moved: bool = False  # a person has answered a decision in time
    timed: bool = False  # decisions have deadlines: by the clock, or by a limit of the game's own

    def copy(self) -> "Match":
        twin = super(Match, self).copy()
        if self.table is not None:
            twin.table = self.table.copy()
        return twin

    @property
    def seats(self) -> range:
        return range(len(self.created.seats))

    @property
    def over(self) -> bool:
        return self.status not in ("lobby", "playing")

    @property
    def clock(self) -> Clock:
        return self.created.clock


def disclosed(m: Match) -> frozenset[int]:
    """Give the hands whose secrets are open to all; hand 0, what belongs to no hand, once the match is over."""
    open_ = m.status in ("finished", "abandoned") and (m.common.fairness_reveal or m.game.reveal) != "never"
    return frozenset(m.disclosed) | frozenset((0,) if open_ else ())


def humans(m: Match) -> tuple[Seat, ...]:
    """Give the seats that a person plays himself now."""
    return tuple(s for s in m.seats if m.players[s] is not None and not m.by_bot[s])


def opened(match_id: str, created: ev.MatchCreated) -> Match:
    """Give the state that a match begins with."""
    game, n = GAMES[created.game], len(created.seats)
    nobody: tuple[None, ...] = (None,) * n
    return Match(
        match_id, created, game, _take(game.options, created.options), _take(ev.Common, created.options),
        players=nobody, by_bot=tuple(plan.kind == "bot" for plan in created.seats),
        nonces=nobody, hashes=nobody, asked=nobody, avocados=nobody, timed=created.clock.ticks,
        banks=(first_bank(created.clock),) * n, credited=(0,) * n, opened=nobody, defaults=(0,) * n,
    )  # fmt: skip


def _take(cls: Any, options: Mapping[str, Any]) -> Any:
    return cls(**{f.name: options[f.name] for f in fields(cls) if f.name in options})


def evolve(m: Match, event: Any) -> None:
    """Assign to the match what an event has made of it."""
    if type(event) in LIFE:
        _live(m, event)
        return
    game, kind = m.game, type(event)
    if kind is game.game_starts:
        m.table = game.start(m.options, len(m.seats), m.table)
        m.draw_offer = m.draw_refused = None
        m.avocados = (None,) * len(m.seats)
    if m.common.take_backs:
        _undoable(m, event)
    game.evolve(m.table, event)
    if kind is game.hand_starts:
        m.hand_no, m.hand_open, m.ready = event.hand_no, True, ()
    if kind in game.hand_ends and game.hand_over(m.table):
        _close_hand(m)
    if kind is game.game_ends:
        _close_hand(m)
        m.winners += (_winner(m),)
    if m.timed and (who := game.answers.get(kind)):
        _answered(m, getattr(event, who))


def _undoable(m: Match, event: Any) -> None:
    """Keep the table before a move that can be undone, until something is shown that was hidden, or another moves."""
    game, kind = m.game, event.__class__
    if kind in game.takes_back:
        seat: Seat = getattr(event, game.answers[kind])
        kept = None if m.by_bot[seat] else Undo(seat, m.table.copy(), m.banks[seat], m.asked)
        m.undo, m.take_back, m.granted = kept, None, ()
    elif secret_fields(kind) or kind in (game.game_ends, *game.hand_ends, *game.answers):
        m.undo, m.take_back = None, None


def _close_hand(m: Match) -> None:
    m.asked = (None,) * len(m.seats)
    if m.hand_open:
        m.undisclosed += ((m.epoch, m.link, m.hand_no),)
        m.hand_open, m.link = False, m.link + 1


def _winner(m: Match) -> Seat | None:
    """Name the one winner of the game that is over, or the first seat of the one side that won it.

    A seat that gave up the match does not win; a partner who plays on with a bot may.
    """
    outcome = m.game.outcome(m.table)
    if outcome is None or not outcome.winners:
        return None
    sides = m.game.sides(m.options, len(m.seats))
    best = outcome.places if m.game.resign else _places(m, outcome.places)
    first = {sides[s] for s in m.seats if best[s] == 1}
    return sides.index(first.pop()) if len(first) == 1 else None


def _places(m: Match, places: tuple[int, ...]) -> tuple[int, ...]:
    """Rank those who gave up behind all others, the first to do so last (RULES 1.9)."""
    n = len(m.seats)
    rank = [(m.resigned[::-1].index(s) + n if s in m.resigned else 0, places[s]) for s in m.seats]
    return tuple(1 + sum(other < mine for other in rank) for mine in rank)


def _answered(m: Match, seat: Seat) -> None:
    """Close the seat's decision. Who answers by himself finds it open, and so has not been absent."""
    if m.asked[seat] is not None:
        m.asked, m.defaults, m.moved = put(m.asked, seat, None), put(m.defaults, seat, 0), True


def _live(m: Match, event: Any) -> None:
    match event:
        case ev.DecisionRequested():
            m.asked, m.timed = put(m.asked, event.seat, event.deadline), True
            m.opened, m.credited = put(m.opened, event.seat, event.opened), put(m.credited, event.seat, 0)
        case ev.ClockCredited():
            m.asked = put(m.asked, event.seat, event.deadline)
            m.credited = put(m.credited, event.seat, m.credited[event.seat] + event.seconds)
        case ev.TakeBackRequested():
            m.take_back, m.granted = event.seat, ()
        case ev.TakeBackGranted():
            m.granted += (event.seat,)
        case ev.TakeBackRefused():
            m.take_back = m.undo = None
        case ev.MoveTakenBack():
            assert m.undo is not None
            m.table, m.banks = m.undo.table.copy(), put(m.banks, event.seat, m.undo.bank)
            m.asked = tuple(
                None if was is None else now for was, now in zip(m.undo.asked, m.asked, strict=True)
            )
            m.undo = m.take_back = None
        case ev.ClockStopped():
            m.undo = m.undo and replace(m.undo, left=event.left)
        case ev.SeedRevealed():
            m.undo = m.take_back = None
            m.undisclosed, m.disclosed = m.undisclosed[1:], (*m.disclosed, event.hand_no)
        case ev.DecisionTimedOut():
            if not (m.clock.ticks and own_limit(m)):  # who misses the game's own limit need not be away
                m.defaults = put(m.defaults, event.seat, m.defaults[event.seat] + 1)
            m.asked = put(m.asked, event.seat, None)
        case ev.BankSpent():
            m.banks = put(m.banks, event.seat, Bank(event.left, event.moves))
        case ev.FairnessCommitted():
            m.epoch, m.links, m.link, m.commitment = event.epoch, event.links, 1, event.commitment
            m.nonces = m.hashes = (None,) * len(m.seats)
            m.stage, m.contributed = "", ()
        case ev.SeatTaken():
            m.players = put(m.players, event.seat, event.player)
        case ev.SeatLeft():
            m.players, m.avocados = put(m.players, event.seat, None), put(m.avocados, event.seat, None)
            m.nonces, m.hashes = put(m.nonces, event.seat, None), put(m.hashes, event.seat, None)
            m.contributed = tuple(s for s in m.contributed if s != event.seat)
            m.stage, m.stage_until = "", None
        case ev.AvocadoRemembered():
            m.avocados = put(m.avocados, event.seat, event.eaten_at)
        case ev.NoncesAwaited():
            more = event.until - m.stage_until if event.until and m.stage_until else 0
            m.stage_credited = m.stage_credited + more // 1000 if event.stage == m.stage else 0
            m.stage, m.stage_until = event.stage, event.until
        case ev.NonceCommitted():
            m.hashes = put(m.hashes, event.seat, event.hash)
        case ev.NonceSubmitted():
            m.nonces = put(m.nonces, event.seat, event.nonce)
            m.contributed = tuple(sorted({*m.contributed, event.seat}))
        case ev.NoncesClosed():
            m.stage, m.stage_until = f"{event.stage}_closed", None
        case ev.DealsShared():
            m.shared = tuple(nonce for table in event.nonces for nonce in table)
        case ev.AllTablesOver():
            m.all_over = True
        case ev.MatchStarted():
            m.status, m.stage, m.stage_until = "playing", "nonces_closed", None
        case ev.HandContinued():
            m.ready += (event.seat,)
            _answered(m, event.seat)
        case ev.SeatResigned():
            m.resigned += (event.seat,) * event.whole_match
            m.undo = m.take_back = None
        case ev.SeatHandedToBot():
            m.undo = m.take_back = None
            m.by_bot, m.asked = put(m.by_bot, event.seat, True), put(m.asked, event.seat, None)
        case ev.SeatTakenBack():
            m.by_bot = put(m.by_bot, event.seat, False)
            m.defaults = put(m.defaults, event.seat, 0)
        case ev.DrawOffered():
            m.draw_offer = event.seat
        case ev.DrawDeclined():
            m.draw_offer, m.draw_refused = None, m.draw_offer
        case ev.MatchEnded():
            m.result = event.result
            m.status = "finished" if event.reason in ("played", "resignation") else event.reason


# --- Whose move it is, and which moves there are ----------------------------------------------------


def paused(m: Match) -> bool:
    """Say whether the next hand waits for people to be ready for it (`pause_between_hands`)."""
    between = m.status == "playing" and m.hand_no > 0 and not m.hand_open and m.table is not None
    if waits(m):
        return False
    return m.common.pause_between_hands and between and bool(_not_ready(m))


def _not_ready(m: Match) -> tuple[Seat, ...]:
    """Give the people in the game who have yet to be ready for the next hand."""
    gone = m.game.out(m.table)
    return tuple(s for s in humans(m) if s not in m.ready and s not in gone)


def ready(m: Match) -> bool:
    """Say whether a table of a group has all that it needs, and waits for the others to begin. It then stays so."""
    seated = all(p is not None or bot for p, bot in zip(m.players, m.by_bot, strict=True))
    waiting = m.created.deal_group is not None and m.status == "lobby" and seated
    return waiting and not _collected(m, Time(0)) and (not collecting(m) or _all_in(m))


def waits(m: Match) -> bool:
    """Say whether a table of a group is over, and waits for the others: nothing of it is told before they are too."""
    return (
        m.created.deal_group is not None
        and m.status == "playing"
        and not m.all_over
        and _verdict(m) is not None
    )


def for_its_players(m: Match) -> bool:
    """Say whether nobody else may know anything of the table: one of a group that is on."""
    return m.created.deal_group is not None and m.status == "playing"


def nonces_of(m: Match) -> tuple[str, ...]:
    """Give the nonces that were sent for this epoch, seat by seat; a missing one is empty."""
    return tuple(nonce or "" for nonce in m.nonces)


def collecting(m: Match) -> bool:
    """Say whether the match waits for nonces."""
    return m.stage in ("hashes", "nonces")


def to_act(m: Match) -> tuple[Seat, ...]:
    """Give the seats whose decision the match waits for."""
    if m.status != "playing" or collecting(m) or m.table is None:
        return ()
    if paused(m):
        return _not_ready(m)
    return tuple(s for s in m.game.to_act(m.table) if s != CHANCE)


def bots_to_act(m: Match) -> tuple[Seat, ...]:
    """Give those of them that a bot moves for."""
    return tuple(s for s in to_act(m) if m.by_bot[s])


def decision(m: Match) -> str:
    """Name what is to be decided."""
    return "continue" if paused(m) else str(m.game.phase(m.table))


def legal(m: Match, seat: Seat) -> Choices:
    """Give the legal moves of the game for a seat that plays itself; while the match pauses, those off turn."""
    if m.status != "playing" or collecting(m) or m.table is None or m.by_bot[seat]:
        return ()
    return m.game.legal(m.table, seat)


def also(m: Match, seat: Seat) -> Choices:
    """Give the commands of the match that are open to a person's seat, off turn too."""
    if m.status != "playing" or seat in m.resigned or m.players[seat] is None or waits(m):
        return ()
    return tuple(Just(make) for make, open_ in _ALSO.items() if open_(m, seat))


_DUEL = 2

_ALSO: Mapping[type, Callable[[Match, Seat], bool]] = {
    ev.Resign: lambda m, seat: True,
    ev.OfferDraw: lambda m, seat: (
        len(m.seats) == _DUEL and game_on(m) and m.draw_offer is None and m.draw_refused != seat
    ),
    ev.AcceptDraw: lambda m, seat: game_on(m) and m.draw_offer not in (None, seat),
    ev.DeclineDraw: lambda m, seat: game_on(m) and m.draw_offer not in (None, seat),
    ev.RequestTakeBack: lambda m, seat: (
        m.undo is not None and m.undo.seat == seat and m.take_back is None and not m.defaults[seat]
    ),
    ev.GrantTakeBack: lambda m, seat: seat in _asked_for_it(m),
    ev.RefuseTakeBack: lambda m, seat: seat in _asked_for_it(m),
    ev.ContinueMatch: lambda m, seat: paused(m) and seat not in m.ready and not m.by_bot[seat],
    ev.TakeSeatBack: lambda m, seat: m.by_bot[seat],
}


ANSWER_TAKE_BACK: Final = "answer_take_back"
ANSWER_DRAW: Final = "answer_draw"
REQUESTS: Final = (ANSWER_TAKE_BACK, ANSWER_DRAW)
"""What a person may be asked for that the match does not wait for."""


def requests(m: Match) -> tuple[tuple[Seat, str], ...]:
    """Give the people who are asked whether a move may be taken back, or for a draw: seat, and what for."""
    if m.status != "playing" or waits(m):
        return ()
    offered = game_on(m) and m.draw_offer is not None
    back = ((s, ANSWER_TAKE_BACK) for s in _asked_for_it(m))
    draw = ((s, ANSWER_DRAW) for s in humans(m) if offered and s != m.draw_offer)
    return tuple((s, what) for s, what in (*back, *draw) if s not in m.resigned)


def _asked_for_it(m: Match) -> tuple[Seat, ...]:
    """Give the people who have yet to say whether a move may be taken back."""
    if m.take_back is None:
        return ()
    return tuple(s for s in humans(m) if s != m.take_back and s not in m.granted)


def check(m: Match, seat: Seat, move: Any) -> None:
    """Raise `Refused` unless the seat may make this move, or give this command of the match, now."""
    if m.over:
        raise Refused("match_over")
    if type(move) in _ALSO:
        if not admitted(also(m, seat), _bare(move)):
            done = seat in m.resigned or (type(move) is ev.ContinueMatch and paused(m) and seat in m.ready)
            raise Refused("already_done" if done else "wrong_phase")
    elif not admitted(legal(m, seat), move):
        playing = m.status == "playing" and not collecting(m) and m.table is not None
        if not playing or waits(m):
            raise Refused("wrong_phase")
        raise Refused("not_your_turn" if m.by_bot[seat] else m.game.refusal(m.table, seat, move))


def _bare(move: Any) -> Any:
    return ev.Resign() if type(move) is ev.Resign else move


def check_sit(m: Match, seat: Seat, sit: ev.Sit) -> None:
    """Raise `Refused` unless this player may take the seat, or send what he sends to his own."""
    if m.over:
        raise Refused("match_over")
    mine = m.players[seat] == sit.player
    if not mine and m.status != "lobby":
        raise Refused("already_started")
    if not mine and (m.players[seat] is not None or m.by_bot[seat]):
        raise Refused("seat_taken")
    if sit.nonce_hash is not None and not _may_hash(m, seat, sit.nonce_hash):
        raise Refused("wrong_phase")
    if sit.nonce is not None and not _may_open(m, seat, sit.nonce):
        raise Refused("wrong_phase")


def _may_hash(m: Match, seat: Seat, digest: str) -> bool:
    if m.hashes[seat] is not None:
        return m.hashes[seat] == digest
    return m.common.nonce_commit and m.stage in ("", "hashes") and _nonces_count(m)


def _may_open(m: Match, seat: Seat, nonce: str) -> bool:
    if m.nonces[seat] is not None:
        return m.nonces[seat] == nonce
    if m.common.nonce_commit:
        return m.stage == "nonces" and m.hashes[seat] == sha256(nonce.encode("ascii")).hexdigest()
    return m.stage in ("", "nonces") and _nonces_count(m)


def _nonces_count(m: Match) -> bool:
    if m.created.deal_known is not None or ready(m):
        return False
    return m.status == "lobby" or collecting(m)


def check_leave(m: Match, seat: Seat, player: str) -> None:
    """Raise `Refused` unless the player may leave this seat."""
    if m.over:
        raise Refused("match_over")
    if m.players[seat] != player:
        raise Refused("not_seated")
    if m.status != "lobby" or (m.common.nonce_commit and collecting(m)) or ready(m):
        raise Refused("already_started")


def overdue(m: Match, now: Time) -> tuple[Seat, ...]:
    """Give the seats whose time is over, in the order in which it was."""
    return tuple(s for until, s in sorted(_waited_for(m)) if settled(m, until) <= now)


def settled(m: Match, until: Time) -> Time:
    """Say when a decision that is due is settled by time: after the grace that the clock gives, and on no day off."""
    return elapsed(running(m), until, 1000 * m.clock.grace_seconds)


def settled_at(m: Match) -> Time | None:
    """Say when the first open decision is settled by time."""
    until = due(m)
    return None if until is None else settled(m, until)


def due(m: Match) -> Time | None:
    """Say when the first open decision falls due."""
    return min((until for until, _ in _waited_for(m)), default=None)


def _waited_for(m: Match) -> Iterator[tuple[Time, Seat]]:
    """Give the deadlines of the decisions that are open."""
    return ((until, s) for s in to_act(m) if (until := m.asked[s]) is not None and not m.by_bot[s])


def running(m: Match) -> Clock:
    """Give the clock by which the open decisions go: no days are off where a limit of the game's own is in force."""
    return replace(m.clock, days_off=()) if m.clock.days_off and own_limit(m) else m.clock


# --- What a command does ----------------------------------------------------------------------------


def decide(m: Match, seat: Seat, command: Any, now: Time) -> tuple[Any, ...]:
    """Give the events of a command that has passed its check; none if it changes nothing."""
    made = type(command)
    if made in _DECIDE:
        return tuple(_DECIDE[made](m, seat, command, now))
    events = tuple(m.game.decide(m.table, seat, command))
    return events if paused(m) else events + _stopped(m, seat, events, now) + _spent(m, seat, now)


def _stopped(m: Match, seat: Seat, events: tuple[Any, ...], now: Time) -> tuple[Any, ...]:
    """Note what a move that can be taken back leaves of the time for it."""
    until = m.asked[seat]
    if until is None or not m.common.take_backs or m.game.takes_back.isdisjoint(map(type, events)):
        return ()
    return (ev.ClockStopped(seat, between(running(m), now, until)),)


def _spent(m: Match, seat: Seat, now: Time) -> tuple[Any, ...]:
    until = m.asked[seat] if m.clock.ticks and not own_limit(m) else None
    if until is None:
        return ()
    left = bank_after(m.clock, m.banks[seat], until, now, minor=minor(m))
    return () if left == m.banks[seat] else (ev.BankSpent(seat, left.left, left.moves),)


def minor(m: Match) -> bool:
    """Say whether what is to be decided is a small thing, for which a clock may give less time."""
    return paused(m) or m.game.phase(m.table) in m.game.minor


def own_limit(m: Match) -> int:
    """Give the game's own limit in seconds for the decisions that are open; 0: none."""
    return 0 if paused(m) else m.game.seconds(m.table)


def _sit(m: Match, seat: Seat, c: ev.Sit, now: Time) -> Iterable[Any]:
    if m.players[seat] != c.player:
        yield ev.SeatTaken(seat, c.player)
    if c.eaten_at is not None and m.avocados[seat] is None:
        yield ev.AvocadoRemembered(seat, c.eaten_at)
    if c.nonce_hash is not None and m.hashes[seat] is None:
        yield ev.NonceCommitted(seat, m.epoch, c.nonce_hash)
    if c.nonce is not None and m.nonces[seat] is None:
        yield ev.NonceSubmitted(seat, m.epoch, c.nonce)


def game_on(m: Match) -> bool:
    """Say whether a game has begun and not ended."""
    return m.table is not None and m.game.outcome(m.table) is None


def _resign(m: Match, seat: Seat, c: ev.Resign, now: Time) -> Iterable[Any]:
    """Give up: of two players the game, or between games the match; among more always the match (RULES 1.9)."""
    duel = len(m.seats) == _DUEL
    yield ev.SeatResigned(seat, c.whole_match or not duel or not game_on(m))
    if m.game.resign and m.table is not None:
        yield from m.game.resign(m.table, seat)
    elif not duel and m.common.on_resign == "bot":
        yield ev.SeatHandedToBot(seat)
    elif game_on(m):
        yield from m.game.stop(m.table, (seat,), "resignation")


def _time_out(m: Match, seat: Seat, c: ev.TimeOut, now: Time) -> Iterable[Any]:
    yield ev.DecisionTimedOut(seat, decision(m))
    yield from _spent(m, seat, Time(max(now, m.asked[seat] or now)))
    yield from _ON_EXPIRY["default_action" if own_limit(m) else m.clock.on_expiry](m, seat, now)


def _stage(m: Match) -> Literal["hashes", "nonces"]:
    return "hashes" if m.stage == "hashes" else "nonces"


def _default_action(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    if m.clock.ticks and not own_limit(m) and m.defaults[seat] + 1 >= m.clock.max_defaults:
        yield ev.SeatHandedToBot(seat)
    if paused(m):
        yield ev.HandContinued(seat)
    else:
        yield from m.game.decide(m.table, seat, m.game.default(m.table, seat))


_ON_EXPIRY: Mapping[str, Callable[[Match, Seat, Time], Iterable[Any]]] = {
    "default_action": _default_action,
    "bot": lambda m, seat, now: (ev.SeatHandedToBot(seat),),
    "forfeit": lambda m, seat, now: _resign(m, seat, ev.Resign(), now),
}

_DECIDE: Mapping[type, Callable[[Match, Seat, Any, Time], Iterable[Any]]] = {
    ev.Sit: _sit,
    ev.Leave: lambda m, seat, c, now: (ev.SeatLeft(seat),),
    ev.Cancel: lambda m, seat, c, now: (ev.MatchEnded(None, "cancelled"),),
    ev.Expire: lambda m, seat, c, now: (ev.MatchEnded(None, "expired"),),
    ev.CloseNonces: lambda m, seat, c, now: (ev.NoncesClosed(m.epoch, _stage(m)),),
    ev.AwaitNonces: lambda m, seat, c, now: (
        ev.NoncesAwaited(m.epoch, _stage(m), Time((m.stage_until or now) + 1000 * c.seconds)),
    ),
    ev.ShareDeals: lambda m, seat, c, now: (ev.DealsShared(c.nonces),),
    ev.OpenDeals: lambda m, seat, c, now: (ev.AllTablesOver(),),
    ev.TimeOut: _time_out,
    ev.Credit: lambda m, seat, c, now: (
        ev.ClockCredited(seat, c.seconds, c.why, elapsed(running(m), m.asked[seat] or now, 1000 * c.seconds)),
    ),
    ev.Resign: _resign,
    ev.OfferDraw: lambda m, seat, c, now: (ev.DrawOffered(seat),),
    ev.AcceptDraw: lambda m, seat, c, now: (ev.DrawAccepted(seat), *m.game.stop(m.table, (), "draw")),
    ev.DeclineDraw: lambda m, seat, c, now: (ev.DrawDeclined(seat),),
    ev.RequestTakeBack: lambda m, seat, c, now: (ev.TakeBackRequested(seat),),
    ev.GrantTakeBack: lambda m, seat, c, now: (ev.TakeBackGranted(seat),),
    ev.RefuseTakeBack: lambda m, seat, c, now: (ev.TakeBackRefused(seat),),
    ev.ContinueMatch: lambda m, seat, c, now: (ev.HandContinued(seat), *_spent(m, seat, now)),
    ev.TakeSeatBack: lambda m, seat, c, now: (ev.SeatTakenBack(seat),),
}


# --- What must then happen ----------------------------------------------------------------------------


def consequences(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    """Give what happens next by itself: a start, a disclosure, a deal, the end of a trick, of a game, of all."""
    if m.over:
        return ()
    if m.status == "lobby":
        return _lobby(m, now)
    if m.take_back is not None and not _asked_for_it(m):
        return tuple(_taken_back(m, m.take_back, now))
    if waits(m):
        return ()
    return _disclosed(m, chance) or _played(m, chance, now) or _asked(m, now)


def _lobby(m: Match, now: Time) -> tuple[Any, ...]:
    if any(p is None and not bot for p, bot in zip(m.players, m.by_bot, strict=True)):
        return ()
    if waiting := _collected(m, now):
        return waiting
    if (collecting(m) and not _all_in(m)) or (m.created.deal_group is not None and not m.shared):
        return ()
    seats = tuple(
        ev.Sitting(s, "bot" if m.by_bot[s] else "player", m.players[s], m.created.seats[s].level)
        for s in m.seats
    )
    return (ev.MatchStarted(m.created.options, seats, nonces_of(m)),)


def _collected(m: Match, now: Time) -> tuple[Any, ...]:
    """Open the next stage of collecting nonces, where one is due."""
    c = m.common
    if not (c.nonce_commit or c.nonce_seconds) or not humans(m):
        return ()
    seconds = nonce_seconds(m)
    until = Time(now + 1000 * seconds) if seconds else None
    if m.stage == "":
        return (ev.NoncesAwaited(m.epoch, "hashes" if c.nonce_commit else "nonces", until),)
    if m.stage == "hashes_closed" or (m.stage == "hashes" and _all_in(m)):
        return (ev.NoncesAwaited(m.epoch, "nonces", until),)
    return ()


def nonce_seconds(m: Match) -> int:
    """Give the time that a stage of collecting nonces has; 0: until all are there."""
    return m.common.nonce_seconds or (LATER_EPOCH_SECONDS if m.epoch > 1 else 0)


def _all_in(m: Match) -> bool:
    if m.stage == "hashes":
        return all(m.hashes[s] is not None for s in humans(m))
    due = [s for s in humans(m) if m.hashes[s] is not None or not m.common.nonce_commit]
    return all(m.nonces[s] is not None for s in due)


def _taken_back(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    """Give the move back, and what was left of the time for it: neither what the seat used nor what others did."""
    assert m.undo is not None
    taken, left = ev.MoveTakenBack(seat), m.undo.left
    yield taken
    if left is not None:
        again = fold(m, (taken,))
        yield ev.DecisionRequested(seat, decision(again), elapsed(running(again), now, left), now)


def _disclosed(m: Match, chance: Chance) -> tuple[Any, ...]:
    held = for_its_players(m) and not m.all_over
    if held or not m.undisclosed or not _DISCLOSES[m.common.fairness_reveal or m.game.reveal](m):
        return ()
    epoch, link, hand_no = m.undisclosed[0]
    seed = chance.seed(epoch, m.links, link)
    return (ev.SeedRevealed(epoch, link, seed, hand_no, chance.hand_key(hand_no).hex()),)


_DISCLOSES: Mapping[str, Callable[[Match], bool]] = {
    "hand_end": lambda m: True,
    "game_end": lambda m: m.game.outcome(m.table) is not None,
    "match_end": lambda m: _verdict(m) is not None,
    "never": lambda m: False,
}


def _played(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    game = m.game
    if deserted(m) and game_on(m):
        return tuple(game.stop(m.table, (), "abandoned"))
    if _verdict(m):
        return (_ended(m),)
    between = m.table is None or game.outcome(m.table) is not None
    table = game.start(m.options, len(m.seats), m.table) if between else m.table
    if between and game.opening:
        return tuple(game.opening(table, m.avocados))
    if events := game.consequences(table):
        return tuple(events)
    if game.to_act(table) != (CHANCE,) or paused(m):
        return ()
    if not m.hand_open and (waiting := _next_epoch(m, chance, now)) is not None:
        return waiting
    if not m.hand_open and game.timed and (events := game.timed(table, now)):
        return tuple(events)
    nonces = m.shared or nonces_of(m)
    return tuple(game.decide(table, CHANCE, chance.answer(game.ask(table), m.epoch, m.links, m.link, nonces)))


def _next_epoch(m: Match, chance: Chance, now: Time) -> tuple[Any, ...] | None:
    """Begin an epoch when the links have run out, and collect its nonces; None when all is ready for a deal."""
    if m.link > m.links:
        return (_committed(m, chance, m.epoch + 1),)
    if m.epoch == 1 or m.stage == "nonces_closed" or m.shared:
        return None
    if waiting := _collected(m, now):
        return waiting
    if collecting(m):
        return () if not _all_in(m) else (ev.NoncesClosed(m.epoch, "nonces"),)
    return None


def _committed(m: Match, chance: Chance, epoch: int) -> ev.FairnessCommitted:
    known = m.created.deal_known
    links = m.links or (known.deals.links if known else 0)
    links = links or links_needed(m.game, m.options, len(m.seats), m.created.series.best_of)
    return ev.FairnessCommitted(SCHEME, epoch, links, chance.commitment(epoch, links))


def links_needed(game: Game[Any, Any, Any, Any], options: Any, seats: int, best_of: int) -> int:
    """Give the most hands that the options allow, else 4,096 (CONTRACT 3)."""
    hands = game.most_hands(options, seats)
    return LINKS if hands is None else min(hands * 3 * best_of, MOST_LINKS)


def deserted(m: Match) -> bool:
    """Say whether no person has ever moved, and every one has let as many decisions expire as the clock allows."""
    people = [s for s in m.seats if m.players[s] is not None]
    most = m.clock.max_defaults
    return m.clock.ticks and not m.moved and bool(people) and all(m.defaults[s] >= most for s in people)


def _verdict(m: Match) -> Verdict | None:
    """Judge the match, once its current game is over."""
    if m.table is None or m.game.outcome(m.table) is None:
        return None
    if deserted(m):
        return Verdict(None)
    if _given_up(m):
        return Verdict(m.winners[-1])
    return decided(m.created.series.best_of, m.winners)


def _given_up(m: Match) -> bool:
    """Say whether who has given up has ended the match: not where a bot plays on, or the others do."""
    left = [s for s in m.seats if s not in m.resigned]
    if m.game.resign:
        return len(left) <= 1
    return bool(m.resigned) and (len(m.seats) == _DUEL or m.common.on_resign == "end")


def _ended(m: Match) -> ev.MatchEnded:
    if deserted(m):
        return ev.MatchEnded(None, "abandoned")
    outcome = m.game.outcome(m.table)
    assert outcome is not None
    sides = m.game.sides(m.options, len(m.seats))
    wins = tuple(m.winners.count(sides.index(sides[s])) for s in m.seats)
    one = len(m.winners) == 1
    ahead = outcome.places if one else ranked(-n for n in wins)
    told = one and m.game.resign and not any(ahead[s] == 1 for s in m.resigned)  # by the game itself
    places = ahead if told else _places(m, ahead)
    winners = tuple(s for s in m.seats if places[s] == 1)
    reason = "resignation" if _given_up(m) else "played"
    return ev.MatchEnded(ev.Result(winners, places, wins, outcome.scores), reason)  # type: ignore[arg-type]


def _asked(m: Match, now: Time) -> tuple[Any, ...]:
    """Open the decisions that a clock runs for from now on."""
    limit = 0 if m.table is None or paused(m) else m.game.seconds(m.table)
    if not m.clock.ticks and not limit:
        return ()
    due = [s for s in to_act(m) if not m.by_bot[s] and m.asked[s] is None]
    return tuple(ev.DecisionRequested(s, decision(m), _until(m, s, limit, now), now) for s in due)


def _until(m: Match, seat: Seat, limit: int, now: Time) -> Time:
    """Say when a decision falls due: by the game's own limit in seconds, or the clock, whichever is first."""
    by_limit = [Time(now + 1000 * limit)] if limit else []
    by_clock = [deadline(m.clock, m.banks[seat], now, minor=minor(m))] if m.clock.ticks else []
    return min(by_limit + by_clock)


# --- Playing --------------------------------------------------------------------------------------------


def create(
    match_id: str, created: ev.MatchCreated, sit: Iterable[tuple[Seat, ev.Sit]], chance: Chance, now: Time
) -> tuple[Match, list[Happening]]:
    """Create a match, with its creator seated where he asked to be: the state, and the first commit."""
    m = opened(match_id, created)
    happened = [Happening(created, "move", 0)]
    _happen(m, beginning(m, sit, chance, now), happened)
    return m, happened


def play(
    m: Match, seat: Seat, command: Any, cause: str, chance: Chance, now: Time
) -> tuple[Match, list[Happening]]:
    """Carry out a command that has passed its check: the state after it, and all that happened. `m` stays as it was."""
    m = m.copy()
    happened: list[Happening] = []
    _happen(m, course(m, seat, command, cause, chance, now), happened)
    return m, happened


Steps = Iterator[tuple[tuple[Any, ...], str]]
"""What happens, event group by event group with its cause: whoever iterates evolves the match in between."""


def beginning(m: Match, sit: Iterable[tuple[Seat, ev.Sit]], chance: Chance, now: Time) -> Steps:
    """Give what happens when a match has been created."""
    yield (_committed(m, chance, 1),), "auto"
    for seat, command in sit:
        yield decide(m, seat, command, now), "auto"
    yield from _settling(m, chance, now)


def course(m: Match, seat: Seat, command: Any, cause: str, chance: Chance, now: Time) -> Steps:
    """Give what happens when a command is carried out.

    The cause `order`, that of a move by a standing order, is not told: it is sealed, as that of every person's move is.
    """
    events = decide(m, seat, command, now)
    if cause in _OWN and m.common.standing_orders and type(command) not in _DECIDE:
        events += (ev.CauseSealed(seat, cause),)
    yield events, _OWN.get(cause, cause)
    if events:
        yield from _settling(m, chance, now)


_OWN: Mapping[str, str] = {"move": "move", "order": "move"}
"""The causes of a person's move, and what all may know of them."""


def _settling(m: Match, chance: Chance, now: Time) -> Steps:
    while events := consequences(m, chance, now):
        yield events, "auto"


def sealing_hand(m: Match, event: Any) -> int:
    """Give the number of the hand whose key seals an event that comes next; 0 if it belongs to none (CONTRACT 6)."""
    return m.hand_no if m.hand_open and type(event) not in LIFE else 0


def _happen(m: Match, steps: Steps, happened: list[Happening]) -> None:
    for events, cause in steps:
        for event in events:
            hand = sealing_hand(m, event)
            evolve(m, event)
            happened.append(Happening(event, cause, hand))


def fold(m: Match, events: Iterable[Any]) -> Match:
    """Give the state after the events; `m` stays as it was."""
    m = m.copy()
    for event in events:
        evolve(m, event)
    return m


def folded(match_id: str, events: Iterable[Any]) -> Match:
    """Give the state of a match from its events, the first of which is `MatchCreated`."""
    stream = iter(events)
    m = opened(match_id, next(stream))
    for event in stream:
        evolve(m, event)
    return m


def text(m: Match, event: Any) -> str:
    """Tell an event in one English line."""
    if type(event) in LIFE:
        return ev.text(event)
    return m.game.text(event)
