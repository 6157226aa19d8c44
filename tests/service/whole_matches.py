"""Plays whole matches through the service: every way to take a seat, to play, to be late and to resign."""

from dataclasses import asdict, dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import Refused
from domain.match.creation import Series
from domain.match.move_texts import in_text
from domain.match.resignations import Resign
from events.errors import NotSigned
from events.proof.player_keys import move_message, seat_message
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.store.protocol import Store
from events.store.tables import invite_rows
from tests.bound import Matches
from tests.laws.entry import Entry
from tests.match.table import options

DAY_MS = 24 * 3600 * 1000
CALLERS = [Caller(f"player-{n}-56789012345", f"token {n}") for n in range(12)]

CLOCKS = [
    Clock(),
    Clock(per_decision_seconds=60),
    Clock(per_decision_seconds=60, on_expiry="bot"),
    Clock(per_decision_seconds=60, on_expiry="forfeit"),
    Clock(per_decision_seconds=30, bank_seconds=300, max_defaults=2),
    Clock(bank_seconds=900),
]
COMMON: list[dict[str, Any]] = [
    {},
    {"nonce_commit": True},
    {"nonce_seconds": 60},
    {"nonce_commit": True, "nonce_seconds": 60},
    {"pause_between_hands": True},
    {"pause_between_hands": True, "on_resign": "end"},
    {"on_resign": "end", "fairness_reveal": "game_end"},
    {"fairness_reveal": "match_end"},
    {"fairness_reveal": "never"},
    {"fairness_reveal": "hand_end", "nonce_seconds": 60, "pause_between_hands": True},
]


@dataclass
class WholeMatch:
    """A match being played; `did` counts the actions in it."""

    store: Store
    entry: Entry
    chosen: Any
    rng: Random
    at: int = 1_750_000_000_000
    clock: Clock | None = None
    common: dict[str, Any] | None = None
    best_of: int | None = None
    kinds: tuple[str, ...] | None = None
    haste: bool = False  # nobody is late, gives up or plays at random
    did: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rng, n = self.rng, self.entry.seats
        # Some players sign, and none of the other random choices depends on which.
        whose = Random(str(rng.getstate()[1][:3]))
        self.signing = {
            s: Ed25519PrivateKey.from_private_bytes(bytes([s + 1]) * 32) for s in range(n) if whose.random() < 0.3
        }
        self.matches = Matches(self.store, now=lambda: Time(self.at), draw=self.draws)
        kinds = self.kinds or (
            "me",
            *(rng.choice(["open", "open", "invite", "bot", "me"]) for _ in range(n - 1)),
        )
        common = self.common if self.common is not None else rng.choice(COMMON)
        given = options(self.entry.game.name, n, **{**asdict(self.chosen), **common})
        new = NewMatch(
            self.entry.game.name, given, None,
            tuple(self.request(seat, kind) for seat, kind in enumerate(kinds)),
            "private" if "open" not in kinds and rng.random() < 0.5 else "public",
            rng.choice(CLOCKS) if self.clock is None else self.clock,
            Series(rng.choice([1, 1, 3]) if self.best_of is None else self.best_of),
        )  # fmt: skip
        seen = self.matches.create(CALLERS[0], new)
        self.id, self.no = seen.match_id, seen.match_no
        self.invites = self.matches.first_invites(seen, CALLERS[0])
        self.secret = {s: f"{s}{rng.getrandbits(64):016x}" for s in range(n)}

    def draws(self, n: int) -> bytes:
        return self.rng.randbytes(n)

    def request(self, seat: int, kind: str) -> SeatRequest:
        key = self.key_of(seat) if kind == "me" else None
        return SeatRequest(
            kind,
            "random" if kind == "bot" else None,
            self.brings(kind),
            player_key=key,
            key_proof=key and self.proof_of(seat, None),
        )

    def key_of(self, seat: int) -> str | None:
        """Return the public key of a seat's player, if the player signs."""
        key = self.signing.get(seat)
        return key.public_key().public_bytes_raw().hex() if key else None

    def proof_of(self, seat: int, match_id: str | None) -> str:
        """Return the proof that the player of a seat holds its key."""
        player = CALLERS[0 if match_id is None else seat].player  # the first creates the match
        assert player is not None
        return self.signing[seat].sign(seat_message(player, match_id, seat)).hex()

    def makes(self, m: life.Match, seat: int, move: Any) -> None:
        """Make a move by hand, signed if the seat has a key."""
        signature = None
        if m.keys[seat] is not None:
            head = self.matches.loaded(self.id).head
            signed = move_message(self.id, seat, head.version, head.head.hex(), in_text(m.game, move))
            signature = self.signing[seat].sign(signed).hex()
        self.matches.move(self.id, self.holder(m, seat), seat, move, signature=signature)

    def brings(self, kind: str) -> Any:
        brought = kind == "me" and self.entry.game.entry is not None and self.rng.random() < 0.5
        return self.entry.brings(self.chosen, self.rng, self.at) if brought else None

    @property
    def now(self) -> life.Match:
        return self.matches.loaded(self.id).state

    def lived(self, commits: int = 100_000) -> "WholeMatch":
        """Play until the match is over, or for this many turns."""
        for _ in range(commits):
            if self.now.over or not self.turn():
                break
        return self

    def turn(self) -> bool:
        """Make one move; return False if none is possible."""
        self.at += self.rng.choice([0, 10, 900, 7_000])
        m = self.now
        if m.status == "lobby":
            return self.in_the_lobby(m)
        if life.collects_nonces(m):
            return self.sends(m) or self.waits(m)
        if not self.haste and self.rng.random() < 0.03 and self.plays_about(m):
            return True
        if not self.haste and self.rng.random() < 0.02 and self.waits(m):
            return True
        return self.moves(m)

    def note(self, what: str) -> bool:
        self.did[what] = self.did.get(what, 0) + 1
        return True

    def in_the_lobby(self, m: life.Match) -> bool:
        free = [s for s in m.seats if m.players[s] is None and not m.by_bot[s]]
        if not self.haste and self.rng.random() < 0.1 and m.players[m.seats[-1]] and len(m.seats) > 1:
            return self.attempts("left", lambda: self.matches.leave(self.id, self.holder(m, m.seats[-1]), m.seats[-1]))
        if free and (not life.collects_nonces(m) or self.rng.random() < 0.5):
            seat = free[0]
            kind = m.created.seats[seat].kind
            who = Caller(CALLERS[seat].player, "t", self.invites.get(seat) if kind == "invite" else None)
            if (
                kind == "invite" and invite_rows.code(self.store, self.no, seat) is None
            ):  # a player who left has spent it
                code, _ = self.matches.invite(self.id, CALLERS[0], seat)
                who = Caller(who.player, "t", code)
            more: Any = {"entry": self.brings("me")}
            key = self.key_of(seat)
            more["key_proof"] = key and self.proof_of(seat, self.id)
            return self.attempts("sat", lambda: self.matches.sit(self.id, who, seat, player_key=key, **more))
        return self.sends(m) or self.waits(m)

    def holder(self, m: life.Match, seat: int) -> Caller:
        return Caller(m.players[seat], "t")

    def sends(self, m: life.Match) -> bool:
        """Send a nonce or a hash for the shuffles, if a seat has one to send."""
        for seat in life.humans(m):
            nonce = self.secret[seat] + str(m.shuffles.epoch)
            said: Any = {}
            if m.common.nonce_commit and m.shuffles.hashes[seat] is None and m.shuffles.stage in ("", "hashes"):
                said = {"nonce_hash": sha256(nonce.encode()).hexdigest()}
            elif m.shuffles.nonces[seat] is None and (m.shuffles.stage == "nonces" or not m.common.nonce_commit):
                said = {"nonce": nonce}
            if said and self.rng.random() < 0.8:
                who = self.holder(m, seat)
                if self.attempts("sent", lambda: self.matches.sit(self.id, who, seat, **said)):  # noqa: B023
                    return True
        return False

    def waits(self, m: life.Match) -> bool:
        """Let time pass until something falls due."""
        until = [t for t in (m.shuffles.stage_until, life.first_due_time(m)) if t is not None]
        if m.status == "lobby" and not until:
            until = [Time(self.at + 31 * DAY_MS)] if self.rng.random() < 0.05 else []
            if not until and self.rng.random() < 0.02:
                return self.attempts("cancelled", lambda: self.matches.cancel(self.id, CALLERS[0]))
            if not until:
                return True
        if not until:
            return False
        self.at = max(self.at, min(until) + self.rng.choice([0, 1, 5000]))
        return self.note("waited") if self.matches.settle(self.id) else False

    def plays_about(self, m: life.Match) -> bool:
        seats = [s for s in m.seats if m.players[s] is not None and life.other_legal_moves(m, s)]
        if not seats:
            return False
        seat = self.rng.choice(seats)
        make = self.rng.choice(life.other_legal_moves(m, seat)).sample(self.rng)
        if type(make).__name__ == "Resign" and self.rng.random() < 0.7:
            return False
        return self.attempts(type(make).__name__, lambda: self.makes(m, seat, make))

    def moves(self, m: life.Match) -> bool:
        if bots := life.bots_to_act(m):
            seen = self.matches.bot_to_move(self.id)
            assert seen is not None
            move = self.rng.choice(m.game.legal(m.table, bots[0])).sample(self.rng)
            return self.matches.bot_move(seen, move) and self.note("bot")
        seats = [s for s in life.to_act(m) if m.players[s] is not None]
        if not seats:
            return False
        seat = self.rng.choice(seats)
        move = self.rng.choice(life.legal_answers(m, seat) or life.other_legal_moves(m, seat)).sample(self.rng)
        return self.attempts("moved", lambda: self.makes(m, seat, move))

    def attempts(self, what: str, deed: Any) -> bool:
        try:
            deed()
        except Refused as refused:
            return self.note(f"refused: {refused.code}")
        except NotSigned:
            return self.note("refused: the match had gone on")
        return self.note(what)


def resigns(one: WholeMatch) -> None:
    """End a match early: the players resign, and the bots play on."""
    for seat in one.now.seats:
        m = one.now
        if m.status == "playing" and m.players[seat] is not None and seat not in m.resigned:
            one.makes(m, seat, Resign(whole_match=True))
    one.haste = True
    one.lived(3_000)
