-- How much of each counter comes from visits of which nothing was stored in the browser.
ALTER TABLE rollups ADD COLUMN free_views INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollups ADD COLUMN free_sessions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollups ADD COLUMN free_actions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollups ADD COLUMN free_clicks INTEGER NOT NULL DEFAULT 0;
