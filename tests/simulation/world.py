"""A simulated world with a number of players, matches and days, from a seed."""

from functools import partial
from random import Random

from events.service.access import Caller
from tests.simulation.players import CHARACTERS, Player, World
from tests.simulation.servers import Servers, seeded
from tests.simulation.timeline import DAY, HOUR, Timeline

BEGINNING = 1_767_225_600_000
LONGEST = 500
"""The number of days from the start of the last match until it must be over."""


def lived(url: str, seed: int, *, matches: int, players: int, days: int) -> World:
    """Run a world with a store at this address until all matches are over, or time is up; return the world."""
    rng, clock = Random(seed), Timeline(BEGINNING)
    until = BEGINNING + days * DAY
    with seeded(rng):
        servers = Servers(url, clock, rng, until=until)
        world = World(servers, clock, rng, BEGINNING, until)
        characters = list(CHARACTERS.values())
        world.players = [
            Player(world, Caller(f"player-{n:03d}-0123456789", f"token of {n}"), characters[n % len(characters)])
            for n in range(players)
        ]
        for n in range(matches):
            clock.then(BEGINNING + rng.randrange(days * DAY), partial(_begins, world, ticks=n % 12 > 0))
        for week in range(1, LONGEST // 7):
            clock.then(until + 7 * DAY * week, partial(_is_wound_up, world))
        _goes_on(world, until + LONGEST * DAY)
    return world


def _begins(world: World, *, ticks: bool) -> None:
    """Create a match, once there is a server for it."""
    if not world.servers.api_up:
        world.clock.then(world.clock.at + HOUR, lambda: _begins(world, ticks=ticks))
        return
    world.servers.beat()
    world.begin(world.rng.choice([p for p in world.players if ticks or not p.stays_away()]), ticks=ticks)


def _is_wound_up(world: World) -> None:
    for player in world.players:
        player.gives_up()


def _goes_on(world: World, end: int) -> None:
    clock, servers = world.clock, world.servers
    looked = 0
    while clock.at < end:
        due, upcoming = servers.next_look(), clock.upcoming()
        if clock.at >= world.until + looked * DAY:
            looked += 1
            if due is None and servers.up and servers.broker_up and not _open(world):
                return
        if due is not None and (upcoming is None or due <= upcoming):
            servers.look(due)
        elif upcoming is not None:
            clock.step()
        else:
            return


def _open(world: World) -> list[str]:
    """Return the unfinished matches."""
    api = world.servers.api[0]
    return [match_id for match_id in world.matches if not api.loaded(match_id).state.over]
