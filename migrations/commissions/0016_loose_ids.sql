-- What an id has in common with those that differ by zeros in front, case, spaces or signs alone; null until it is folded again.
ALTER TABLE folded_commissions ADD COLUMN loose_id TEXT;
CREATE INDEX folded_by_loose_id ON folded_commissions (loose_id);
