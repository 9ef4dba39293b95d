-- Payments that arrived on the account of the operator: for which one of a partner (the day on which it was due, or on which it
-- was reported as paid) and how much of it (covers), and what arrived when. Amounts: minor units. Changed: ms since 1970.
CREATE TABLE arrivals (
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  due_day TEXT NOT NULL,
  covers INTEGER NOT NULL,
  arrived_day TEXT NOT NULL,
  amount INTEGER NOT NULL,
  arrived_currency TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (partner, account, currency, due_day)
) STRICT, WITHOUT ROWID;

-- Costs beyond ads, such as tools, texts and hosting. Period: a day (2026-11-20) or a month (2026-11).
CREATE TABLE expenses (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  period TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What clicks earned counts on the day of the click: sums by the day of the booking are read by nobody.
ALTER TABLE commission_cells RENAME TO former_cells;
CREATE TABLE commission_cells (
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
  PRIMARY KEY (period, path, state, partner, currency, status)
) STRICT, WITHOUT ROWID;
INSERT INTO commission_cells SELECT period, path, state, partner, currency, status, count, amount, reversed, squares, decided,
  pending FROM former_cells WHERE clock = 1;
DROP TABLE former_cells;

-- What partners decided about pending commissions, by the days from the booking to the decision.
CREATE TABLE commission_decisions (
  partner TEXT NOT NULL,
  currency TEXT NOT NULL,
  decision TEXT NOT NULL,
  age INTEGER NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (partner, currency, decision, age)
) STRICT, WITHOUT ROWID;
INSERT INTO commission_decisions SELECT partner, currency, iif(status = 'reversed', 'reversed', 'approved') AS decision,
  iif(status = 'reversed', max(0, (change_time - event_time) / 86400000), settle_days) AS age, count(*),
  sum(iif(status = 'reversed', reversed_amount, amount))
  FROM folded_commissions WHERE is_counted AND (status = 'reversed' OR settle_days >= 0) GROUP BY 1, 2, 3, 4;
