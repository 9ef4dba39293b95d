import { DAY_MS } from '../../core/clock.ts';
import {
  type ForeignMoney,
  isRate,
  MAX_RATE_AGE_DAYS,
  sumForeignMoney,
} from '../../core/commissions/exchange-rates.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { isCurrency } from '../../core/commissions/money.ts';
import { readEcbRates } from '../../sources/networks/ecb.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatDay, formatMoney, formatNumber } from '../reports/format.ts';
import { isDay } from '../reports/range.ts';

/** The currencies of the commissions, and what is in the totals. */
export type CurrencyState = Awaited<ReturnType<typeof readCurrencyState>>;
/** What the settings say about currencies. */
export type RateSettings = Awaited<ReturnType<typeof readRateSettings>>;

/** Reads the reporting currency and the money that has no rate; cached as far as it takes time. Rejects with `LedgerError`. */
export async function readCurrencyState({ periods, settings, clock }: ConsoleSite) {
  const [used, all, { currency }, reportingCurrency, newest] = await Promise.all([
    periods.readCurrencies(),
    periods.readCohorts({ currency: null }),
    periods.readCurrency({ currency: null }),
    periods.readReportingCurrency(),
    periods.readNewestRates(),
  ]);
  const { converted, missing } = sumForeignMoney(all, currency);
  const isOwn = (code: string) => (sum: ForeignMoney) => sum.currency === code;
  return {
    /** Null: each currency is shown by itself. */
    reportingCurrency,
    /** Of commissions that count, the one with the most money first. */
    used,
    /** Those that are not the reporting currency. */
    foreign: used
      .filter((code) => code !== currency)
      .map((code) => ({
        currency: code,
        /** The newest day with a rate into the reporting currency; null without one. */
        newest: newest.get(code)?.day ?? null,
        /** When the newest commission of the currency was booked; ms since 1970. */
        bookedAt: all.reduce(
          (last, { booked, original, ...sum }) =>
            (original ?? sum).currency === code ? Math.max(last, booked) : last,
          0,
        ),
        /** What of it is in the totals, and what is not for want of a rate; null for nothing. */
        converted: converted.find(isOwn(code)) ?? null,
        missing: missing.find(isOwn(code)) ?? null,
      })),
    /** Today in the site's time zone. */
    today: getLocalDay(clock.now(), settings.TIME_ZONE),
  };
}

const MAX_TYPED = 50;

/** Reads what the settings say about currencies and rates. Rejects with `LedgerError`. */
export async function readRateSettings(site: ConsoleSite) {
  const { ledger } = site.money;
  const [state, file, typed] = await Promise.all([
    readCurrencyState(site),
    ledger.readRateFile(),
    ledger.readTypedRates(MAX_TYPED),
  ]);
  return {
    ...state,
    /** The stored files of the European Central Bank together; null without one. */
    file,
    /** Rates that were typed in, newest first. */
    typed: typed.flatMap(({ day, base, rates }) =>
      Object.entries(rates).map(([quote, rate]) => ({ day, base, quote, rate })),
    ),
  };
}

/** Currencies without a commission for longer need no rates of today. */
const RECENT_MS = 90 * DAY_MS;

/** Lists what the operator has to do about currencies: choose one for all, add rates that are missing, or newer ones. */
export function listRateTasks(rates: CurrencyState, now: number) {
  const { reportingCurrency, used, foreign, today } = rates;
  const href = `${buildConsoleAddress('settings')}#currency`;
  const none = { amount: null, currency: null };
  if (reportingCurrency === null) {
    const text = `Commissions are in ${NAMES.format(used)}. Choose one currency, and the totals have all of them.`;
    return used.length < 2 ? [] : [{ key: 'rates:currency', kind: 'rates', text, ...none, href }];
  }
  return foreign.flatMap(({ currency, missing, newest, bookedAt }) => {
    const sum = missing === null ? '' : formatMoney(missing.amount || missing.reversed, currency);
    const isOld =
      newest !== null &&
      Date.parse(today) - Date.parse(newest) > MAX_RATE_AGE_DAYS * DAY_MS &&
      now - bookedAt < RECENT_MS;
    return [
      ...(missing === null
        ? []
        : [
            {
              key: `rates:missing:${currency}`,
              kind: 'rates',
              text: `${sum} in ${currency} is in no total: there is no exchange rate.`,
              amount: missing.amount,
              currency,
              href,
            },
          ]),
      ...(isOld
        ? [
            {
              key: `rates:old:${currency}`,
              kind: 'rates',
              text:
                `The newest exchange rate of ${currency} is of ${formatDay(newest, today)}. ` +
                `New commissions in ${currency} will be in no total.`,
              ...none,
              href,
            },
          ]
        : []),
    ];
  });
}

const NAMES = new Intl.ListFormat('en-US');

/** One sentence about what a change did; `isError` when nothing changed. */
const tell = (message: string, isError: boolean) => ({ message, isError, fragment: '#currency' });
type RateChange = ReturnType<typeof tell>;
const done = (message: string) => tell(message, false);
const failed = (message: string) => tell(message, true);

/** Stores the currency in which totals are shown; an empty one shows each currency by itself. */
export async function changeReportingCurrency(
  { money: { ledger } }: ConsoleSite,
  fields: { readonly currency: string },
): Promise<RateChange> {
  const currency = fields.currency.toUpperCase();
  if (currency === '') {
    await ledger.writeReportingCurrency(null);
    return done('Each currency is shown by itself.');
  }
  if (!isCurrency(currency)) return failed('The currency is a code of three letters such as USD.');
  await ledger.writeReportingCurrency(currency);
  return done(`Totals are in ${currency}, with all money that has a rate.`);
}

/** Of the history of the European Central Bank: the CSV has 3 MB, the XML 8. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Stores the rates of a file of the European Central Bank; all or nothing. */
export async function importRateFile(
  { clock, money: { ledger } }: ConsoleSite,
  { file }: { readonly file: File | null },
): Promise<RateChange> {
  if (file === null || file.size === 0) return failed('Choose a file that is not empty.');
  if (file.size > MAX_FILE_BYTES) return failed('The file is larger than 16 MB.');
  try {
    const days = await readEcbRates(new Uint8Array(await file.arrayBuffer()));
    const changed = await ledger.writeRates(days, clock.now());
    const [newest, oldest] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
    return done(
      `The file has rates of ${formatCount(days.length, 'day')} from ${oldest} to ${newest}; ` +
        `${formatNumber(changed)} of them are new or changed.`,
    );
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return failed(`No rate was stored. ${error.message}`);
  }
}

/** Parses a rate of a day as an operator writes it; a problem is a sentence. `today`: `YYYY-MM-DD`. */
export function parseTypedRate(
  words: { readonly base: string; readonly quote: string; readonly rate: string; readonly day: string },
  today: string,
) {
  const [base, quote] = [words.base.trim().toUpperCase(), words.quote.trim().toUpperCase()];
  const [rate, day] = [words.rate.trim(), words.day.trim()];
  const unknown = [base, quote].find((code) => !isCurrency(code));
  if (unknown !== undefined)
    return { problem: `"${unknown.slice(0, 20)}" is no currency: expected a code such as USD.` };
  if (base === quote) return { problem: 'A rate has two different currencies.' };
  if (!isDay(day)) return { problem: `"${day.slice(0, 20)}" is no day such as 2026-11-20.` };
  if (day > today) return { problem: `${day} is in the future.` };
  if (!isRate(rate)) {
    const detail = `expected a decimal above 0 such as 1.0832, the price of one ${base} in ${quote}`;
    return { problem: `"${rate.slice(0, 20)}" is no rate: ${detail}.` };
  }
  return { day, base, quote, rate };
}

type TypedRate = Readonly<Record<'base' | 'quote' | 'day' | 'rate', string>>;

/** Stores a rate that was typed in. */
export const changeTypedRate = (site: ConsoleSite, words: TypedRate) => writeTypedRate(site, words, false);

/** Takes a rate back that was typed in. */
export const removeTypedRate = (site: ConsoleSite, words: Omit<TypedRate, 'rate'>) =>
  writeTypedRate(site, { ...words, rate: '1' }, true);

async function writeTypedRate(
  { clock, settings, money: { ledger } }: ConsoleSite,
  words: TypedRate,
  isRemoved: boolean,
): Promise<RateChange> {
  const parsed = parseTypedRate(words, getLocalDay(clock.now(), settings.TIME_ZONE));
  if ('problem' in parsed) return failed(`${parsed.problem} Nothing was changed.`);
  const { day, base, quote, rate } = parsed;
  const rates = { [quote]: isRemoved ? null : rate };
  await ledger.writeRates([{ day, base, origin: 'operator', rates }], clock.now());
  return isRemoved
    ? done(`The rate of ${day} was removed.`)
    : done(`1 ${base} is ${rate} ${quote} on ${day}, whatever a file says.`);
}

/** Removes the rates of all files; those that were typed in stay. */
export async function removeFileRates({ money: { ledger } }: ConsoleSite): Promise<RateChange> {
  const days = await ledger.removeFileRates();
  return done(`The rates of ${formatCount(days, 'day')} were removed. Typed-in rates stay.`);
}
