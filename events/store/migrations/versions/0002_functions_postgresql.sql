-- A commit carries a code that only the holder of the match's secrets can make, so that an audit finds a log that was
-- rewritten with the right digests. NULL in imported matches, whose secrets stayed where they were played.
DROP FUNCTION public.append_commit, public.create_match;

-- Append a commit if the match's version is still p_first - 1: one statement is one transaction and one round trip.
-- p_turns (JSON) and p_due: all rows from now on, or null for no change. p_rest: one JSON object, or null.
-- An idempotency key that is there already raises unique_violation, and nothing has been written.
CREATE FUNCTION public.append_commit(
  p_match bigint, p_first int, p_n smallint, p_at bigint, p_events text, p_secrets text, p_head bytea,
  p_turns text, p_due public.due[], p_rest json, p_key bytea, p_body bytea, p_mac bytea,
  OUT status text, OUT new_version int, OUT new_position bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  work public.due;
  until bigint;
  kinds text[] := '{}';
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
  INSERT INTO public.commits (match_no, first, n, at_ms, events, secrets, mac)
    VALUES (p_match, p_first, p_n, p_at, p_events, p_secrets, p_mac) RETURNING position INTO new_position;
  IF p_key IS NOT NULL THEN
    INSERT INTO public.idempotency VALUES (p_key, p_body, p_match, p_first, p_n, p_at);
  END IF;

  -- A row that is no longer wanted stays as an idle place. One that is deleted and inserted again at every move would
  -- leave dead entries in each index, and cost more than all the rest of the append.
  IF p_due IS NOT NULL THEN
    FOREACH work IN ARRAY p_due LOOP
      until := greatest(work.due_ms, work.lease_ms);
      UPDATE public.due SET claimable_ms = until, due_ms = work.due_ms, lease_ms = work.lease_ms, attempts = 0
       WHERE match_no = p_match AND kind = work.kind;
      IF NOT FOUND THEN
        INSERT INTO public.due VALUES (p_match, work.kind, until, work.due_ms, work.lease_ms, 0);
      END IF;
      kinds := kinds || work.kind;
    END LOOP;
    UPDATE public.due SET claimable_ms = NULL
     WHERE match_no = p_match AND claimable_ms IS NOT NULL AND kind <> ALL (kinds);
  END IF;
  IF p_rest IS NOT NULL THEN
    PERFORM public.write_rest(p_match, p_rest);
  END IF;
  status := 'ok';
  new_version := p_first + p_n - 1;
END $$;

-- Begin a match: its stream, secrets and invites ([[seat, hex], …]), and its first commit as above.
CREATE FUNCTION public.create_match(
  p_match_id text, p_seal_secret bytea, p_root text, p_invites json,
  p_first int, p_n smallint, p_at bigint, p_events text, p_secrets text, p_head bytea,
  p_turns text, p_due public.due[], p_rest json, p_key bytea, p_body bytea, p_mac bytea,
  OUT status text, OUT new_version int, OUT new_position bigint, OUT new_match bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.stream (match_id, version, head, created_ms)
    VALUES (p_match_id, 0, decode(repeat('00', 32), 'hex'), p_at) RETURNING match_no INTO new_match;
  INSERT INTO public.secrets VALUES (new_match, p_seal_secret, json_build_array(p_root)::text);
  INSERT INTO public.invites SELECT new_match, (i ->> 0)::smallint, decode(i ->> 1, 'hex')
    FROM json_array_elements(p_invites) i;
  SELECT a.status, a.new_version, a.new_position INTO status, new_version, new_position
    FROM public.append_commit(new_match, p_first, p_n, p_at, p_events, p_secrets, p_head,
                              p_turns, p_due, p_rest, p_key, p_body, p_mac) a;
END $$;

-- Write a finished match that was played elsewhere, whole: p_commits is a JSON array of {first, n, at_ms, events, secrets}.
-- Answers no number if a match of this id is here already.
CREATE FUNCTION public.import_match(
  p_match_id text, p_created bigint, p_imported text, p_head bytea, p_commits json, p_rest json, OUT new_match bigint)
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
  INSERT INTO public.commits (match_no, first, n, at_ms, events, secrets)
    SELECT new_match, c.first, c.n, c.at_ms, c.events, c.secrets
      FROM json_to_recordset(p_commits) AS c (first int, n smallint, at_ms bigint, events text, secrets text)
     ORDER BY c.first;
  PERFORM public.write_rest(new_match, p_rest);
END $$;

REVOKE ALL ON FUNCTION public.append_commit, public.create_match, public.import_match FROM PUBLIC;
