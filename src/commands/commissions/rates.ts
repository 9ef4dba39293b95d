import { readFile } from 'node:fs/promises';
import { parseTypedRate } from '../../console/settings/rates.ts';
import { listMoney, type MoneySum, sumForeignMoney } from '../../core/commissions/exchange-rates.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import type { RateDay } from '../../core/commissions/ledger/stored-money.schema.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount, isCurrency } from '../../core/commissions/money.ts';
import { EntryConverter } from '../../server/commissions/exchange-rates.ts';
import { readEcbRates } from '../../sources/networks/ecb.ts';
import { formatFields, UsageError } from '../command.ts';
import type { OpenedLedger } from '../site.ts';

/** Reads a file of the European Central Bank, and stores its rates if `isCommit`. Rejects with what is wrong. */
export async function importRates({ store }: OpenedLedger, file: string, isCommit: boolean) {
  const days = await readEcbRates(await readFile(file));
  const [from, to] = [days.at(-1)?.day ?? '', days[0]?.day ?? ''];
  const known = new Map(
    (await store.readRates(from)).filter(({ origin }) => origin === 'ecb').map((day) => [day.day, day.rates]),
  );
  const isNew = ({ day }: RateDay) => !known.has(day);
  const isChanged = ({ day, rates }: RateDay) => {
    const before = known.get(day);
    return before !== undefined && Object.entries(rates).some(([code, rate]) => before[code] !== rate);
  };
  const summary = {
    days: days.length,
    from,
    to,
    currencies: new Set(days.flatMap(({ rates }) => Object.keys(rates))).size,
    /** Days that are new, and days of which a rate is another one than before. */
    new: days.filter(isNew).length,
    changed: days.filter(isChanged).length,
  };
  if (isCommit) await store.writeRates(days, Date.now());
  return { ...summary, committed: isCommit };
}

/** Formats an import of rates for a terminal. */
export function formatRateImport(summary: Awaited<ReturnType<typeof importRates>>): string {
  const { days, from, to, currencies, committed } = summary;
  const unchanged = days - summary.new - summary.changed;
  return [
    `${days} days from ${from} to ${to}, ${currencies} currencies: ${summary.new} new, ${summary.changed} changed, ${unchanged} unchanged`,
    committed ? 'The rates are stored.' : 'Nothing was stored yet: add --yes to store them.',
    '',
  ].join('\n');
}

/** Stores a rate of a day, or takes it back where `rate` is null. Throws `UsageError` for what is no rate. */
export async function setRate(
  { store, config }: OpenedLedger,
  words: { readonly base: string; readonly quote: string; readonly rate: string | null },
  day: string | undefined,
): Promise<string> {
  const now = Date.now();
  const today = getLocalDay(now, config.TIME_ZONE);
  const parsed = parseTypedRate({ ...words, rate: words.rate ?? '1', day: day ?? today }, today);
  if ('problem' in parsed) throw new UsageError(parsed.problem);
  const { base, quote, rate } = parsed;
  const rates = { [quote]: words.rate === null ? null : rate };
  const isKnown = (await store.readRates(parsed.day, [base, quote])).some(
    (one) =>
      one.day === parsed.day && one.base === base && one.origin === 'operator' && one.rates[quote] != null,
  );
  if (words.rate === null && !isKnown)
    throw new Error(
      `There is no rate of your own of ${base} in ${quote} on ${parsed.day}; nothing was changed.`,
    );
  await store.writeRates([{ day: parsed.day, base, origin: 'operator', rates }], now);
  return words.rate === null
    ? `removed: ${base} in ${quote} on ${parsed.day}\n`
    : `1 ${base} = ${rate} ${quote} on ${parsed.day}\n`;
}

/** Lists which rates there are, by currency and origin. */
export async function listRates({ store }: OpenedLedger) {
  return {
    reportingCurrency: (await store.readRateState()).reportingCurrency,
    rates: await store.readRateCoverage(),
  };
}

/** Formats the list of rates for a terminal. */
export function formatRates({ reportingCurrency, rates }: Awaited<ReturnType<typeof listRates>>): string {
  const table = formatFields(rates, 'base', 'quote', 'origin', 'from', 'to', 'days');
  return `reporting currency: ${reportingCurrency ?? 'none'}\n${table}`;
}

/** Stores the currency in which the console shows totals; `none` for each currency by itself. */
export async function setReportingCurrency({ store }: OpenedLedger, word: string): Promise<string> {
  const currency = word.toUpperCase();
  if (currency !== 'NONE' && !isCurrency(currency))
    throw new UsageError(`The currency is an ISO 4217 code such as USD, or none, not "${word}".`);
  await store.writeReportingCurrency(currency === 'NONE' ? null : currency);
  return `reporting currency: ${currency === 'NONE' ? 'none' : currency}\n`;
}

/** Throws `UsageError` for what is no currency. */
export function checkCurrency(currency: string): void {
  if (!isCurrency(currency))
    throw new UsageError(`--currency is an ISO 4217 code such as USD, not "${currency}".`);
}

/**
 * Adds commissions in a currency, as far as there are rates; resolves with what a report says about it. Rejects with `UsageError`
 * for what is no currency.
 */
export async function convertPages(
  { store, config }: OpenedLedger,
  pages: AsyncIterable<readonly LedgerEntry[]>,
  currency: string,
  {
    add,
    isOfPeriod,
  }: { readonly add: (entry: LedgerEntry) => void; isOfPeriod: (entry: LedgerEntry) => boolean },
) {
  checkCurrency(currency);
  const converter = new EntryConverter(store, config.TIME_ZONE);
  const foreign: MoneySum[] = [];
  for await (const page of pages) {
    const entries = await converter.convert(page.filter(isOfPeriod), currency);
    for (const entry of entries) add(entry);
    foreign.push(...listMoney(entries).filter(({ original }) => original !== undefined));
  }
  return { currency, ...sumForeignMoney(foreign, currency) };
}

/** Says below a report what was converted, and what has no rate. */
export function formatExchange({
  currency,
  converted,
  missing,
}: Awaited<ReturnType<typeof convertPages>>): string {
  const lines = [
    ...converted.map((sum) => {
      const own = `${formatDecimalAmount(sum.amount, sum.currency)} ${sum.currency}`;
      return `${own} as ${formatDecimalAmount(sum.converted ?? 0, currency)} ${currency}, newest rate of ${sum.day}`;
    }),
    ...missing.map(
      (sum) =>
        `${formatDecimalAmount(sum.amount || sum.reversed, sum.currency)} ${sum.currency} has no rate into ${currency}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
