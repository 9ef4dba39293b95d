-- When partners reported: the console asks for the last time of each, and for each day, whenever a view is opened.
CREATE INDEX facts_by_message ON facts (partner, arrived_at) WHERE source IN ('postback', 'webhook');
CREATE INDEX folded_by_first_arrival ON folded_commissions (partner, first_arrival) WHERE is_test = 0;
CREATE INDEX folded_by_lead ON folded_commissions (partner, event_time) WHERE is_test = 0 AND kind IN ('lead', 'sale');
