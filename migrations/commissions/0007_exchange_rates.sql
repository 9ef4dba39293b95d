-- Prices of one unit of a currency (base) by currency, as decimal texts in JSON, by day and origin: 'ecb' is a file of the
-- European Central Bank, 'operator' was typed in.
CREATE TABLE exchange_rates (
  day TEXT NOT NULL,
  base TEXT NOT NULL,
  origin TEXT NOT NULL,
  rates TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (day, base, origin)
) STRICT, WITHOUT ROWID;
