-- Written by tests/store/migration_sql.py from events/store/schema, which describes the tables.

CREATE TABLE public.administrators (
  player_id TEXT NOT NULL,
  administration_id TEXT NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE public.suspensions (
  player_id TEXT NOT NULL,
  administration_id TEXT NOT NULL,
  until_ms BIGINT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE public.reports (
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
CREATE INDEX reports_by_player ON public.reports (player_id, at_ms);
CREATE INDEX reports_by_reported ON public.reports (reported_id);
CREATE INDEX reports_by_time ON public.reports (at_ms, report_id);

CREATE TABLE public.stream (
  match_no BIGINT GENERATED ALWAYS AS IDENTITY,
  match_id TEXT NOT NULL,
  kind TEXT DEFAULT 'match' NOT NULL,
  version INTEGER NOT NULL,
  head BYTEA NOT NULL,
  created_ms BIGINT NOT NULL,
  turns TEXT DEFAULT '[]' NOT NULL,
  imported TEXT,
  PRIMARY KEY (match_no),
  UNIQUE (match_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE public.commits (
  position BIGINT GENERATED ALWAYS AS IDENTITY,
  match_no BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  first INTEGER NOT NULL,
  n SMALLINT NOT NULL,
  events TEXT NOT NULL,
  secrets TEXT,
  mac BYTEA,
  PRIMARY KEY (match_no, first)
);
CREATE INDEX commits_follow ON public.commits (position);

CREATE TABLE public.archived (
  match_no BIGINT NOT NULL,
  version INTEGER NOT NULL,
  head BYTEA NOT NULL,
  file TEXT NOT NULL,
  start_byte BIGINT NOT NULL,
  size INTEGER NOT NULL,
  sha256 BYTEA NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.secrets (
  match_no BIGINT NOT NULL,
  seal_secret BYTEA NOT NULL,
  roots TEXT NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.idempotency (
  key_hash BYTEA NOT NULL,
  body_hash BYTEA NOT NULL,
  match_no BIGINT,
  first INTEGER,
  n INTEGER,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (key_hash)
);
CREATE INDEX idempotency_at ON public.idempotency (at_ms);

CREATE TABLE public.due (
  match_no BIGINT NOT NULL,
  kind TEXT NOT NULL,
  claimable_ms BIGINT,
  due_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (match_no, kind)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX due_next ON public.due (claimable_ms);

CREATE TABLE public.processes (
  process_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  trouble TEXT,
  revision TEXT,
  PRIMARY KEY (process_id)
);

CREATE TABLE public.work_spans (
  process TEXT NOT NULL,
  from_ms BIGINT NOT NULL,
  to_ms BIGINT NOT NULL,
  role TEXT NOT NULL,
  revision TEXT,
  PRIMARY KEY (process, from_ms)
);
CREATE INDEX work_spans_end ON public.work_spans (to_ms);

CREATE TABLE public.checkpoint (
  name TEXT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE public.snapshots (
  match_no BIGINT NOT NULL,
  reader TEXT NOT NULL,
  version INTEGER NOT NULL,
  code BYTEA NOT NULL,
  state TEXT NOT NULL,
  sum BYTEA NOT NULL,
  PRIMARY KEY (match_no, reader, version)
);

CREATE TABLE public.invites (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  code_hash BYTEA NOT NULL,
  PRIMARY KEY (match_no, seat)
);

CREATE TABLE public.matches (
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
CREATE INDEX matches_bots_alone ON public.matches (owner) WHERE bots_alone;
CREATE INDEX matches_by_end ON public.matches (ended_ms, match_no) WHERE visibility = 'public' AND ended_ms IS NOT NULL;
CREATE INDEX matches_by_game ON public.matches (game, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_game_status ON public.matches (game, status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_status ON public.matches (status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_newest ON public.matches (created_ms, match_no) WHERE visibility = 'public';

CREATE TABLE public.seats (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  kind TEXT NOT NULL,
  player_id TEXT,
  level TEXT,
  live BOOLEAN NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX seats_live ON public.seats (player_id) WHERE live;

CREATE TABLE public.results (
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
CREATE INDEX results_by_player ON public.results (player_id, ended_ms);

CREATE TABLE public.reliability (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  aborted INTEGER NOT NULL,
  unopened INTEGER NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX reliability_by_player ON public.reliability (player_id);

CREATE TABLE public.involved (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  public BOOLEAN NOT NULL,
  created_ms BIGINT NOT NULL,
  ended_ms BIGINT,
  result TEXT,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX involved_by_end ON public.involved (player_id, public, ended_ms, match_no) WHERE ended_ms IS NOT NULL;
CREATE INDEX involved_by_player ON public.involved (player_id, public, created_ms, match_no);
CREATE INDEX involved_by_result ON public.involved (player_id, public, result, created_ms, match_no) WHERE result IS NOT NULL;

CREATE TABLE public.match_options (
  match_no BIGINT NOT NULL,
  name TEXT NOT NULL,
  game TEXT NOT NULL,
  value TEXT NOT NULL,
  public BOOLEAN NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, name)
);
CREATE INDEX match_options_by_value ON public.match_options (game, name, value, public, created_ms, match_no);

CREATE TABLE public.orders (
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
CREATE INDEX orders_by_player ON public.orders (player_id);

CREATE TABLE public.deal_groups (
  group_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  state TEXT NOT NULL,
  tables TEXT NOT NULL,
  nonces TEXT,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (group_id)
);

CREATE TABLE public.group_players (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  deal_group TEXT NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE UNIQUE INDEX group_players_once ON public.group_players (deal_group, player_id);

CREATE TABLE public.notices (
  notice_no BIGINT GENERATED BY DEFAULT AS IDENTITY,
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
CREATE INDEX notices_at ON public.notices (at_ms);

CREATE TABLE public.alarms (
  match_no BIGINT NOT NULL,
  seat SMALLINT NOT NULL,
  player_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  due_ms BIGINT NOT NULL,
  deadline_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX alarms_due ON public.alarms (due_ms);

CREATE TABLE public.notification_settings (
  player_id TEXT NOT NULL,
  near_seconds INTEGER NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE public.webhooks (
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
CREATE INDEX webhooks_by_player ON public.webhooks (player_id);

CREATE TABLE public.deliveries (
  webhook_id TEXT NOT NULL,
  notice_no BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, notice_no)
);
CREATE INDEX deliveries_pending ON public.deliveries (webhook_id, match_no, notice_no) WHERE state = 'pending';

CREATE TABLE public.lanes (
  webhook_id TEXT NOT NULL,
  match_no BIGINT NOT NULL,
  host TEXT NOT NULL,
  claimable_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  owner TEXT,
  PRIMARY KEY (webhook_id, match_no)
);
CREATE INDEX lanes_next ON public.lanes (claimable_ms);

CREATE TABLE public.attempts (
  attempt_no BIGINT GENERATED BY DEFAULT AS IDENTITY,
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
CREATE INDEX attempts_at ON public.attempts (at_ms);
CREATE INDEX attempts_of ON public.attempts (webhook_id, attempt_no);

CREATE TABLE public.feeds (
  player_id TEXT NOT NULL,
  secret_hash BYTEA NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (secret_hash)
);

CREATE TABLE public.mailboxes (
  player_id TEXT NOT NULL,
  address TEXT NOT NULL,
  state TEXT NOT NULL,
  every_ms BIGINT NOT NULL,
  created_ms BIGINT NOT NULL,
  code_hash BYTEA,
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
CREATE INDEX mailboxes_next ON public.mailboxes (claimable_ms);

CREATE TABLE public.mail_queue (
  player_id TEXT NOT NULL,
  notice_no BIGINT NOT NULL,
  PRIMARY KEY (player_id, notice_no)
);

CREATE TABLE public.confirmations (
  player_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, at_ms)
);
CREATE INDEX confirmations_at ON public.confirmations (at_ms);

CREATE TABLE public.addresses_asked (
  address_hash BYTEA NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (address_hash, at_ms)
);
CREATE INDEX addresses_asked_at ON public.addresses_asked (at_ms);

CREATE TABLE public.recoveries_asked (
  address TEXT NOT NULL,
  asked_ms BIGINT NOT NULL,
  PRIMARY KEY (address)
);

CREATE TABLE public.recovery_codes (
  code_hash BYTEA NOT NULL,
  address TEXT NOT NULL,
  until_ms BIGINT NOT NULL,
  PRIMARY KEY (code_hash)
);
CREATE INDEX recovery_codes_until ON public.recovery_codes (until_ms);

CREATE TABLE public.former_addresses (
  player_id TEXT NOT NULL,
  changed_ms BIGINT NOT NULL,
  address TEXT NOT NULL,
  every_ms BIGINT NOT NULL,
  code_hash BYTEA,
  claimable_ms BIGINT,
  lease_ms BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  owner TEXT,
  PRIMARY KEY (player_id, changed_ms)
);
CREATE INDEX former_addresses_claimable ON public.former_addresses (claimable_ms);
CREATE INDEX former_addresses_code ON public.former_addresses (code_hash);

CREATE TABLE public.players (
  player_id TEXT NOT NULL,
  name TEXT,
  token_hash BYTEA,
  created_ms BIGINT NOT NULL,
  erased_ms BIGINT,
  auto_vacation BOOLEAN DEFAULT true NOT NULL,
  handle TEXT,
  listed BOOLEAN DEFAULT true NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (token_hash)
);
CREATE UNIQUE INDEX players_by_handle ON public.players (handle);

CREATE TABLE public.handles (
  handle_hash BYTEA NOT NULL,
  player_id TEXT,
  PRIMARY KEY (handle_hash)
);
CREATE INDEX handles_by_player ON public.handles (player_id);

CREATE TABLE public.tokens (
  token_hash BYTEA NOT NULL,
  token_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  salt BYTEA NOT NULL,
  created_ms BIGINT NOT NULL,
  until_ms BIGINT,
  used_ms BIGINT,
  PRIMARY KEY (token_hash),
  UNIQUE (token_id)
);
CREATE INDEX tokens_by_player ON public.tokens (player_id);

CREATE TABLE public.vacations (
  player_id TEXT NOT NULL,
  from_ms BIGINT NOT NULL,
  to_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, from_ms)
);

CREATE TABLE public.blocks (
  player_id TEXT NOT NULL,
  blocked_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, blocked_id)
);
CREATE INDEX blocks_by_blocked ON public.blocks (blocked_id);

CREATE TABLE public.mutes (
  player_id TEXT NOT NULL,
  muted_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (player_id, muted_id)
);
CREATE INDEX mutes_by_muted ON public.mutes (muted_id);

CREATE TABLE public.decks (
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
CREATE INDEX decks_by_player ON public.decks (player_id);

CREATE TABLE public.trades (
  trade_id TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  partner_id TEXT NOT NULL,
  give TEXT NOT NULL,
  want TEXT NOT NULL,
  PRIMARY KEY (trade_id)
);
CREATE INDEX trades_by_collection ON public.trades (collection_id);
CREATE INDEX trades_by_partner ON public.trades (partner_id);

CREATE TABLE public.talks (
  match_no BIGINT NOT NULL,
  messages INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.messages (
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
CREATE INDEX messages_by_player ON public.messages (player_id, match_no, no);
CREATE INDEX messages_changed ON public.messages (match_no, change);

CREATE TABLE public.notes (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX notes_by_player ON public.notes (player_id);

CREATE TABLE public.tournaments (
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
CREATE INDEX tournaments_by_end ON public.tournaments (ends_ms);
CREATE INDEX tournaments_by_status ON public.tournaments (status, closes_ms);
CREATE INDEX tournaments_by_time ON public.tournaments (created_ms, tournament_id);

CREATE TABLE public.tournament_players (
  tournament_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (tournament_id, player_id, role)
);
CREATE INDEX tournament_players_by_player ON public.tournament_players (player_id);

CREATE TABLE public.tournament_tables (
  tournament_id TEXT NOT NULL,
  round INTEGER NOT NULL,
  place INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  match_id TEXT NOT NULL,
  PRIMARY KEY (tournament_id, round, place)
);

CREATE TABLE public.rated_matches (
  place BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  ended_ms BIGINT NOT NULL,
  facts TEXT NOT NULL,
  reading INTEGER NOT NULL,
  PRIMARY KEY (place),
  UNIQUE (match_no)
);
CREATE INDEX rated_matches_by_end ON public.rated_matches (ended_ms);

CREATE TABLE public.rating_changes (
  match_no BIGINT NOT NULL,
  pool TEXT NOT NULL,
  rated BOOLEAN NOT NULL,
  ratings TEXT NOT NULL,
  trusts TEXT NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.ratings (
  pool TEXT NOT NULL,
  player_id TEXT NOT NULL,
  mu DOUBLE PRECISION NOT NULL,
  sigma DOUBLE PRECISION NOT NULL,
  shown DOUBLE PRECISION NOT NULL,
  matches INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  last_ms BIGINT NOT NULL,
  hasty INTEGER NOT NULL,
  lately TEXT NOT NULL,
  gifts INTEGER NOT NULL,
  presents TEXT NOT NULL,
  PRIMARY KEY (pool, player_id)
);
CREATE INDEX ratings_best ON public.ratings (pool, shown, player_id);
CREATE INDEX ratings_by_player ON public.ratings (player_id);

CREATE TABLE public.rating_trusts (
  player_id TEXT NOT NULL,
  proven BOOLEAN NOT NULL,
  trust TEXT NOT NULL,
  PRIMARY KEY (player_id)
);
CREATE INDEX rating_trusts_proven ON public.rating_trusts (proven);

CREATE TABLE public.decisions (
  match_no BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  ended_ms BIGINT NOT NULL,
  in_time INTEGER NOT NULL,
  late INTEGER NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX decisions_by_player ON public.decisions (player_id, ended_ms);

CREATE TABLE public.rating_state (
  one INTEGER NOT NULL,
  formula TEXT NOT NULL,
  run INTEGER NOT NULL,
  place BIGINT NOT NULL,
  PRIMARY KEY (one)
);

CREATE TABLE public.tree (
  origin TEXT NOT NULL,
  secret BYTEA NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (origin)
);

CREATE TABLE public.tree_leaves (
  place BIGINT NOT NULL,
  match_no BIGINT,
  version INTEGER,
  body TEXT,
  entry BYTEA NOT NULL,
  PRIMARY KEY (place)
);
CREATE INDEX tree_leaves_of ON public.tree_leaves (match_no, version);

CREATE TABLE public.tree_tiles (
  level SMALLINT NOT NULL,
  tile BIGINT NOT NULL,
  hashes BYTEA NOT NULL,
  PRIMARY KEY (level, tile)
);

CREATE TABLE public.tree_heads (
  size BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  note TEXT NOT NULL,
  witnessed BOOLEAN NOT NULL,
  PRIMARY KEY (size)
);
