-- An id without letters that have no width and in one form of Unicode, where it is written otherwise: messages of the other
-- spelling are about the same commission.
ALTER TABLE folded_commissions ADD COLUMN id_form TEXT;
CREATE INDEX folded_by_id_form ON folded_commissions (partner, account, id_form) WHERE id_form IS NOT NULL;
