"""Measures the levels of the bots of each game: every level against the one below it, on duplicate deals.

The better level plays in each seat in turn; the others play at the level below. The same deal is played
from every seat, so that the luck of the cards is the same for both levels. A row says by how many points the better
level leads the mean of the others in one game, with the 95 % interval over deals, and what share of the games it wins.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, quantiles, stdev
from time import thread_time
from typing import Any, Final

from bench.tables import Line, Table
from domain.core.game import CHANCE, AnyGame, play_move
from domain.core.monte_carlo import SearchBudget
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.games.catalogue import GAMES

SEED: Final = 20261128
LADDER: Final = (("easy", "random"), ("steady", "easy"), ("strong", "steady"))
MOST_DEALS: Final = 300
"""Maximum number of deals; play ends earlier once the better level is clearly ahead."""
FEWEST_DEALS: Final = 20
SURE: Final = 2.6
"""The lead, in standard errors, that ends a match of two levels early; high, because it is tested repeatedly."""
MILLISECONDS: Final = 100
WHOLE: Final = 1.96
"""Standard errors of a 95 % interval."""


@dataclass
class Found:
    """Collects for each deal the lead in points and the share won, and how long the better level thought."""

    leads: list[float] = field(default_factory=list)
    won: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def is_clear(self) -> bool:
        """Return whether no further deals are needed."""
        enough = len(self.leads) >= FEWEST_DEALS
        return enough and max(self.ahead(self.leads), self.ahead(self.won)) > SURE

    def ahead(self, row: Sequence[float]) -> float:
        """Return by how many standard errors a row exceeds the value of equal players."""
        error = stdev(row) / sqrt(len(row))
        return fmean(row) / error if error else 0.0


def measure(*, quick: bool, count: int | None, games: Collection[str]) -> Table:
    """Compare the levels of bots of these games, or of all, in at most `count` deals for each pair."""
    table = Table(f"bots: each level over the one below, at {MILLISECONDS} ms a move; seed {SEED}")
    most = count or (MOST_DEALS // 3 if quick else MOST_DEALS)
    for game in GAMES.values():
        if game.setup.winnable and (not games or game.name in games):
            for better, worse in LADDER:
                found = compared_levels(game, better, worse, most)
                table.lines += list(rows(f"{game.name}: {better} over {worse}", found))
    return table


def rows(what: str, found: Found) -> Iterator[Line]:
    """Return the rows of a pair of levels."""
    leads, won, deals = found.leads, found.won, len(found.leads)
    held = max(found.ahead(leads), found.ahead(won)) > WHOLE
    yield Line(
        f"{what}, {deals} deals, lead ± {interval(leads):.2g}", fmean(leads), "points", target="clear", held=held
    )
    yield Line(f"{what}, won beyond an equal share ± {100 * interval(won):.2g}", 100 * fmean(won), "%")
    if found.seconds:
        times = quantiles(found.seconds, n=100, method="inclusive")
        yield Line(f"{what}, thinking, median (p99: {1000 * times[98]:.3g} ms)", 1000 * times[49], "ms")


def interval(row: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of a mean."""
    return WHOLE * stdev(row) / sqrt(len(row))


def compared_levels(game: AnyGame, better: str, worse: str, most: int) -> Found:
    """Play up to this many deals, each from every seat."""
    seats, found = game.setup.usual, Found()
    for deal in range(most):
        leads, won = [], []
        for at in range(seats):
            levels = [worse] * seats
            levels[at] = better
            outcome = game.outcome(played(game, levels, f"{SEED} {deal}", found.seconds, at))
            assert outcome is not None
            sign = -1 if game.setup.low_wins else 1
            mine, total = outcome.scores[at], sum(outcome.scores)
            leads.append(sign * (mine - (total - mine) / (seats - 1)))
            won.append((at in outcome.winners) / max(1, len(outcome.winners)) - bool(outcome.winners) / seats)
        found.leads.append(fmean(leads))
        found.won.append(fmean(won))
        if found.is_clear():
            break
    return found


def options_of(game: AnyGame) -> Any:
    """Return the options of a short game: of one hand, if one hand can decide it."""
    setup, seats = game.setup, game.setup.usual
    preset = setup.presets.get(setup.usual_preset or "", {})
    options = setup.options(**setup.resolve(preset, seats))
    short = setup.deciding(options, seats) or {}
    return setup.options(**setup.resolve({**preset, **short}, seats))


def played(game: AnyGame, levels: Sequence[str], deal: str, seconds: list[float], timed: int) -> Any:
    """Play one game; the n-th answer of chance is the same in every game of a deal."""
    state = game.start(options_of(game), len(levels), None)
    own, shown, answers = [state.copy() for _ in levels], [list[Any]() for _ in levels], 0
    thoughts, budget = Random(f"{deal} bots"), SearchBudget(MILLISECONDS)

    def tell(events: Sequence[Any]) -> None:
        for seat, world in enumerate(own):
            for event in events:
                told = view_event(event, seat)
                game.evolve(world, told)
                shown[seat].append(told)

    if game.entry is not None:
        brought = game.entry.opening(state, (None,) * len(levels))
        for event in brought:
            game.evolve(state, event)
        tell(brought)
    while actors := game.to_act(state):
        seat = actors[0]
        if seat == CHANCE:
            move = game.ask(state).sample(Random(f"{deal} {answers}"))
            answers += 1
        else:
            begun = thread_time()
            move = BOTS[game.name](levels[seat], own[seat], seat, shown[seat], thoughts, budget)
            if seat == timed:
                seconds.append(thread_time() - begun)
        state, events = play_move(game, state, seat, move)
        tell(events)
    return state
