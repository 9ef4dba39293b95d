-- What a message did not say of 'amount' and 'currency', joined by commas: what was known before stays.
ALTER TABLE facts ADD COLUMN unstated TEXT NOT NULL DEFAULT '';
