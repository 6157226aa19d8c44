"""Serves ratings: those of a player, what has changed them, and leaderboards."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Final, Literal

from flask import Response

from api.http.app_state import app_state
from api.http.auth import player_or_none
from api.http.common_fields import PageQuery
from api.http.openapi_operations import Answer, Count, NextCursor, Operation, Ordinal, Reply, Timestamp, says
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import read_query
from api.http.request_records import choice, matches, sample
from api.http.responses import json_answer
from api.resources.game_routes import GAME
from api.resources.match_answer import ClassTitle, OptionClass, Pace
from api.resources.player_routes import HANDLE_IN_PATH, PublicPlayerAnswer, require_player_by_handle
from domain.core.options import Omissible
from domain.games.catalogue import GAMES
from domain.ratings.finished import class_title, classes_of
from domain.ratings.plackett_luce import Rating
from domain.ratings.rating_changes import FORMULA
from events.service import player_ratings, players
from events.service.player_ratings import RatedMatch
from events.store.player_records import Player, RatingRow
from events.times import write_time


class PoolQuery(PageQuery):
    """A page of one pool of ratings."""

    pace: Literal["live", "mail"] = "live"
    """`live`, or `mail` with at least an hour per decision."""
    of: Omissible[Annotated[str, matches("[a-z0-9_]{1,40}", "1 to 40 characters of a-z, 0-9 and _")]] = None
    """The class of options; by default the usual one of the game."""


class HistoryQuery(PoolQuery):
    game: Annotated[str, choice(sorted(GAMES)), sample(example="hearts")]
    """The name of the game."""


Shown = Annotated[int, says("The displayed rating: the mean minus two deviations.")]
Mean = Annotated[float, says("The estimated strength; starts at 1500.")]
Deviation = Annotated[float, says("The standard deviation of the estimate; starts at 500.")]


class RatingAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    of: OptionClass
    title: ClassTitle
    pace: Pace
    rating: Shown
    mean: Mean
    deviation: Deviation
    provisional: Annotated[bool, says("Whether the rating is too uncertain for the leaderboard.")]
    matches: Annotated[int, says("The number of rated matches.")]
    wins: Annotated[int, says("The number of these won or tied for first.")]
    last_at: Annotated[Timestamp, says("End time of the last of these.")]


class RatingListAnswer(Answer):
    player: Annotated[PublicPlayerAnswer, says("The player.")]
    listed: Annotated[bool, says("Whether others can see the player's ratings.")]
    items: Annotated[list[RatingAnswer], says("The ratings as of now, by game.")]
    next: NextCursor


class RatingChangeAnswer(Answer):
    at: Annotated[Timestamp, says("End time of the match.")]
    match: Annotated[str | None, says("The id of the match; null if it is hidden from you.")]
    rating: Shown
    mean: Mean
    deviation: Deviation


class RatingHistoryAnswer(Answer):
    items: Annotated[list[RatingChangeAnswer], says("The ratings after each match, the latest first.")]
    next: NextCursor


class LeaderboardPlaceAnswer(Answer):
    place: Annotated[int, says("The place, from 1.")]
    player: Annotated[PublicPlayerAnswer, says("The player.")]
    rating: Shown
    matches: Annotated[int, says("The number of rated matches.")]
    wins: Annotated[int, says("The number of these won or tied for first.")]
    last_at: Annotated[Timestamp, says("End time of the last of these.")]


class SeatToRateAnswer(Answer):
    player: Annotated[str | None, says("The id of the player; null for a bot.")]
    level: Annotated[str | None, says("The level of the bot; null for a player.")]
    side: Annotated[Count, says("The number of its side; seats of one side win together.")]
    place: Annotated[Ordinal, says("The place of its side, from 1.")]
    left: Annotated[bool, says("Whether the player resigned, or a bot played for the player at the end.")]
    quick: Annotated[Literal["", "lost", "given_up"], says("How the player lost soon after the start, else empty.")]
    decided: Annotated[bool, says("Whether the player made a move of the game.")]


class RatedMatchAnswer(Answer):
    """All data that determine the rating of a match."""

    match: Annotated[str, says("The id of the match, which is public.")]
    game: Annotated[str, says("The name of the game.")]
    of: OptionClass
    pace: Pace
    ended_at: Annotated[Timestamp, says("End time of the match.")]
    seats: Annotated[list[SeatToRateAnswer], says("The seats, in order.")]


class RatedMatchListAnswer(Answer):
    formula: Annotated[str, says("The version of the rating formula.", examples=[FORMULA])]
    items: Annotated[list[RatedMatchAnswer], says("The matches in the order in which they are rated.")]
    next: NextCursor


class RatedClassAnswer(Answer):
    of: OptionClass
    title: ClassTitle


class LeaderboardAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    of: OptionClass
    title: ClassTitle
    pace: Pace
    classes: Annotated[list[RatedClassAnswer], says("The classes of options of the game, the usual one first.")]
    items: Annotated[list[LeaderboardPlaceAnswer], says("The players of this page, the best first.")]
    me: Annotated[LeaderboardPlaceAnswer | None, says("Your place; null if you are not ranked.")]
    next: NextCursor


@Operation(
    tag="players",
    searches=("elo", "player rating"),
    access="optional",
    scope="read",
    parameters=(HANDLE_IN_PATH,),
    replies={200: Reply("The ratings.", RatingListAnswer)},
    refuses=("not_found",),
)
def list_ratings(handle: str) -> Response:
    """List a player's ratings.

    Returns the current ratings. The longer a player has not played, the less certain a rating is, and the lower the
    displayed one. The ratings of an unlisted player are shown only to that player.
    """
    who, own = _find_player(handle)
    listed = players.is_listed(app_state().context, who.player_id)
    found = player_ratings.ratings_of_player(app_state().context, who.player_id) if listed or own else []
    items = []
    for row, now in found:
        game, of, pace = row.pool.split(":")
        items.append(
            RatingAnswer(
                game,
                of,
                class_title(GAMES.get(game), of),
                pace,  # type: ignore[arg-type]
                *_numbers(now),
                now.provisional,
                row.matches,
                row.wins,
                write_time(row.last_ms),
            )
        )
    return json_answer(RatingListAnswer(_public(who), listed, items, None))


@Operation(
    tag="players",
    searches=("rating history", "rating graph"),
    access="optional",
    scope="read",
    parameters=(HANDLE_IN_PATH,),
    query=HistoryQuery,
    replies={200: Reply("A page of the history.", RatingHistoryAnswer)},
    refuses=("not_found",),
)
def list_rating_changes(handle: str) -> Response:
    """List rating changes.

    Returns the rating after each rated match, the latest first. Those of an unlisted player are shown only to that
    player.
    """
    who, own = _find_player(handle)
    asked = read_query(HistoryQuery)
    pool, limit, before = _pool(asked.game, asked), asked.limit, _history_place(asked.cursor)
    if not own and not players.is_listed(app_state().context, who.player_id):
        return json_answer(RatingHistoryAnswer([], None))
    found = player_ratings.rating_history(app_state().context, who.player_id, pool, before, limit + 1, own=own)
    items = [RatingChangeAnswer(write_time(c.ended_ms), c.match_id, *_numbers(c.rating)) for c in found[:limit]]
    return json_answer(RatingHistoryAnswer(items, _cursor(found[limit - 1].place) if len(found) > limit else None))


@Operation(
    tag="players",
    searches=("leaderboard", "top players"),
    access="optional",
    scope="read",
    parameters=(GAME,),
    query=PoolQuery,
    replies={200: Reply("A page of the leaderboard.", LeaderboardAnswer)},
    refuses=("not_found",),
)
def get_leaderboard(game: str) -> Response:
    """Get a leaderboard.

    Ranks listed players with certain ratings and a match in the last 180 days, by the rating after their last match.
    `me` is your own place, on every page.
    """
    if game not in GAMES:
        raise Problem("not_found", "There is no such game. `GET /v1/games` lists all games.")
    asked, viewer = read_query(PoolQuery), player_or_none()
    limit = asked.limit
    pool = _pool(game, asked)
    page = player_ratings.leaderboard(
        app_state().context,
        pool,
        viewer.player_id if viewer else None,
        _board_place(asked.cursor),
        limit + 1,
    )
    items = [
        _placed(place, Player(row.rating.player_id, row.name, row.handle), row.rating)
        for place, row in enumerate(page.rows[:limit], page.first)
    ]
    own = _placed(page.mine[0], viewer, page.mine[1]) if page.mine is not None and viewer is not None else None
    last = page.rows[limit - 1].rating if len(page.rows) > limit else None
    after = _cursor(f"{last.shown!r}.{last.player_id}") if last else None
    of, rules = pool.split(":")[1], GAMES[game]
    classes = [RatedClassAnswer(one, class_title(rules, one)) for one in classes_of(rules)]
    return json_answer(LeaderboardAnswer(game, of, class_title(rules, of), asked.pace, classes, items, own, after))


@Operation(
    tag="players",
    searches=("rated games", "recompute ratings"),
    access="optional",
    scope="read",
    query=PageQuery,
    replies={200: Reply("A page of rated matches.", RatedMatchListAnswer)},
)
def list_rated_matches() -> Response:
    """List rated matches.

    Lists the matches of all games in the order in which they are rated, which is the order in which they ended. Ratings
    depend only on these matches. Anyone can recompute them with `dealt ratings recompute`, even those of unlisted
    players (`listed` is false). If a match is voided, it leaves the list, and later matches are rated again.
    """
    player_or_none()  # a token is optional, but must be valid and have the scope `read`
    asked = read_query(PageQuery)
    limit, place = asked.limit, _place_of(asked.cursor)
    found = player_ratings.rated_matches(app_state().context, place, limit + 1)
    after = _cursor(str(found[limit - 1].place)) if len(found) > limit else None
    return json_answer(RatedMatchListAnswer(FORMULA, [_rated(one) for one in found[:limit]], after))


def _rated(one: RatedMatch) -> RatedMatchAnswer:
    game, of, pace = one.facts.pool.split(":")
    seats = [
        SeatToRateAnswer(seat.player, seat.level, seat.side, seat.place, seat.left, seat.quick, seat.decided)
        for seat in one.facts.seats
    ]
    return RatedMatchAnswer(one.match_id, game, of, pace, write_time(one.facts.at), seats)  # type: ignore[arg-type]


def _find_player(handle: str) -> tuple[Player, bool]:
    """Return the player of a handle, and whether it is the caller. Raises 403 for the scope of a token, then 404."""
    viewer, found = player_or_none(), require_player_by_handle(handle)
    return found, viewer is not None and viewer.player_id == found.player_id


def _pool(game: str, asked: PoolQuery) -> str:
    """Return the requested pool. Raises 422 for an unknown class of options without matches."""
    known = classes_of(GAMES[game])
    of = known[0] if asked.of is None else asked.of
    pool = f"{game}:{of}:{asked.pace}"
    if of not in known and not player_ratings.has_ratings(app_state().context, pool):
        raise wrong_fields({"of": [f"{GAMES[game].words.title} has these classes of options: {', '.join(known)}."]})
    return pool


def _public(who: Player) -> PublicPlayerAnswer:
    return PublicPlayerAnswer(who.player_id, who.name, who.handle)


def _numbers(rating: Rating) -> tuple[int, float, float]:
    """Return the displayed rating, its mean and its deviation."""
    return round(rating.shown), round(rating.mu, 1), round(rating.sigma, 1)


def _placed(place: int, who: Player, row: RatingRow) -> LeaderboardPlaceAnswer:
    last_at = write_time(row.last_ms)
    return LeaderboardPlaceAnswer(place, _public(who), round(row.shown), row.matches, row.wins, last_at)


# --- The cursors ------------------------------------------------------------------------------------------


def _cursor(place: str) -> str:
    return urlsafe_b64encode(place.encode()).decode().rstrip("=")


_MATCH: Final = re.compile(r"([0-9a-z]{20})")
_SHOWN: Final = re.compile(r"(-?[0-9]{1,6}\.[0-9]{1,3})\.([0-9a-z]{20})")


_PLACE: Final = re.compile(r"[1-9][0-9]{0,17}")


def _place_of(text: str | None) -> int:
    found = _read(_PLACE, text)
    return 0 if found is None else int(found[0])


def _history_place(text: str | None) -> str | None:
    found = _read(_MATCH, text)
    return None if found is None else found[1]


def _board_place(text: str | None) -> tuple[float, str] | None:
    found = _read(_SHOWN, text)
    return None if found is None else (float(found[1]), found[2])


def _read(form: re.Pattern[str], text: str | None) -> re.Match[str] | None:
    """Read a cursor. Raises 422."""
    if text is None:
        return None
    try:
        plain = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        plain = ""
    found = form.fullmatch(plain)
    if found is None:
        raise wrong_fields({"cursor": ["Send the unchanged `next` of the previous page."]})
    return found
