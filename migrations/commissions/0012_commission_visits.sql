-- What leads to commissions, with the pages before the click and the answers. The name is another one, so that an earlier
-- version, to which an operator returns, folds its own.
ALTER TABLE commission_paths RENAME TO commission_visits;
UPDATE commission_visits SET path = json_insert(path, '$[9]', json('[]'), '$[10]', json('{}'));

-- The day on which the same click had been booked before in the currency; -1 without one. A period has the clicks of the
-- commissions whose day before is not in it.
ALTER TABLE folded_commissions ADD COLUMN previous_day INTEGER NOT NULL DEFAULT -1;
-- What all sources report, also where one of them counts alone; null until it is folded again.
ALTER TABLE folded_commissions ADD COLUMN reported INTEGER;
ALTER TABLE commission_cells ADD COLUMN clicks INTEGER NOT NULL DEFAULT 0;
UPDATE commission_cells SET clicks = count WHERE state >= 2;

DROP INDEX folded_by_booked_day;
DROP INDEX folded_by_click_day;
CREATE INDEX folded_by_booked_day ON folded_commissions (booked_day, is_counted, path, state, partner, currency, status, amount,
  reversed_amount, before_decided, before_pending, previous_day);
CREATE INDEX folded_by_click_day ON folded_commissions (click_day, is_counted, path, state, partner, currency, status, amount,
  reversed_amount, before_decided, before_pending, booked_day, previous_day);
-- Where what counts is not what is reported.
CREATE INDEX folded_differing ON folded_commissions (partner)
  WHERE is_test = 0 AND is_dismissed = 0 AND native_id NOT GLOB 'sub:*' AND reported <> iif(is_counted, amount, 0);
