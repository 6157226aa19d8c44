"""Recomputes the ratings of a server from the matches that it lists, and compares them with its leaderboards."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from domain.core.clock import Time, read_time
from domain.ratings.finished import FinishedMatch, FinishedSeat
from domain.ratings.rating_changes import FORMULA, MatchFold
from events.ratings.rating_fold import figures_of_noted

Get = Callable[[str], Any]
"""Return a server's answer to a GET of a path below `/v1`."""


class OtherFormula(Exception):
    """The server rates by another version of the formula; the message is its name."""


class Difference(NamedTuple):
    """A leaderboard entry that differs: the server's numbers, and the recomputed ones."""

    pool: str
    player: str
    shown: tuple[int, int, int]
    recomputed: tuple[int, int, int] | None


def recompute(get: Get) -> MatchFold:
    """Return the fold of all matches that a server lists. Raises `OtherFormula`."""
    fold = MatchFold(figures_of_noted)
    for page in _pages(get, "/rated-matches"):
        if page["formula"] != FORMULA:
            raise OtherFormula(page["formula"])
        for item in page["items"]:
            fold.rate(_finished(item))
    return fold


def differences(get: Get, fold: MatchFold) -> Iterator[Difference]:
    """Yield what leaderboards show of players otherwise than it was recomputed: rating, matches and wins."""
    for pool in sorted({pool for pool, _ in fold.standings}):
        game, of, pace = map(quote, pool.split(":"))
        for page in _pages(get, f"/leaderboards/{game}?of={of}&pace={pace}"):
            for row in page["items"]:
                player, shown = row["player"]["id"], (row["rating"], row["matches"], row["wins"])
                ours = fold.standings.get((pool, player))
                made = None if ours is None else (round(round(ours.rating.shown, 3)), ours.matches, ours.wins)
                if made != shown:
                    yield Difference(pool, player, shown, made)


def _pages(get: Get, path: str) -> Iterator[Any]:
    asked = f"{path}{'&' if '?' in path else '?'}limit=100"
    page = get(asked)
    yield page
    while page["next"] is not None:
        page = get(f"{asked}&cursor={quote(page['next'])}")
        yield page


def _finished(item: Mapping[str, Any]) -> FinishedMatch:
    seats = tuple(FinishedSeat(**seat) for seat in item["seats"])
    pool = ":".join((item["game"], item["of"], item["pace"]))
    return FinishedMatch(item["game"], pool, Time(read_time(item["ended_at"])), seats)
