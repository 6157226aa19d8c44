"""This module imports hands of poker in the PHH format. Each becomes a finished match, to be read and replayed here.

The rules play a hand again, action by action, as the document says; cards that it does not name stay unknown. The
match was dealt elsewhere: it has no shuffles, and names rules that no check judges by. Its players are unknown here.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final

import msgspec

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer
from domain.games.catalogue import GAMES
from domain.match import Happening, Match
from domain.match import events as ev
from domain.match.creation import Common, SeatPlan, Series, Sitting
from events.formats.phh.reader import BadHandHistory, HandHistory, documents, read_hand
from events.formats.phh.reenact import played
from events.ids import derived_id
from events.log import commits as log
from events.log import foreign
from events.log.codec import canonical
from events.log.seals import NO_EVENT, seal_key
from events.operations.imports import HERE, NotImported, Visibility
from events.proof.checks.shuffles import DEALT_ELSEWHERE
from events.service import projections
from events.service.context import Context
from events.store import tables
from events.store.records import CommitRow, Head, Imported

NOT_VERIFIED: Final = "shuffles and rules: the hand was dealt and played elsewhere, and is as its document tells it."


@dataclass(slots=True, frozen=True)
class TakenHand:
    """This is a hand that was imported as a match of its own. `hand` is the name of its table in the document."""

    hand: str
    match_id: str
    game: str
    version: int
    visibility: str
    shut: tuple[str, ...] = (NOT_VERIFIED,)


def take(context: Context, text: bytes, visibility: Visibility | None = None) -> list[TakenHand]:
    """Import all hands of a document, or none. Raises `NotImported`, with the hand and the line that are at fault.

    The matches are public, unless `visibility` says otherwise.
    """
    shown = visibility or "public"
    taken, written = [], []
    try:
        found = documents(text)
    except BadHandHistory as error:
        raise NotImported(str(error)) from error
    for name, fields in found:
        try:
            hand = read_hand(fields)
            m, commits = _match(_id(fields), hand, shown)
        except BadHandHistory as error:
            raise NotImported(_where(text, name, fields, error)) from error
        head, rows = _written(m, commits, min(hand.at or context.now(), context.now()), shown)
        if tables.stream_rows.head(context.store, head.match_id) is not None:
            raise NotImported(f"{_hand(name)}{HERE}")
        names = foreign.names(head.match_id, dict(zip(_players(hand), hand.players, strict=True)))
        written.append((head, rows, projections.projected(head, rows, b""), names))
        taken.append(TakenHand(name, head.match_id, hand.game, head.version, shown))
    _check_different(taken)
    if not context.store.import_matches(written):
        raise NotImported(HERE)
    return taken


def _check_different(taken: Sequence[TakenHand]) -> None:
    ids: dict[str, str] = {}
    for hand in taken:
        if hand.match_id in ids:
            raise NotImported(f"Hands {ids[hand.match_id]} and {hand.hand} are the same.")
        ids[hand.match_id] = hand.hand


def _id(fields: dict[str, Any]) -> str:
    """Give the id of a hand's match, which follows from its fields, so that it is imported once."""
    content = json.dumps(fields, sort_keys=True, default=str).encode()
    return derived_id(sha256(content).digest(), "phh")


def _hand(name: str) -> str:
    return f"Hand {name[:40]}: " if name else ""


def _where(text: bytes, name: str, fields: dict[str, Any], error: BadHandHistory) -> str:
    if error.action is None:
        return f"{_hand(name)}{error}"
    action: str = fields["actions"][error.action]
    line = _line(text.decode(), name, fields["actions"], error.action)
    at = "" if line is None else f"line {line}: "
    return f"{_hand(name)}{at}{action[:80]!r}: {error}"


def _line(text: str, name: str, actions: Sequence[str], number: int) -> int | None:
    """Find the line of an action: the actions are looked for in turn, from the head of their table on."""
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


def _match(match_id: str, hand: HandHistory, shown: Visibility) -> tuple[Match, list[list[Happening]]]:
    """Play a hand as a match of one: its last state, and its commits. Raises `BadHandHistory`."""
    game, n = GAMES[hand.game], len(hand.stacks)
    own = {"hands": 1, "rebuy": "never", "show_all": False, "show_all_in": False}
    chosen = {**asdict(game.setup.options()), **hand.options, **own}
    options = {**asdict(Common()), "fairness_reveal": game.setup.reveal, **chosen}
    created = ev.MatchCreated(
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
    m = life.opened(game, match_id, created)
    taken = [ev.SeatTaken(seat, player) for seat, player in enumerate(_players(hand))]
    sitting = tuple(Sitting(t.seat, "player", t.player, None) for t in taken)
    started = ev.MatchStarted(options, sitting, ("",) * n)
    first = [Happening(created, "move", 0)]
    for event in (*taken, started):
        life.evolve(m, event)
        first.append(Happening(event, "auto", 0))
    commits = [first, *played(m, hand)]
    _end(m, commits[-1])
    return m, commits


def _end(m: Match, last: list[Happening]) -> None:
    outcome = m.game.outcome(m.table)
    assert outcome is not None
    wins = tuple(m.winners.count(seat) for seat in m.seats)
    ended = ev.MatchEnded(ev.Result(outcome.winners, outcome.places, wins, outcome.scores), "played")
    life.evolve(m, ended)
    last.append(Happening(ended, "auto", 0))


# --- What is written ------------------------------------------------------------------------------------


def _written(m: Match, commits: Sequence[list[Happening]], at: Time, shown: Visibility) -> tuple[Head, list[CommitRow]]:
    """Write the log. All that the document says is open to every reader: the keys of its seals are kept beside it."""
    dealer = Dealer(m.id, (), secrets.token_bytes(32))
    key, before, first, rows = dealer.hand_key(0), NO_EVENT, 1, []
    for commit in commits:
        row, before = log.write(m.id, m.game.name, len(m.seats), log.Tail(first, at, before), commit, dealer)
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
