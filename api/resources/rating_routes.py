"""Serves ratings: those of a player, what has changed them, and leaderboards."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Response
from marshmallow import fields, validate

from api.http.app_state import app_state
from api.http.auth import player_or_none
from api.http.common_fields import PageQuery, choice_field, doc, pattern_field
from api.http.openapi_operations import Answer, Count, NextCursor, Operation, Ordinal, Reply, Timestamp, says
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, read_query
from api.http.responses import json_answer
from api.resources.game_routes import GAME
from api.resources.match_answer import ClassTitle, OptionClass, Pace
from api.resources.player_routes import HANDLE_IN_PATH, PublicPlayerAnswer
from domain.games.catalogue import GAMES
from domain.ratings import FORMULA, Rating, class_title, classes_of
from events.service import player_ratings, players
from events.service.player_ratings import RatedMatch
from events.store.player_records import Player, RatingRow
from events.times import write_time

bp = Blueprint("ratings", __name__, url_prefix="/v1")

PACES: Final = ("live", "mail")


class PoolQuery(PageQuery):
    """A page of one pool of ratings."""

    pace = choice_field(
        *PACES, load_default="live", **doc("Played live, or by mail: with an hour or more for a decision.")
    )
    of = pattern_field(
        "[a-z0-9_]{1,40}",
        **doc("The class of options; if left out, that with which the game is usually played.", maxLength=40),
    )


class HistoryQuery(PoolQuery):
    game = fields.String(
        required=True, validate=validate.OneOf(sorted(GAMES)), **doc("The name of the game.", example="hearts")
    )


Shown = Annotated[int, says("The displayed rating: the mean minus two deviations.")]
Mean = Annotated[float, says("The strength that the player is taken to have; it begins at 1500.")]
Deviation = Annotated[float, says("How uncertain that is: the standard deviation; it begins at 500.")]


class RatingAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    of: OptionClass
    title: ClassTitle
    pace: Pace
    rating: Shown
    mean: Mean
    deviation: Deviation
    provisional: Annotated[bool, says("Whether too little is known for the leaderboard.")]
    matches: Annotated[int, says("How many rated matches were played.")]
    wins: Annotated[int, says("How many of them were won, or their first place shared.")]
    last_at: Annotated[Timestamp, says("When the last of them ended.")]


class RatingListAnswer(Answer):
    player: Annotated[PublicPlayerAnswer, says("The player.")]
    listed: Annotated[bool, says("Whether the player lets others see ratings: else they see none here.")]
    items: Annotated[list[RatingAnswer], says("The ratings as of now, by game.")]
    next: NextCursor


class RatingChangeAnswer(Answer):
    at: Annotated[Timestamp, says("When the match ended.")]
    match: Annotated[str | None, says("The id of the match; null where it is not public, but for its player.")]
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
    matches: Annotated[int, says("How many rated matches were played.")]
    wins: Annotated[int, says("How many of them were won, or their first place shared.")]
    last_at: Annotated[Timestamp, says("When the last of them ended.")]


class SeatToRateAnswer(Answer):
    player: Annotated[str | None, says("The id of the player; null for a bot.")]
    level: Annotated[str | None, says("The level of the bot; null for a player.")]
    side: Annotated[Count, says("The number of its side; seats of one side win together.")]
    place: Annotated[Ordinal, says("The place of its side, from 1.")]
    left: Annotated[bool, says("Whether the player gave the match up, or a bot played on in the end.")]
    quick: Annotated[
        Literal["", "lost", "given_up"], says("How the player lost soon after the start; empty: not so soon.")
    ]
    decided: Annotated[bool, says("Whether the player made a move of the game.")]


class RatedMatchAnswer(Answer):
    """This is all that the rating of a match follows from."""

    match: Annotated[str, says("The id of the match, which all may read.")]
    game: Annotated[str, says("The name of the game.")]
    of: OptionClass
    pace: Pace
    ended_at: Annotated[Timestamp, says("When the match ended.")]
    seats: Annotated[list[SeatToRateAnswer], says("The seats, in order.")]


class RatedMatchListAnswer(Answer):
    formula: Annotated[str, says("The version of the formula by which the server rates.", examples=[FORMULA])]
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
    me: Annotated[LeaderboardPlaceAnswer | None, says("Where you stand; null if you do not.")]
    next: NextCursor


@bp.get("/players/<handle>/ratings")
@Operation(
    tag="players",
    access="optional",
    scope="read",
    parameters=(HANDLE_IN_PATH,),
    replies={200: Reply("The ratings.", RatingListAnswer)},
    refuses=("not_found",),
)
def list_ratings(handle: str) -> Response:
    """List a player's ratings.

    As they are now: the longer a player has not played, the less certain they are, and the lower is what is shown.
    Of a player who is not listed only the player sees them.
    """
    who, own = _found(handle)
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


@bp.get("/players/<handle>/rating-changes")
@Operation(
    tag="players",
    access="optional",
    scope="read",
    parameters=(HANDLE_IN_PATH,),
    query=HistoryQuery(),
    replies={200: Reply("A page of the history.", RatingHistoryAnswer)},
    refuses=("not_found",),
)
def list_rating_changes(handle: str) -> Response:
    """List rating changes.

    The rating after each rated match, the latest first. Of a player who is not listed only the player sees it.
    """
    who, own = _found(handle)
    asked = read_query(HistoryQuery())
    pool, limit, before = _pool(asked["game"], asked), asked["limit"], _history_place(asked.get("cursor"))
    if not own and not players.is_listed(app_state().context, who.player_id):
        return json_answer(RatingHistoryAnswer([], None))
    found = player_ratings.rating_history(app_state().context, who.player_id, pool, before, limit + 1, own=own)
    items = [RatingChangeAnswer(write_time(c.ended_ms), c.match_id, *_numbers(c.rating)) for c in found[:limit]]
    return json_answer(RatingHistoryAnswer(items, _cursor(found[limit - 1].place) if len(found) > limit else None))


@bp.get("/leaderboards/<game>")
@Operation(
    tag="players",
    access="optional",
    scope="read",
    parameters=(GAME,),
    query=PoolQuery(),
    replies={200: Reply("A page of the leaderboard.", LeaderboardAnswer)},
    refuses=("not_found",),
)
def get_leaderboard(game: str) -> Response:
    """Get a leaderboard.

    Players whose ratings are certain enough, who have played in the last 180 days and let themselves be listed, with
    the rating after their last match. `me` is your own place, on whatever page it is.
    """
    if game not in GAMES:
        raise Problem("not_found", "There is no such game. `GET /v1/games` lists all games.")
    asked, viewer = read_query(PoolQuery()), player_or_none()
    limit = asked["limit"]
    pool = _pool(game, asked)
    page = player_ratings.leaderboard(
        app_state().context,
        pool,
        viewer.player_id if viewer else None,
        _board_place(asked.get("cursor")),
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
    return json_answer(LeaderboardAnswer(game, of, class_title(rules, of), asked["pace"], classes, items, own, after))


@bp.get("/rated-matches")
@Operation(
    tag="players",
    access="optional",
    scope="read",
    query=PageQuery(),
    replies={200: Reply("A page of rated matches.", RatedMatchListAnswer)},
)
def list_rated_matches() -> Response:
    """List rated matches.

    They come in the order in which they are rated, over all games. Ratings depend only on these matches, so anyone can
    recompute them with `dealt ratings recompute`, including those of players who are not listed (`listed` is false).
    The order is that in which the matches ended in the log of the server. A match that is annulled is listed no longer,
    and those after it are rated again.
    """
    player_or_none()  # a token that is given must be valid, and may read
    asked = read_query(PageQuery())
    limit, place = asked["limit"], _place_of(asked.get("cursor"))
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


def _found(handle: str) -> tuple[Player, bool]:
    """Give the player of a handle, and whether it is who asks. Raises 404."""
    found, viewer = players.find_by_handle(app_state().context, handle), player_or_none()
    if found is None:
        raise Problem("not_found", "No player has this handle now.")
    return found, viewer is not None and viewer.player_id == found.player_id


def _pool(game: str, asked: Mapping[str, Any]) -> str:
    """Name the pool that is asked for. Raises 422 for a class of options that is not known, and that nobody played."""
    known = classes_of(GAMES[game])
    of = asked.get("of", known[0])
    pool = ":".join((game, of, asked["pace"]))
    if of not in known and not player_ratings.has_ratings(app_state().context, pool):
        raise invalid_request({"of": [f"The classes of options of {GAMES[game].words.title}: {', '.join(known)}."]})
    return pool


def _public(who: Player) -> PublicPlayerAnswer:
    return PublicPlayerAnswer(who.player_id, who.name, who.handle)


def _numbers(rating: Rating) -> tuple[int, float, float]:
    """Give what is shown of a rating, its mean and its deviation."""
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
        raise invalid_request({"cursor": ["Send the unchanged `next` of the previous page."]})
    return found
