-- The flag `double` is now called `duplicate`.
UPDATE events
SET flags = trim(replace(',' || flags || ',', ',double,', ',duplicate,'), ',')
WHERE ',' || flags || ',' LIKE '%,double,%';
