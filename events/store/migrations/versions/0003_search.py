"""What the search of past games needs: whose a match is, its options one by one, and indexes in the order of lists."""

from pathlib import Path
from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Text, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables and fill them from what is there; put the indexes of lists in the places of the old ones."""
    postgresql = op.get_context().dialect.name == "postgresql"
    op.add_column("matches", Column("preset", Text))
    op.add_column("results", Column("result", Text))
    _tables()
    for statement in (PRESETS[postgresql], HOW_SEATS_CAME_OUT, INVOLVED, OPTIONS[postgresql], PRESET_OPTIONS):
        op.execute(text(statement))
    _indexes()
    if postgresql:
        driver: Any = op.get_bind().connection.driver_connection  # SQLAlchemy would take % for its own
        driver.execute(Path(__file__).with_name("0003_functions_postgresql.sql").read_text("utf-8"))


def _tables() -> None:
    op.create_table(
        "involved",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("player_id", Text, primary_key=True),
        Column("public", Boolean, nullable=False),
        Column("created_ms", BigInteger, nullable=False),
        Column("ended_ms", BigInteger),
        Column("result", Text),
    )
    op.create_table(
        "match_options",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("name", Text, primary_key=True),
        Column("game", Text, nullable=False),
        Column("value", Text, nullable=False),
        Column("public", Boolean, nullable=False),
        Column("created_ms", BigInteger, nullable=False),
    )


def _indexes() -> None:
    for name, table in (
        ("matches_newest", "matches"),
        ("matches_by_game", "matches"),
        ("matches_by_creator", "matches"),
        ("seats_by_player", "seats"),
    ):
        op.drop_index(name, table)
    public, over = "visibility = 'public'", "visibility = 'public' AND ended_ms IS NOT NULL"
    for name, table, columns, where in (
        ("matches_newest", "matches", ["created_ms", "match_no"], public),
        ("matches_by_game", "matches", ["game", "created_ms", "match_no"], public),
        ("matches_by_status", "matches", ["status", "created_ms", "match_no"], public),
        ("matches_by_game_status", "matches", ["game", "status", "created_ms", "match_no"], public),
        ("matches_by_end", "matches", ["ended_ms", "match_no"], over),
        ("involved_by_player", "involved", ["player_id", "public", "created_ms", "match_no"], None),
        (
            "involved_by_end",
            "involved",
            ["player_id", "public", "ended_ms", "match_no"],
            "ended_ms IS NOT NULL",
        ),
        (
            "involved_by_result",
            "involved",
            ["player_id", "public", "result", "created_ms", "match_no"],
            "result IS NOT NULL",
        ),
        (
            "match_options_by_value",
            "match_options",
            ["game", "name", "value", "public", "created_ms", "match_no"],
            None,
        ),
    ):
        only = None if where is None else text(where)
        op.create_index(name, table, columns, postgresql_where=only, sqlite_where=only)


PRESETS = {
    True: "UPDATE matches SET preset = (SELECT events::json -> 0 -> 'data' ->> 'preset' FROM commits c"
    " WHERE c.match_no = matches.match_no AND c.first = 1)",
    False: "UPDATE matches SET preset = (SELECT json_extract(events, '$[0].data.preset') FROM commits c"
    " WHERE c.match_no = matches.match_no AND c.first = 1)",
}

# Partners sit opposite each other; all first places on one side are a win, on several a shared one.
HOW_SEATS_CAME_OUT = """
WITH size AS (
  SELECT m.match_no, CASE WHEN m.game = 'gin_rummy' AND count(*) = 4
                            OR m.game = 'trio' AND m.options LIKE '%"teams"_true%' THEN count(*) / 2 ELSE count(*) END AS sides
    FROM matches m JOIN results r ON r.match_no = m.match_no GROUP BY m.match_no, m.game, m.options)
UPDATE results SET result = CASE
  WHEN place > 1 THEN 'lost'
  WHEN EXISTS (SELECT 1 FROM results o JOIN size s ON s.match_no = o.match_no
                WHERE o.match_no = results.match_no AND o.place = 1
                  AND o.seat - results.seat - (o.seat - results.seat) / s.sides * s.sides <> 0) THEN 'shared'
  ELSE 'won' END
"""

INVOLVED = """
INSERT INTO involved (match_no, player_id, public, created_ms, ended_ms, result)
SELECT m.match_no, p.player_id, m.visibility = 'public', m.created_ms, m.ended_ms,
       (SELECT max(r.result) FROM results r WHERE r.match_no = m.match_no AND r.player_id = p.player_id)
  FROM matches m
  JOIN (SELECT match_no, player_id FROM seats WHERE player_id IS NOT NULL
        UNION SELECT match_no, creator FROM matches WHERE visibility <> 'public' AND creator <> '') p
    ON p.match_no = m.match_no
"""

OPTIONS = {
    True: "INSERT INTO match_options (match_no, name, game, value, public, created_ms)"
    " SELECT m.match_no, o.key, m.game, coalesce(o.value, 'null'), m.visibility = 'public', m.created_ms"
    " FROM matches m, json_each_text(m.options::json) o",
    False: "INSERT INTO match_options (match_no, name, game, value, public, created_ms)"
    " SELECT m.match_no, o.key, m.game, CASE WHEN o.type IN ('true', 'false', 'null') THEN o.type ELSE o.value END,"
    " m.visibility = 'public', m.created_ms FROM matches m, json_each(m.options) o",
}

PRESET_OPTIONS = (
    "INSERT INTO match_options (match_no, name, game, value, public, created_ms)"
    " SELECT match_no, 'preset', game, preset, visibility = 'public', created_ms FROM matches WHERE preset IS NOT NULL"
)
