"""Reads ratings: those of a player, their changes, and leaderboards."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from domain.core.cards import Seat
from domain.core.clock import DAY, Time
from domain.core.game import Refused
from domain.match import Match
from domain.ratings.finished import FinishedMatch, figures_of, pool_of
from domain.ratings.plackett_luce import SETTLED, ExpectedResult, Rating, expect_result
from events.ratings.rated_handler import decode
from events.ratings.rating_fold import standing_of
from events.service.context import Context
from events.store.player_records import RatingRow
from events.store.tables import rating_rows, rating_step_rows
from events.store.tables.rating_rows import BoardRow, ListedPool

ACTIVE_MS: Final = 180 * 1000 * DAY
"""The time without a match after which a player is in no leaderboard, in milliseconds."""

PAGE: Final = 200
"""The number of matches per query when looking for the highest rating of the last weeks."""


def _rating_after(row: rating_rows.HistoryRow, player_id: str) -> Rating:
    """Return the rating of a player after a match."""
    step = rating_step_rows.decode(row.ratings)[player_id]
    return Rating(step.mu, step.sigma)


class PoolRating(NamedTuple):
    """A player's current rating in a pool, and its stored form after the last match."""

    row: RatingRow
    now: Rating


class RatingChange(NamedTuple):
    """A rating after a match; `match_id` is None if the reader cannot see the match."""

    ended_ms: int
    match_id: str | None
    rating: Rating
    place: str
    """The place after which the next page continues."""


class Page(NamedTuple):
    """A page of a leaderboard: the place of its first player, and the caller, if ranked."""

    first: int
    rows: list[BoardRow]
    mine: tuple[int, RatingRow] | None


def ratings_of_player(context: Context, player_id: str) -> list[PoolRating]:
    """Return the current ratings of a player: they are less certain the longer the player has not played."""
    rows = rating_rows.read_ratings(context.store, player_id)
    return [PoolRating(row, standing_of(row).at(context.now())) for row in rows]


def rating_history(
    context: Context, player_id: str, pool: str, before: str | None, limit: int, *, own: bool
) -> list[RatingChange]:
    """Return the changes of a player's rating, the latest first; `own` means that the player asks.

    Others see only the ids of public matches.
    """
    rows = rating_rows.history(context.store, player_id, pool, before, limit)
    return [
        RatingChange(
            row.ended_ms,
            row.match_id if own or row.public else None,
            _rating_after(row, player_id),
            row.match_id,
        )
        for row in rows
    ]


class Foreseen(NamedTuple):
    """The expected result of a match, and the ratings of its players that the viewer may see, by seat."""

    expect_result: ExpectedResult
    ratings: Mapping[Seat, Rating]


def forecast_match(context: Context, m: Match, viewer: str | None) -> Foreseen:
    """Return the expected result of a match, by the current ratings that the viewer may see.

    Raise `Refused` for a finished match, or a game without a winner.
    """
    if m.over:
        raise Refused("match_over")
    if not m.game.setup.winnable:
        raise Refused("wrong_phase", "This game has no winner, so there is no expected result.")
    n, kept = len(m.seats), (plan.player for plan in m.created.seats)
    held = [player or its for player, its in zip(m.players, kept, strict=True)]
    pool = pool_of(m.game, m.options, n, m.clock)
    ratings = visible_ratings(context, [pool], [player for player in held if player is not None], viewer)
    known = {seat: ratings[pool, player] for seat, player in enumerate(held) if player and (pool, player) in ratings}
    levels = [plan.level for plan in m.created.seats]
    found = expect_result(m.game.setup.sides(m.options, n), levels, known, figures_of(m.game, m.options, n))
    return Foreseen(found, known)


def visible_ratings(
    context: Context, pools: Collection[str], player_ids: Collection[str], viewer: str | None
) -> dict[tuple[str, str], Rating]:
    """Return the current ratings of these players in these pools that the viewer may see, by pool and player."""
    rows = rating_rows.shown_to(context.store, pools, player_ids, viewer)
    return {(row.pool, row.player_id): standing_of(row).at(context.now()) for row in rows}


WEEKS: Final = 4
"""The number of weeks whose highest rating counts for a maximum rating."""


def entry_rating(context: Context, player_id: str, pool: str, least: int | None, most: int | None) -> int:
    """Return the protected rating by which a player may join with these bounds.

    For the lower bound, it is the displayed rating, two deviations below the mean: former ratings do not count. For the
    upper bound, it is the highest displayed rating of the last weeks, so that losing on purpose does not help. With
    both bounds, it is the displayed rating if that is too low, otherwise the highest.
    """
    now = _shown_now(context, player_id, pool)
    return now if most is None or (least is not None and now < least) else _highest(context, player_id, pool, now)


def _shown_now(context: Context, player_id: str, pool: str) -> int:
    rating = next((one.now for one in ratings_of_player(context, player_id) if one.row.pool == pool), Rating())
    return round(rating.shown)


def _highest(context: Context, player_id: str, pool: str, now: int) -> int:
    """Return the highest rating that was shown in the last weeks; for a new player the one of a new player."""
    since, before = context.now() - WEEKS * 7 * 1000 * DAY, None
    shown: list[float] = []
    while rows := rating_rows.history(context.store, player_id, pool, before, PAGE):
        for row in rows:
            # The first older one was the player's rating when these weeks began.
            shown.append(_rating_after(row, player_id).shown)
            if row.ended_ms < since:
                return max(now, round(max(shown)))
        before = rows[-1].match_id
    # No match is older, so these weeks began with the rating of a new player.
    return max(now, round(max([Rating().shown, *shown])))


class RatedMatch(NamedTuple):
    """A rated match, with its place in the order of rating."""

    place: int
    match_id: str
    facts: FinishedMatch


def rated_matches(context: Context, place: int, limit: int) -> list[RatedMatch]:
    """Return the rated matches after a place, in the order of rating. All of them are public."""
    rows = rating_rows.read_published(context.store, place, limit)
    return [RatedMatch(row.place, row.match_id, decode(row.facts)) for row in rows]


def has_ratings(context: Context, pool: str) -> bool:
    """Return whether any player has a rating in a pool."""
    return rating_rows.is_played(context.store, pool)


def leaderboard(context: Context, pool: str, viewer: str | None, behind: tuple[float, str] | None, limit: int) -> Page:
    """Return a page of the players of a pool with sufficiently certain ratings, the best first."""
    board = ListedPool(pool, SETTLED, Time(context.now() - ACTIVE_MS))
    rows = rating_rows.best(context.store, board, behind, limit)
    first = rating_rows.place(context.store, board, rows[0].rating) if rows else 1
    own = rating_rows.rating_of_player(context.store, board, viewer) if viewer is not None else None
    mine = None if own is None else (rating_rows.place(context.store, board, own), own)
    return Page(first, rows, mine)
