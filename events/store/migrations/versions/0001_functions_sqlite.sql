-- Orders go with the match that they are for.
CREATE TRIGGER orders_end AFTER INSERT ON matches WHEN NEW.ended_ms IS NOT NULL
BEGIN
  DELETE FROM orders WHERE match_no = NEW.match_no;
END;

CREATE TRIGGER orders_end_later AFTER UPDATE ON matches WHEN NEW.ended_ms IS NOT NULL
BEGIN
  DELETE FROM orders WHERE match_no = NEW.match_no;
END;
