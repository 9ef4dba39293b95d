import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readEcbRates } from './ecb.ts';

const readFixture = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../../test/fixtures/rates', name));
const read = (text: string) => readEcbRates(new TextEncoder().encode(text));

it('reads the history as CSV, without the currencies that the bank has no rate of', async () => {
  const days = await readEcbRates(readFixture('eurofxref-hist.csv'));
  expect(days.map(({ day }) => day)).toEqual(
    '2025-04-25 2025-04-24 2025-04-23 2025-04-22 2025-04-17'.split(' '),
  );
  expect(days[0]).toMatchObject({ base: 'EUR', origin: 'ecb', rates: { USD: '1.1357', IDR: '19140.75' } });
  expect(Object.keys(days[0]?.rates ?? {})).toHaveLength(30);
});

it('reads the file of one day as XML and as CSV', async () => {
  const xml = await readEcbRates(readFixture('eurofxref-daily.xml'));
  const rates = { USD: '1.0705', JPY: '171.94', GBP: '0.84638', IDR: '17487.21', ZAR: '19.4970' };
  expect(xml).toEqual([{ day: '2024-06-28', base: 'EUR', origin: 'ecb', rates }]);
  expect(await read('Date, USD, JPY, \n28 June 2024, 1.0705, 171.94, \n')).toEqual([
    { day: '2024-06-28', base: 'EUR', origin: 'ecb', rates: { USD: '1.0705', JPY: '171.94' } },
  ]);
});

it('reads several days of XML with double quotes', async () => {
  const days = await read(
    `<Envelope><Cube><Cube time="2024-06-27"><Cube currency="USD" rate="1.07"/></Cube>
     <Cube time="2024-06-28"><Cube currency="USD" rate="1.08"/></Cube></Cube></Envelope>`,
  );
  expect(days.map(({ day, rates }) => [day, rates['USD']])).toEqual([
    ['2024-06-28', '1.08'],
    ['2024-06-27', '1.07'],
  ]);
});

it.each([
  ['Date,USD\n2024-06-28,1.07\n2024-06-27,abc\n', 'Line 3: "abc" is no rate of USD'],
  ['Date,USD\n2024-06-28,0\n', 'Line 2: "0" is no rate of USD'],
  ['Date,USD\n2024-06-28,"1,07"\n', 'Line 2: "1,07" is no rate of USD, as 1.0832.'],
  ['Date;USD;JPY\n2024-06-28;1,07;171,94\n', 'Line 2: "1,07" is no rate of USD'],
  ['Date,USD\n2024-06-31,1.07\n', 'Line 2: "2024-06-31" is no day'],
  ['Date,USD\n2024-06-28,1.07\n2024-06-28,1.08\n', 'Line 3: the file has 2024-06-28 twice.'],
  ['id,amount\n1,2\n', 'Line 1: expected the columns of eurofxref-hist.csv'],
  ['Date,USD\n2024-06-28,N/A\n', 'The file has no day with a rate'],
  ['', 'The file is empty.'],
  ['<html><body>Not found</body></html>', 'The file has no rates: expected the XML'],
  [
    '<Cube><Cube time="2024-06-28"><Cube currency="USD" rate="-1"/></Cube></Cube>',
    '2024-06-28: "-1" is no rate',
  ],
  ['PK\u0003\u0004', 'The file is a ZIP archive: extract eurofxref-hist.csv'],
])('refuses %j as a whole', (text, message) => expect(read(text)).rejects.toThrow(message));
