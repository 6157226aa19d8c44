"""This module describes the tables for queries. The migrations make them; a test holds the two equal.

Nothing refers to another table by a foreign key: rows are written by match in one transaction, and a check on every
insert would be paid on every move.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    false,
    literal_column,
    true,
)

REVISION: Final = "2026_11_17"
"""The migration that this code was written for."""

metadata = MetaData()

stream = Table(
    "stream",
    metadata,
    Column("match_no", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("match_id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False, server_default="match"),
    Column("version", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("turns", Text, nullable=False, server_default="[]"),
    Column("imported", Text),
)
"""One row for each stream, of which `kind` says what it is, a match or another: where its log ends, and whom it waits
for: a projection, as JSON, that lies here because every move writes this row anyway. `imported` says of a match
that was played elsewhere how it is shown here.
"""

commits = Table(
    "commits",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("n", SmallInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("events", Text, nullable=False),
    Column("secrets", Text),
    Column("mac", LargeBinary),
    Column("position", BigInteger, nullable=False),
)
"""The log, append-only. On PostgreSQL there is also `xid`, the transaction that wrote the row."""

secrets = Table(
    "secrets",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seal_secret", LargeBinary, nullable=False),
    Column("roots", Text, nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("key_hash", LargeBinary, primary_key=True),
    Column("body_hash", LargeBinary, nullable=False),
    Column("match_no", BigInteger),
    Column("first", Integer),
    Column("n", Integer),
    Column("at_ms", BigInteger, nullable=False),
)
Index("idempotency_at", idempotency.c.at_ms)

players = Table(
    "players",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("name", Text),
    Column("token_hash", LargeBinary, unique=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("erased_ms", BigInteger),
    Column("auto_vacation", Boolean, nullable=False, server_default=true()),
    Column("handle", Text),
    Column("listed", Boolean, nullable=False, server_default=true()),
)
"""Who plays here, or has played; and by their names alone, the players of imported matches."""
Index("players_by_handle", players.c.handle, unique=True)

handles = Table(
    "handles",
    metadata,
    Column("handle_hash", LargeBinary, primary_key=True),
    Column("player_id", Text),
)
"""All handles that were ever taken, as hashes, and by whom: of a player who has been erased only that one was."""
Index("handles_by_player", handles.c.player_id)

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("token_id", Text, nullable=False, unique=True),
    Column("player_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger),
    Column("used_ms", BigInteger),
)
"""The scoped tokens of players, beside the main one in `players`. `scopes` are words with a space between them.

`used_ms` is the beginning of the day of the last use. A token follows from the main one and `salt`.
"""
Index("tokens_by_player", tokens.c.player_id)

invites = Table(
    "invites",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("code_hash", LargeBinary, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("match_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("creator", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("started_ms", BigInteger),
    Column("ended_ms", BigInteger),
    Column("result", Text),
    Column("preset", Text),
    Column("deal_group", Text),
    Column("deal_known", Text),
    Column("owner", Text, nullable=False, server_default=""),
    Column("bots_alone", Boolean, nullable=False, server_default=false()),
)
Index("matches_bots_alone", matches.c.owner, postgresql_where=matches.c.bots_alone, sqlite_where=matches.c.bots_alone)


def _listed(name: str, *columns: "Column[Any]", where: ColumnElement[bool] | None = None) -> None:
    """Make an index in the order of a list; of `matches` it holds the public ones alone."""
    Index(name, *columns, columns[0].table.c.match_no, postgresql_where=where, sqlite_where=where)


public = matches.c.visibility == literal_column("'public'")
_listed("matches_newest", matches.c.created_ms, where=public)
_listed("matches_by_game", matches.c.game, matches.c.created_ms, where=public)
_listed("matches_by_status", matches.c.status, matches.c.created_ms, where=public)
_listed("matches_by_game_status", matches.c.game, matches.c.status, matches.c.created_ms, where=public)
_listed("matches_by_end", matches.c.ended_ms, where=public & matches.c.ended_ms.is_not(None))

seats = Table(
    "seats",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("player_id", Text),
    Column("level", Text),
    Column("live", Boolean, nullable=False),
)
"""The seats of matches; `live` until the match is over."""
Index("seats_live", seats.c.player_id, postgresql_where=seats.c.live, sqlite_where=seats.c.live)

results = Table(
    "results",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Text),
    Column("game", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer),
    Column("ended_ms", BigInteger, nullable=False),
    Column("result", Text),
)
Index("results_by_player", results.c.player_id, results.c.ended_ms)

reliability = Table(
    "reliability",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("aborted", Integer, nullable=False),
    Column("unopened", Integer, nullable=False),
)
"""The promises of nonces that were not kept."""
Index("reliability_by_player", reliability.c.player_id)

involved = Table(
    "involved",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("public", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("result", Text),
)
"""The players who find a match: those in its seats, each once; of a match that is not public its creator too, so that
these rows say who finds it. It follows from `matches`, `seats` and `results`. `result`: the best of the player's
seats.
"""
_listed("involved_by_player", involved.c.player_id, involved.c.public, involved.c.created_ms)
_listed(
    "involved_by_end",
    involved.c.player_id,
    involved.c.public,
    involved.c.ended_ms,
    where=involved.c.ended_ms.is_not(None),
)
_listed(
    "involved_by_result",
    involved.c.player_id,
    involved.c.public,
    involved.c.result,
    involved.c.created_ms,
    where=involved.c.result.is_not(None),
)

match_options = Table(
    "match_options",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
"""The options of `matches` one by one, to be searched; and the preset, where one was named."""
_listed(
    "match_options_by_value",
    match_options.c.game,
    match_options.c.name,
    match_options.c.value,
    match_options.c.public,
    match_options.c.created_ms,
)

due = Table(
    "due",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("claimable_ms", BigInteger),
    Column("due_ms", BigInteger, nullable=False),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""Pending work. It can be claimed from `claimable_ms` on: when it is due, its lease or its rest is over. A row without
that is an idle place that PostgreSQL keeps for the next work of its kind. `attempts` counts the tries that failed."""
Index("due_next", due.c.claimable_ms)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""When a scheduler was last at work: one row."""

processes = Table(
    "processes",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("trouble", Text),
)
"""The processes that hold claims: `kind` is scheduler, worker or serve. A process whose `until_ms` is over is dead.

`trouble` says in a word what the process cannot reach, as `broker`. The times are those of the database's clock.
"""

outages = Table(
    "outages",
    metadata,
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
)
"""The times when no scheduler was at work."""
Index("outages_end", outages.c.to_ms)

vacations = Table(
    "vacations",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, nullable=False),
)
"""When players are away. Up to `used_ms` a vacation has moved a deadline: so much of it cannot be given back."""

# Notifications

notices = Table(
    "notices",
    metadata,
    Column("notice_no", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True),
    Column("notice_id", Text, nullable=False, unique=True),
    Column("player_id", Text, nullable=False),
    Column("match_no", BigInteger, nullable=False),
    Column("match_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", SmallInteger),
    Column("version", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("deadline_ms", BigInteger),
    Column("tournament_id", Text, nullable=False, server_default=""),
    Column("round", Integer),
)
"""The notices for players with a webhook or a mailbox, once each; the id follows from the content."""
Index("notices_at", notices.c.at_ms)

alarms = Table(
    "alarms",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("deadline_ms", BigInteger, nullable=False),
)
"""The times at which players are notified that the deadline of an open decision is near."""
Index("alarms_due", alarms.c.due_ms)

notification_settings = Table(
    "notification_settings",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("near_seconds", Integer, nullable=False),
)
"""The notification settings of players."""

webhooks = Table(
    "webhooks",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("old_secret", Text),
    Column("old_until_ms", BigInteger),
    Column("state", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("failing_ms", BigInteger),
    Column("disabled_ms", BigInteger),
)
"""`state` is enabled, or why it is not: paused, failing, gone. `failing_ms`: since when nothing got through."""
Index("webhooks_by_player", webhooks.c.player_id)

deliveries = Table(
    "deliveries",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("notice_no", BigInteger, primary_key=True),
    Column("match_no", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""The notices for each webhook: `state` is pending, delivered, failed, or missed while the webhook was disabled."""
_pending = deliveries.c.state == literal_column("'pending'")
Index(
    "deliveries_pending",
    deliveries.c.webhook_id,
    deliveries.c.match_no,
    deliveries.c.notice_no,
    postgresql_where=_pending,
    sqlite_where=_pending,
)

lanes = Table(
    "lanes",
    metadata,
    Column("webhook_id", Text, primary_key=True),
    Column("match_no", BigInteger, primary_key=True),
    Column("host", Text, nullable=False),
    Column("claimable_ms", BigInteger, nullable=False),
    Column("lease_ms", BigInteger, nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("owner", Text),
)
"""A webhook and a match with pending deliveries, which go out one after the other: the unit of work.

`owner` is the process that took the lane last.
"""
Index("lanes_next", lanes.c.claimable_ms)

attempts = Table(
    "attempts",
    metadata,
    Column("attempt_no", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True),
    Column("webhook_id", Text, nullable=False),
    Column("notice_no", BigInteger, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("took_ms", Integer, nullable=False),
    Column("status", Integer),
    Column("error", Text),
    Column("next_ms", BigInteger),
)
"""Each try to deliver, for its player to look at."""
Index("attempts_of", attempts.c.webhook_id, attempts.c.attempt_no)
Index("attempts_at", attempts.c.at_ms)

feeds = Table(
    "feeds",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("secret_hash", LargeBinary, nullable=False, unique=True),
    Column("created_ms", BigInteger, nullable=False),
)
"""The secret in the addresses of a player's Atom feed and calendar."""

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("every_ms", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("code_hash", LargeBinary),
    Column("code_until_ms", BigInteger),
    Column("code_tries", Integer, nullable=False),
    Column("leave_by", Text, nullable=False, unique=True),
    Column("claimable_ms", BigInteger),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("last_ms", BigInteger),
    Column("owner", Text),
    Column("recovery_ms", BigInteger),
)
"""The mail address of each player: `state` is unconfirmed, confirmed, refused (by its server) or unsubscribed.

`recovery_ms`: when a code to recover a player was asked for, as long as its mail has not been sent.

`claimable_ms`: when the next mail is due; None when there is none. `leave_by` stands in the address to unsubscribe.
`owner` is the process that took it last.
"""
Index("mailboxes_next", mailboxes.c.claimable_ms)

mail_queue = Table(
    "mail_queue",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("notice_no", BigInteger, primary_key=True),
)
"""The notices for the next mail to each player."""

confirmations = Table(
    "confirmations",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("at_ms", BigInteger, primary_key=True),
)
"""When a player has asked for mail, to be confirmed."""
Index("confirmations_at", confirmations.c.at_ms)

addresses_asked = Table(
    "addresses_asked",
    metadata,
    Column("address_hash", LargeBinary, primary_key=True),
    Column("at_ms", BigInteger, primary_key=True),
)
"""The times at which the confirmation of an address was asked for, by any player, so that no address gets too many
mails. A row outlives an erasure by two days, and so names neither the address nor the player.
"""
Index("addresses_asked_at", addresses_asked.c.at_ms)

recoveries_asked = Table(
    "recoveries_asked",
    metadata,
    Column("address", Text, primary_key=True),
    Column("asked_ms", BigInteger, nullable=False),
)
"""The addresses, in small letters, whose players are to be recovered: for a moment, until it is seen whether there are
any. So the request itself does not know, and takes the same time for all.
"""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("address", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
"""The codes that were sent to confirmed addresses, each good for one player of the address."""
Index("recovery_codes_until", recovery_codes.c.until_ms)

former_addresses = Table(
    "former_addresses",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("changed_ms", BigInteger, primary_key=True),
    Column("address", Text, nullable=False),
    Column("every_ms", BigInteger, nullable=False),
    Column("code_hash", LargeBinary),
    Column("claimable_ms", BigInteger),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""The confirmed addresses that players have changed or removed within the last week. Each is told so, with a code by
which its owner takes the player back.
"""
Index("former_addresses_claimable", former_addresses.c.claimable_ms)
Index("former_addresses_code", former_addresses.c.code_hash)

# Talk

talks = Table(
    "talks",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("messages", Integer, nullable=False),
    Column("changes", Integer, nullable=False),
)
"""The number of messages at a table, and of changes to them: each is a change, and its deletion another.

A writer to the chat of a match locks its row, so that both numbers have no gaps.
"""

messages = Table(
    "messages",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("change", Integer, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("text", Text),
    Column("deleted_ms", BigInteger),
    Column("deleted_by", Text),
)
"""The messages at a table; a deleted message has no text. `change` is its last change."""
Index("messages_changed", messages.c.match_no, messages.c.change)
Index("messages_by_player", messages.c.player_id, messages.c.match_no, messages.c.no)

notes = Table(
    "notes",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""The notes of players about matches."""
Index("notes_by_player", notes.c.player_id)

orders = Table(
    "orders",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("orders_id", Text, nullable=False, unique=True),
    Column("player_id", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("given_ms", BigInteger, nullable=False),
    Column("looked_ms", BigInteger, nullable=False),
    Column("late_ms", BigInteger, nullable=False),
    Column("carried_version", Integer),
    Column("carried_ms", BigInteger),
    Column("failed_version", Integer),
    Column("failed_ms", BigInteger),
)
"""The standing orders of seats; a trigger takes them away when their match ends.

`looked_ms` names the decision for which they were looked at last.
"""
Index("orders_by_player", orders.c.player_id)

deal_groups = Table(
    "deal_groups",
    metadata,
    Column("group_id", Text, primary_key=True),
    Column("creator", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("tables", Text, nullable=False),
    Column("nonces", Text),
    Column("created_ms", BigInteger, nullable=False),
)
"""Tables that get the same deals. `state` says what has become of all of them: open, started, over, or cancelled or
expired before the start; each table's log follows it. `tables` are their matches in order; `nonces` are theirs,
table by table, once they begin.
"""

group_players = Table(
    "group_players",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("deal_group", Text, nullable=False),
)
"""The players at the tables of groups: no player sits at two of one. It follows from `matches` and `seats`."""
Index("group_players_once", group_players.c.deal_group, group_players.c.player_id, unique=True)

decks = Table(
    "decks",
    metadata,
    Column("deck_id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("sets", Text, nullable=False),
    Column("main", Text, nullable=False),
    Column("sideboard", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
)
"""The decks that players have saved; the lists of cards are JSON."""
Index("decks_by_player", decks.c.player_id)

trades = Table(
    "trades",
    metadata,
    Column("trade_id", Text, primary_key=True),
    Column("collection_id", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("partner_id", Text, nullable=False),
    Column("give", Text, nullable=False),
    Column("want", Text, nullable=False),
)
"""The open offers of trades: a projection of the collections of the players who make them. Cards are JSON."""
Index("trades_by_collection", trades.c.collection_id)
Index("trades_by_partner", trades.c.partner_id)

tournaments = Table(
    "tournaments",
    metadata,
    Column("tournament_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("organiser", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("entrants", Integer, nullable=False),
    Column("most", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer),
    Column("round_days", Integer),
    Column("show_up_seconds", Integer, nullable=False),
    Column("closes_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger),
)
"""Tournaments as lists show them: a projection of their streams. `entrants` counts those who have not left;
`ends_ms` is that of an arena whose time was not over.
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
"""Who has to do with a tournament, and as what: organiser, helper, invited, entrant, waiting, or left. It follows from
the streams of tournaments.
"""
Index("tournament_players_by_player", tournament_players.c.player_id)

tournament_tables = Table(
    "tournament_tables",
    metadata,
    Column("tournament_id", Text, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("match_id", Text, nullable=False),
)
"""The tables of tournaments that wait for the end of a match, which may not be there yet. It follows from the streams
of tournaments.
"""

rated_matches = Table(
    "rated_matches",
    metadata,
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("match_no", BigInteger, nullable=False, unique=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
)
"""The finished matches that are rated, in the order in which they are: `facts` are what of each its rating needs."""
Index("rated_matches_by_end", rated_matches.c.ended_ms)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match_no", BigInteger, primary_key=True, autoincrement=False),
    Column("pool", Text, nullable=False),
    Column("ratings", Text, nullable=False),
)
"""What each rated match has made of the ratings of its players, as JSON: mean and deviation by player."""

ratings = Table(
    "ratings",
    metadata,
    Column("pool", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("hasty", Integer, nullable=False),
)
"""The ratings of players in each pool, as of their last match there; they follow from `rated_matches` alone."""
Index("ratings_by_player", ratings.c.player_id)
Index("ratings_best", ratings.c.pool, ratings.c.shown, ratings.c.player_id)

decisions = Table(
    "decisions",
    metadata,
    Column("match_no", BigInteger, primary_key=True, autoincrement=False),
    Column("player_id", Text, primary_key=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("in_time", Integer, nullable=False),
    Column("late", Integer, nullable=False),
)
"""How players kept the deadlines of a finished match: how many decisions were taken in time, and how many ran out."""
Index("decisions_by_player", decisions.c.player_id, decisions.c.ended_ms)

rating_state = Table(
    "rating_state",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("formula", Text, nullable=False),
    Column("run", Integer, nullable=False),
    Column("place", BigInteger, nullable=False),
)
"""How far the ratings have come: one row. `run` counts how often they were begun anew, `place` is of the last match."""

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("name", Text, primary_key=True),
    Column("xid", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("reader", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("code", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("sum", LargeBinary, nullable=False),
)
"""A cache of matches as a reader knew them at a version: see `events.log.snapshots`. Its rows may go at any time."""
