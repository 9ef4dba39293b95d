/** Whether ranges hold what they promise: simulated sites, of which the truth is known. `npm run bench -- calibration`. */
import { WEEK_MS } from '../../src/core/clock.ts';
import type { ReportedCommission } from '../../src/core/commissions/credit/commission-report.ts';
import {
  buildInputs,
  sumEarnings,
  sumSite,
  weighWeek,
} from '../../src/core/commissions/ranges/build-ranking.ts';
import { buildClickCurve, PREDICTED_WEEKS } from '../../src/core/commissions/ranges/maturity.ts';
import {
  buildComingRange,
  estimateEarnings,
  predictComing,
  rankByEarnings,
} from '../../src/core/commissions/ranges/rank-by-earnings.ts';
import { createChance } from '../support/article-corpus.ts';
import { buildSampleEntry } from '../support/sample-commissions.ts';

const WEEKS = 53;
const DAY = WEEK_MS / 7;
const DELAY_DAYS = 15;

/** A normal number (Box and Muller 1958). */
const drawNormal = (chance: () => number) =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());

/** A Poisson number, or the normal one next to it where it is large. */
export function drawCount(chance: () => number, mean: number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(chance)));
  let count = -1;
  for (let time = 0; time < mean; count++) time -= Math.log(1 - chance());
  return Math.max(0, count);
}

/** What a customer brings: amounts in minor units with their days since the first one. */
type DrawCustomer = (chance: () => number) => readonly (readonly [day: number, amount: number])[];

const lognormal =
  (sigma: number): DrawCustomer =>
  (chance) => [[0, Math.round(4_000 * Math.exp(sigma * drawNormal(chance)))]];

const PLANS = [3_880, 11_880, 19_880] as const;

export const AMOUNTS: Readonly<Record<string, DrawCustomer>> = {
  equal: () => [[0, 4_000]],
  'three plans': (chance) => [[0, PLANS[Math.floor(3 * chance())] ?? 0]],
  // 15 of 100 leave every month; the program pays for a year.
  recurring: (chance) => {
    const payments: [number, number][] = [[0, 3_880]];
    while (payments.length < 12 && chance() < 0.85) payments.push([30 * payments.length, 3_880]);
    return payments;
  },
  'lognormal 0.5': lognormal(0.5),
  'lognormal 1': lognormal(1),
};

/** What a customer brings on average until so many weeks after the click. */
function getWorth(drawCustomer: DrawCustomer, weeks: number): number {
  const chance = createChance(1);
  let sum = 0;
  for (let index = 0; index < 100_000; index++) {
    const delay = -DELAY_DAYS * Math.log(1 - chance());
    for (const [day, amount] of drawCustomer(chance)) sum += day + delay <= weeks * 7 ? amount : 0;
  }
  return sum / 100_000;
}

/** How often a range was shown and had the truth in it, and how wide it was. */
export class Hits {
  conversions = 0;
  shown = 0;
  hits = 0;
  bias = 0;
  width = 0;

  add(conversions: number, { low, mean, high }: { low: number; mean: number; high: number }, truth: number) {
    this.conversions += conversions;
    this.shown += 1;
    this.hits += low <= truth && truth <= high ? 1 : 0;
    this.bias += mean - truth;
    this.width += high - low;
  }
}

const SAMPLE = buildSampleEntry([{ status: 'approved' }]);

export interface SiteModel {
  readonly amounts: keyof typeof AMOUNTS & string;
  /** Customers of a page in 8 weeks. */
  readonly customers: number;
  readonly isBursty: boolean;
  readonly pages: number;
}

const RATE = 0.05;

/** Simulates sites and counts how often the ranges of three figures hold. */
export function calibrate(model: SiteModel, sites: number, seed: number) {
  const chance = createChance(seed);
  const drawCustomer = AMOUNTS[model.amounts] ?? lognormal(0);
  const worth = getWorth(drawCustomer, 52);
  const result = { year: new Hits(), young: new Hits(), coming: new Hits() };
  for (let site = 0; site < sites; site++) simulateSite(model, { chance, drawCustomer, worth }, result);
  return result;
}

function simulateSite(
  { customers, isBursty, pages }: SiteModel,
  {
    chance,
    drawCustomer,
    worth,
  }: { readonly chance: () => number; readonly drawCustomer: DrawCustomer; readonly worth: number },
  result: ReturnType<typeof calibrate>,
): void {
  const now = 3_000 * WEEK_MS + chance() * WEEK_MS;
  const first = now - WEEKS * WEEK_MS + (chance() * 0.98 + 0.01) * WEEK_MS;
  const rates = Array.from({ length: pages }, () => RATE * Math.exp(0.4 * drawNormal(chance)));
  const clicks: { key: string; week: number; clicks: number }[] = [];
  const commissions: ReportedCommission[] = [];
  const coming = rates.map(() => 0);
  for (let index = 0; index < WEEKS; index++) {
    const week = first + index * WEEK_MS;
    const length = Math.min(1, (now - week) / WEEK_MS);
    const level = length * (isBursty ? Math.exp(0.5 * drawNormal(chance)) : 1);
    for (const [page, rate] of rates.entries()) {
      const count = drawCount(chance, (level * customers) / 8 / RATE);
      clicks.push({ key: `/${page}`, week, clicks: count });
      for (let bought = drawCount(chance, count * rate); bought > 0; bought--) {
        const clickTime = week + chance() * length * WEEK_MS;
        const journey = SAMPLE.journey && {
          ...SAMPLE.journey,
          clickTime,
          page: `/${page}`,
          clickId: `${commissions.length}`,
        };
        const delay = -DELAY_DAYS * Math.log(1 - chance());
        for (const [day, amount] of drawCustomer(chance)) {
          const eventTime = clickTime + (day + delay) * DAY;
          if (eventTime <= now)
            commissions.push({
              commission: { ...SAMPLE.commission, eventTime, amount },
              journey,
              isLaterPayment: day > 0,
            });
          else if (index >= WEEKS - 8 && eventTime - clickTime <= PREDICTED_WEEKS * WEEK_MS)
            coming[page] = (coming[page] ?? 0) + amount;
        }
      }
    }
  }
  const curve = buildClickCurve(commissions, { now });
  for (const [figure, weeks] of [
    ['year', WEEKS],
    ['young', 8],
  ] as const) {
    const since = first + (WEEKS - weeks) * WEEK_MS;
    const own = clicks.filter(({ week }) => week >= since);
    const earned = sumEarnings(
      commissions.filter(({ journey }) => (journey?.clickTime ?? 0) >= since),
      'page',
    );
    const mature = new Map<
      string,
      { key: string; clicks: number; matureClicks: number; clicksError: number }
    >();
    for (const { key, week, clicks: count } of own) {
      const { weight, error } = weighWeek(curve, week, now);
      const sum = mature.get(key) ?? { key, clicks: 0, matureClicks: 0, clicksError: 0 };
      mature.set(key, sum);
      sum.clicks += count;
      sum.matureClicks += count * weight;
      sum.clicksError += count * error;
    }
    const sums = sumSite([...mature.values()], earned, curve);
    const inputs = buildInputs([...mature.values()], earned);
    for (const ranked of rankByEarnings(inputs, sums)) {
      const page = Number(ranked.key.slice(1));
      const input = inputs.find(({ key }) => key === ranked.key);
      if (input === undefined) continue;
      if (ranked.isKnown) result[figure].add(input.conversions, ranked, (rates[page] ?? 0) * worth);
      if (figure === 'year') continue;
      const predicted = predictComing(
        input,
        sums,
        own.filter(({ key }) => key === ranked.key),
        { curve, now },
      );
      if (predicted === null) continue;
      const range = buildComingRange(predicted);
      result.coming.add(input.conversions, range, coming[page] ?? 0);
    }
  }
  void estimateEarnings;
}

if (import.meta.main) {
  for (const customers of [4, 30, 200])
    for (const amounts of Object.keys(AMOUNTS))
      for (const isBursty of [false, true]) {
        const start = performance.now();
        const sites = Number(process.argv[2] ?? 20);
        const { year, young, coming } = calibrate(
          { amounts, customers, isBursty, pages: 10 },
          sites,
          Math.round(customers * 31 + (isBursty ? 1000 : 0) + amounts.length * 77),
        );
        const show = (one: Hits) =>
          `${((100 * one.hits) / one.shown).toFixed(1)}% (${Math.round(one.conversions / one.shown)} conv, ${one.shown} shown, bias/width ${(one.bias / one.width).toFixed(2)})`;
        console.log(
          customers,
          amounts,
          isBursty,
          '| year',
          show(year),
          '| 8w',
          show(young),
          '| coming',
          show(coming),
          `${Math.round(performance.now() - start)}ms`,
        );
      }
}
