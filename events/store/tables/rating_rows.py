"""Stores ratings: the rated matches, in their order, and the results folded from them.

A follower finds the matches in the log. All other data is folded from them in order. Each step is one transaction that
moves `rating_state`, so it takes effect once, even if several processes run it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from domain.core.values import value
from events.store.player_records import DecisionRow, RatedRow, RatingRow, RatingRun, TrustRow
from events.store.protocol import Store
from events.store.schema.log_schema import archived, checkpoint, due, stream
from events.store.schema.match_schema import match_options, matches, results
from events.store.schema.player_schema import players
from events.store.schema.tournament_schema import rated_matches, rating_changes, rating_state, rating_trusts, ratings
from events.store.tables import decision_rows, rating_step_rows
from events.store.upserts import upsert

CLOCK: Final = "clock"
"""The kind of pending work that a deadline is."""

FOLLOWER: Final = "ratings"
"""The name of the follower that finds the matches."""

MOST_ASKED: Final = 500
"""Maximum number of players in one statement."""

Write = Callable[[Connection], None]


class NewRow(NamedTuple):
    """A finished match to rate, and the version of the code that read it."""

    match_no: int
    ended_ms: int
    facts: str
    reading: int


RATED: Final = ratings.c.matches > 0
"""The condition that a match has changed ratings; other matches only have flags."""

ROW: Final = tuple(ratings.c[name] for name in RatingRow._fields)
MATCH: Final = tuple(rated_matches.c[name] for name in RatedRow._fields)


# --- The matches ------------------------------------------------------------------------------------------


def any_timed(store: Store) -> bool:
    """Return whether any match has an open decision with a deadline."""
    return bool(store.read(select(exists().where(due.c.kind == CLOCK, due.c.claimable_ms.is_not(None))))[0][0])


def any_rated(store: Store, games: Collection[str]) -> bool:
    """Return whether any rated match was ever created."""
    of = match_options.c
    asked = [exists().where(of.game == game, of.name == "rated", of.value == "true") for game in games]
    return bool(store.read(select(or_(*asked)))[0][0])


def played_here(store: Store, match_nos: Collection[int]) -> dict[int, str]:
    """Return the matches among these that were played on this server, with their ids."""
    query = select(stream.c.match_no, stream.c.match_id)
    query = query.where(stream.c.match_no.in_(match_nos), stream.c.imported.is_(None))
    return {row.match_no: row.match_id for row in store.read(query)} if match_nos else {}


def writer_of_finished(
    found: Sequence[NewRow], annulled: Collection[int] = (), decisions: Sequence[DecisionRow] = ()
) -> Write:
    """Return the statements that note finished matches, in this order. Noted matches keep their place.

    They record how deadlines were met, and delete voided matches. If a deleted match was noted, all later ones are
    folded again.
    """

    def write(connection: Connection) -> None:
        _add(connection, found)
        decision_rows.add_decisions(connection, decisions)
        rating_step_rows.leave_out(connection, annulled)

    return write


def _add(connection: Connection, found: Sequence[NewRow]) -> None:
    if found:
        last = connection.scalar(select(func.max(rated_matches.c.place))) or 0
        rows = [{"place": last + n, **row._asdict()} for n, row in enumerate(found, 1)]
        connection.execute(upsert(connection, rated_matches).on_conflict_do_nothing(), rows)


def read_rated_after(store: Store, place: int, limit: int) -> list[RatedRow]:
    """Return the matches after a place, in their order."""
    query = select(*MATCH).where(rated_matches.c.place > place).order_by(rated_matches.c.place).limit(limit)
    return [RatedRow._make(row) for row in store.read(query)]


class PublishedRow(NamedTuple):
    """The public data of a rated match: its place in the order, its id, and its facts."""

    place: int
    match_id: str
    facts: str


def read_published(store: Store, place: int, limit: int) -> list[PublishedRow]:
    """Return the matches after a place, in the order of rating, with their ids."""
    query = select(rated_matches.c.place, stream.c.match_id, rated_matches.c.facts)
    query = query.join(stream, stream.c.match_no == rated_matches.c.match_no).where(rated_matches.c.place > place)
    return [PublishedRow._make(row) for row in store.read(query.order_by(rated_matches.c.place).limit(limit))]


def last_end(store: Store, place: int) -> int | None:
    """Return the latest end time of the matches up to a place."""
    found = store.read(select(func.max(rated_matches.c.ended_ms)).where(rated_matches.c.place <= place))
    return None if found[0][0] is None else int(found[0][0])


def count(store: Store, after: int, upto: int) -> int:
    """Count the matches after a place, up to another."""
    here = (rated_matches.c.place > after) & (rated_matches.c.place <= upto)
    return int(store.read(select(func.count()).select_from(rated_matches).where(here))[0][0])


def rated_since(store: Store, ended_ms: int, place: int) -> list[RatedRow]:
    """Return the matches up to a place that ended then or later, in their order."""
    here = (rated_matches.c.ended_ms >= ended_ms) & (rated_matches.c.place <= place)
    query = select(*MATCH).where(here).order_by(rated_matches.c.place)
    return [RatedRow._make(row) for row in store.read(query)]


# --- Results of the fold -----------------------------------------------------------------------------------


def state(store: Store) -> RatingRun | None:
    """Return the progress of the ratings; None before the first run."""
    found = store.read(select(rating_state.c.formula, rating_state.c.run, rating_state.c.place))
    return RatingRun._make(found[0]) if found else None


def begin_ratings(store: Store, formula: str, before: RatingRun | None) -> bool:
    """Begin the ratings again from the matches, by this formula.

    Returns False and changes nothing unless they were at `before`.
    """

    def work(connection: Connection) -> bool:
        run = 1 if before is None else before.run + 1
        if before is None:
            adding_it = upsert(connection, rating_state).on_conflict_do_nothing()
            begun = connection.execute(adding_it, {"one": 1, "formula": formula, "run": run, "place": 0}).rowcount
        else:
            moving = _moving(before).values(formula=formula, run=run, place=0)
            begun = connection.execute(moving).rowcount
        if begun:
            _forget_ratings(connection)
        return bool(begun)

    return store.write(work)


def of_players(store: Store, asked: Collection[tuple[str, str]]) -> list[RatingRow]:
    """Return at least the requested ratings of players in pools, perhaps with others of these players."""
    parts = _parts({player for _, player in asked})
    return [
        RatingRow._make(row) for part in parts for row in store.read(select(*ROW).where(ratings.c.player_id.in_(part)))
    ]


def trusts(store: Store, asked: Collection[str]) -> list[TrustRow]:
    """Return the known trust in these players."""
    query = select(*(rating_trusts.c[name] for name in TrustRow._fields))
    found = (store.read(query.where(rating_trusts.c.player_id.in_(part))) for part in _parts(asked))
    return [TrustRow._make(row) for rows in found for row in rows]


def count_proven_players(store: Store) -> int:
    """Return the number of players who are proven."""
    return int(store.read(select(func.count()).select_from(rating_trusts).where(rating_trusts.c.proven))[0][0])


def _parts(players: Collection[str]) -> list[list[str]]:
    """Divide players into groups that fit into one statement."""
    ordered = sorted(players)
    return [ordered[at : at + MOST_ASKED] for at in range(0, len(ordered), MOST_ASKED)]


def write_ratings(
    store: Store,
    before: RatingRun,
    place: int,
    changed: Sequence[RatingRow],
    changes: Sequence[Mapping[str, Any]],
    trusted: Sequence[TrustRow] = (),
) -> bool:
    """Write the ratings after the matches up to a place; write nothing, and return False, if they were not at `before`.

    `changes` are rows of `rating_changes`.
    """

    def work(connection: Connection) -> bool:
        if not connection.execute(_moving(before).values(place=place)).rowcount:
            return False
        _replace(connection, ratings, ("pool", "player_id"), changed)
        _replace(connection, rating_trusts, ("player_id",), trusted)
        if changes:
            connection.execute(insert(rating_changes), changes)
        return True

    return store.write(work)


def _replace(connection: Connection, table: Any, key: tuple[str, ...], rows: Sequence[RatingRow | TrustRow]) -> None:
    """Store rows in place of those of the same key."""
    if rows:
        adding_them = upsert(connection, table)
        new = {name: adding_them.excluded[name] for name in rows[0]._fields if name not in key}
        connection.execute(
            adding_them.on_conflict_do_update(index_elements=key, set_=new), [row._asdict() for row in rows]
        )


# --- Queries of players ------------------------------------------------------------------------------------


class HistoryRow(NamedTuple):
    """A match that has changed a rating: its id, whether it is public, and its rating changes."""

    match_no: int
    match_id: str
    public: bool
    ended_ms: int
    ratings: str


class BoardRow(NamedTuple):
    """A player in a leaderboard."""

    rating: RatingRow
    name: str
    handle: str


@value
class ListedPool:
    """A leaderboard: a pool, the maximum deviation, and the earliest time of a player's last match.

    It omits erased and unlisted players.
    """

    pool: str
    most_sigma: float
    since_ms: int

    def has(self) -> ColumnElement[bool]:
        """Return the condition on ratings and players to be on it."""
        return and_(
            ratings.c.pool == self.pool,
            RATED,
            ratings.c.sigma <= self.most_sigma,
            ratings.c.last_ms >= self.since_ms,
            players.c.handle.is_not(None),
            players.c.listed,
        )


def read_ratings(store: Store, player_id: str) -> list[RatingRow]:
    """Return the ratings of a player, in all pools."""
    query = select(*ROW).where(ratings.c.player_id == player_id, RATED).order_by(ratings.c.pool)
    return [RatingRow._make(row) for row in store.read(query)]


def shown_to(store: Store, pools: Collection[str], player_ids: Collection[str], viewer: str | None) -> list[RatingRow]:
    """Return the ratings of these players in pools, of listed players and the viewer."""
    if not pools or not player_ids:
        return []
    may = or_(players.c.listed & players.c.handle.is_not(None), players.c.player_id == viewer)
    query = select(*ROW).join(players, players.c.player_id == ratings.c.player_id)
    found = store.read(query.where(ratings.c.pool.in_(pools), ratings.c.player_id.in_(player_ids), RATED, may))
    return [RatingRow._make(row) for row in found]


def history(store: Store, player_id: str, pool: str, before: str | None, limit: int) -> list[HistoryRow]:
    """Return the matches that changed a player's rating, the latest first.

    `before` is the id of the match to continue after.
    """
    query = (
        select(
            results.c.match_no,
            stream.c.match_id,
            matches.c.visibility == "public",
            results.c.ended_ms,
            rating_changes.c.ratings,
        )
        .join(rating_changes, rating_changes.c.match_no == results.c.match_no)
        .join(rated_matches, rated_matches.c.match_no == results.c.match_no)
        .join(stream, stream.c.match_no == results.c.match_no)
        .join(matches, matches.c.match_no == results.c.match_no)
        .where(results.c.player_id == player_id, rating_changes.c.pool == pool, rating_changes.c.rated)
    )
    if before is not None:
        there = stream.alias()
        last = select(rated_matches.c.place).join(there, there.c.match_no == rated_matches.c.match_no)
        query = query.where(rated_matches.c.place < last.where(there.c.match_id == before).scalar_subquery())
    return [HistoryRow._make(row) for row in store.read(query.order_by(rated_matches.c.place.desc()).limit(limit))]


def is_played(store: Store, pool: str) -> bool:
    """Return whether any player has a rating in a pool."""
    return bool(store.read(select(ratings.c.player_id).where(ratings.c.pool == pool, RATED).limit(1)))


def best(store: Store, board: ListedPool, behind: tuple[float, str] | None, limit: int) -> list[BoardRow]:
    """Return the players of a leaderboard, the best first, after the given rating and id."""
    query = select(*ROW, players.c.name, players.c.handle).join(players, players.c.player_id == ratings.c.player_id)
    query = query.where(board.has())
    if behind is not None:
        shown, player_id = behind
        query = query.where(
            or_(ratings.c.shown < shown, (ratings.c.shown == shown) & (ratings.c.player_id > player_id))
        )
    query = query.order_by(ratings.c.shown.desc(), ratings.c.player_id).limit(limit)
    return [BoardRow(RatingRow._make(row[:-2]), row[-2], row[-1]) for row in store.read(query)]


def place(store: Store, board: ListedPool, of: RatingRow) -> int:
    """Return the place of a rating in a leaderboard, from 1."""
    better = or_(ratings.c.shown > of.shown, (ratings.c.shown == of.shown) & (ratings.c.player_id < of.player_id))
    query = select(func.count()).select_from(ratings).join(players, players.c.player_id == ratings.c.player_id)
    return 1 + int(store.read(query.where(board.has(), better))[0][0])


def rating_of_player(store: Store, board: ListedPool, player_id: str) -> RatingRow | None:
    """Return the rating of a player who is in a leaderboard, or None."""
    query = select(*ROW).join(players, players.c.player_id == ratings.c.player_id)
    found = store.read(query.where(board.has(), ratings.c.player_id == player_id))
    return RatingRow._make(found[0]) if found else None


def read_flagged(store: Store) -> list[tuple[RatingRow, str | None]]:
    """Return the ratings of flagged players, with their handles; those with most such matches first."""
    query = select(*ROW, players.c.handle).outerjoin(players, players.c.player_id == ratings.c.player_id)
    query = query.where(ratings.c.hasty + ratings.c.gifts > 0)
    query = query.order_by((ratings.c.hasty + ratings.c.gifts).desc(), ratings.c.pool, ratings.c.player_id)
    return [(RatingRow._make(row[:-1]), row[-1]) for row in store.read(query)]


def begin_with_the_log(connection: Connection) -> None:
    """Delete the matches and all derived data, so that the follower reads the whole log again.

    It does not meet archived matches, so what was read of them stays.
    """
    connection.execute(delete(rated_matches).where(rated_matches.c.match_no.not_in(select(archived.c.match_no))))
    connection.execute(delete(checkpoint).where(checkpoint.c.name == FOLLOWER))
    decision_rows.delete_decisions(connection)
    _forget_ratings(connection)
    connection.execute(update(rating_state).values(run=rating_state.c.run + 1, place=0))


def _forget_ratings(connection: Connection) -> None:
    """Delete all data derived from the matches."""
    for table in (rating_changes, ratings, rating_trusts):
        connection.execute(delete(table))


def _moving(before: RatingRun) -> Any:
    here = rating_state.c
    return update(rating_state).where(
        here.formula == before.formula, here.run == before.run, here.place == before.place
    )
