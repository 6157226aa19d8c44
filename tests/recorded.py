"""Provides matches that tests play without a store, and records of them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from domain import match as life
from domain.core.clock import Clock, Time
from domain.match.clocks import ContinueMatch, TimeOut
from domain.match.creation import TournamentTable
from domain.match.draws import AcceptDraw, DeclineDraw, OfferDraw
from domain.match.match_results import Annul, Cancel
from domain.match.resignations import Resign
from domain.match.seating import Leave, Sit
from domain.poker.betting_moves import Fold, SwapCards
from events.log import commits as log
from events.log.codec import shapes
from events.log.seals import NO_EVENT
from events.proof import record
from events.store.records import CommitRow
from tests.laws.games import LAWS
from tests.match.table import Table

NONCES = ["5d41402abc4b2a76", "9e107d9d372bb682"]
TWO = ("me", "open")
TRIO = ("me", "bot", "bot")


@dataclass
class Recorded(Table):
    """A match whose log is kept as a server keeps it."""

    rows: list[CommitRow] = field(default_factory=list)
    head: str = NO_EVENT

    def __post_init__(self) -> None:
        super().__post_init__()
        self._write(0)

    def does(self, seat: int, command: Any, cause: str = "move") -> list[str]:
        self.now, before = self.now + 1000, len(self.said)
        super().does(seat, command, cause)
        self._write(before)
        return [type(h.event).__name__ for h in self.said[before:]]

    def _write(self, before: int) -> None:
        if happened := self.said[before:]:
            tail = log.AppendPoint(before + 1, self.now, self.head)
            row, self.head = log.write_commit("m-1", shapes(self.game), len(self.seats), tail, happened, self.dealer)
            self.rows.append(row)

    def plays_on(self, rng: Random | None = None, until: Any = lambda m: False) -> None:
        rng = rng or Random(self.seed)
        while not self.match.over and not until(self.match) and (seats := life.to_act(self.match)):
            seat, m = seats[0], self.match
            if life.is_paused(m):
                self.does(seat, ContinueMatch())
            else:
                choices = m.game.legal(m.table, seat)
                answers = tuple(one for one in choices if one.make not in m.game.answers.off_turn)
                if len(answers) < len(choices) and rng.random() < 0.9:
                    choices = answers
                self.does(seat, rng.choice(choices).sample(rng), "bot" if m.by_bot[seat] else "move")

    def feed(self, reader: str) -> list[bytes]:
        """Return the content of a reader's feed."""
        return list(log.serve_match_events(self.rows, reader, 0, self.dealer.hand_key, self.match))

    def record(self, reader: str = "spectators") -> dict[str, Any]:
        """Return the record for a reader, parsed."""
        made: dict[str, Any] = json.loads(b"".join(record.write_record(self.about(reader), self.feed(reader))))
        return made

    def about(self, reader: str) -> dict[str, Any]:
        created_at = json.loads(self.feed(reader)[0])["at"]
        return about("m-1", self.match, reader, len(self.said), self.head, created_at)


def about(
    match_id: str, m: life.Match, reader: str, version: int, head: str, created_at: str,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the part of a record about the match without its events. Players missing from `names` have been erased."""
    players = [player and {"id": player, "name": (names or {}).get(player)} for player in m.players]
    return {
        "id": match_id, "game": m.game.name, "rules": m.created.rules, "preset": m.created.preset,
        "options": m.created.options, "series": asdict(m.created.series), "clock": asdict(m.created.clock),
        "visibility": m.created.visibility, "created_at": created_at, "version": version, "head": head,
        "status": m.status, "result": None if m.result is None else asdict(m.result), "reader": reader,
        "seats": [
            {"seat": s, "kind": "player" if players[s] else plan.kind, "player": players[s], "level": plan.level}
            for s, plan in enumerate(m.created.seats)
        ],
    }  # fmt: skip


# --- Good records -------------------------------------------------------------------------------------------


def two(game: str = "two_handed_hearts", **chosen: Any) -> Recorded:
    """Return two people who have taken their seats."""
    table = Recorded(game, TWO, chosen)
    table.does(1, Sit("ben"))
    return table


def _bots(game: str, seats: int, **chosen: Any) -> Callable[[], Recorded]:
    return lambda: _on(Recorded(game, ("bot",) * seats, chosen))


def _on(table: Recorded, events: int = 100_000) -> Recorded:
    table.plays_on(until=lambda m: len(table.said) >= events)
    return table


def _running(game: str, seats: int, events: int, **chosen: Any) -> Callable[[], Recorded]:
    return lambda: _on(Recorded(game, ("me", *["bot"] * (seats - 1)), chosen), events)


def with_nonces(of: TournamentTable | None = None) -> Recorded:
    """Return a match of two players with committed nonces, which ann wins; at a tournament table, if given."""
    table = Recorded("gin_rummy", TWO, {"nonce_commit": True}, of=of)
    table.does(1, Sit("ben"))
    for seat, player in ((0, "ann"), (1, "ben")):
        hashed = sha256(NONCES[seat].encode()).hexdigest()
        table.does(seat, Sit(player, nonce_hash=hashed))
    for seat, player in ((0, "ann"), (1, "ben")):
        table.does(seat, Sit(player, nonce=NONCES[seat]))
    _on(table, 40)
    table.does(1, Resign(whole_match=True))
    return table


def _lobby() -> Recorded:
    table = Recorded("trio", ("me", "open", "open"))
    table.does(1, Sit("ben", nonce=NONCES[1], entry=Time(900_000)))
    table.does(2, Sit("cem", entry=Time(800_000)))
    return table


def cancelled(of: TournamentTable | None = None) -> Recorded:
    """Return a match that ann cancelled after cem joined and ben left."""
    table = Recorded("trio", ("me", "open", "open"), of=of)
    table.does(1, Sit("ben", nonce=NONCES[1], entry=Time(900_000)))
    table.does(1, Leave())
    table.does(2, Sit("cem", entry=Time(800_000)))
    table.does(0, Cancel())
    return table


def _resigned(game: str, seats: int, **chosen: Any) -> Callable[[], Recorded]:
    def made() -> Recorded:
        table = Recorded(game, ("me", *["bot"] * (seats - 1)), chosen)
        _on(table, 40)
        table.does(0, Resign(whole_match=True))
        return _on(table)

    return made


def _timed_out() -> Recorded:
    table = Recorded("crazy_eights", TRIO, {"target_score": 1}, Clock(10, 5, "default_action", 2))
    while not table.match.over:
        table.plays_on(until=lambda m: life.to_act(m) == (0,))
        if not table.match.over:
            table.now += 20_000
            table.does(0, TimeOut(), "timeout")
            table.plays_on(until=lambda m: 0 in life.to_act(m) and not m.by_bot[0])
    return table


def _drawn() -> Recorded:
    table = two(target_score=1)
    _on(table, 40)
    table.does(0, OfferDraw())
    table.does(1, DeclineDraw())
    table.does(1, OfferDraw())
    table.does(0, AcceptDraw())
    return _on(table)


def _annulled() -> Recorded:
    table = _resigned("two_handed_hearts", 2)()
    table.does(0, Annul("Both seats were one player's."), "operator")
    return table


def redealt() -> Recorded:
    """Return a hand of draw in which seat 1 folds and all the others exchange all cards, so that the stock runs out."""
    table = Recorded("five_card_draw", ("me", *["bot"] * 5), {"hands": 1})
    while not table.match.over:
        (seat,), state = life.to_act(table.match), table.match.table
        move: Any = table.match.game.timing.default(state, seat)
        if state.phase == "draw":
            move = SwapCards(state.hands[seat])
        elif seat == 1:
            move = Fold()
        table.does(seat, move, "bot" if seat else "move")
    return table


def _of_a_game(name: str, seats: int, chosen: dict[str, Any], gives_up: bool) -> Callable[[], Recorded]:
    return (_resigned if gives_up else _bots)(name, seats, **chosen)


FINISHED: dict[str, Callable[[], Recorded]] = {
    **{name: _of_a_game(name, *law.RECORD) for name, law in LAWS.items()},
    "stock rebuilt": redealt,
    "holdem, sit-and-go": _bots("holdem", 5, format="sng", starting_stack=200),
    "nonces": with_nonces,
    "two resigned": _resigned("two_handed_hearts", 2),
    "four resigned, bot": _resigned("hearts", 4, target_score=1),
    "four resigned, end": _resigned("hearts", 4, on_resign="end"),
    "timed out": _timed_out,
    "drawn": _drawn,
    "annulled": _annulled,
}
"""Finished matches of every game and of other situations, with all cards disclosed."""

OTHERS: dict[str, tuple[Callable[[], Recorded], str]] = {
    "hearts running, seat": (_running("hearts", 4, 70), "0"),
    "hearts running, second hand": (_running("hearts", 4, 150), "0"),
    "gin running, spectator": (_running("gin_rummy", 2, 40), "spectators"),
    "eights running, seat": (_running("crazy_eights", 3, 30), "0"),
    "two-handed running, seat": (_running("two_handed_hearts", 2, 60), "0"),
    "trio running, seat": (_running("trio", 3, 60), "0"),
    "holdem running, seat": (_running("holdem", 3, 60, rebuy="each_hand"), "0"),
    "trio running, spectator": (_running("trio", 3, 60), "spectators"),
    "never, seat": (_resigned("gin_rummy", 2, fairness_reveal="never"), "0"),
    "never, spectator": (_bots("hearts", 4, target_score=1, fairness_reveal="never"), "spectators"),
    "lobby": (_lobby, "1"),
    "cancelled": (cancelled, "1"),
}
"""Records of matches that are not completely disclosed."""
