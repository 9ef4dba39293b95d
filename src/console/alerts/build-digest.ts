import { DAY_MS } from '../../core/clock.ts';
import {
  buildClickCounts,
  buildCommissionReport,
  type CommissionReport,
  type CurrencyTotals,
  type ReportRow,
} from '../../core/commissions/credit/commission-report.ts';
import { listMoney, sumForeignMoney } from '../../core/commissions/exchange-rates.ts';
import { addDays, getLocalDay, toUtc } from '../../core/commissions/local-time.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import type { OperatorNotification } from '../../core/console/notification.ts';
import { DIGEST_HOUR, type DigestChoice, type WeekStart } from '../../core/console/operator.ts';
import { TASKS_TITLE, type Task } from '../../core/console/task.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import { buildMailDocument, type MailTable } from '../../sources/mail/smtp-channel.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readTasks } from '../overview/tasks.ts';
import { formatCount, formatDay, formatMoney, formatNumber, formatPeriod } from '../reports/format.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';

/** How often a digest is sent. */
export type DigestFrequency = Exclude<DigestChoice, 'off'>;

/** The days that a digest is about, `YYYY-MM-DD`, both inclusive. */
type DigestPeriod = NonNullable<ReturnType<typeof findDueDigest>>;

const FIRST_WEEKDAY: Readonly<Record<WeekStart, number>> = { sunday: 0, monday: 1 };
const DAYS: Readonly<Record<DigestFrequency, number>> = { daily: 1, weekly: 7 };

/**
 * Finds the digest that is due at a moment (ms since 1970): from `hour` (local time of the zone) of each day, or of
 * each first day of a week, until that day ends. It is about the days before. In the night in which the clock skips
 * the hour, it is due when the hour would have been; where the clock shows the hour twice, at the first. Null when no
 * digest is due.
 */
export function findDueDigest(
  now: number,
  input: {
    readonly frequency: DigestFrequency;
    readonly hour: number;
    readonly timeZone: string;
    readonly weekStart: WeekStart;
  },
) {
  const { frequency, hour, timeZone, weekStart } = input;
  const today = getLocalDay(now, timeZone);
  const date = new Date(`${today}T00:00:00Z`);
  if (frequency === 'weekly' && date.getUTCDay() !== FIRST_WEEKDAY[weekStart]) return null;
  if (now < toUtc(date.getTime() + hour * 3_600_000, timeZone)) return null;
  return { key: `${frequency}:${today}`, from: addDays(today, -DAYS[frequency]), to: addDays(today, -1) };
}

/** What a digest is built from. */
export interface DigestFacts {
  readonly period: DigestPeriod;
  /** The commissions booked in the period, by partner. */
  readonly report: CommissionReport;
  /**
   * The reporting currency into which other currencies are converted, and the newest day of the rates that were used; null
   * without either.
   */
  readonly currency: string | null;
  readonly rateDay: string | null;
  /** Names of partners by key. */
  readonly names: ReadonlyMap<string, string>;
  /** What there is to do, in its order. */
  readonly tasks: readonly Task[];
  readonly siteName: string;
  readonly consoleUrl: string;
  /** ms since 1970. */
  readonly now: number;
}

/** The console has the others. */
const MAX_TASKS = 10;
const HEAD = ['Partner', 'Clicks', 'Approved', 'Paid', 'Pending', 'Reversed'];

/** Builds the email about a period: a sentence with the money, a table by partner, and what there is to do. */
export function buildDigest(facts: DigestFacts): OperatorNotification {
  const { period, tasks, siteName, consoleUrl, now } = facts;
  const days = formatPeriod(period.from, period.to);
  const table = buildTable(facts);
  const sentence = buildSentence(facts, days);
  // Two links of a partner can be broken for one reason.
  const counts = new Map<string, number>();
  for (const line of tasks.map(formatTask)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const rest = [...counts.values()].slice(MAX_TASKS).reduce((sum, count) => sum + count, 0);
  const lines = [...counts]
    .slice(0, MAX_TASKS)
    .map(([line, count]) => (count === 1 ? line : `${line} (${formatNumber(count)} of these)`));
  if (rest > 0) lines.push(`and ${formatNumber(rest)} more`);
  const list = lines.length === 0 ? `${TASKS_TITLE}: nothing.` : `${TASKS_TITLE}:\n${lines.join('\n')}`;
  const subject = `${siteName}: ${days}`;
  const plainTable = [HEAD, ...table.rows].map((cells) => cells.join(' · ')).join('\n');
  return {
    id: `digest:${period.key}`,
    kind: 'digest',
    subject,
    text: [sentence, ...(table.rows.length === 0 ? [] : [plainTable]), list, consoleUrl].join('\n\n'),
    html: buildMailDocument(
      subject,
      `${sentence}\n\n${list}`,
      table.rows.length === 0 ? null : table,
      consoleUrl,
    ),
    replyTo: null,
    fields: { from: period.from, to: period.to, clicks: facts.report.total.clicks },
    createdAt: now,
  };
}

const PARTS = new Intl.ListFormat('en-US');

function formatTask({ text, amount, currency }: Task): string {
  const money = amount === null || currency === null ? '' : formatMoney(amount, currency);
  return money === '' || text.includes(money) ? `- ${text}` : `- ${money}: ${text}`;
}

function buildSentence({ report, currency: main, rateDay }: DigestFacts, days: string): string {
  const { clicks, currencies } = report.total;
  const counted = formatCount(clicks, 'click');
  const money = listMainFirst(currencies, main).map(([currency, { approved, paid, pending }]) => {
    const parts = [
      `${formatMoney(approved, currency)} approved`,
      ...(paid === 0 ? [] : [`${formatMoney(paid, currency)} paid`]),
      `${formatMoney(pending, currency)} pending`,
    ];
    const hasRate = main === null || currency === main;
    return `${PARTS.format(parts)}${hasRate ? '' : ' (no rate)'}`;
  });
  if (money.length === 0) return `${days}: ${counted} and no commission.`;
  const missing = Object.entries(report.unmatched.currencies)
    .map(([currency, totals]) => [currency, getBooked(totals)] as const)
    .filter(([, amount]) => amount !== 0)
    .map(([currency, amount]) => formatMoney(amount, currency));
  const unmatched = missing.length === 0 ? '' : ` ${missing.join(' and ')} of it found no click.`;
  const rates =
    rateDay === null
      ? ''
      : ` Other currencies are in ${main} at the rates of their own days; the newest rate is of ${formatDay(rateDay, '')}.`;
  return `${days}: ${money.join('; ')} were booked, with ${counted}.${unmatched}${rates}`;
}

/** The totals of each currency, that of the totals of all first. */
function listMainFirst<Totals>(
  currencies: Readonly<Record<string, Totals>>,
  main: string | null,
): [currency: string, totals: Totals][] {
  const isMain = ([currency]: [string, Totals]) => Number(currency === main);
  return Object.entries(currencies).sort((one, other) => isMain(other) - isMain(one));
}

function buildTable({ report, names, currency }: DigestFacts): MailTable {
  const labelled = { ...report.labelled, key: BY_LABEL };
  const rows = [...report.rows, labelled, { ...report.unmatched, key: '' }].flatMap((row) =>
    buildRows(row, names, currency),
  );
  return { head: HEAD, rows };
}

/** Money that tracking ids of pages and groups say where it came from. */
const BY_LABEL = 'By tracking id';

function buildRows(
  { key, clicks, currencies }: ReportRow,
  names: ReadonlyMap<string, string>,
  main: string | null,
): string[][] {
  const name = key === '' ? 'Without a click' : (names.get(key) ?? key);
  const money = listMainFirst(currencies, main).filter(([, totals]) => hasMoney(totals));
  if (money.length === 0) return clicks === 0 ? [] : [[name, formatNumber(clicks), '', '', '', '']];
  return money.map(([currency, { approved, paid, pending, reversed }]) => [
    name,
    key === '' ? '' : formatNumber(clicks),
    ...[approved, paid, pending, reversed].map((amount) => formatMoney(amount, currency)),
  ]);
}

const hasMoney = ({ approved, paid, pending, reversed }: CurrencyTotals) =>
  approved !== 0 || paid !== 0 || pending !== 0 || reversed !== 0;

const getDayNumbers = ({ from, to }: Record<'from' | 'to', string>) => ({
  from: Date.parse(from) / DAY_MS,
  to: Date.parse(to) / DAY_MS,
});

const SENT_KEY = 'last-digest';

/**
 * Puts the digest that is due into the outbox; false when none is. Its id is that of its day, so that the outbox takes
 * it once, from however many processes. Rejects with the errors of the stores.
 */
export async function sendDigest(
  site: ConsoleSite,
  frequency: DigestFrequency,
  weekStart: WeekStart,
): Promise<boolean> {
  const { settings, periods, clock } = site;
  const { rollups } = site.money;
  const { notifications: outbox } = site.operators;
  const content = site.content.read();
  const { TIME_ZONE: timeZone } = settings;
  const period = findDueDigest(clock.now(), { frequency, hour: DIGEST_HOUR, timeZone, weekStart });
  if (period === null || (await outbox.readState(SENT_KEY)) === period.key) return false;
  const query = { ...DEFAULT_QUERY, from: period.from, to: period.to };
  const [booked, { currency, isConverted }, { open: tasks }, clicks] = await Promise.all([
    // What was reported in the period, whenever it was clicked.
    periods.readEntries(query, { isCounted: true, days: { of: 'booking', ...getDayNumbers(period) } }),
    periods.readCurrency(query),
    readTasks(site),
    rollups.readByKey({ dimension: 'partner', from: period.from, to: period.to }),
  ]);
  const by = { by: 'partner', answerField: '' } as const;
  const report = buildCommissionReport(booked, buildClickCounts(clicks, by), {
    ...by,
    model: 'last',
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    timeZone,
  });
  const { converted } = sumForeignMoney(listMoney(booked), currency);
  const digest = buildDigest({
    period,
    report,
    tasks,
    currency: isConverted ? currency : null,
    rateDay:
      converted
        .map(({ day }) => day)
        .sort()
        .at(-1) ?? null,
    names: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    siteName: content.site.name,
    consoleUrl: `${settings.siteUrl}${CONSOLE_PATH}`,
    now: clock.now(),
  });
  const added = await outbox.add(digest, ['mail']);
  await outbox.writeState(SENT_KEY, period.key);
  return added > 0;
}
