-- The application's role may write the log by these functions alone. They run with their owner's rights; the search
-- path is fixed so that nobody can put an operator of his own in the way.

-- Write projections of a match: p_due and the rows of p_rows, by their table, are all rows from now on. What is null or
-- missing stays. The application calls it for a rebuild.
CREATE OR REPLACE FUNCTION public.write_projections(p_match bigint, p_due public.due[], p_rows json) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- postgresql_body() of events/store/tables/projection_rows.py
END $$;

-- Positions are given out before transactions commit, so a follower that reads position 7 may not know whether 6 is
-- still to come. A transaction that is about to take positions therefore holds, until it ends, a shared lock whose key
-- has the last position given out before: its own positions are greater. The other 16 bits of the key are 0x4465.
-- append_commit takes the lock itself, which is cheaper. Here a transaction that imports many matches takes only one.
CREATE OR REPLACE FUNCTION public.hold_followers() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF coalesce(current_setting('dealt.holds_followers', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared(
      (17509::bigint << 48) | coalesce(pg_sequence_last_value('public.commits_position_seq'), 0));
    PERFORM set_config('dealt.holds_followers', 'yes', true);
  END IF;
END $$;

-- Answers the position up to which every commit is visible to whoever looks afterwards, or was rolled back. The
-- sequence is read before the locks: who takes a later position afterwards has a greater one, and who took an earlier
-- one holds a lock, or has ended. Locks are let go once a transaction is visible. Other transactions, and other
-- databases of the cluster, do not matter.
CREATE OR REPLACE FUNCTION public.settled_position(OUT settled bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  given_out bigint := coalesce(pg_sequence_last_value('public.commits_position_seq'), 0);
BEGIN
  SELECT least(given_out, min(((l.classid::bigint & 65535) << 32) | l.objid::bigint)) INTO settled
    FROM pg_locks l
   WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid::bigint >> 16 = 17509
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

-- Append a commit if the match's version is still p_first - 1: one statement is one transaction and one round trip.
-- p_turns (JSON) and p_due: all rows from now on, or null for no change. p_rest: what rarely changes, as one JSON object
-- with the rows of other projections, a new root and spent invites; or null.
-- p_mac: a code that only the holder of the match's secrets can make, so that an audit finds a log that was rewritten
-- with the right digests.
-- An idempotency key that is there already raises unique_violation, and nothing has been written.
CREATE OR REPLACE FUNCTION public.append_commit(
  p_match bigint, p_first int, p_n smallint, p_at bigint, p_events text, p_secrets text, p_head bytea,
  p_turns text, p_due public.due[], p_rest json, p_key bytea, p_body bytea, p_mac bytea,
  OUT status text, OUT new_version int, OUT new_position bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.stream SET version = p_first + p_n - 1, head = p_head, turns = coalesce(p_turns, turns)
   WHERE match_no = p_match AND version = p_first - 1;
  IF NOT FOUND THEN
    SELECT 'duplicate', coalesce(first + n - 1, 0) INTO status, new_version
      FROM public.idempotency WHERE key_hash = p_key;
    IF NOT FOUND THEN
      SELECT 'conflict', coalesce(max(version), 0) INTO status, new_version
        FROM public.stream WHERE match_no = p_match;
    END IF;
    RETURN;
  END IF;
  -- As hold_followers does.
  PERFORM pg_advisory_xact_lock_shared(
    (17509::bigint << 48) | coalesce(pg_sequence_last_value('public.commits_position_seq'), 0));
  INSERT INTO public.commits (match_no, first, n, at_ms, events, secrets, mac)
    VALUES (p_match, p_first, p_n, p_at, p_events, p_secrets, p_mac) RETURNING position INTO new_position;
  IF p_key IS NOT NULL THEN
    INSERT INTO public.idempotency VALUES (p_key, p_body, p_match, p_first, p_n, p_at);
  END IF;

  -- postgresql_pending() of events/store/tables/projection_rows.py
  IF p_rest IS NOT NULL THEN
    PERFORM public.write_projections(p_match, NULL, p_rest);
  END IF;
  IF p_rest ->> 'new_root' IS NOT NULL THEN
    UPDATE public.secrets SET roots = (roots::jsonb || to_jsonb(p_rest ->> 'new_root'))::text
     WHERE match_no = p_match;
  END IF;
  IF p_rest -> 'spent_invites' IS NOT NULL THEN
    DELETE FROM public.invites WHERE match_no = p_match
       AND seat IN (SELECT value::smallint FROM json_array_elements_text(p_rest -> 'spent_invites'));
  END IF;
  status := 'ok';
  new_version := p_first + p_n - 1;
END $$;

-- Append the move that standing orders have made, if they are still in force: whoever cancels them waits for this, or
-- is here first. Orders that are gone are a conflict, as another's move is.
CREATE OR REPLACE FUNCTION public.append_ordered(
  p_orders text, p_looked bigint,
  p_match bigint, p_first int, p_n smallint, p_at bigint, p_events text, p_secrets text, p_head bytea,
  p_turns text, p_due public.due[], p_rest json, p_key bytea, p_body bytea, p_mac bytea,
  OUT status text, OUT new_version int, OUT new_position bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT version INTO new_version FROM public.stream WHERE match_no = p_match FOR UPDATE;
  PERFORM 1 FROM public.orders WHERE orders_id = p_orders FOR UPDATE;
  IF NOT FOUND THEN
    status := 'conflict';
    new_version := coalesce(new_version, 0);
    RETURN;
  END IF;
  SELECT a.status, a.new_version, a.new_position INTO status, new_version, new_position
    FROM public.append_commit(p_match, p_first, p_n, p_at, p_events, p_secrets, p_head,
                              p_turns, p_due, p_rest, p_key, p_body, p_mac) a;
  IF status = 'ok' THEN
    UPDATE public.orders SET carried_version = p_first, carried_ms = p_at, looked_ms = p_looked
     WHERE orders_id = p_orders;
  END IF;
END $$;

-- Begin a stream, a match by default: its secrets, the invites of a match ([[seat, hex], …]), and its first commit as above.
-- What has no shuffles has no root.
CREATE OR REPLACE FUNCTION public.create_match(
  p_match_id text, p_seal_secret bytea, p_root text, p_invites json,
  p_first int, p_n smallint, p_at bigint, p_events text, p_secrets text, p_head bytea,
  p_turns text, p_due public.due[], p_rest json, p_key bytea, p_body bytea, p_mac bytea, p_kind text DEFAULT 'match',
  OUT status text, OUT new_version int, OUT new_position bigint, OUT new_match bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.stream (match_id, kind, version, head, created_ms)
    VALUES (p_match_id, p_kind, 0, decode(repeat('00', 32), 'hex'), p_at) RETURNING match_no INTO new_match;
  INSERT INTO public.secrets
    VALUES (new_match, p_seal_secret, CASE WHEN p_root IS NULL THEN '[]' ELSE json_build_array(p_root)::text END);
  INSERT INTO public.invites SELECT new_match, (i ->> 0)::smallint, decode(i ->> 1, 'hex')
    FROM json_array_elements(p_invites) i;
  SELECT a.status, a.new_version, a.new_position INTO status, new_version, new_position
    FROM public.append_commit(new_match, p_first, p_n, p_at, p_events, p_secrets, p_head,
                              p_turns, p_due, p_rest, p_key, p_body, p_mac) a;
END $$;

-- Write a finished match that was played elsewhere, whole: p_commits is a JSON array of {first, n, at_ms, events, secrets}.
-- Answers no number if a match of this id is here already.
CREATE OR REPLACE FUNCTION public.import_match(
  p_match_id text, p_created bigint, p_imported text, p_head bytea, p_commits json, p_rows json, OUT new_match bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.stream (match_id, version, head, created_ms, imported)
    SELECT p_match_id, max(c.first + c.n - 1), p_head, p_created, p_imported
      FROM json_to_recordset(p_commits) AS c (first int, n smallint)
    ON CONFLICT (match_id) DO NOTHING RETURNING match_no INTO new_match;
  IF new_match IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO public.secrets VALUES (new_match, '', '[]');
  PERFORM public.hold_followers();
  INSERT INTO public.commits (match_no, first, n, at_ms, events, secrets)
    SELECT new_match, c.first, c.n, c.at_ms, c.events, c.secrets
      FROM json_to_recordset(p_commits) AS c (first int, n smallint, at_ms bigint, events text, secrets text)
     ORDER BY c.first;
  PERFORM public.write_projections(new_match, NULL, p_rows);
END $$;

-- Keep others from appending to a match until the end of the transaction; says whether there is one.
CREATE OR REPLACE FUNCTION public.lock_match(p_match bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM public.stream WHERE match_no = p_match FOR UPDATE;
  RETURN FOUND;
END $$;

-- Orders go with the match that they are for.
CREATE OR REPLACE FUNCTION public.forget_orders() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM public.orders WHERE match_no = NEW.match_no;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS orders_end ON public.matches;
CREATE TRIGGER orders_end AFTER INSERT OR UPDATE OF ended_ms ON public.matches
  FOR EACH ROW WHEN (NEW.ended_ms IS NOT NULL) EXECUTE FUNCTION public.forget_orders();

REVOKE ALL ON FUNCTION public.write_projections, public.append_commit, public.append_ordered, public.create_match,
  public.import_match, public.lock_match, public.forget_orders, public.hold_followers, public.settled_position FROM PUBLIC;
