-- The tables beside the log. What they hold is said in events/store/schema.

-- Beside the log: secrets, pending work, followers and a cache

CREATE TABLE public.secrets (
  match_no    bigint NOT NULL,
  seal_secret bytea  NOT NULL,
  roots       text   NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.idempotency (
  key_hash  bytea   NOT NULL,
  body_hash bytea   NOT NULL,
  match_no  bigint,
  first     integer,
  n         integer,
  at_ms     bigint  NOT NULL,
  PRIMARY KEY (key_hash)
);
CREATE INDEX idempotency_at ON public.idempotency (at_ms);

CREATE TABLE public.due (
  match_no     bigint  NOT NULL,
  kind         text    NOT NULL,
  claimable_ms bigint,
  due_ms       bigint  NOT NULL,
  lease_ms     bigint  NOT NULL,
  attempts     integer NOT NULL,
  PRIMARY KEY (match_no, kind)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX due_next ON public.due (claimable_ms);

CREATE TABLE public.processes (
  process_id text   NOT NULL,
  kind       text   NOT NULL,
  since_ms   bigint NOT NULL,
  until_ms   bigint NOT NULL,
  trouble    text,
  PRIMARY KEY (process_id)
);

CREATE TABLE public.work_spans (
  process text   NOT NULL,
  from_ms bigint NOT NULL,
  to_ms   bigint NOT NULL,
  role    text   NOT NULL,
  PRIMARY KEY (process, from_ms)
);
CREATE INDEX work_spans_end ON public.work_spans (to_ms);

CREATE TABLE public.checkpoint (
  name     text   NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE public.snapshots (
  match_no bigint  NOT NULL,
  reader   text    NOT NULL,
  version  integer NOT NULL,
  code     bytea   NOT NULL,
  state    text    NOT NULL,
  sum      bytea   NOT NULL,
  PRIMARY KEY (match_no, reader, version)
);

-- Matches, and groups of tables

CREATE TABLE public.invites (
  match_no  bigint   NOT NULL,
  seat      smallint NOT NULL,
  code_hash bytea    NOT NULL,
  PRIMARY KEY (match_no, seat)
);

CREATE TABLE public.matches (
  match_no   bigint  NOT NULL,
  match_id   text    NOT NULL,
  game       text    NOT NULL,
  status     text    NOT NULL,
  visibility text    NOT NULL,
  creator    text    NOT NULL,
  options    text    NOT NULL,
  created_ms bigint  NOT NULL,
  started_ms bigint,
  ended_ms   bigint,
  result     text,
  preset     text,
  deal_group text,
  deal_known text,
  owner      text    DEFAULT '' NOT NULL,
  bots_alone boolean DEFAULT false NOT NULL,
  annulled   text,
  PRIMARY KEY (match_no)
);
CREATE INDEX matches_bots_alone ON public.matches (owner) WHERE bots_alone;
CREATE INDEX matches_by_end ON public.matches (ended_ms, match_no) WHERE visibility = 'public' AND ended_ms IS NOT NULL;
CREATE INDEX matches_by_game ON public.matches (game, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_game_status ON public.matches (game, status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_by_status ON public.matches (status, created_ms, match_no) WHERE visibility = 'public';
CREATE INDEX matches_newest ON public.matches (created_ms, match_no) WHERE visibility = 'public';

CREATE TABLE public.seats (
  match_no  bigint   NOT NULL,
  seat      smallint NOT NULL,
  kind      text     NOT NULL,
  player_id text,
  level     text,
  live      boolean  NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX seats_live ON public.seats (player_id) WHERE live;

CREATE TABLE public.results (
  match_no  bigint   NOT NULL,
  seat      smallint NOT NULL,
  player_id text,
  game      text     NOT NULL,
  place     integer  NOT NULL,
  score     integer,
  ended_ms  bigint   NOT NULL,
  result    text,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX results_by_player ON public.results (player_id, ended_ms);

CREATE TABLE public.reliability (
  match_no  bigint  NOT NULL,
  player_id text    NOT NULL,
  aborted   integer NOT NULL,
  unopened  integer NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX reliability_by_player ON public.reliability (player_id);

CREATE TABLE public.involved (
  match_no   bigint  NOT NULL,
  player_id  text    NOT NULL,
  public     boolean NOT NULL,
  created_ms bigint  NOT NULL,
  ended_ms   bigint,
  result     text,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX involved_by_end ON public.involved (player_id, public, ended_ms, match_no) WHERE ended_ms IS NOT NULL;
CREATE INDEX involved_by_player ON public.involved (player_id, public, created_ms, match_no);
CREATE INDEX involved_by_result ON public.involved (player_id, public, result, created_ms, match_no) WHERE result IS NOT NULL;

CREATE TABLE public.match_options (
  match_no   bigint  NOT NULL,
  name       text    NOT NULL,
  game       text    NOT NULL,
  value      text    NOT NULL,
  public     boolean NOT NULL,
  created_ms bigint  NOT NULL,
  PRIMARY KEY (match_no, name)
);
CREATE INDEX match_options_by_value ON public.match_options (game, name, value, public, created_ms, match_no);

CREATE TABLE public.orders (
  match_no        bigint   NOT NULL,
  seat            smallint NOT NULL,
  orders_id       text     NOT NULL,
  player_id       text     NOT NULL,
  document        text     NOT NULL,
  given_ms        bigint   NOT NULL,
  looked_ms       bigint   NOT NULL,
  late_ms         bigint   NOT NULL,
  carried_version integer,
  carried_ms      bigint,
  failed_version  integer,
  failed_ms       bigint,
  PRIMARY KEY (match_no, seat),
  UNIQUE (orders_id)
);
CREATE INDEX orders_by_player ON public.orders (player_id);

CREATE TABLE public.deal_groups (
  group_id   text   NOT NULL,
  creator    text   NOT NULL,
  state      text   NOT NULL,
  tables     text   NOT NULL,
  nonces     text,
  created_ms bigint NOT NULL,
  PRIMARY KEY (group_id)
);

CREATE TABLE public.group_players (
  match_no   bigint NOT NULL,
  player_id  text   NOT NULL,
  deal_group text   NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE UNIQUE INDEX group_players_once ON public.group_players (deal_group, player_id);

-- Players

CREATE TABLE public.players (
  player_id     text    NOT NULL,
  name          text,
  token_hash    bytea,
  created_ms    bigint  NOT NULL,
  erased_ms     bigint,
  auto_vacation boolean DEFAULT true NOT NULL,
  handle        text,
  listed        boolean DEFAULT true NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (token_hash)
);
CREATE UNIQUE INDEX players_by_handle ON public.players (handle);

CREATE TABLE public.handles (
  handle_hash bytea NOT NULL,
  player_id   text,
  PRIMARY KEY (handle_hash)
);
CREATE INDEX handles_by_player ON public.handles (player_id);

CREATE TABLE public.tokens (
  token_hash bytea  NOT NULL,
  token_id   text   NOT NULL,
  player_id  text   NOT NULL,
  name       text   NOT NULL,
  scopes     text   NOT NULL,
  salt       bytea  NOT NULL,
  created_ms bigint NOT NULL,
  until_ms   bigint,
  used_ms    bigint,
  PRIMARY KEY (token_hash),
  UNIQUE (token_id)
);
CREATE INDEX tokens_by_player ON public.tokens (player_id);

CREATE TABLE public.vacations (
  player_id text   NOT NULL,
  from_ms   bigint NOT NULL,
  to_ms     bigint NOT NULL,
  used_ms   bigint NOT NULL,
  PRIMARY KEY (player_id, from_ms)
);

CREATE TABLE public.decks (
  deck_id    text   NOT NULL,
  player_id  text   NOT NULL,
  name       text   NOT NULL,
  sets       text   NOT NULL,
  main       text   NOT NULL,
  sideboard  text   NOT NULL,
  created_ms bigint NOT NULL,
  changed_ms bigint NOT NULL,
  PRIMARY KEY (deck_id)
);
CREATE INDEX decks_by_player ON public.decks (player_id);

CREATE TABLE public.trades (
  trade_id      text NOT NULL,
  collection_id text NOT NULL,
  player_id     text NOT NULL,
  partner_id    text NOT NULL,
  give          text NOT NULL,
  want          text NOT NULL,
  PRIMARY KEY (trade_id)
);
CREATE INDEX trades_by_collection ON public.trades (collection_id);
CREATE INDEX trades_by_partner ON public.trades (partner_id);

-- Ratings and tournaments

CREATE TABLE public.tournaments (
  tournament_id   text    NOT NULL,
  name            text    NOT NULL,
  organiser       text    NOT NULL,
  status          text    NOT NULL,
  visibility      text    NOT NULL,
  game            text    NOT NULL,
  format          text    NOT NULL,
  entrants        integer NOT NULL,
  most            integer NOT NULL,
  round           integer NOT NULL,
  rounds          integer,
  round_days      integer,
  show_up_seconds integer NOT NULL,
  closes_ms       bigint,
  created_ms      bigint  NOT NULL,
  ends_ms         bigint,
  PRIMARY KEY (tournament_id)
);
CREATE INDEX tournaments_by_end ON public.tournaments (ends_ms);
CREATE INDEX tournaments_by_status ON public.tournaments (status, closes_ms);
CREATE INDEX tournaments_by_time ON public.tournaments (created_ms, tournament_id);

CREATE TABLE public.tournament_players (
  tournament_id text NOT NULL,
  player_id     text NOT NULL,
  role          text NOT NULL,
  PRIMARY KEY (tournament_id, player_id, role)
);
CREATE INDEX tournament_players_by_player ON public.tournament_players (player_id);

CREATE TABLE public.tournament_tables (
  tournament_id text    NOT NULL,
  round         integer NOT NULL,
  place         integer NOT NULL,
  attempt       integer NOT NULL,
  match_id      text    NOT NULL,
  PRIMARY KEY (tournament_id, round, place)
);

CREATE TABLE public.rated_matches (
  place    bigint  NOT NULL,
  match_no bigint  NOT NULL,
  ended_ms bigint  NOT NULL,
  facts    text    NOT NULL,
  reading  integer NOT NULL,
  PRIMARY KEY (place),
  UNIQUE (match_no)
);
CREATE INDEX rated_matches_by_end ON public.rated_matches (ended_ms);

CREATE TABLE public.rating_changes (
  match_no bigint  NOT NULL,
  pool     text    NOT NULL,
  rated    boolean NOT NULL,
  ratings  text    NOT NULL,
  trusts   text    NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.ratings (
  pool      text             NOT NULL,
  player_id text             NOT NULL,
  mu        double precision NOT NULL,
  sigma     double precision NOT NULL,
  shown     double precision NOT NULL,
  matches   integer          NOT NULL,
  wins      integer          NOT NULL,
  last_ms   bigint           NOT NULL,
  hasty     integer          NOT NULL,
  lately    text             NOT NULL,
  gifts     integer          NOT NULL,
  presents  text             NOT NULL,
  PRIMARY KEY (pool, player_id)
);
CREATE INDEX ratings_best ON public.ratings (pool, shown, player_id);
CREATE INDEX ratings_by_player ON public.ratings (player_id);

CREATE TABLE public.rating_trusts (
  player_id text    NOT NULL,
  proven    boolean NOT NULL,
  trust     text    NOT NULL,
  PRIMARY KEY (player_id)
);
CREATE INDEX rating_trusts_proven ON public.rating_trusts (proven);

CREATE TABLE public.decisions (
  match_no  bigint  NOT NULL,
  player_id text    NOT NULL,
  ended_ms  bigint  NOT NULL,
  in_time   integer NOT NULL,
  late      integer NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX decisions_by_player ON public.decisions (player_id, ended_ms);

CREATE TABLE public.rating_state (
  one     integer NOT NULL,
  formula text    NOT NULL,
  run     integer NOT NULL,
  place   bigint  NOT NULL,
  PRIMARY KEY (one)
);

-- Notifications

CREATE TABLE public.notices (
  notice_no     bigint   GENERATED BY DEFAULT AS IDENTITY,
  notice_id     text     NOT NULL,
  player_id     text     NOT NULL,
  match_no      bigint   NOT NULL,
  match_id      text     NOT NULL,
  game          text     NOT NULL,
  kind          text     NOT NULL,
  seat          smallint,
  version       integer  NOT NULL,
  at_ms         bigint   NOT NULL,
  deadline_ms   bigint,
  tournament_id text     DEFAULT '' NOT NULL,
  round         integer,
  PRIMARY KEY (notice_no),
  UNIQUE (notice_id)
);
CREATE INDEX notices_at ON public.notices (at_ms);

CREATE TABLE public.alarms (
  match_no    bigint   NOT NULL,
  seat        smallint NOT NULL,
  player_id   text     NOT NULL,
  version     integer  NOT NULL,
  due_ms      bigint   NOT NULL,
  deadline_ms bigint   NOT NULL,
  PRIMARY KEY (match_no, seat)
);
CREATE INDEX alarms_due ON public.alarms (due_ms);

CREATE TABLE public.notification_settings (
  player_id    text    NOT NULL,
  near_seconds integer NOT NULL,
  PRIMARY KEY (player_id)
);

CREATE TABLE public.webhooks (
  webhook_id  text   NOT NULL,
  player_id   text   NOT NULL,
  url         text   NOT NULL,
  host        text   NOT NULL,
  events      text   NOT NULL,
  secret      text   NOT NULL,
  old_secrets text   DEFAULT '[]' NOT NULL,
  state       text   NOT NULL,
  created_ms  bigint NOT NULL,
  failing_ms  bigint,
  disabled_ms bigint,
  PRIMARY KEY (webhook_id)
);
CREATE INDEX webhooks_by_player ON public.webhooks (player_id);

CREATE TABLE public.deliveries (
  webhook_id text    NOT NULL,
  notice_no  bigint  NOT NULL,
  match_no   bigint  NOT NULL,
  state      text    NOT NULL,
  attempts   integer NOT NULL,
  PRIMARY KEY (webhook_id, notice_no)
);
CREATE INDEX deliveries_pending ON public.deliveries (webhook_id, match_no, notice_no) WHERE state = 'pending';

CREATE TABLE public.lanes (
  webhook_id   text    NOT NULL,
  match_no     bigint  NOT NULL,
  host         text    NOT NULL,
  claimable_ms bigint  NOT NULL,
  lease_ms     bigint  NOT NULL,
  taken        boolean NOT NULL,
  owner        text,
  PRIMARY KEY (webhook_id, match_no)
);
CREATE INDEX lanes_next ON public.lanes (claimable_ms);

CREATE TABLE public.attempts (
  attempt_no bigint  GENERATED BY DEFAULT AS IDENTITY,
  webhook_id text    NOT NULL,
  notice_no  bigint  NOT NULL,
  attempt    integer NOT NULL,
  at_ms      bigint  NOT NULL,
  took_ms    integer NOT NULL,
  status     integer,
  error      text,
  next_ms    bigint,
  PRIMARY KEY (attempt_no)
);
CREATE INDEX attempts_at ON public.attempts (at_ms);
CREATE INDEX attempts_of ON public.attempts (webhook_id, attempt_no);

CREATE TABLE public.feeds (
  player_id   text   NOT NULL,
  secret_hash bytea  NOT NULL,
  created_ms  bigint NOT NULL,
  PRIMARY KEY (player_id),
  UNIQUE (secret_hash)
);

CREATE TABLE public.mailboxes (
  player_id     text    NOT NULL,
  address       text    NOT NULL,
  state         text    NOT NULL,
  every_ms      bigint  NOT NULL,
  created_ms    bigint  NOT NULL,
  code_hash     bytea,
  code_until_ms bigint,
  code_tries    integer NOT NULL,
  leave_by      text    NOT NULL,
  claimable_ms  bigint,
  lease_ms      bigint  NOT NULL,
  attempts      integer NOT NULL,
  last_ms       bigint,
  owner         text,
  recovery_ms   bigint,
  PRIMARY KEY (player_id),
  UNIQUE (leave_by)
);
CREATE INDEX mailboxes_next ON public.mailboxes (claimable_ms);

CREATE TABLE public.mail_queue (
  player_id text   NOT NULL,
  notice_no bigint NOT NULL,
  PRIMARY KEY (player_id, notice_no)
);

CREATE TABLE public.confirmations (
  player_id text   NOT NULL,
  at_ms     bigint NOT NULL,
  PRIMARY KEY (player_id, at_ms)
);
CREATE INDEX confirmations_at ON public.confirmations (at_ms);

CREATE TABLE public.addresses_asked (
  address_hash bytea  NOT NULL,
  at_ms        bigint NOT NULL,
  PRIMARY KEY (address_hash, at_ms)
);
CREATE INDEX addresses_asked_at ON public.addresses_asked (at_ms);

CREATE TABLE public.recoveries_asked (
  address  text   NOT NULL,
  asked_ms bigint NOT NULL,
  PRIMARY KEY (address)
);

CREATE TABLE public.recovery_codes (
  code_hash bytea  NOT NULL,
  address   text   NOT NULL,
  until_ms  bigint NOT NULL,
  PRIMARY KEY (code_hash)
);
CREATE INDEX recovery_codes_until ON public.recovery_codes (until_ms);

CREATE TABLE public.former_addresses (
  player_id    text    NOT NULL,
  changed_ms   bigint  NOT NULL,
  address      text    NOT NULL,
  every_ms     bigint  NOT NULL,
  code_hash    bytea,
  claimable_ms bigint,
  lease_ms     bigint  NOT NULL,
  attempts     integer NOT NULL,
  PRIMARY KEY (player_id, changed_ms)
);
CREATE INDEX former_addresses_claimable ON public.former_addresses (claimable_ms);
CREATE INDEX former_addresses_code ON public.former_addresses (code_hash);

-- Talk

CREATE TABLE public.talks (
  match_no bigint  NOT NULL,
  messages integer NOT NULL,
  changes  integer NOT NULL,
  PRIMARY KEY (match_no)
);

CREATE TABLE public.messages (
  match_no   bigint   NOT NULL,
  no         integer  NOT NULL,
  change     integer  NOT NULL,
  seat       smallint NOT NULL,
  player_id  text     NOT NULL,
  at_ms      bigint   NOT NULL,
  text       text,
  deleted_ms bigint,
  deleted_by text,
  PRIMARY KEY (match_no, no)
);
CREATE INDEX messages_by_player ON public.messages (player_id, match_no, no);
CREATE INDEX messages_changed ON public.messages (match_no, change);

CREATE TABLE public.notes (
  match_no  bigint NOT NULL,
  player_id text   NOT NULL,
  text      text   NOT NULL,
  at_ms     bigint NOT NULL,
  PRIMARY KEY (match_no, player_id)
);
CREATE INDEX notes_by_player ON public.notes (player_id);
