"""Measures how much accounts that lose on purpose raise a rating, and how soon newcomers get an accurate one.

All of it is simulated, from seeds, through the fold that rates matches. The floors are the gain, and the number of
matches of a newcomer, if all results counted in full. The matches of a community are spread over three months, so most
of its players were proven long ago.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache, partial
from math import exp, sqrt
from random import Random
from statistics import mean
from typing import Final

from bench.tables import Line, Table
from domain.core.clock import DAY, Time
from domain.core.strengths import BETA, Figures
from domain.ratings.finished import FinishedMatch, FinishedSeat
from domain.ratings.plackett_luce import Rating
from domain.ratings.rating_changes import MatchFold, PoolStanding
from domain.ratings.trust import NEEDED, Trust

SEED: Final = 20261128
START: Final = 1_750_000_000_000
MINUTE_MS: Final = 60_000
POOL: Final = "a_game:usual:live"
FIGURES: Final = Figures(bots={"steady": 1500})
SPREAD: Final = 400.0
"""The standard deviation of honest strengths, in points."""
HONEST, PLAYED, AGE_DAYS = 100, 40, 90
"""The honest players of a community, the matches that each has played, and the days over which they are spread."""
THROWAWAYS: Final = 100
MOST_GIFTS: Final = 30.0
"""Target: the maximum gain from throwaways that win fewer than three real matches each, in points."""
NEAR, SLOWER = 200.0, 1.1
"""The mean error at which newcomers count as rated, in points; and the target: the maximum ratio of matches needed."""
MOST_MATCHES: Final = 80
FEWEST_RUNS: Final = 6
"""Fewer runs are too uncertain: with two, luck changed a ratio by 0.4."""
FEW_NEWCOMERS: Final = 20
"""Number of simultaneous newcomers of the target; more have to wait until the community has vouched for them."""


class Server:
    """A server with players of constant strength; with `in_full`, every result counts as if all were proven."""

    def __init__(self, seed: int, *, in_full: bool) -> None:
        self.rng, self.fold, self.at, self.in_full = Random(seed), MatchFold(lambda match: FIGURES), START, in_full
        self.strengths: dict[str, float] = {}

    def join(self, names: Iterable[str]) -> list[str]:
        joined = list(names)
        for name in joined:
            self.strengths[name] = self.rng.gauss(1500, SPREAD)
            if self.in_full:
                self.fold.trusts[name] = Trust(needed=0, proven=True)
        return joined

    def meet(self, one: str, other: str) -> None:
        """Let two players play honestly."""
        scale = sqrt(2) * BETA
        better = 1 / (1 + exp((self.strengths[other] - self.strengths[one]) / scale))
        winner, loser = (one, other) if self.rng.random() < better else (other, one)
        self.rate(FinishedSeat(winner, None, 0, 1), FinishedSeat(loser, None, 1, 2))

    def gives(self, loser: str, winner: str, *, decided: bool = True) -> None:
        """Let a player resign against another, some time after the start."""
        self.rate(FinishedSeat(winner, None, 0, 1), FinishedSeat(loser, None, 1, 2, left=True, decided=decided))

    def comes_in(self, *order: str) -> None:
        """Let players finish at a table in this order."""
        self.rate(*(FinishedSeat(player, None, side, side + 1) for side, player in enumerate(order)))

    def loses_to_bot(self, player: str) -> None:
        self.rate(FinishedSeat(player, None, 0, 2), FinishedSeat(None, "steady", 1, 1))

    def rate(self, *seats: FinishedSeat) -> None:
        self.at += MINUTE_MS
        self.fold.rate(FinishedMatch("a_game", POOL, Time(self.at), seats))

    def rating(self, player: str) -> Rating:
        return self.fold.standings.get((POOL, player), PoolStanding()).rating

    def error(self, player: str) -> float:
        return abs(self.rating(player).mu - self.strengths[player])

    def rounds(self, players: list[str], count: int, *, days: float = 0) -> None:
        """Let players meet at random, each once a round; the rounds are spread evenly over this many days."""
        for _ in range(count):
            self.at += round(1000 * DAY * days / count)
            self.rng.shuffle(players)
            for one, other in zip(players[::2], players[1::2], strict=False):
                self.meet(one, other)


def community(seed: int, *, size: int = HONEST, in_full: bool) -> tuple[Server, list[str]]:
    """Return a server whose honest players have played for a while."""
    server = Server(seed, in_full=in_full)
    players = server.join(f"honest {n}" for n in range(size))
    server.rounds(players, PLAYED, days=AGE_DAYS)
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


def outsiders(server: Server, others: list[str], count: int) -> list[str]:
    """Return other players who may vouch for a throwaway now, drawn at random."""
    day = server.at // (1000 * DAY)
    ready = [one for one in others if one in server.fold.trusts and server.fold.trusts[one].may_vouch(day)]
    return server.rng.sample(ready or others, min(count, len(ready or others)))


def after_losses(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let each throwaway lose to three other players first: 300 matches."""
    for one in throwaways:
        for outsider in outsiders(server, others, 3):
            server.gives(one, outsider)
    at_once(server, to, throwaways, others)


def after_wins(server: Server, to: str, throwaways: list[str], others: list[str], *, wins: int) -> None:
    """Let each throwaway first really beat this many other players, and lose to three."""
    for one in throwaways:
        for outsider in outsiders(server, others, wins):
            server.gives(outsider, one)
    after_losses(server, to, throwaways, others)


def for_a_year(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let each throwaway beat an outsider, and then lose to others and to the winner in each month of a year."""
    after_wins(server, to, throwaways, others, wins=1)
    for _ in range(12):
        server.at += 31 * 1000 * DAY
        after_losses(server, to, throwaways, others)


def for_two_winners(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let two winners share the throwaways, whom both let win first."""
    for one in throwaways:
        for winner in (to, others[0]):
            server.gives(winner, one)
    after_wins(server, to, throwaways, others, wins=1)
    at_once(server, others[0], throwaways, others)


def as_partners_of_outsiders(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let the winner and a proven partner beat sides of an outsider and a throwaway."""
    for one in throwaways:
        partner, outsider = server.rng.sample(others, 2)
        seats = [FinishedSeat(player, None, 0, 1) for player in (to, partner)]
        server.rate(*seats, *(FinishedSeat(player, None, 1, 2) for player in (outsider, one)))


def helped_against_outsiders(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let two throwaways help a third to beat an outsider at a table of four, before all give their matches."""
    for n, one in enumerate(throwaways):
        for outsider in outsiders(server, others, 3):
            server.comes_in(one, outsider, throwaways[n - 1], throwaways[n - 2])
    at_once(server, to, throwaways, others)


def helped_against_a_bot(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let each throwaway help the winner to finish ahead of a bot at a table of three."""
    for one in throwaways:
        bot = FinishedSeat(None, "steady", 1, 2)
        server.rate(FinishedSeat(to, None, 0, 1), bot, FinishedSeat(one, None, 2, 3))


def helped_by_most_of_a_table(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let two throwaways help the winner to finish ahead of one outsider at a table of four."""
    for n, one in enumerate(throwaways):
        server.comes_in(to, others[n % len(others)], one, throwaways[n - 1])


def helped_by_one(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let a throwaway help the winner to finish ahead of two outsiders, at fifty tables of four."""
    for one in throwaways[:50]:
        server.comes_in(to, *server.rng.sample(others, 2), one)


def after_accomplices(server: Server, to: str, throwaways: list[str], others: list[str], *, count: int) -> None:
    """Let this many other players lose to each throwaway first."""
    accomplices = outsiders(server, others, count)
    for one in throwaways:
        for accomplice in accomplices:
            server.gives(accomplice, one)
    at_once(server, to, throwaways, others)


def by_own_wins(server: Server, to: str, throwaways: list[str], others: list[str], *, count: int) -> None:
    """Let the winner really win this many matches instead, against one outsider after the other."""
    for n in range(count):
        server.gives(others[n % len(others)], to)


def after_the_winner(server: Server, to: str, throwaways: list[str], others: list[str]) -> None:
    """Let the throwaways play the winner, who may vouch for some of them, then each other."""
    at_once(server, to, throwaways, others)
    after_each_other(server, to, throwaways, others)


def in_a_chain(
    server: Server, to: str, throwaways: list[str], others: list[str], *, first: int, wins: int, months: int = 0
) -> None:
    """Let the first throwaways really win this many matches each, then let all who may vouch prove the others."""
    for one in throwaways[:first]:
        for outsider in outsiders(server, others, wins):
            server.gives(outsider, one)
    for month in range(months + 1):
        server.at += 31 * 1000 * DAY * bool(month)
        for one in throwaways:
            for other in outsiders(server, [known for known in throwaways if known != one], NEEDED):
                server.gives(other, one)
    at_once(server, to, throwaways, others)


HELD: Final[dict[str, Cheat]] = {
    "100 give one match each": at_once,
    "100 resign before they decide": undecided,
    "100 give five matches each": five_times_each,
    "100 play each other first": after_each_other,
    "100 play bots first": after_bots,
    "100 give one match a day": one_a_day,
    "100 lose to three outsiders first": after_losses,
    "100 win one real match, lose three": partial(after_wins, wins=1),
    "100 win two real matches, lose three": partial(after_wins, wins=2),
    "100 win one, then lose in each month of a year": for_a_year,
    "100 shared by two winners": for_two_winners,
    "100 as partners of outsiders": as_partners_of_outsiders,
    "100 help each other against outsiders": helped_against_outsiders,
    "100 help the winner to beat a bot each": helped_against_a_bot,
    "two of 100 at each table help to beat one outsider": helped_by_most_of_a_table,
    "100 beat two accomplices first": partial(after_accomplices, count=2),
}
"""The ways that must give nothing, or hardly anything."""

YOUNG: Final[dict[str, Cheat]] = {
    "100 play each other first": after_each_other,
    "100 play the winner first, then each other": after_the_winner,
    "100 lose to three outsiders first": after_losses,
}
"""The ways that must give little even while a server is young."""

KNOWN: Final[dict[str, Cheat]] = {
    "1 wins 3 real matches first": lambda server, to, throwaways, others: after_wins(
        server, to, throwaways[:1], others, wins=3
    ),
    "2 win 10 real matches each and vouch, for half a year": partial(in_a_chain, first=2, wins=10, months=6),
    "3 real wins by the winner instead": partial(by_own_wins, count=3),
    "10 win 3 real matches each first": lambda server, to, throwaways, others: after_wins(
        server, to, throwaways[:10], others, wins=3
    ),
    "3 win 10 real matches each and vouch for others at once": partial(in_a_chain, first=3, wins=10),
    "3 do so, and again after each of 3 months": partial(in_a_chain, first=3, wins=10, months=3),
    "30 real wins by the winner instead": partial(by_own_wins, count=30),
    "100 win 3 real matches each first": partial(after_wins, wins=3),
    "50 help to beat two outsiders each": helped_by_one,
    "100 beat three accomplices first": partial(after_accomplices, count=3),
}
"""Ways that need real wins; they have no target."""


def gained(cheat: Cheat, *, size: int = HONEST, new: bool, in_full: bool) -> float:
    """Return the gain of a rating in a community, in points: of its mean or its displayed value, the larger one."""
    server, others = deepcopy(_grown(size, in_full=in_full))
    server.at += 30 * 1000 * DAY
    throwaways = server.join(f"throwaway {n}" for n in range(THROWAWAYS))
    to = server.join(["the winner"])[0] if new else others.pop(len(others) // 2)
    before = server.rating(to)
    cheat(server, to, throwaways, others)
    now = server.rating(to)
    return max(now.mu - before.mu, now.shown - before.shown)


@cache
def _grown(size: int, *, in_full: bool) -> tuple[Server, list[str]]:
    return community(SEED, size=size, in_full=in_full)


def newcomers(count: int, *, size: int, in_full: bool, runs: int) -> float:
    """Return the number of matches after which newcomers who all join together have a small mean error."""
    errors: dict[int, list[float]] = {}
    for run in range(runs):
        server, others = community(SEED + run, size=size, in_full=in_full)
        players = server.join(f"new {n}" for n in range(count))
        for played in range(1, MOST_MATCHES + 1):
            server.rounds([*players, *others], 1)
            errors.setdefault(played, []).append(mean(server.error(player) for player in players))
    return until({played: mean(found) for played, found in errors.items()})


def until(errors: dict[int, float]) -> float:
    """Return the number of matches, interpolated, at which errors fall below `NEAR`."""
    played = next((played for played in sorted(errors) if errors[played] <= NEAR), MOST_MATCHES)
    before, now = errors.get(played - 1, errors[played]), errors[played]
    return played - (NEAR - now) / (before - now) if before > now else played


def measure(*, quick: bool) -> Table:
    """Measure what throwaways gain for a player, and how soon newcomers get a rating."""
    table = Table(f"cheats: what {THROWAWAYS} throwaways give one rating, and how soon newcomers find theirs")
    for what, cheat in {**HELD, **KNOWN}.items():
        held = cheat in HELD.values()
        for whom, new in (("an honest rating", False), ("a new account", True)):
            table.lines.append(_gift(f"{what}: gain of {whom}", cheat, new=new, held=held))
    for what in ("100 give one match each", "100 resign before they decide"):
        table.lines.append(_gift(f"{what}, nobody proven: gain", HELD[what], new=True, size=0, held=True))
    young = gained(after_each_other, size=0, new=True, in_full=False)
    table.lines.append(Line("100 play each other first, nobody else proven: gain", young, "points"))
    for size in (8, 20):
        for what, cheat in YOUNG.items():
            table.lines.append(_gift(f"{what}, {size} honest players: gain", cheat, new=False, size=size, held=True))
        what = f"4 win 3 real matches each, vouch the same day, {size} honest players: gain"
        chain = partial(in_a_chain, first=4, wins=3)
        table.lines.append(_gift(what, chain, new=False, size=size, held=False))
    runs = 4 if quick else 20
    for size in (HONEST, 60):
        for count in (20, 60, 200):
            what = f"{count} newcomers in a community of {size}: matches"
            table.lines.append(_found(what, count, max(runs * 20 // count, FEWEST_RUNS), size=size))
    for count in (10, 50, 100):
        what = f"{count} newcomers alone on a server: matches"
        table.lines.append(_found(what, count, max(runs * 50 // count, 4), size=0))
    return table


def _gift(what: str, cheat: Cheat, *, new: bool, size: int = HONEST, held: bool) -> Line:
    now = gained(cheat, size=size, new=new, in_full=False)
    before = gained(cheat, size=size, new=new, in_full=True)
    return Line(
        what, now, "points", before, None, f"≤ {MOST_GIFTS:g}" if held else "", now <= MOST_GIFTS if held else None
    )


def _found(what: str, count: int, runs: int, *, size: int) -> Line:
    now = newcomers(count, size=size, in_full=False, runs=runs)
    before = newcomers(count, size=size, in_full=True, runs=runs)
    if not size or count > FEW_NEWCOMERS:
        return Line(what, now, "", before, now / before)
    return Line(what, now, "", before, now / before, f"≤ {SLOWER:g} of it", now / before <= SLOWER)
