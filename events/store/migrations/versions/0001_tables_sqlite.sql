-- Written by tests/store/migration_sql.py from events/store/schema, which describes the tables.

CREATE TABLE administrators (
  player_id TEXT NOT NULL,
  administration_id TEXT NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE suspensions (
  player_id TEXT NOT NULL,
  administration_id TEXT NOT NULL,
  until_ms BIGINT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE reports (
  report_id TEXT NOT NULL,
  match_id TEXT NOT NULL,
  player_id TEXT,
  reported_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  lines TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  resolved_ms BIGINT,
  outcome TEXT,
  PRIMARY KEY (report_id)
);
CREATE INDEX reports_by_player ON reports (player_id, at_ms);
CREATE INDEX reports_by_reported ON reports (reported_id);
CREATE INDEX reports_by_time ON reports (at_ms, report_id);

CREATE TABLE stream (
  match_no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  match_id TEXT NOT NULL,
  kind TEXT DEFAULT 'match' NOT NULL,
  version INTEGER NOT NULL,
  head BLOB NOT NULL,
  created_ms BIGINT NOT NULL,
  turns TEXT DEFAULT '[]' NOT NULL,
  imported TEXT,
  UNIQUE (match_id)
);

CREATE TABLE commits (
  position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  match_no BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  first INTEGER NOT NULL,
  n SMALLINT NOT NULL,
  events TEXT NOT NULL,
  secrets TEXT,
  mac BLOB,
  UNIQUE (match_no, first),
  CHECK ("first" > 0),
  CHECK (n > 0)
);

CREATE TABLE archived (
  match_no BIGINT NOT NULL,
  version INTEGER NOT NULL,
  head BLOB NOT NULL,
  file TEXT NOT NULL,
  start_byte BIGINT NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE secrets (
  match_no BIGINT NOT NULL,
  seal_secret BLOB NOT NULL,
  roots TEXT NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE idempotency (
  key_hash BLOB NOT NULL,
  body_hash BLOB NOT NULL,
  match_no BIGINT,
  first INTEGER,
  n INTEGER,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (key_hash)
);
CREATE INDEX idempotency_at ON idempotency (at_ms);

CREATE TABLE due (
  match_no BIGINT NOT NULL,
  kind TEXT NOT NULL,
  claimable_ms BIGINT,
  due_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (match_no, kind)
);
CREATE INDEX due_next ON due (claimable_ms);

CREATE TABLE processes (
  process_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  trouble TEXT,
  revision TEXT,
  PRIMARY KEY (process_id)
);

CREATE TABLE work_spans (
  process TEXT NOT NULL,
  from_ms BIGINT NOT NULL,
  to_ms BIGINT NOT NULL,
  role TEXT NOT NULL,
  revision TEXT,
  PRIMARY KEY (process, from_ms)
);
CREATE INDEX work_spans_end ON work_spans (to_ms);

CREATE TABLE checkpoint (
  name TEXT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE snapshots (
  match_no BIGINT NOT NULL,
  reader TEXT NOT NULL,
  version INTEGER NOT NULL,
  code BLOB NOT NULL,
  state TEXT NOT NULL,
  sum BLOB NOT NULL,
  PRIMARY KEY (match_no, reader, version)
);

CREATE TABLE invites (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  code_hash BLOB NOT NULL,
  PRIMARY KEY (match_no, seat)
);

CREATE TABLE matches (
  match_no BIGINT NOT NULL,
  game TEXT NOT NULL,
  status TEXT NOT NULL,
  visibility TEXT NOT NULL,
  creator TEXT NOT NULL,
  options TEXT NOT NULL,
  started_ms BIGINT,
  ended_ms BIGINT,
  result TEXT,
  preset TEXT,
  deal_group TEXT,
  deal_known TEXT,
  owner TEXT NOT NULL,
  bots_alone BOOLEAN NOT NULL,
  annulled TEXT,
  match_id TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no)
);
CREATE INDEX matches_bots_alone ON matches (owner) WHERE bots_alone;
CREATE INDEX matches_by_end ON matches (ended_ms, match_no) WHERE visibility = 'public' AND ended_ms IS NOT NULL;
CREATE INDEX matches_by_game ON matches (game, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_game_status ON matches (game, status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_status ON matches (status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_newest ON matches (created_ms, match_no) WHERE visibility = 'public';

CREATE TABLE seats (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  kind TEXT NOT NULL,
  player_id TEXT,
  level TEXT,
  live BOOLEAN NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX seats_live ON seats (player_id) WHERE live;

CREATE TABLE results (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  player_id TEXT,
  game TEXT NOT NULL,
  place INTEGER NOT NULL,
  score INTEGER,
  ended_ms BIGINT NOT NULL,
  result TEXT,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX results_by_player ON results (player_id, ended_ms);

CREATE TABLE reliability (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  aborted INTEGER NOT NULL,
  unopened INTEGER NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX reliability_by_player ON reliability (player_id);

CREATE TABLE involved (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  public BOOLEAN NOT NULL,
  created_ms BIGINT NOT NULL,
  ended_ms BIGINT,
  result TEXT,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX involved_by_end ON involved (player_id, public, ended_ms, match_no) WHERE ended_ms IS NOT NULL;
CREATE INDEX involved_by_player ON involved (player_id, public, created_ms, match_no);
CREATE INDEX involved_by_result ON involved (player_id, public, result, created_ms, match_no) WHERE result IS NOT NULL;

CREATE TABLE match_options (
  match_no BIGINT NOT NULL,
  name TEXT NOT NULL,
  game TEXT NOT NULL,
  value TEXT NOT NULL,
  public BOOLEAN NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, name)
);
CREATE INDEX match_options_by_value ON match_options (game, name, value, public, created_ms, match_no);

CREATE TABLE orders (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  orders_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  document TEXT NOT NULL,
  given_ms BIGINT NOT NULL,
  looked_ms BIGINT NOT NULL,
  late_ms BIGINT NOT NULL,
  carried_version INTEGER,
  carried_ms BIGINT,
  failed_version INTEGER,
  failed_ms BIGINT,
  PRIMARY KEY (match_no, seat),
  UNIQUE (orders_id)
);
CREATE INDEX orders_by_player ON orders (player_id);

CREATE TABLE deal_groups (
  group_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  state TEXT NOT NULL,
  tables TEXT NOT NULL,
  nonces TEXT,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (group_id)
);

CREATE TABLE group_players (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  deal_group TEXT NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE UNIQUE INDEX group_players_once ON group_players (deal_group, player_id);

CREATE TABLE notices (
  notice_no INTEGER NOT NULL,
  notice_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  match_no BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  game TEXT NOT NULL,
  kind TEXT NOT NULL,
  seat SMALLINT,
  version INTEGER NOT NULL,
  at_ms BIGINT NOT NULL,
  deadline_ms BIGINT,
  tournament_id TEXT DEFAULT '' NOT NULL,
  round INTEGER,
  PRIMARY KEY (notice_no),
  UNIQUE (notice_id)
);
CREATE INDEX notices_at ON notices (at_ms);

CREATE TABLE alarms (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  player_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  due_ms BIGINT NOT NULL,
  deadline_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX alarms_due ON alarms (due_ms);

CREATE TABLE notification_settings (
  player_id TEXT NOT NULL,
  near_seconds INTEGER NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE webhooks (
  webhook_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  old_secrets TEXT DEFAULT '[]' NOT NULL,
  state TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  failing_ms BIGINT,
  disabled_ms BIGINT,
  PRIMARY KEY (webhook_id)
);
CREATE INDEX webhooks_by_player ON webhooks (player_id);

CREATE TABLE deliveries (
  webhook_id TEXT NOT NULL,
  notice_no BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, notice_no)
);
CREATE INDEX deliveries_pending ON deliveries (webhook_id, match_no, notice_no) WHERE state = 'pending';

CREATE TABLE lanes (
  webhook_id TEXT NOT NULL,
  match_no BIGINT NOT NULL,
  host TEXT NOT NULL,
  claimable_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  owner TEXT,
  PRIMARY KEY (webhook_id, match_no)
);
CREATE INDEX lanes_next ON lanes (claimable_ms);

CREATE TABLE attempts (
  attempt_no INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  notice_no BIGINT NOT NULL,
  attempt INTEGER NOT NULL,
  at_ms BIGINT NOT NULL,
  took_ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  next_ms BIGINT,
  PRIMARY KEY (attempt_no)
);
CREATE INDEX attempts_at ON attempts (at_ms);
CREATE INDEX attempts_of ON attempts (webhook_id, attempt_no);

CREATE TABLE feeds (
  player_id TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (secret_hash)
);

CREATE TABLE mailboxes (
  player_id TEXT NOT NULL,
  address TEXT NOT NULL,
  state TEXT NOT NULL,
  every_ms BIGINT NOT NULL,
  created_ms BIGINT NOT NULL,
  code_hash BLOB,
  code_until_ms BIGINT,
  code_tries INTEGER NOT NULL,
  leave_by TEXT NOT NULL,
  claimable_ms BIGINT,
  lease_ms BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  last_ms BIGINT,
  owner TEXT,
  recovery_ms BIGINT,
  PRIMARY KEY (player_id),
  UNIQUE (leave_by)
);
CREATE INDEX mailboxes_next ON mailboxes (claimable_ms);

CREATE TABLE mail_queue (
  player_id TEXT NOT NULL,
  notice_no BIGINT NOT NULL,
  PRIMARY KEY (player_id, notice_no)
);

CREATE TABLE confirmations (
  player_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, at_ms)
);
CREATE INDEX confirmations_at ON confirmations (at_ms);

CREATE TABLE addresses_asked (
  address_hash BLOB NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (address_hash, at_ms)
);
CREATE INDEX addresses_asked_at ON addresses_asked (at_ms);

CREATE TABLE recoveries_asked (
  address TEXT NOT NULL,
  asked_ms BIGINT NOT NULL,
  PRIMARY KEY (address)
);

CREATE TABLE recovery_codes (
  code_hash BLOB NOT NULL,
  address TEXT NOT NULL,
  until_ms BIGINT NOT NULL,
  PRIMARY KEY (code_hash)
);
CREATE INDEX recovery_codes_until ON recovery_codes (until_ms);

CREATE TABLE former_addresses (
  player_id TEXT NOT NULL,
  changed_ms BIGINT NOT NULL,
  address TEXT NOT NULL,
  every_ms BIGINT NOT NULL,
  code_hash BLOB,
  claimable_ms BIGINT,
  lease_ms BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  owner TEXT,
  PRIMARY KEY (player_id, changed_ms)
);
CREATE INDEX former_addresses_claimable ON former_addresses (claimable_ms);
CREATE INDEX former_addresses_code ON former_addresses (code_hash);

CREATE TABLE players (
  player_id TEXT NOT NULL,
  name TEXT,
  token_hash BLOB,
  created_ms BIGINT NOT NULL,
  erased_ms BIGINT,
  auto_vacation BOOLEAN DEFAULT 1 NOT NULL,
  handle TEXT,
  listed BOOLEAN DEFAULT 1 NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (token_hash)
);
CREATE UNIQUE INDEX players_by_handle ON players (handle);

CREATE TABLE handles (
  handle_hash BLOB NOT NULL,
  player_id TEXT,
  PRIMARY KEY (handle_hash)
);
CREATE INDEX handles_by_player ON handles (player_id);

CREATE TABLE tokens (
  token_hash BLOB NOT NULL,
  token_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  salt BLOB NOT NULL,
  created_ms BIGINT NOT NULL,
  until_ms BIGINT,
  used_ms BIGINT,
  PRIMARY KEY (token_hash),
  UNIQUE (token_id)
);
CREATE INDEX tokens_by_player ON tokens (player_id);

CREATE TABLE vacations (
  player_id TEXT NOT NULL,
  from_ms BIGINT NOT NULL,
  to_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, from_ms)
);

CREATE TABLE blocks (
  player_id TEXT NOT NULL,
  blocked_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, blocked_id)
);
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);

CREATE TABLE mutes (
  player_id TEXT NOT NULL,
  muted_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, muted_id)
);
CREATE INDEX mutes_by_muted ON mutes (muted_id);

CREATE TABLE decks (
  deck_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sets TEXT NOT NULL,
  main TEXT NOT NULL,
  sideboard TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  changed_ms BIGINT NOT NULL,
  PRIMARY KEY (deck_id)
);
CREATE INDEX decks_by_player ON decks (player_id);

CREATE TABLE trades (
  trade_id TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  partner_id TEXT NOT NULL,
  give TEXT NOT NULL,
  want TEXT NOT NULL,
  PRIMARY KEY (trade_id)
);
CREATE INDEX trades_by_collection ON trades (collection_id);
CREATE INDEX trades_by_partner ON trades (partner_id);

CREATE TABLE talks (
  match_no BIGINT NOT NULL,
  messages INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE messages (
  match_no BIGINT NOT NULL,
  no INTEGER NOT NULL,
  change INTEGER NOT NULL,
  seat SMALLINT NOT NULL,
  player_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  text TEXT,
  deleted_ms BIGINT,
  deleted_by TEXT,
  PRIMARY KEY (match_no, no)
);
CREATE INDEX messages_by_player ON messages (player_id, match_no, no);
CREATE INDEX messages_changed ON messages (match_no, change);

CREATE TABLE notes (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX notes_by_player ON notes (player_id);

CREATE TABLE tournaments (
  tournament_id TEXT NOT NULL,
  name TEXT NOT NULL,
  organiser TEXT NOT NULL,
  status TEXT NOT NULL,
  visibility TEXT NOT NULL,
  game TEXT NOT NULL,
  format TEXT NOT NULL,
  entrants INTEGER NOT NULL,
  most INTEGER NOT NULL,
  round INTEGER NOT NULL,
  rounds INTEGER,
  round_days INTEGER,
  show_up_seconds INTEGER NOT NULL,
  closes_ms BIGINT,
  created_ms BIGINT NOT NULL,
  ends_ms BIGINT,
  PRIMARY KEY (tournament_id)
);
CREATE INDEX tournaments_by_end ON tournaments (ends_ms);
CREATE INDEX tournaments_by_status ON tournaments (status, closes_ms);
CREATE INDEX tournaments_by_time ON tournaments (created_ms, tournament_id);

CREATE TABLE tournament_players (
  tournament_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (tournament_id, player_id, role)
);
CREATE INDEX tournament_players_by_player ON tournament_players (player_id);

CREATE TABLE tournament_tables (
  tournament_id TEXT NOT NULL,
  round INTEGER NOT NULL,
  place INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  match_id TEXT NOT NULL,
  PRIMARY KEY (tournament_id, round, place)
);

CREATE TABLE rated_matches (
  place BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  ended_ms BIGINT NOT NULL,
  facts TEXT NOT NULL,
  reading INTEGER NOT NULL,
  PRIMARY KEY (place),
  UNIQUE (match_no)
);
CREATE INDEX rated_matches_by_end ON rated_matches (ended_ms);

CREATE TABLE rating_changes (
  match_no BIGINT NOT NULL,
  pool TEXT NOT NULL,
  rated BOOLEAN NOT NULL,
  ratings TEXT NOT NULL,
  trusts TEXT NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE ratings (
  pool TEXT NOT NULL,
  player_id TEXT NOT NULL,
  mu DOUBLE NOT NULL,
  sigma DOUBLE NOT NULL,
  shown DOUBLE NOT NULL,
  matches INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  last_ms BIGINT NOT NULL,
  hasty INTEGER NOT NULL,
  lately TEXT NOT NULL,
  gifts INTEGER NOT NULL,
  presents TEXT NOT NULL,
  PRIMARY KEY (pool, player_id)
);
CREATE INDEX ratings_best ON ratings (pool, shown, player_id);
CREATE INDEX ratings_by_player ON ratings (player_id);

CREATE TABLE rating_trusts (
  player_id TEXT NOT NULL,
  proven BOOLEAN NOT NULL,
  trust TEXT NOT NULL,
  PRIMARY KEY (player_id)
);
CREATE INDEX rating_trusts_proven ON rating_trusts (proven);

CREATE TABLE decisions (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  ended_ms BIGINT NOT NULL,
  in_time INTEGER NOT NULL,
  late INTEGER NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX decisions_by_player ON decisions (player_id, ended_ms);

CREATE TABLE rating_state (
  one INTEGER NOT NULL,
  formula TEXT NOT NULL,
  run INTEGER NOT NULL,
  place BIGINT NOT NULL,
  PRIMARY KEY (one)
);

CREATE TABLE tree (
  origin TEXT NOT NULL,
  secret BLOB NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (origin)
);

CREATE TABLE tree_leaves (
  place BIGINT NOT NULL,
  match_no BIGINT,
  version INTEGER,
  body TEXT,
  entry BLOB NOT NULL,
  PRIMARY KEY (place)
);
CREATE INDEX tree_leaves_of ON tree_leaves (match_no, version);

CREATE TABLE tree_tiles (
  level SMALLINT NOT NULL,
  tile BIGINT NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (level, tile)
);

CREATE TABLE tree_heads (
  size BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  note TEXT NOT NULL,
  witnessed BOOLEAN NOT NULL,
  PRIMARY KEY (size)
);
