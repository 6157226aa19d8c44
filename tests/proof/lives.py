"""Generates random matches without a store: every game, unusual options, and everything that can happen around a
game."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from random import Random
from typing import Any

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import Refused
from domain.match.clocks import Credit, TimeOut
from domain.match.match_results import Annul, Cancel, Stop
from domain.match.match_shuffles import AwaitNonces, CloseNonces
from domain.match.resignations import Resign
from domain.match.seating import Leave, Sit
from tests.laws.games import LAWS
from tests.recorded import Recorded

CLOCKS = (
    Clock(),
    Clock(),
    Clock(per_decision_seconds=60),
    Clock(per_decision_seconds=60, bank_seconds=20, max_defaults=2),
    Clock(per_decision_seconds=60, on_expiry="bot"),
    Clock(per_decision_seconds=60, on_expiry="forfeit", grace_seconds=5),
    Clock(kind="fischer", increment_seconds=20, bank_seconds=60, cap_seconds=90),
    Clock(kind="byo_yomi", period_seconds=20, periods=2, bank_seconds=20, minor_seconds=15),
    Clock(kind="canadian", period_seconds=90, period_moves=3, bank_seconds=30),
)
STOP = Stop("Its name is offensive.")
PLAYERS = ("ann", "ben", "cem")


def lived(game: str, seed: int, most: int = 400, *, is_stopped: bool = False) -> Recorded:
    """Return a match of the game whose options, players and course follow from the seed.

    After `most` events, its players resign or the operator stops it.
    """
    rng = Random(f"{game} {seed}")
    law = LAWS[game]
    entry = rng.choice(law.ENTRIES)
    options = asdict(rng.choice(rng.choice(list(entry.blocks.values()))))
    options |= (law.SHORT if rng.random() < 0.7 else {}) | _common(rng)
    clock = rng.choice(CLOCKS)
    options["standing_orders"] = clock.ticks and rng.random() < 0.2
    persons = min(entry.seats, rng.choice([1, 2, 2, 3]))
    seats = ("me",) + ("open",) * (persons - 1) + ("bot",) * (entry.seats - persons)
    table = Recorded(game, seats, options, clock, best_of=rng.choice([1, 1, 3]), seed=seed)
    return Life(table, rng, most, is_stopped).lived()


def _common(rng: Random) -> dict[str, Any]:
    return {
        "fairness_reveal": rng.choice([None, "hand_end", "game_end", "match_end"]),
        "take_backs": rng.random() < 0.5,
        "pause_between_hands": rng.random() < 0.3,
        "on_resign": rng.choice(["bot", "end"]),
        "nonce_commit": rng.random() < 0.2,
        "nonce_seconds": rng.choice([0, 0, 0, 30]),
    }


@dataclass
class Life:
    """A match that is played until it is over; after `most` events, its players resign or the operator stops it."""

    table: Recorded
    rng: Random
    most: int
    is_stopped: bool = False

    def lived(self) -> Recorded:
        for _ in range(4 * self.most):
            if self.table.match.over:
                break
            self._turn()
        if self.table.match.result is not None and self.rng.random() < 0.1:
            self.table.does(0, Annul("Both seats were one player's."), "operator")
        return self.table

    def _turn(self) -> None:
        m = self.table.match
        if self.is_stopped and m.status == "playing" and len(self.table.said) > self.most:
            self.table.does(0, STOP, "operator")
        elif m.status == "lobby" or life.collects_nonces(m):
            self._gather(m)
        elif len(self.table.said) > self.most:
            self._end(m)
        elif self.rng.random() < (0.6 if life.open_requests(m) else 0.1 if m.undo else 0.05):
            self._wander(m)
        else:
            self._move(m)

    def _does(self, seat: int, command: Any) -> None:
        with suppress(Refused):
            self.table.does(seat, command)

    def _by_time(self, seat: int, command: Any) -> None:
        admitted = None
        with suppress(Refused):
            admitted = life.admit(self.table.match, life.Intent("time", seat, command), Time(self.table.now + 1000))
        if admitted:
            self.table.does(seat, command, admitted.cause)

    # --- The lobby, and nonces

    def _gather(self, m: life.Match) -> None:
        free = [s for s in m.seats if m.players[s] is None and not m.by_bot[s]]
        if self.rng.random() < 0.05:
            self._does(self.rng.choice(m.seats), self.rng.choice([Leave(), Leave(), Leave(), Cancel()]))
        elif free:
            self._does(free[0], Sit(PLAYERS[free[0]], entry=self._entry(m)))
        else:
            self._nonces(m)

    def _entry(self, m: life.Match) -> Any:
        if m.game.entry is None or self.rng.random() < 0.5:
            return None
        entry = next(one for one in LAWS[m.game.name].ENTRIES if one.seats == len(m.seats))
        return entry.brings(m.options, self.rng, self.table.now)

    def _nonces(self, m: life.Match) -> None:
        seat = self.rng.choice(life.humans(m) or (0,))
        nonce = sha256(f"{seat} {m.shuffles.epoch} {self.table.seed}".encode()).hexdigest()[:32]
        hashed = sha256(nonce.encode()).hexdigest()
        player = m.players[seat] or "ann"
        match self.rng.randrange(8):
            case 0:
                self.table.now += 120_000
                self._by_time(0, CloseNonces())
            case 1:
                self.table.now += 120_000
                self._by_time(0, AwaitNonces(30))
            case 2 | 3 | 4 if m.common.nonce_commit:
                self._does(seat, Sit(player, nonce_hash=hashed))
            case _:
                self._does(seat, Sit(player, nonce=nonce))

    # --- The play

    def _move(self, m: life.Match) -> None:
        seats = life.to_act(m)
        if not seats:
            return self._wander(m)
        seat = self.rng.choice(seats)
        if m.by_bot[seat]:
            choices = m.game.legal(m.table, seat)
            answers = [one for one in choices if one.make not in m.game.answers.off_turn]
            return self._as_bot(seat, self.rng.choice(answers or choices).sample(self.rng))
        if choices := life.legal_answers(m, seat):
            self._does(seat, self.rng.choice(choices).sample(self.rng))
        return None

    def _as_bot(self, seat: int, move: Any) -> None:
        self.table.does(seat, move, "bot")

    def _wander(self, m: life.Match) -> None:
        """Do something that no seat is asked for: a command of the match, a move out of turn, or a timeout."""
        persons = [s for s in m.seats if m.players[s] is not None]
        seat = self.rng.choice(persons)
        if self.rng.random() < 0.3 and any(m.clocks.asked):
            return self._late(m)
        if choices := life.other_legal_moves(m, seat):
            command = self.rng.choice(choices).sample(self.rng)
            if type(command) is Resign:
                command = Resign(self.rng.random() < 0.3)
            self._does(seat, command)
        return None

    def _late(self, m: life.Match) -> None:
        seat = next(s for s in m.seats if m.clocks.asked[s])
        if self.rng.random() < 0.2:
            return self._by_time(seat, Credit(self.rng.choice([1, 60]), self.rng.choice(["outage", "vacation"])))
        self.table.now = max(self.table.now, (m.clocks.asked[seat] or 0) + 6_000)
        return self._by_time(seat, TimeOut())

    def _end(self, m: life.Match) -> None:
        """Let all people resign, and bots play on."""
        persons = [s for s in life.humans(m) if s not in m.resigned and not m.by_bot[s]]
        if persons:
            self._does(persons[0], Resign(whole_match=True))
        self._move(self.table.match)


def lives(games: list[str], make: Callable[[str, int], Recorded] = lived) -> Iterator[Recorded]:
    """Yield matches of these games in turn, endlessly."""
    seed = 0
    while True:
        for game in games:
            yield make(game, seed)
        seed += 1
