"""Assigns to a match what an event has made of it, and folds events into a match."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Bank
from domain.core.game import AnyGame
from domain.core.values import put
from domain.core.visibility import secret_fields
from domain.match import events as ev
from domain.match.state import LIFE, Match, Undo, opened
from domain.match.status import own_limit, places_of


def evolve(m: Match, event: Any) -> None:
    """Assign to the match what an event has made of it."""
    if type(event) in LIFE:
        _live(m, event)
        return
    game, kind = m.game, type(event)
    if game.entry is not None and kind is game.entry.event:
        m.entries = put(m.entries, event.seat, getattr(event, game.entry.field))
        return
    if kind is game.lifecycle.game_starts:
        m.table = game.start(m.options, len(m.seats), m.table)
        m.draw_offer = m.draw_refused = None
        m.entries = (None,) * len(m.seats)
    if m.common.take_backs:
        _undoable(m, event)
    game.evolve(m.table, event)
    if kind is game.lifecycle.hand_starts:
        m.hand_no, m.hand_open, m.ready = event.hand_no, True, ()
    if kind in game.lifecycle.hand_ends and game.lifecycle.hand_over(m.table):
        _close_hand(m)
    if kind is game.lifecycle.game_ends:
        _close_hand(m)
        m.winners += (_winner(m),)
    if m.timed and (who := game.answers.by.get(kind)):
        _answered(m, getattr(event, who))


def _undoable(m: Match, event: Any) -> None:
    """Keep the table before a move that can be undone, until something is shown that was hidden, or another moves."""
    game, kind = m.game, event.__class__
    if kind in game.answers.takes_back:
        seat: Seat = getattr(event, game.answers.by[kind])
        kept = None if m.by_bot[seat] else Undo(seat, m.table.copy(), m.banks[seat], m.asked)
        m.undo, m.take_back, m.granted = kept, None, ()
    elif secret_fields(kind) or kind in (
        game.lifecycle.game_ends,
        *game.lifecycle.hand_ends,
        *game.answers.by,
    ):
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
    sides = m.game.setup.sides(m.options, len(m.seats))
    best = outcome.places if m.game.leaving.resign else places_of(m, outcome.places)
    first = {sides[s] for s in m.seats if best[s] == 1}
    return sides.index(first.pop()) if len(first) == 1 else None


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
            m.players, m.entries = put(m.players, event.seat, None), put(m.entries, event.seat, None)
            m.nonces, m.hashes = put(m.nonces, event.seat, None), put(m.hashes, event.seat, None)
            m.contributed = tuple(s for s in m.contributed if s != event.seat)
            m.stage, m.stage_until = "", None
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


def fold(m: Match, events: Iterable[Any]) -> Match:
    """Give the state after the events; `m` stays as it was."""
    m = m.copy()
    for event in events:
        evolve(m, event)
    return m


def folded(game: AnyGame, match_id: str, events: Iterable[Any]) -> Match:
    """Give the state of a match from its events, the first of which is `MatchCreated`."""
    stream = iter(events)
    m = opened(game, match_id, next(stream))
    for event in stream:
        evolve(m, event)
    return m


def text(m: Match, event: Any) -> str:
    """Tell an event in one English line."""
    if type(event) in LIFE:
        return ev.text(event)
    return m.game.words.text(event)
