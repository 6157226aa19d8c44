-- The columns are said in events/store/schema.py. Of a match that is on they follow from its seats here, and from its log
-- with the next commit that changes its row.
ALTER TABLE public.matches ADD COLUMN owner text NOT NULL DEFAULT '';
ALTER TABLE public.matches ADD COLUMN bots_alone boolean NOT NULL DEFAULT false;

UPDATE public.matches SET owner = coalesce(
  nullif(creator, ''), (SELECT g.creator FROM public.deal_groups g WHERE g.group_id = matches.deal_group), '');
UPDATE public.matches SET bots_alone = true WHERE status IN ('lobby', 'playing')
  AND NOT EXISTS (SELECT 1 FROM public.seats s WHERE s.match_no = matches.match_no AND s.kind <> 'bot');

CREATE INDEX matches_bots_alone ON public.matches (owner) WHERE bots_alone;
