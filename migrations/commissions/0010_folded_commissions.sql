-- Commissions, folded from their messages: one row each, which is folded again when its messages, its click or its terms
-- change. Amounts: minor units of the currency. Times: ms since 1970. Only facts, decisions, journeys, imports and label_days
-- are the truth: everything here can be computed from them, and is not copied.
CREATE TABLE folded_commissions (
  id INTEGER PRIMARY KEY,
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL,
  -- The version of the fold, and a hash of the terms that it depends on.
  fold TEXT NOT NULL,
  -- The sequence of the first fact, which orders commissions, and when the last one arrived.
  first_fact INTEGER NOT NULL,
  last_arrival INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  amount INTEGER NOT NULL,
  reversed_amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  sale_amount INTEGER,
  event_time INTEGER NOT NULL,
  change_time INTEGER NOT NULL,
  token TEXT NOT NULL,
  click_id TEXT,
  -- When the network recorded the click, and when the site did: null while the click is not known, as what follows from it.
  click_time INTEGER,
  clicked_at INTEGER,
  page TEXT,
  placement TEXT,
  campaign TEXT,
  is_test INTEGER NOT NULL,
  is_dismissed INTEGER NOT NULL,
  is_returned INTEGER NOT NULL,
  is_disputed INTEGER NOT NULL,
  -- The sequences of contradicting facts: a JSON list.
  conflicts TEXT NOT NULL,
  -- The id of a network in place of a click (JSON, as in facts), its parts that rows are found by, and its credit (JSON).
  label TEXT,
  label_id TEXT,
  label_day TEXT,
  labelled TEXT,
  -- Whether it counts by itself, and beside the others of its click: a total of a click does not while they count.
  is_valid INTEGER NOT NULL,
  is_counted INTEGER NOT NULL,
  is_later_payment INTEGER NOT NULL,
  UNIQUE (partner, account, native_id)
) STRICT;

CREATE INDEX folded_by_fold ON folded_commissions (partner, fold);
CREATE INDEX folded_by_click ON folded_commissions (click_id) WHERE click_id IS NOT NULL;
CREATE INDEX folded_by_label ON folded_commissions (partner, label_id, label_day) WHERE label_id IS NOT NULL;
CREATE INDEX folded_unmatched ON folded_commissions (first_fact)
  WHERE clicked_at IS NULL AND is_dismissed = 0 AND token <> '';
CREATE INDEX decisions_by_native_id ON decisions (native_id);
CREATE INDEX facts_by_import ON facts (import_id) WHERE import_id IS NOT NULL;

-- Commissions whose row is to be folded, written in the transaction of what changes them.
CREATE TABLE fold_marks (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL
) STRICT;

-- Ids of networks whose commissions are to be credited again.
CREATE TABLE label_marks (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  partner TEXT NOT NULL,
  label TEXT NOT NULL
) STRICT;

-- The clicks whose commissions a transaction changes, empty outside of it.
CREATE TABLE fold_clicks (
  click_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TRIGGER facts_mark_folds AFTER INSERT ON facts
BEGIN
  INSERT INTO fold_marks (partner, account, native_id) VALUES (NEW.partner, NEW.account, NEW.native_id);
END;

CREATE TRIGGER decisions_mark_folds AFTER INSERT ON decisions
BEGIN
  INSERT INTO fold_marks (partner, account, native_id) VALUES (NEW.partner, NEW.account, NEW.native_id);
END;

CREATE TRIGGER imports_mark_folds AFTER INSERT ON imports
BEGIN
  INSERT INTO fold_marks (partner, account, native_id)
    SELECT DISTINCT partner, account, native_id FROM facts WHERE import_id = NEW.import_id;
END;

CREATE TRIGGER journeys_mark_folds AFTER INSERT ON journeys
BEGIN
  INSERT INTO fold_marks (partner, account, native_id)
    SELECT partner, account, native_id FROM folded_commissions WHERE click_id = NEW.click_id;
END;

CREATE TRIGGER changed_journeys_mark_folds AFTER UPDATE ON journeys
BEGIN
  INSERT INTO fold_marks (partner, account, native_id)
    SELECT partner, account, native_id FROM folded_commissions WHERE click_id = NEW.click_id;
END;

CREATE TRIGGER label_days_mark_folds AFTER INSERT ON label_days
BEGIN
  INSERT INTO label_marks (partner, label)
    SELECT NEW.partner, NEW.label WHERE EXISTS (SELECT 1 FROM folded_commissions
      WHERE partner = NEW.partner AND label_id = NEW.label AND label_day = NEW.day);
END;

-- What was stored before there were rows.
INSERT INTO fold_marks (partner, account, native_id) SELECT DISTINCT partner, account, native_id FROM facts;
