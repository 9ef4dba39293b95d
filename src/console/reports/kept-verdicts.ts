import { z } from 'zod';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { ConsoleSite } from '../console-site.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_QUERY } from './query.ts';
import { addDays, addMonths } from './range.ts';
import { readSums, VERDICT_DAYS, type Verdict } from './verdicts.ts';

/** The range that was said of the clicks of some days, and what they had brought half a year later; minor units. */
const keptVerdict = z.object({
  by: z.enum(['campaign', 'source', 'page']),
  key: z.string(),
  from: z.string(),
  to: z.string(),
  currency: z.string(),
  low: z.number(),
  high: z.number(),
  /** null until it is known. */
  came: z.number().nullable(),
});
type KeptVerdict = Readonly<z.output<typeof keptVerdict>>;

/** A verdict is about what clicks bring in so many days. */
const HORIZON_DAYS = 182;

const nameMonth = (month: string) => `verdicts:${month}`;

async function readMonth({ money }: ConsoleSite, month: string): Promise<readonly KeptVerdict[]> {
  const stored = z.array(keptVerdict).safeParse(parseJson(await money.ledger.readState(nameMonth(month))));
  return stored.success ? stored.data : [];
}

const writeMonth = ({ money }: ConsoleSite, month: string, list: readonly KeptVerdict[]) =>
  money.ledger.writeState(nameMonth(month), JSON.stringify(list));

/** Keeps the first range of each month that is said of a campaign, a source or a page; of made-up money nothing is kept. */
export async function keepVerdicts(
  site: ConsoleSite,
  by: KeptVerdict['by'],
  verdicts: Iterable<readonly [key: string, verdict: Verdict | null]>,
): Promise<void> {
  if (site.platform.isSample || site.isLookingAround) return;
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const kept = await readMonth(site, today.slice(0, 7));
  const known = new Set(kept.map((one) => `${one.by} ${one.key}`));
  const days = { from: addDays(today, -VERDICT_DAYS), to: addDays(today, -1), came: null };
  const added = [...verdicts].flatMap(([key, verdict]): KeptVerdict[] => {
    if (!verdict?.range || known.has(`${by} ${key}`)) return [];
    const { range, currency } = verdict;
    return [{ by, key, ...days, currency, low: Math.round(range.low), high: Math.round(range.high) }];
  });
  if (added.length > 0) await writeMonth(site, today.slice(0, 7), [...kept, ...added]);
}

/** Says how many of the ranges of half a year hold what came; null before any is half a year old. */
export async function describeScore(site: ConsoleSite, by: KeptVerdict['by']): Promise<string | null> {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const month = `${today.slice(0, 8)}01`;
  const months = Array.from({ length: 6 }, (_, index) => addMonths(month, -12 + index).slice(0, 7));
  const lists = await Promise.all(months.map((name) => completeMonth(site, name, today)));
  const due = lists.flat().filter((one) => one.by === by && one.came !== null);
  if (due.length === 0) return null;
  const right = due.filter(({ low, high, came }) => came !== null && low <= came && came <= high).length;
  return `${formatNumber(right)} of ${formatNumber(due.length)} ranges given half a year ago were right; 8 of 10 should be.`;
}

/** Adds what came to the verdicts of a month that are old enough, once. */
async function completeMonth(site: ConsoleSite, month: string, today: string) {
  const list = await readMonth(site, month);
  const open = list.filter(({ to, came }) => came === null && addDays(to, HORIZON_DAYS) < today);
  if (open.length === 0) return list;
  const main = await site.periods.readCurrency({ currency: null });
  const came = new Map<KeptVerdict, number>();
  for (const group of Map.groupBy(open, ({ by, from, currency }) => `${by} ${from} ${currency}`).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { by, from, to, currency } = first;
    const query = { ...DEFAULT_QUERY, currency: currency === main.currency ? null : currency, from, to };
    const sums = await readSums(await site.periods.readPeriod({ ...query, clock: 'click' }), by);
    for (const one of group) came.set(one, sums.own.get(one.key)?.amount ?? 0);
  }
  const completed = list.map((one) => ({ ...one, came: one.came ?? came.get(one) ?? null }));
  await writeMonth(site, month, completed);
  return completed;
}
