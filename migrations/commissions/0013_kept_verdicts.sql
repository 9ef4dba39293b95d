-- What was kept to count later which verdicts came true; nobody reads it.
DELETE FROM state WHERE key GLOB 'verdicts:[0-9][0-9][0-9][0-9]-[0-9][0-9]';
