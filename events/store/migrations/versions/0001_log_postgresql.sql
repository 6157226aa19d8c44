-- Positions are given out before transactions commit, so their order is not that of commits: a follower goes only as
-- far as `settled_position` says that none is still being written.

CREATE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

-- ALWAYS: session_replication_role does not lift it.
CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON public.commits
  FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE public.commits ENABLE ALWAYS TRIGGER append_only;

-- `dealt archive` lists a match in `archived`, as the owner, and deletes its commits in the same transaction.
CREATE FUNCTION public.refuse_unless_archived() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM public.archived a JOIN public.stream s USING (match_no)
    WHERE a.match_no = OLD.match_no AND a.version = s.version AND a.head = s.head;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER only_archived BEFORE DELETE ON public.commits
  FOR EACH ROW EXECUTE FUNCTION public.refuse_unless_archived();
ALTER TABLE public.commits ENABLE ALWAYS TRIGGER only_archived;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.archived
  FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE public.archived ENABLE ALWAYS TRIGGER append_only;

CREATE VIEW public.events AS
SELECT c.match_no, s.match_id, s.kind, c.first + e.place::int - 1 AS seq, c.first AS commit,
       to_timestamp(c.at_ms / 1000.0) AS at,
       e.event ->> 'type' AS type, (e.event ->> 'v')::int AS v, e.event ->> 'cause' AS cause,
       e.event -> 'data' AS data, e.event -> 'seals' AS seals, e.event ->> 'digest' AS digest
  FROM public.commits c JOIN public.stream s USING (match_no),
       json_array_elements(c.events::json) WITH ORDINALITY e (event, place);
