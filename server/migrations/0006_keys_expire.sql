-- When a key stops working, in milliseconds since 1970; NULL for one that does not.
ALTER TABLE keys ADD COLUMN expires INTEGER;
