"""Describes the tables of tournaments and ratings."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, Text, UniqueConstraint

from events.store.player_records import DecisionRow, RatedRow, RatingRow, RatingRun, TrustRow
from events.store.schema.metadata import columns_of, metadata
from events.store.tournament_records import TableRow, TournamentRow

tournaments = Table(
    "tournaments",
    metadata,
    *columns_of(TournamentRow, "tournament_id"),
    Column("ends_ms", BigInteger),
)
"""Tournaments as lists show them: a projection of their streams. `entrants` omits those who left; `ends_ms` is the end
of a running arena.
"""
Index("tournaments_by_status", tournaments.c.status, tournaments.c.closes_ms)
Index("tournaments_by_end", tournaments.c.ends_ms)
Index("tournaments_by_time", tournaments.c.created_ms, tournaments.c.tournament_id)

tournament_players = Table(
    "tournament_players",
    metadata,
    Column("tournament_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("role", Text, primary_key=True),
)
"""The people of a tournament with their role: organiser, helper, invited, entrant, waiting, or left. It follows from
the streams of tournaments.
"""
Index("tournament_players_by_player", tournament_players.c.player_id)

tournament_tables = Table(
    "tournament_tables",
    metadata,
    *columns_of(TableRow, "tournament_id", "round", "place"),
)
"""The tables of tournaments that wait for the end of a match, which may not exist yet. It follows from the streams of
tournaments.
"""

rated_matches = Table(
    "rated_matches",
    metadata,
    *columns_of(RatedRow, "place"),
    Column("reading", Integer, nullable=False),
    UniqueConstraint("match_no"),
)
"""The finished matches that are rated, in the order of rating. `facts` is the data that the rating needs, as JSON, and
`reading` the version of the code that read it from the log.
"""
Index("rated_matches_by_end", rated_matches.c.ended_ms)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match_no", BigInteger, primary_key=True, autoincrement=False),
    Column("pool", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("ratings", Text, nullable=False),
    Column("trusts", Text, nullable=False),
)
"""The ratings of the players after each match, as JSON by player: mean, deviation, and the rating before.

`rated`: the match has changed ratings; other matches are here only for flags. `trusts` has the earlier trust of players
whose trust has changed.
"""

ratings = Table("ratings", metadata, *columns_of(RatingRow, "pool", "player_id"))
"""The ratings of players in each pool, as of their last match there; they follow only from `rated_matches`."""
Index("ratings_by_player", ratings.c.player_id)
Index("ratings_best", ratings.c.pool, ratings.c.shown, ratings.c.player_id)

rating_trusts = Table("rating_trusts", metadata, *columns_of(TrustRow, "player_id"))
"""The trust in players from rated matches, as JSON, and whether it proves them."""
Index("rating_trusts_proven", rating_trusts.c.proven)

decisions = Table("decisions", metadata, *columns_of(DecisionRow, "match_no", "player_id"))
"""How players kept the deadlines of a finished match: decisions in time, and decisions that ran out."""
Index("decisions_by_player", decisions.c.player_id, decisions.c.ended_ms)

rating_state = Table(
    "rating_state",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    *columns_of(RatingRun),
)
"""The progress of the ratings: one row. `run` counts recomputations, `place` is that of the last match."""
