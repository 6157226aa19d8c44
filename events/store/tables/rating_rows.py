"""This module stores ratings: the matches that are rated, in their order, and what follows from them.

The matches are found in the log by a follower. All else is folded from them, place by place; each step is one
transaction that moves `rating_state`, so that it takes effect once, however many processes take it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from events.store.protocol import Store
from events.store.schema import (
    checkpoint,
    match_options,
    matches,
    rated_matches,
    rating_changes,
    rating_state,
    ratings,
    stream,
)

FOLLOWER: Final = "ratings"
"""The name of the follower that finds the matches."""

MOST_ASKED: Final = 500
"""The most players that one statement asks for."""

Write = Callable[[Connection], None]


class RatingRun(NamedTuple):
    """This is how far the ratings have come: by which formula, in which run, up to which match."""

    formula: str
    run: int
    place: int


class RatingRow(NamedTuple):
    """This is a player's rating in a pool as it is stored."""

    pool: str
    player_id: str
    mu: float
    sigma: float
    shown: float
    matches: int
    wins: int
    last_ms: int
    hasty: int


class RatedRow(NamedTuple):
    """This is a match that is rated."""

    place: int
    match_no: int
    ended_ms: int
    facts: str


ROW: Final = tuple(ratings.c[name] for name in RatingRow._fields)
MATCH: Final = tuple(rated_matches.c[name] for name in RatedRow._fields)


# --- The matches ------------------------------------------------------------------------------------------


def any_rated(store: Store, games: Collection[str]) -> bool:
    """Say whether a match was ever created that is to be rated."""
    of = match_options.c
    asked = [exists().where(of.game == game, of.name == "rated", of.value == "true") for game in games]
    return bool(store.read(select(or_(*asked)))[0][0])


def of_those(store: Store, match_nos: Collection[int]) -> dict[int, str]:
    """Give those of these matches that are to be rated and were played here, with their ids."""
    rated = matches.c.options.contains('"rated":true', autoescape=True)
    query = (
        select(stream.c.match_no, stream.c.match_id)
        .join(matches, matches.c.match_no == stream.c.match_no)
        .where(stream.c.match_no.in_(match_nos), stream.c.imported.is_(None), rated)
    )
    return {row.match_no: row.match_id for row in store.read(query)} if match_nos else {}


def adding(found: Sequence[tuple[int, int, str]]) -> Write:
    """Give what notes finished matches, in this order: number, end, facts. Who is noted already stays in its place."""

    def write(connection: Connection) -> None:
        if not found:
            return
        last = connection.scalar(select(func.max(rated_matches.c.place))) or 0
        rows = [
            {"place": last + n, "match_no": match_no, "ended_ms": ended_ms, "facts": facts}
            for n, (match_no, ended_ms, facts) in enumerate(found, 1)
        ]
        connection.execute(_inserting(connection, rated_matches).on_conflict_do_nothing(), rows)

    return write


def after(store: Store, place: int, limit: int) -> list[RatedRow]:
    """Give the matches behind a place, in their order."""
    query = select(*MATCH).where(rated_matches.c.place > place).order_by(rated_matches.c.place).limit(limit)
    return [RatedRow._make(row) for row in store.read(query)]


def last_end(store: Store, place: int) -> int | None:
    """Give when the match ended that ended last of those up to a place."""
    found = store.read(select(func.max(rated_matches.c.ended_ms)).where(rated_matches.c.place <= place))
    return None if found[0][0] is None else int(found[0][0])


def since(store: Store, ended_ms: int, place: int) -> list[RatedRow]:
    """Give the matches up to a place that ended then or later, in their order."""
    here = (rated_matches.c.ended_ms >= ended_ms) & (rated_matches.c.place <= place)
    query = select(*MATCH).where(here).order_by(rated_matches.c.place)
    return [RatedRow._make(row) for row in store.read(query)]


# --- What follows from them -------------------------------------------------------------------------------


def state(store: Store) -> RatingRun | None:
    """Say how far the ratings have come; None before they were ever begun."""
    found = store.read(select(rating_state.c.formula, rating_state.c.run, rating_state.c.place))
    return RatingRun._make(found[0]) if found else None


def begin(store: Store, formula: str, before: RatingRun | None) -> None:
    """Begin the ratings anew from the matches, by this formula, unless another process has done so."""

    def work(connection: Connection) -> None:
        run = 1 if before is None else before.run + 1
        if before is None:
            adding_it = _inserting(connection, rating_state).on_conflict_do_nothing()
            begun = connection.execute(adding_it, {"one": 1, "formula": formula, "run": run, "place": 0}).rowcount
        else:
            moving = _moving(before).values(formula=formula, run=run, place=0)
            begun = connection.execute(moving).rowcount
        if begun:
            connection.execute(delete(rating_changes))
            connection.execute(delete(ratings))

    store.write(work)


def of_players(store: Store, asked: Collection[tuple[str, str]]) -> list[RatingRow]:
    """Give the ratings of players in pools that are asked for; and perhaps others of these players."""
    players = sorted({player for _, player in asked})
    parts = [players[at : at + MOST_ASKED] for at in range(0, len(players), MOST_ASKED)]
    return [
        RatingRow._make(row) for part in parts for row in store.read(select(*ROW).where(ratings.c.player_id.in_(part)))
    ]


def write(
    store: Store, before: RatingRun, place: int, changed: Sequence[RatingRow], changes: Sequence[Mapping[str, Any]]
) -> bool:
    """Write what the matches up to a place have made of the ratings; False, and nothing, if they were not at `before`.

    `changes` are rows of `rating_changes`.
    """

    def work(connection: Connection) -> bool:
        if not connection.execute(_moving(before).values(place=place)).rowcount:
            return False
        if changed:
            adding_them = _inserting(connection, ratings)
            kept = ("pool", "player_id")
            new = {name: adding_them.excluded[name] for name in RatingRow._fields if name not in kept}
            connection.execute(
                adding_them.on_conflict_do_update(index_elements=kept, set_=new), [row._asdict() for row in changed]
            )
        if changes:
            connection.execute(insert(rating_changes), changes)
        return True

    return store.write(work)


def begin_with_the_log(connection: Connection) -> None:
    """Forget the matches and all that follows from them, so that the follower reads the whole log once more."""
    for table in (rated_matches, rating_changes, ratings):
        connection.execute(delete(table))
    connection.execute(update(rating_state).values(run=rating_state.c.run + 1, place=0))
    connection.execute(delete(checkpoint).where(checkpoint.c.name == FOLLOWER))


def _moving(before: RatingRun) -> Any:
    here = rating_state.c
    return update(rating_state).where(
        here.formula == before.formula, here.run == before.run, here.place == before.place
    )


def _inserting(connection: Connection, table: Any) -> Any:
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
