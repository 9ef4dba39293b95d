-- Requests of pages by agents that name themselves, by day (YYYY-MM-DD in the operator's time zone). No visitor is counted
-- here. verified: requests from an address that the operator of the agent has published.
CREATE TABLE crawler_requests (
  day TEXT NOT NULL,
  agent TEXT NOT NULL,
  page TEXT NOT NULL,
  requests INTEGER NOT NULL,
  verified INTEGER NOT NULL,
  PRIMARY KEY (day, agent, page)
) STRICT, WITHOUT ROWID;

-- Sums by agent and page are read in this order: sorting the rows of a year would take four times as long.
CREATE INDEX crawler_requests_by_page ON crawler_requests (agent, page, day, requests, verified);
