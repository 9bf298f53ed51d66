-- When an account was suspended, and when it was closed, in milliseconds since 1970; NULL while it is neither.
ALTER TABLE accounts ADD COLUMN suspended INTEGER;
ALTER TABLE accounts ADD COLUMN closed INTEGER;
