-- The name of the owner who created an invitation; empty for the command line.
ALTER TABLE setups ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
-- When the operator last gave the password, or a passkey, again.
ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER;
