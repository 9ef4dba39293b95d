import { isRate } from '../../core/commissions/exchange-rates.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import type { RateDay } from '../../core/commissions/ledger/stored-money.schema.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { parseHtml } from '../articles/html/html-text.ts';
import { detectCsvFormat, type OpenBytes, readCsvRows } from './csv.ts';

/** What the central bank writes where it has no rate. */
const NO_RATE = /^(N\/A|-)?$/i;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Reads the euro foreign exchange reference rates of the European Central Bank: `eurofxref-hist.csv`, `eurofxref.csv`, or
 * one of the XML files; the newest day first. Rejects with `CommissionSourceError`, which names the line or the day, for any
 * other file: then no rate of it is to be stored.
 */
export async function readEcbRates(bytes: Uint8Array): Promise<readonly RateDay[]> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw refuse('The file is a ZIP archive: extract eurofxref-hist.csv from it, and give that file.');
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart();
  const days = start.startsWith('<')
    ? readXml(new TextDecoder().decode(bytes))
    : await readCsv(async function* () {
        yield bytes;
      });
  if (days.length === 0)
    throw refuse(
      'The file has no day with a rate: expected eurofxref-hist.csv, with commas between columns and points in numbers.',
    );
  return days.toSorted((one, other) => (one.day < other.day ? 1 : -1));
}

const refuse = (message: string) => new CommissionSourceError('invalid-file', message);

function parseDay(text: string, place: string): string {
  const time = parseDate(text, 'UTC', 'day-first');
  if (time === null) throw refuse(`${place}: "${text.slice(0, 40)}" is no day such as 2026-11-20.`);
  return new Date(time).toISOString().slice(0, 10);
}

function buildDay(
  day: string,
  prices: Iterable<readonly [string, string | undefined]>,
  place: string,
): RateDay {
  const rates: Record<string, string> = {};
  for (const [currency, price = ''] of prices) {
    if (!CURRENCY.test(currency) || NO_RATE.test(price)) continue;
    if (!isRate(price))
      throw refuse(`${place}: "${price.slice(0, 40)}" is no rate of ${currency}, as 1.0832.`);
    rates[currency] = price;
  }
  return { day, base: 'EUR', origin: 'ecb', rates };
}

async function readCsv(open: OpenBytes): Promise<RateDay[]> {
  const days = new Map<string, RateDay>();
  for await (const { line, row, extra } of readCsvRows(open, await detectCsvFormat(open))) {
    const { Date: date, ...prices } = row;
    if (date === undefined || !Object.keys(prices).some((name) => CURRENCY.test(name)))
      throw refuse('Line 1: expected the columns of eurofxref-hist.csv: Date, USD, JPY …');
    const place = `Line ${line}`;
    if (extra.length > 0) throw refuse(`${place}: it has more cells than the heading.`);
    const day = parseDay(date, place);
    if (days.has(day)) throw refuse(`${place}: the file has ${day} twice.`);
    days.set(day, buildDay(day, Object.entries(prices), place));
  }
  return [...days.values()].filter(({ rates }) => Object.keys(rates).length > 0);
}

/** `<Cube time="2026-11-20"><Cube currency="USD" rate="1.0832"/>…</Cube>` */
function readXml(text: string): RateDay[] {
  const days: { readonly day: string; readonly prices: [string, string][] }[] = [];
  parseHtml(
    text,
    {
      onopentag(name, { time, currency, rate }) {
        if (name !== 'Cube') return;
        if (time !== undefined) days.push({ day: parseDay(time, 'The file'), prices: [] });
        if (currency !== undefined && rate !== undefined) days.at(-1)?.prices.push([currency, rate]);
      },
    },
    { xmlMode: true },
  );
  if (days.length === 0)
    throw refuse('The file has no rates: expected the XML of eurofxref-hist, with Cube elements.');
  return days.map(({ day, prices }) => buildDay(day, prices, day));
}
