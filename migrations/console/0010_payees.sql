-- What operators have confirmed of who is paid for links, and of which changes they were told: see src/console/partners/payees.ts.
CREATE TABLE payees (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  confirmed TEXT NOT NULL,
  told TEXT NOT NULL
) STRICT;
