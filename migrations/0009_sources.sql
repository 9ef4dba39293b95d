-- Days that were counted before visits had sources: their sessions and clicks have an unknown one, so that sums stay. The
-- site counts the events that are still stored again, with their sources.
INSERT INTO rollups
SELECT 'source', day, '["unknown",""]', sum(sessions), sum(sessions), 0, sum(clicks)
FROM rollups
WHERE dimension = 'page' AND sessions + clicks > 0
GROUP BY day;

INSERT INTO rollups
SELECT 'arrival', day, json_array('unknown', '', key ->> 0, ''), sum(sessions), sum(sessions), 0, sum(clicks)
FROM rollups
WHERE dimension = 'page' AND sessions + clicks > 0
GROUP BY day, key ->> 0;
