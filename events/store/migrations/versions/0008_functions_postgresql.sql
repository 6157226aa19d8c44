-- Orders go with the match that they are for.
CREATE FUNCTION public.forget_orders() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM public.orders WHERE match_no = NEW.match_no;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_end AFTER INSERT OR UPDATE OF ended_ms ON public.matches
  FOR EACH ROW WHEN (NEW.ended_ms IS NOT NULL) EXECUTE FUNCTION public.forget_orders();

-- Append the move that standing orders have made, if they are still in force: whoever cancels them waits for this, or
-- is here first. Orders that are gone are a conflict, as another's move is.
CREATE FUNCTION public.append_ordered(
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

REVOKE ALL ON FUNCTION public.append_ordered, public.forget_orders FROM PUBLIC;
