-- The rows of folded commissions again, with what sums of them need, and these sums. All of it is folded from the messages.
DROP TABLE folded_commissions;

-- What leads to commissions: page, placement, page of entry, campaigns and sources of a click (JSON), each once.
CREATE TABLE commission_paths (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
) STRICT;

-- Amounts: minor units of the currency. Times: ms since 1970. Days: their number since 1970 in the time zone of the site.
CREATE TABLE folded_commissions (
  id INTEGER PRIMARY KEY,
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL,
  -- The version of the fold, and a hash of the terms that it depends on.
  fold TEXT NOT NULL,
  -- The sequence of the first fact, which orders commissions, and when the first and the last one arrived.
  first_fact INTEGER NOT NULL,
  first_arrival INTEGER NOT NULL,
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
  path INTEGER,
  -- The day of the booking, and that of the click, or of the booking without a click.
  booked_day INTEGER NOT NULL,
  click_day INTEGER NOT NULL,
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
  -- What payments depend on: the days of booking, approval and payment in the time zone of the program (-1: none), the days
  -- from the booking to the approval of one that was pending (-1: none), and whether a message has reported a payment.
  program_day INTEGER NOT NULL,
  settled_day INTEGER NOT NULL,
  paid_day INTEGER NOT NULL,
  settle_days INTEGER NOT NULL,
  has_payment INTEGER NOT NULL,
  -- From the booking to the first approval of one that was pending, in ms.
  approval_time INTEGER,
  -- What it was after each arrival but the last: a JSON list of [arrival, status, amount, reversed amount, currency].
  states TEXT,
  -- Whether it counts by itself, and beside the others of its click: a total of a click does not while they count.
  is_valid INTEGER NOT NULL,
  is_counted INTEGER NOT NULL,
  is_later_payment INTEGER NOT NULL,
  -- The version of the table with which it was written last.
  changed INTEGER NOT NULL DEFAULT 0,
  -- What the same click has brought in the currency before, decided and pending, and afterwards.
  before_decided INTEGER NOT NULL DEFAULT 0,
  before_pending INTEGER NOT NULL DEFAULT 0,
  after_booked INTEGER NOT NULL DEFAULT 0,
  -- Of sums: 0 without a click, 1 credited by an id of a network, 2 with a click, 3 its first payment, 4 a later one.
  state INTEGER GENERATED ALWAYS AS (CASE WHEN clicked_at IS NULL THEN labelled IS NOT NULL
    WHEN amount > 0 AND status <> 'unknown' THEN 3 + is_later_payment ELSE 2 END) VIRTUAL,
  UNIQUE (partner, account, native_id)
) STRICT;

CREATE INDEX folded_by_fold ON folded_commissions (partner, fold);
CREATE INDEX folded_by_arrival ON folded_commissions (partner, last_arrival, first_arrival, is_test);
CREATE INDEX folded_by_change ON folded_commissions (changed);
CREATE INDEX folded_by_click ON folded_commissions (click_id) WHERE click_id IS NOT NULL;
CREATE INDEX folded_by_label ON folded_commissions (partner, label_id, label_day) WHERE label_id IS NOT NULL;
CREATE INDEX folded_by_time ON folded_commissions (event_time);
CREATE INDEX folded_unmatched ON folded_commissions (first_fact)
  WHERE clicked_at IS NULL AND is_dismissed = 0 AND token <> '';
CREATE INDEX folded_waiting ON folded_commissions (event_time)
  WHERE clicked_at IS NULL AND labelled IS NULL AND is_dismissed = 0 AND is_test = 0;
CREATE INDEX folded_uncounted ON folded_commissions (first_fact) WHERE is_counted = 0;
CREATE INDEX folded_labelled ON folded_commissions (first_fact) WHERE labelled IS NOT NULL;
CREATE INDEX folded_totals ON folded_commissions (partner) WHERE native_id GLOB 'sub:*';
-- Sums of some days are read from these indexes alone.
CREATE INDEX folded_by_booked_day ON folded_commissions (booked_day, is_counted, path, state, partner, currency, status, amount,
  reversed_amount, before_decided, before_pending);
CREATE INDEX folded_by_click_day ON folded_commissions (click_day, is_counted, path, state, partner, currency, status, amount,
  reversed_amount, before_decided, before_pending, booked_day);

-- Sums of what counts, changed in the transaction of the rows. Clock: 0 booking day, 1 click day. Period: a year (202600)
-- or a month (202611). Path: 0 without a click. Squares, and products of an amount with what the click brought before.
CREATE TABLE commission_cells (
  clock INTEGER NOT NULL,
  period INTEGER NOT NULL,
  path INTEGER NOT NULL,
  state INTEGER NOT NULL,
  partner TEXT NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  reversed INTEGER NOT NULL,
  squares REAL NOT NULL,
  decided REAL NOT NULL,
  pending REAL NOT NULL,
  PRIMARY KEY (clock, period, path, state, partner, currency, status)
) STRICT, WITHOUT ROWID;

-- The same by day, without paths. Week: of the click (ms since 1970) on the booking clock; 0 without a click and on the other.
CREATE TABLE commission_days (
  clock INTEGER NOT NULL,
  day INTEGER NOT NULL,
  week INTEGER NOT NULL,
  state INTEGER NOT NULL,
  partner TEXT NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  reversed INTEGER NOT NULL,
  PRIMARY KEY (clock, day, week, state, partner, currency, status)
) STRICT, WITHOUT ROWID;

-- How customers differ, by the week of the click and the weeks from it to the booking: how many began, what was booked, and
-- how the squares of what each had brought grow, from the first week on and from the last one back.
CREATE TABLE commission_spreads (
  currency TEXT NOT NULL,
  week INTEGER NOT NULL,
  age INTEGER NOT NULL,
  customers INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  seen REAL NOT NULL,
  later REAL NOT NULL,
  PRIMARY KEY (currency, week, age)
) STRICT, WITHOUT ROWID;

-- Open and paid money by what its payment depends on.
CREATE TABLE commission_dues (
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL,
  program_day INTEGER NOT NULL,
  settled_day INTEGER NOT NULL,
  paid_day INTEGER NOT NULL,
  settle_days INTEGER NOT NULL,
  has_payment INTEGER NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (partner, account, currency, status, program_day, settled_day, paid_day, settle_days, has_payment)
) STRICT, WITHOUT ROWID;

-- The rows that a transaction changes, empty outside of it.
CREATE TABLE fold_rows (
  id INTEGER PRIMARY KEY
) STRICT;

DELETE FROM fold_marks;
INSERT INTO fold_marks (partner, account, native_id) SELECT DISTINCT partner, account, native_id FROM facts;

-- Grows with each change of the rows, so that what was read of them can be used again.
CREATE TABLE fold_versions (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;

INSERT INTO fold_versions VALUES (1, 0);
