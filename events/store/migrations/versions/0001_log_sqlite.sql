-- SQLite has one writer at a time, so the order of positions is the order of commits.

CREATE TRIGGER commits_no_update BEFORE UPDATE ON commits BEGIN
  SELECT RAISE(ABORT, 'commits is append-only: UPDATE is refused');
END;

-- `dealt archive` lists a match in `archived`, and deletes its commits in the same transaction.
CREATE TRIGGER commits_no_delete BEFORE DELETE ON commits
WHEN NOT EXISTS (SELECT 1 FROM archived a JOIN stream s USING (match_no)
                  WHERE a.match_no = OLD.match_no AND a.version = s.version AND a.head = s.head)
BEGIN
  SELECT RAISE(ABORT, 'commits is append-only: DELETE is refused');
END;

-- INSERT OR REPLACE deletes without asking the trigger above, so a row that would replace another is refused here;
-- and a commit that does not follow the last one of its match.
CREATE TRIGGER commits_continue BEFORE INSERT ON commits
WHEN EXISTS (SELECT 1 FROM commits WHERE position = NEW.position)
  OR NEW."first" IS NOT coalesce(
       (SELECT "first" + n FROM commits WHERE match_no = NEW.match_no ORDER BY "first" DESC LIMIT 1),
       (SELECT version + 1 FROM archived WHERE match_no = NEW.match_no), 1)
BEGIN
  SELECT RAISE(ABORT, 'commits is append-only: a commit must follow the last one of its match');
END;

CREATE TRIGGER archived_no_update BEFORE UPDATE ON archived BEGIN
  SELECT RAISE(ABORT, 'archived is append-only: UPDATE is refused');
END;

CREATE TRIGGER archived_no_delete BEFORE DELETE ON archived BEGIN
  SELECT RAISE(ABORT, 'archived is append-only: DELETE is refused');
END;

CREATE TRIGGER archived_once BEFORE INSERT ON archived
WHEN EXISTS (SELECT 1 FROM archived WHERE match_no = NEW.match_no)
BEGIN
  SELECT RAISE(ABORT, 'archived is append-only: a match is archived only once');
END;

CREATE VIEW events AS
SELECT c.match_no, s.match_id, s.kind, c."first" + e.key AS seq, c."first" AS "commit",
       strftime('%Y-%m-%dT%H:%M:%fZ', c.at_ms / 1000.0, 'unixepoch') AS at,
       json_extract(e.value, '$.type') AS type, json_extract(e.value, '$.v') AS v,
       json_extract(e.value, '$.cause') AS cause, json_extract(e.value, '$.data') AS data,
       json_extract(e.value, '$.seals') AS seals, json_extract(e.value, '$.digest') AS digest
  FROM commits c JOIN stream s USING (match_no), json_each(c.events) e;
