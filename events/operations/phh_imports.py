"""Imports poker hands in the PHH format. Each becomes a finished match, to be read and replayed here.

The rules replay a hand, action by action, as in the document; unnamed cards stay unknown. The match was dealt on
another server: it has no shuffles, and names rules that no check uses. Its players are unknown here.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

import msgspec

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer
from domain.core.values import value
from domain.games.catalogue import GAMES
from domain.match import Match, RecordedEvent
from domain.match.creation import Common, MatchCreated, SeatPlan, Series
from domain.match.match_results import MatchEnded, game_won
from domain.match.seating import Sit, start_match, take_seat
from domain.match.state import Result
from events.formats.phh.chip_amounts import Unit, fitting_unit
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand
from events.formats.phh.reader import HandHistory, HandText, documents, read_hand
from events.formats.phh.reenact import play_hand
from events.ids import derived_id
from events.log import commits as log
from events.log import imported_players
from events.log.codec import canonical, shapes
from events.log.seals import NO_EVENT, seal_key
from events.operations.imports import HERE, NotImported, Visibility
from events.proof.checks.shuffles import DEALT_ELSEWHERE
from events.service import projections
from events.service.context import Context
from events.store.records import CommitRow, Head, Imported
from events.store.tables import stream_rows

NOT_VERIFIED: Final = "shuffles and rules: the hand was dealt and played elsewhere, so its document is the only source."

LATER: Final = "The date of the hand is in the future. The time of the import is used."

Refusal = Literal["duplicate", "unsupported", "malformed"]
"""The reasons why a hand is not imported: it is here already, uses rules or a notation not known here, or is wrong."""


@value
class TakenHand:
    """A hand that was imported as its own match. `hand` is the name of its table in the document.

    `assumed` says, sentence by sentence, what the document leaves open.
    """

    hand: str
    match_id: str
    game: str
    version: int
    visibility: str
    assumed: tuple[str, ...]
    shut: tuple[str, ...] = (NOT_VERIFIED,)


@value
class RefusedHand:
    """A hand that was not imported. `detail` says why, with the line at fault if there is one."""

    hand: str
    status: Refusal
    detail: str


class ReplayedHand(NamedTuple):
    """A hand that was played again: the match that it becomes, and its commits."""

    hand: str
    history: HandHistory
    match: Match
    commits: list[list[RecordedEvent]]


def import_hands(
    context: Context, text: bytes, visibility: Visibility | None = None, worth: Decimal | None = None
) -> Iterator[TakenHand | RefusedHand]:
    """Import the hands of a document one by one. Raises `NotImported` if it is no document of hands.

    The matches are public, unless `visibility` says otherwise. `worth` is the value of a chip in the document; without
    it, amounts are whole chips.
    """
    for found in replay_hands(text, worth, visibility or "public"):
        yield found if isinstance(found, RefusedHand) else _take(context, found, visibility or "public")


def _take(context: Context, found: ReplayedHand, shown: Visibility) -> TakenHand | RefusedHand:
    hand, now = found.history, context.now()
    head, rows = _written(found.match, found.commits, min(hand.at or now, now), shown)
    here = RefusedHand(found.hand, "duplicate", HERE)
    if stream_rows.head(context.store, head.match_id) is not None:
        return here
    names = imported_players.foreign_names(head.match_id, dict(zip(_players(hand), hand.players, strict=True)))
    if not context.store.import_matches([(head, rows, projections.project_log(head, rows, b""), names)]):
        return here
    assumed = (*hand.assumed, LATER) if hand.at and hand.at > now else hand.assumed
    return TakenHand(found.hand, head.match_id, hand.game, head.version, shown, assumed)


def replay_hands(
    text: bytes, worth: Decimal | None = None, shown: Visibility = "public"
) -> Iterator[ReplayedHand | RefusedHand]:
    """Play the hands of a document again, one by one. Raises `NotImported` if it is no document of hands."""
    try:
        found = documents(text)
    except BadHandHistory as error:
        raise NotImported(str(error)) from error
    unit, whole = Unit(worth, fitting_unit(each.fields for each in found)), text.decode("utf-8-sig")
    for each in found:
        yield _replay(whole, each, unit, shown)


def _replay(text: str, each: HandText, unit: Unit, shown: Visibility) -> ReplayedHand | RefusedHand:
    if each.fault:
        return RefusedHand(each.name, "malformed", each.fault)
    try:
        hand = read_hand(each.fields, unit)
        m, commits = _match(_id(each.fields), hand, shown)
    except BadHandHistory as error:
        status: Refusal = "unsupported" if isinstance(error, UnsupportedHand) else "malformed"
        return RefusedHand(each.name, status, _where(text, each, error))
    return ReplayedHand(each.name, hand, m, commits)


def _id(fields: Mapping[str, Any]) -> str:
    """Return the id of a hand's match, which follows from its fields, so that it is imported once."""
    content = json.dumps(fields, sort_keys=True, default=str).encode()
    return derived_id(sha256(content).digest(), "phh")


def _where(text: str, each: HandText, error: BadHandHistory) -> str:
    if error.action is None:
        return str(error)
    actions = each.fields["actions"]
    line = _line(text, each.name, actions, error.action)
    at = "" if line is None else f"line {line}: "
    return f"{at}{actions[error.action][:80]!r}: {error}"


def _line(text: str, name: str, actions: Sequence[str], number: int) -> int | None:
    """Find the line of an action: the actions are searched in order, from the head of their table on."""
    at = text.find(f"[{name}]") if name else 0
    at = text.find("actions", max(at, 0))
    for action in actions[: number + 1]:
        found = text.find(action, at)
        if at < 0 or found < 0:
            return None
        at = found + len(action)
    return text.count("\n", 0, at) + 1


# --- The match ------------------------------------------------------------------------------------------


def _players(hand: HandHistory) -> list[str]:
    return [f"p{seat + 1}" for seat in range(len(hand.stacks))]


def _match(match_id: str, hand: HandHistory, shown: Visibility) -> tuple[Match, list[list[RecordedEvent]]]:
    """Play a hand as a match of one: its last state, and its commits. Raises `BadHandHistory`."""
    game, n = GAMES[hand.game], len(hand.stacks)
    own = {"hands": 1, "rebuy": "never", "show_all": False, "show_all_in": False}
    chosen = {**asdict(game.setup.options()), **hand.options, **own}
    options = {**asdict(Common()), "fairness_reveal": game.setup.reveal, **chosen}
    created = MatchCreated(
        hand.game,
        DEALT_ELSEWHERE,
        options,
        None,
        (SeatPlan("open"),) * n,
        shown,
        Clock(),
        Series(),
        None,
    )
    m = life.initial_match(game, match_id, created)
    first = [RecordedEvent(created, "move", 0)]
    for seat, player in enumerate(_players(hand)):
        _happen(m, take_seat(m, seat, Sit(player), Time(0)), first)
    _happen(m, start_match(m, Time(0)), first)
    commits = [first, *play_hand(m, hand)]
    _end(m, commits[-1])
    return m, commits


def _end(m: Match, last: list[RecordedEvent]) -> None:
    """End the game, won or shared, and the match with it: no further hand could decide it."""
    outcome, won = m.game.outcome(m.table), game_won(m)
    assert outcome is not None
    wins = tuple(int(seat == won.winner) for seat in m.seats)
    result = Result(outcome.winners, outcome.places, wins, outcome.scores)
    _happen(m, (won, MatchEnded(result, "played")), last)


def _happen(m: Match, events: Iterable[Any], commit: list[RecordedEvent]) -> None:
    """Add events to a commit, and evolve the match by them."""
    for event in events:
        life.evolve(m, event)
        commit.append(RecordedEvent(event, "auto", 0))


# --- The stored match --------------------------------------------------------------------------------------


def _written(
    m: Match, commits: Sequence[list[RecordedEvent]], at: Time, shown: Visibility
) -> tuple[Head, list[CommitRow]]:
    """Write the log. All data in the document is open to every reader: the keys of its seals are stored with it."""
    dealer = Dealer(m.id, (), secrets.token_bytes(32))
    key, before, first, rows = dealer.hand_key(0), NO_EVENT, 1, []
    for commit in commits:
        row, before = log.write_commit(
            m.id, shapes(m.game.name), len(m.seats), log.AppendPoint(first, at, before), commit, dealer
        )
        first += row.n
        rows.append(row._replace(secrets=_opened(row.secrets, key), mac=None))
    imported = msgspec.json.encode(Imported(shown)).decode()
    return Head(0, m.id, first - 1, bytes.fromhex(before), at, imported), rows


def _opened(hidden: str | None, key: bytes) -> str | None:
    if hidden is None:
        return None
    stored = json.loads(hidden)
    for seq, secret in stored.items():
        secret["keys"] = {
            field: {reader: seal_key(key, int(seq), field, reader).hex() for reader in part}
            for field, part in secret["fields"].items()
        }
    return canonical(stored).decode()
