-- The columns are said in events/store/schema.py. Of a match that is on they follow from its seats here, and from its log
-- with the next commit that changes its row.
ALTER TABLE matches ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN bots_alone BOOLEAN NOT NULL DEFAULT false;

UPDATE matches SET owner = coalesce(
  nullif(creator, ''), (SELECT g.creator FROM deal_groups g WHERE g.group_id = matches.deal_group), '');
UPDATE matches SET bots_alone = true WHERE status IN ('lobby', 'playing')
  AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.match_no = matches.match_no AND s.kind <> 'bot');

CREATE INDEX matches_bots_alone ON matches (owner) WHERE bots_alone;
