-- What each operator may do, in place of two roles: names of src/core/console/operator.ts, separated by spaces.
ALTER TABLE operators ADD COLUMN capabilities TEXT NOT NULL DEFAULT '';
UPDATE operators SET capabilities = CASE role WHEN 'owner' THEN 'money content publish manage' ELSE 'money' END;
ALTER TABLE operators DROP COLUMN role;
ALTER TABLE setups ADD COLUMN capabilities TEXT NOT NULL DEFAULT '';
UPDATE setups SET capabilities = CASE role WHEN 'owner' THEN 'money content publish manage' ELSE 'money' END;
ALTER TABLE setups DROP COLUMN role;
