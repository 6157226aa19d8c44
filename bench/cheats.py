"""Measures what accounts that lose on purpose give a rating, and how soon honest newcomers find theirs.

All of it is simulated, from seeds, through the fold that rates matches. The floor of a gain is what the same matches
gave when all results counted in full; that of a newcomer is as many matches as it took then.
"""

from collections.abc import Callable, Iterable
from math import exp, sqrt
from random import Random
from statistics import mean
from typing import Final

from bench.tables import Line, Table
from domain.core.clock import DAY, Time
from domain.core.strengths import BETA, Figures
from domain.ratings import Finished, MatchFold, PoolStanding, Rating, Seated, Trust

SEED: Final = 20261128
START: Final = 1_750_000_000_000
MINUTE_MS: Final = 60_000
POOL: Final = "a_game:usual:live"
FIGURES: Final = Figures(bots={"steady": 1500})
SPREAD: Final = 400.0
"""The standard deviation of honest strengths, in points."""
HONEST, PLAYED = 100, 40
"""The honest players of a community, and the matches that each has played."""
THROWAWAYS: Final = 100
MOST_GIFTS: Final = 30.0
"""The target: so many points may throwaways give a rating, all together."""
NEAR, SLOWER = 200.0, 1.1
"""A newcomer has a rating once the mean error is so small; the target: it takes so many times as many matches."""
MOST_MATCHES: Final = 80


class Server:
    """A server on which players of constant strength play; in full: every result counts as if all were proven."""

    def __init__(self, seed: int, *, in_full: bool) -> None:
        self.rng, self.fold, self.at, self.in_full = Random(seed), MatchFold(lambda match: FIGURES), START, in_full
        self.strengths: dict[str, float] = {}

    def join(self, names: Iterable[str]) -> list[str]:
        joined = list(names)
        for name in joined:
            self.strengths[name] = self.rng.gauss(1500, SPREAD)
            if self.in_full:
                self.fold.trusts[name] = Trust(founder=True)
        return joined

    def meet(self, one: str, other: str) -> None:
        """Let two play honestly."""
        scale = sqrt(2) * BETA
        better = 1 / (1 + exp((self.strengths[other] - self.strengths[one]) / scale))
        winner, loser = (one, other) if self.rng.random() < better else (other, one)
        self.rate(Seated(winner, None, 0, 1), Seated(loser, None, 1, 2))

    def gives(self, loser: str, winner: str, *, decided: bool = True) -> None:
        """Let a player give up against another, some time after the start."""
        self.rate(Seated(winner, None, 0, 1), Seated(loser, None, 1, 2, left=True, decided=decided))

    def loses_to_bot(self, player: str) -> None:
        self.rate(Seated(player, None, 0, 2), Seated(None, "steady", 1, 1))

    def rate(self, *seats: Seated) -> None:
        self.at += MINUTE_MS
        self.fold.rate(Finished("a_game", POOL, Time(self.at), seats))

    def rating(self, player: str) -> Rating:
        return self.fold.standings.get((POOL, player), PoolStanding()).rating

    def error(self, player: str) -> float:
        return abs(self.rating(player).mu - self.strengths[player])

    def rounds(self, players: list[str], count: int) -> None:
        """Let players meet at random, each once a round."""
        for _ in range(count):
            self.rng.shuffle(players)
            for one, other in zip(players[::2], players[1::2], strict=False):
                self.meet(one, other)


def community(seed: int, *, in_full: bool) -> tuple[Server, list[str]]:
    """Return a server whose honest players have played for a while."""
    server = Server(seed, in_full=in_full)
    players = server.join(f"honest {n}" for n in range(HONEST))
    server.rounds(players, PLAYED)
    return server, sorted(players)


Cheat = Callable[[Server, str, list[str], list[str]], None]
"""A way in which throwaways give matches to a player, next to the other players of a server."""


def at_once(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        server.gives(one, to)


def undecided(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        server.gives(one, to, decided=False)


def after_each_other(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    server.rounds(list(throwaways), 10)
    at_once(server, to, throwaways, others)


def after_bots(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        for _ in range(10):
            server.loses_to_bot(one)
    at_once(server, to, throwaways, others)


def one_a_day(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        server.at += 1000 * DAY
        server.gives(one, to)


def five_times_each(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for _ in range(5):
        at_once(server, to, throwaways, others)


def after_two_accomplices(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        for accomplice in others[:2]:
            server.gives(one, accomplice)
    at_once(server, to, throwaways, others)


def after_three_accomplices(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        for accomplice in others[:3]:
            server.gives(one, accomplice)
    at_once(server, to, throwaways, others)


def after_strangers(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    for one in throwaways:
        for stranger in server.rng.sample(others, 4):
            server.gives(one, stranger)
    at_once(server, to, throwaways, others)


HELD: Final[dict[str, Cheat]] = {
    "100 give one match each": at_once,
    "100 resign before they decide": undecided,
    "100 give five matches each": five_times_each,
    "100 play each other first": after_each_other,
    "100 play bots first": after_bots,
    "100 give one match a day": one_a_day,
    "100 play two accomplices first": after_two_accomplices,
}
"""The ways that must give little."""

KNOWN: Final[dict[str, Cheat]] = {
    "100 play three accomplices first": after_three_accomplices,
    "100 play four strangers first, each": after_strangers,
}
"""Ways that cost more, and give what they give."""


def gained(cheat: Cheat, *, young: bool, new: bool, in_full: bool) -> float:
    """Return how many points a rating gains, whichever gains more: its mean, or what is shown of it."""
    server, others = (Server(SEED, in_full=in_full), []) if young else community(SEED, in_full=in_full)
    throwaways = server.join(f"throwaway {n}" for n in range(THROWAWAYS))
    to = server.join(["the winner"])[0] if new else others.pop(len(others) // 2)
    before = server.rating(to)
    cheat(server, to, throwaways, others)
    now = server.rating(to)
    return max(now.mu - before.mu, now.shown - before.shown)


def newcomers(count: int, *, beside: bool, in_full: bool, runs: int) -> float:
    """Return after how many matches the mean error of newcomers, who come all at once, is small."""
    errors: dict[int, list[float]] = {}
    for run in range(runs):
        server, others = community(SEED + run, in_full=in_full) if beside else (Server(SEED + run, in_full=in_full), [])
        players = server.join(f"new {n}" for n in range(count))
        for played in range(1, MOST_MATCHES + 1):
            server.rounds([*players, *others], 1)
            errors.setdefault(played, []).append(mean(server.error(player) for player in players))
    return until({played: mean(found) for played, found in errors.items()})


def until(errors: dict[int, float]) -> float:
    """Return where errors fall below what is small, between matches too."""
    played = next((played for played in sorted(errors) if errors[played] <= NEAR), MOST_MATCHES)
    before, now = errors.get(played - 1, errors[played]), errors[played]
    return played - (NEAR - now) / (before - now) if before > now else played


def measure(*, quick: bool) -> Table:
    """Let throwaways lose to a rating, and newcomers find theirs."""
    table = Table(f"cheats: what {THROWAWAYS} throwaways give one rating, and how soon newcomers find theirs")
    for what, cheat in {**HELD, **KNOWN}.items():
        for whom, new in (("an honest rating", False), ("a new account", True)):
            table.lines.append(_gift(f"{what}: gain of {whom}", cheat, new=new, young=False))
    for what in ("100 give one match each", "100 resign before they decide"):
        table.lines.append(_gift(f"{what}, nobody proven: gain", HELD[what], new=True, young=True))
    young = gained(after_each_other, young=True, new=True, in_full=False)
    table.lines.append(Line("100 play each other first, nobody else proven: gain", young, "points"))
    runs = 4 if quick else 20
    table.lines.append(_found("20 newcomers in a community of 100: matches", 20, runs, beside=True))
    for count in (10, 50, 100):
        what = f"{count} newcomers alone on a server: matches"
        table.lines.append(_found(what, count, max(runs * 50 // count, 4), beside=False))
    return table


def _gift(what: str, cheat: Cheat, *, new: bool, young: bool) -> Line:
    now = gained(cheat, young=young, new=new, in_full=False)
    before = gained(cheat, young=young, new=new, in_full=True)
    held = cheat in HELD.values()
    return Line(
        what, now, "points", before, None, f"≤ {MOST_GIFTS:g}" if held else "", now <= MOST_GIFTS if held else None
    )


def _found(what: str, count: int, runs: int, *, beside: bool) -> Line:
    now = newcomers(count, beside=beside, in_full=False, runs=runs)
    before = newcomers(count, beside=beside, in_full=True, runs=runs)
    if not beside:
        return Line(what, now, "", before, now / before)
    return Line(what, now, "", before, now / before, f"≤ {SLOWER:g} of it", now / before <= SLOWER)
