-- Changes that are seldom: the row in lists, its options, seats, results, whose match it is, who sits in a group, a new root,
-- spent invites.
CREATE OR REPLACE FUNCTION public.write_rest(p_match bigint, p_rest json) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_rest -> 'match' IS NOT NULL THEN
    INSERT INTO public.matches (match_no, match_id, game, status, visibility, creator, options, preset, created_ms,
                                started_ms, ended_ms, result, deal_group, deal_known)
      SELECT p_match, s.match_id, m.game, m.status, m.visibility, m.creator, m.options, m.preset, s.created_ms,
             m.started_ms, m.ended_ms, m.result, m.deal_group, m.deal_known
        FROM json_populate_record(NULL::public.matches, p_rest -> 'match') m, public.stream s
       WHERE s.match_no = p_match
      ON CONFLICT (match_no) DO UPDATE SET game = excluded.game, status = excluded.status,
        visibility = excluded.visibility, creator = excluded.creator, options = excluded.options,
        preset = excluded.preset, started_ms = coalesce(excluded.started_ms, matches.started_ms),
        ended_ms = excluded.ended_ms, result = excluded.result, deal_group = excluded.deal_group,
        deal_known = excluded.deal_known;
    -- Options never change, so they are written with the first row.
    IF NOT EXISTS (SELECT FROM public.match_options WHERE match_no = p_match) THEN
      INSERT INTO public.match_options (match_no, name, game, value, public, created_ms)
        SELECT p_match, o.key, m.game, coalesce(o.value, 'null'), m.visibility = 'public', m.created_ms
          FROM public.matches m,
               LATERAL (SELECT key, value FROM json_each_text(m.options::json)
                        UNION ALL SELECT 'preset', m.preset WHERE m.preset IS NOT NULL) o
         WHERE m.match_no = p_match;
    END IF;
    -- A table of a group is its players' alone while it is on.
    IF p_rest -> 'match' ->> 'deal_group' IS NOT NULL THEN
      UPDATE public.match_options o SET public = m.visibility = 'public' FROM public.matches m
       WHERE o.match_no = p_match AND m.match_no = p_match;
    END IF;
  END IF;
  IF p_rest -> 'seats' IS NOT NULL THEN
    DELETE FROM public.seats WHERE match_no = p_match;
    INSERT INTO public.seats SELECT p_match, r.seat, r.kind, r.player_id, r.level, true
      FROM json_populate_recordset(NULL::public.seats, p_rest -> 'seats') r;
  END IF;
  IF p_rest -> 'results' IS NOT NULL THEN
    DELETE FROM public.results WHERE match_no = p_match;
    INSERT INTO public.results (match_no, seat, player_id, game, place, score, ended_ms, result)
      SELECT p_match, r.seat, r.player_id, r.game, r.place, r.score, r.ended_ms, r.result
        FROM json_populate_recordset(NULL::public.results, p_rest -> 'results') r;
  END IF;
  IF p_rest -> 'seats' IS NOT NULL OR p_rest -> 'results' IS NOT NULL OR p_rest -> 'match' ->> 'ended_ms' IS NOT NULL
     OR p_rest -> 'match' ->> 'deal_group' IS NOT NULL THEN
    DELETE FROM public.involved WHERE match_no = p_match;
    INSERT INTO public.involved (match_no, player_id, public, created_ms, ended_ms, result)
      SELECT m.match_no, p.player_id, m.visibility = 'public', m.created_ms, m.ended_ms,
             (SELECT max(r.result) FROM public.results r WHERE r.match_no = p_match AND r.player_id = p.player_id)
        FROM public.matches m,
             LATERAL (SELECT player_id FROM public.seats WHERE match_no = p_match AND player_id IS NOT NULL
                      UNION SELECT m.creator WHERE m.visibility <> 'public' AND m.creator <> '') p
       WHERE m.match_no = p_match;
  END IF;
  IF p_rest -> 'seats' IS NOT NULL AND EXISTS (SELECT FROM public.matches WHERE match_no = p_match AND deal_group IS NOT NULL) THEN
    DELETE FROM public.group_players WHERE match_no = p_match;
    INSERT INTO public.group_players (match_no, player_id, deal_group)
      SELECT DISTINCT p_match, s.player_id, m.deal_group FROM public.seats s, public.matches m
       WHERE s.match_no = p_match AND m.match_no = p_match AND s.player_id IS NOT NULL;
  END IF;
  IF p_rest -> 'match' ->> 'ended_ms' IS NOT NULL THEN
    UPDATE public.seats SET live = false WHERE match_no = p_match AND live;
    DELETE FROM public.due WHERE match_no = p_match AND claimable_ms IS NULL;
  END IF;
  IF p_rest ->> 'new_root' IS NOT NULL THEN
    UPDATE public.secrets SET roots = (roots::jsonb || to_jsonb(p_rest ->> 'new_root'))::text
     WHERE match_no = p_match;
  END IF;
  IF p_rest -> 'spent_invites' IS NOT NULL THEN
    DELETE FROM public.invites WHERE match_no = p_match
       AND seat IN (SELECT value::smallint FROM json_array_elements_text(p_rest -> 'spent_invites'));
  END IF;
END $$;
