-- 1 for a key that another has replaced: it works until it expires, and does not count among those that the plan allows.
ALTER TABLE keys ADD COLUMN replaced INTEGER;
