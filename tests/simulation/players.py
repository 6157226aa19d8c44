"""The players of a simulated world: how often they look in, and what they do then."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from domain import match as life
from domain.core.clock import Time
from domain.core.game import Refused
from domain.games.bots import BOTS
from domain.match.clocks import ContinueMatch
from domain.match.resignations import Resign, TakeSeatBack
from domain.match.vacation_days import current_vacation, give_back_vacation, take_vacation, vacation_left
from events.errors import BadInvite, Conflict, NotFound, Repeated
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Idempotency
from events.store.tables import inbox_rows, invite_rows, player_rows, vacation_rows
from tests.bound import Matches
from tests.simulation.servers import Servers
from tests.simulation.tables import ORDERS, new_match
from tests.simulation.timeline import DAY, HOUR, MINUTE, Interval, Timeline


@dataclass(frozen=True)
class Character:
    """Describes a player: the hours between two visits, and how likely each action is."""

    hours: tuple[float, float]
    stays: float = 0.6  # to look again a few minutes later
    vacations: float = 0.0
    auto: bool = True
    orders: float = 0.0
    fickle: float = 0.03  # to do something other than move
    resigns: float = 0.002
    returns: float = 0.6  # to take the seat back
    vanishes: float = 0.0  # for weeks
    gone_after: int | None = None  # days


CHARACTERS = {
    "prompt": Character((0.3, 6)),
    "slow": Character((10, 40), stays=0.3),
    "often away": Character((4, 30), vanishes=0.05),
    "on vacation": Character((3, 20), vacations=0.04),
    "never on vacation": Character((5, 50), auto=False),
    "by orders": Character((20, 90), orders=0.5),
    "fickle": Character((2, 15), fickle=0.3, resigns=0.02, orders=0.1),
    "gone": Character((4, 20), gone_after=9),
    "never there": Character((400, 900), returns=0.0),
}


@dataclass
class Kept:
    """The world's own knowledge of a match, independent of the servers' answers."""

    match_id: str
    creator: Caller
    invites: dict[int, str | None]
    heads: list[tuple[int, str]] = field(default_factory=list)
    in_force: dict[int, list[list[int | None]]] = field(default_factory=dict)  # when a seat's orders were


@dataclass
class World:
    """State shared by all players."""

    servers: Servers
    clock: Timeline
    rng: Random
    began: int
    until: int  # no match is begun later
    matches: dict[str, Kept] = field(default_factory=dict)
    lobbies: list[str] = field(default_factory=list)
    players: "list[Player]" = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def begin(self, creator: "Player", *, ticks: bool) -> None:
        """Let a player create a match."""
        api = self.api
        seen = api.create(creator.caller, new_match(self.rng, ticks=ticks))
        self.keep(seen, creator, api.first_invites(seen, creator.caller))

    def keep(self, seen: Seen, creator: "Player", invites: dict[int, str | None]) -> None:
        self.matches[seen.match_id] = Kept(seen.match_id, creator.caller, invites)
        self.lobbies.append(seen.match_id)
        creator.playing.append(seen.match_id)

    @property
    def days(self) -> float:
        """Return how long the world has existed."""
        return (self.clock.at - self.began) / DAY

    @property
    def api(self) -> Matches:
        return self.rng.choice(self.servers.api)


@dataclass
class Player:
    """A player who joins, moves and disappears at random."""

    world: World
    caller: Caller
    character: Character
    playing: list[str] = field(default_factory=list)
    vacations: list[Interval] = field(default_factory=list)
    deeds: int = 0

    def __post_init__(self) -> None:
        assert self.caller.player is not None
        self.id = self.caller.player
        w = self.world
        player_rows.add_player(w.servers.store, self.id, self.id, sha256(self.id.encode()).digest(), w.clock.at)
        if not self.character.auto:
            vacation_rows.set_auto(w.servers.store, self.id, False)
        w.clock.then(w.clock.at + w.rng.randrange(DAY), self.visit)
        self.gone_at = None if self.character.gone_after is None else w.clock.at + self.character.gone_after * DAY

    def stays_away(self) -> bool:
        return self.gone_at is not None or self.character.hours[0] > 300

    def visit(self) -> None:
        """Look in, and return when to look in again."""
        w, rng, c = self.world, self.world.rng, self.character
        if self.gone_at is not None and w.clock.at > self.gone_at:
            return
        if not w.servers.api_up:
            w.clock.then(w.clock.at + rng.randrange(5 * MINUTE, HOUR), self.visit)
            return
        w.servers.beat()
        busy = self.acts()
        if busy and rng.random() < c.stays:
            pause = rng.randrange(MINUTE, 12 * MINUTE)
        elif rng.random() < c.vanishes:
            pause = rng.randrange(5 * DAY, 25 * DAY)
        else:
            pause = int(rng.uniform(*c.hours) * HOUR)
        w.clock.then(w.clock.at + pause, self.visit)

    def acts(self) -> bool:
        w, rng = self.world, self.world.rng
        self._vacation()
        turns = [row for row in inbox_rows.read_inbox(w.servers.store, self.id) if not row.asked]
        done = [self._turn(row.match_id, row.seat) for row in turns if rng.random() < 0.9]
        for match_id in rng.sample(self.playing, min(2, len(self.playing))):
            self._off_turn(match_id)
        for match_id in rng.sample(w.lobbies, min(3, len(w.lobbies))):
            self._lobby(match_id)
        return any(done)

    # --- Absence --------------------------------------------------------------------------------------------

    def _vacation(self) -> None:
        w, rng, store = self.world, self.world.rng, self.world.servers.store
        now = w.clock()
        if rng.random() < self.character.vacations:
            end = Time(now + rng.choice([DAY, 2 * DAY, 7 * DAY, 30 * HOUR, 5 * HOUR, rng.randrange(DAY, 9 * DAY)]))
            self._attempts(
                "vacation",
                lambda: vacation_rows.change_vacations(store, self.id, lambda a: take_vacation(a, now, end)),
            )
        elif rng.random() < 0.15 and (a := vacation_rows.allowance(store, self.id)) and current_vacation(a, now):
            self._attempts(
                "vacation ended",
                lambda: vacation_rows.change_vacations(store, self.id, lambda a: give_back_vacation(a, now)),
            )
        if self.character.vacations and (a := vacation_rows.allowance(store, self.id)) and vacation_left(a, now) < 0:
            w.trouble.append(f"{self.id} has taken more vacation than there is at {now}")

    # --- In the lobby ---------------------------------------------------------------------------------------

    def _lobby(self, match_id: str) -> None:
        w, rng, api = self.world, self.world.rng, self.world.api
        kept = w.matches[match_id]
        m = api.loaded(match_id).state  # it does not matter here who was told of the match
        if m.status != "lobby":
            w.lobbies.remove(match_id)
            return
        if not m.clock.ticks and self.stays_away():
            return  # nothing would ever wait for this player in vain
        if self.id in m.players:
            self._says(api, match_id, m)
            if rng.random() < 0.01:
                self._attempts("left", lambda: api.leave(match_id, self.caller, m.players.index(self.id)))
            elif self.id == kept.creator.player and rng.random() < 0.01:
                self._attempts("cancelled", lambda: api.cancel(match_id, self.caller))
            return
        free = [s for s in m.seats if m.players[s] is None and not m.by_bot[s]]
        if free:
            seat = rng.choice(free)
            code = kept.invites.get(seat)
            if m.created.seats[seat].player not in (None, self.id):
                return
            if (
                kept.invites
                and m.created.seats[seat].kind == "invite"
                and invite_rows.code(w.servers.store, api.open(match_id, kept.creator).match_no, seat) is None
            ):
                with suppress(Refused):
                    code = kept.invites[seat] = api.invite(match_id, kept.creator, seat)[0]
            who = Caller(self.id, self.caller.token, code or next((c for c in kept.invites.values() if c), None))
            eaten = Time(w.clock.at - rng.randrange(DAY)) if m.game.name == "trio" and rng.random() < 0.5 else None
            if self._attempts("sat", lambda: api.sit(match_id, who, seat, entry=eaten)):
                self.playing.append(match_id)

    def _says(self, api: Matches, match_id: str, m: life.Match) -> None:
        """Send nonces or hashes for a fair shuffle."""
        seat = m.players.index(self.id)
        nonce = sha256(f"{self.id}{match_id}{m.shuffles.epoch}".encode()).hexdigest()[:32]
        said: dict[str, Any] = {}
        if m.common.nonce_commit and m.shuffles.hashes[seat] is None and m.shuffles.stage in ("", "hashes"):
            said = {"nonce_hash": sha256(nonce.encode()).hexdigest()}
        elif m.shuffles.nonces[seat] is None and (m.shuffles.stage == "nonces" or not m.common.nonce_commit):
            said = {"nonce": nonce}
        if said and self.world.rng.random() < 0.8:
            self._attempts("nonce", lambda: api.sit(match_id, self.caller, seat, **said))

    # --- At the table ---------------------------------------------------------------------------------------

    def _turn(self, match_id: str, seat: int) -> bool:
        rng, api = self.world.rng, self.world.api
        seen = self._seen(api, match_id)
        if seen is None or seat not in life.to_act(seen.match):
            return False
        m = seen.match
        if life.is_paused(m):
            return self._attempts("continued", lambda: api.move(match_id, self.caller, seat, ContinueMatch()))
        if rng.random() < self.character.orders:
            return self._leaves_orders(api, seen)
        if rng.random() < self.character.fickle:
            return self._plays_about(api, seen)
        legal = life.legal(m, seat)
        if not legal:
            return False
        shown = api.shown(seen) if m.game.memory else ()
        move = (
            rng.choice(legal).sample(rng)
            if rng.random() < 0.2
            else BOTS[m.game.name]("easy", m.table, seat, shown, rng)
        )
        version = seen.version if rng.random() < 0.3 else None
        return self._sends(api, match_id, seat, move, version)

    def _sends(self, api: Matches, match_id: str, seat: int, move: Any, version: int | None) -> bool:
        """Make a move; now and then the answer is lost, and the same request is sent again to another server."""
        self.deeds += 1
        name = sha256(f"{self.id}{self.deeds}".encode()).digest()
        key = Idempotency(name, name)
        done = self._attempts("moved", lambda: api.move(match_id, self.caller, seat, move, version, key))
        if done and self.world.rng.random() < 0.05:
            with suppress(Repeated):
                try:
                    self.world.api.move(match_id, self.caller, seat, move, version, key)
                except (Refused, Conflict):
                    return True
                self.world.trouble.append(f"{match_id}: a repeated move was made again")
        return done

    def _off_turn(self, match_id: str) -> None:
        w, rng, api = self.world, self.world.rng, self.world.api
        seen = self._seen(api, match_id)
        if seen is None or seen.seat is None or seen.match.over:
            with suppress(ValueError):
                self.playing.remove(match_id)
            if seen is not None and seen.match.status == "finished" and rng.random() < 0.05 and w.clock.at < w.until:
                self._rematch(api, match_id)
            return
        if rng.random() < 0.1:
            w.matches[match_id].heads.append((seen.version, seen.head))
        m, seat = seen.match, seen.seat
        if m.status == "lobby" or life.collects_nonces(m):
            self._says(api, match_id, api.loaded(match_id).state)
        elif m.by_bot[seat] and seat not in m.resigned and rng.random() < self.character.returns:
            self._attempts("seat taken back", lambda: api.move(match_id, self.caller, seat, TakeSeatBack()))
        elif rng.random() < 0.1 + self.character.fickle:
            self._plays_about(api, seen)
        elif rng.random() < self.character.orders / 4:
            self._leaves_orders(api, seen)

    def _plays_about(self, api: Matches, seen: Seen) -> bool:
        rng, seat = self.world.rng, seen.seat
        also = life.other_legal_moves(seen.match, seat) if seat is not None else ()
        if not also:
            return False
        make = rng.choice(also).sample(rng)
        if isinstance(make, Resign) and rng.random() > 20 * self.character.resigns:
            return False
        name = type(make).__name__
        return self._attempts(name, lambda: api.move(seen.match_id, self.caller, seat, make))

    def _leaves_orders(self, api: Matches, seen: Seen) -> bool:
        w, rng, seat, now = self.world, self.world.rng, seen.seat, self.world.clock.at
        assert seat is not None
        m = seen.match
        if not m.common.standing_orders:
            return False
        held = w.matches[seen.match_id].in_force.setdefault(seat, [])

        def end() -> None:
            for one in held:
                one[1] = now if one[1] is None else one[1]

        if held and rng.random() < 0.3:
            if self._attempts("orders cancelled", lambda: api.cancel_orders(seen.match_id, self.caller, seat)):
                end()
            return False
        document = json.dumps({"auto_play_forced": rng.random() < 0.5} | ORDERS.get(m.game.name, {}))
        if self._attempts("orders given", lambda: api.give_orders(seen.match_id, self.caller, seat, document)):
            end()
            held.append([now, None])
        return False

    def _rematch(self, api: Matches, match_id: str) -> None:
        found: list[Any] = []
        if self._attempts("rematch", lambda: found.append(api.rematch(match_id, self.caller))):
            seen, new = found[0]
            if new:
                self.world.keep(seen, self, {})

    def gives_up(self) -> None:
        """Resign matches without a clock, which would never end."""
        api = self.world.api
        for match_id in list(self.playing):
            seen = self._seen(api, match_id)
            if seen and seen.seat is not None and seen.match.status == "playing" and not seen.match.clock.ticks:
                self._resigns(api, match_id, seen.seat)

    def _resigns(self, api: Matches, match_id: str, seat: int) -> bool:
        whole = Resign(whole_match=True)
        return self._attempts("gave up", lambda: api.move(match_id, self.caller, seat, whole))

    def _seen(self, api: Matches, match_id: str) -> Seen | None:
        try:
            return api.see(match_id, self.caller)
        except NotFound:
            return None

    def _attempts(self, what: str, deed: Callable[[], Any]) -> bool:
        try:
            deed()
        except (Refused, Conflict, BadInvite, NotFound) as no:
            self.world.servers.note(f"{what}: {type(no).__name__} {getattr(no, 'code', '')}".strip())
            return False
        self.world.servers.note(what)
        return True
