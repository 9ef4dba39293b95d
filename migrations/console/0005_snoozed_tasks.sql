-- Tasks of the overview that return at a time, or when they become worse than they were: see src/core/console/task.ts.
CREATE TABLE snoozed_tasks (
  key TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  amount INTEGER,
  currency TEXT,
  level INTEGER NOT NULL
) STRICT;
