/** Whether ranges hold what they promise: simulated sites and traffic, of which the truth is known. */
import { WEEK_MS } from '../../src/core/clock.ts';
import type { ReportedCommission } from '../../src/core/commissions/credit/commission-report.ts';
import { buildInputs, sumSite, weighWeek } from '../../src/core/commissions/ranges/build-ranking.ts';
import {
  EARLIER_WEEKS,
  estimateDispersion,
  isChanceOfCounts,
  type PeriodPair,
} from '../../src/core/commissions/ranges/compare-periods.ts';
import { type MaturityCurve, PREDICTED_WEEKS } from '../../src/core/commissions/ranges/maturity.ts';
import {
  buildComingRange,
  type ClickWeek,
  type Estimate,
  estimateEarnings,
  getCustomerSize,
  predictComing,
} from '../../src/core/commissions/ranges/rank-by-earnings.ts';
import { buildEnd, judge, type VerdictWord } from '../../src/core/commissions/ranges/verdict.ts';
import { buildClickCurve, sumEarnings } from './build-ranking.ts';
import { createChance } from './chance.ts';
import { buildSampleEntry } from './sample-commissions.ts';

type Chance = () => number;

/** A normal number (Box and Muller 1958). */
const drawNormal = (chance: Chance) =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());

/** A Poisson number, or the normal one next to it where it is large. */
export function drawCount(chance: Chance, mean: number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(chance)));
  let count = -1;
  for (let time = 0; time < mean; count++) time -= Math.log(1 - chance());
  return Math.max(0, count);
}

/** A gamma number with a scale of 1 (Marsaglia and Tsang 2000, ACM TOMS 26). */
function drawGamma(chance: Chance, shape: number): number {
  if (shape < 1) return drawGamma(chance, shape + 1) * chance() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const normal = drawNormal(chance);
    const v = (1 + normal / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - chance()) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

type DrawDays = (chance: Chance, mean: number, days: number) => readonly number[];

/** Days that vary so many times as much as Poisson counts. */
const bursty =
  (dispersion: number): DrawDays =>
  (chance, mean, days) =>
    Array.from({ length: days }, () =>
      drawCount(chance, drawGamma(chance, mean / (dispersion - 1)) * (dispersion - 1)),
    );

/** The traffic of sites on which nothing changes: the counts of days. */
export const TRAFFIC: Readonly<Record<string, DrawDays>> = {
  quiet: (chance, mean, days) => Array.from({ length: days }, () => drawCount(chance, mean)),
  'bursty 2': bursty(2),
  'bursty 3': bursty(3),
  'bursty 5': bursty(5),
  // The level of a day is 0.9 of that of the day before; it varies by 15 %.
  memory: (chance, mean, days) => {
    let level = drawNormal(chance);
    return Array.from({ length: days }, () => {
      level = 0.9 * level + Math.sqrt(1 - 0.9 ** 2) * drawNormal(chance);
      return drawCount(chance, mean * Math.max(0, 1 + 0.15 * level));
    });
  },
};

/** Sums counts of days to those of weeks, from the last day backwards. */
export const sumWeeks = (days: readonly number[]) =>
  Array.from({ length: Math.floor(days.length / 7) }, (_, week) => {
    const from = (days.length % 7) + week * 7;
    return days.slice(from, from + 7).reduce((sum, count) => sum + count, 0);
  });

/** How often a change is called real where nothing changed: of clicks, 40 a day, and of money, 8 baskets a day. */
export function countCalledReal(traffic: string, lengths: PeriodPair, runs: number, seed: number) {
  const chance = createChance(seed);
  const drawDays = TRAFFIC[traffic];
  if (drawDays === undefined) throw new Error(`no traffic is called ${traffic}`);
  const draw = (mean: number) => {
    const days = drawDays(chance, mean, 7 * EARLIER_WEEKS + lengths.before + lengths.now);
    const usual = days.slice(0, -lengths.now);
    const sum = (list: readonly number[]) => list.reduce((all, count) => all + count, 0);
    const counts = { now: sum(days.slice(-lengths.now)), before: sum(usual.slice(-lengths.before)) };
    return { counts, dispersion: estimateDispersion(sumWeeks(usual), lengths) };
  };
  const real = { counts: 0 };
  for (let run = 0; run < runs; run++) {
    const clicks = draw(40);
    if (!isChanceOfCounts(clicks.counts, lengths, clicks.dispersion)) real.counts += 1 / runs;
  }
  return real;
}

/** What a customer brings: amounts in minor units with their days since the first one. */
type DrawCustomer = (chance: Chance) => readonly (readonly [day: number, amount: number])[];

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

const DAY_MS = WEEK_MS / 7;
const DELAY_DAYS = 15;
const WEEKS = 53;
/** Clicks as a view of the last 28 days has them. */
const YOUNG_WEEKS = 4;
const PAGES = 10;
const RATE = 0.05;

const drawDelay = (chance: Chance) => -DELAY_DAYS * Math.log(1 - chance());

/** What a customer brings on average within a year of the click. */
function getWorth(drawCustomer: DrawCustomer): number {
  const chance = createChance(1);
  let sum = 0;
  for (let index = 0; index < 100_000; index++) {
    const delay = drawDelay(chance);
    for (const [day, amount] of drawCustomer(chance)) sum += day + delay <= 52 * 7 ? amount : 0;
  }
  return sum / 100_000;
}

/** How often a range was shown, how often it had the truth in it, and how wide it was. */
class Coverage {
  all = 0;
  shown = 0;
  hits = 0;
  conversions = 0;
  width = 0;

  add(conversions: number, range: Estimate | null, truth: number): void {
    this.all += 1;
    if (range === null) return;
    this.shown += 1;
    this.hits += range.low <= truth && truth <= range.high ? 1 : 0;
    this.conversions += conversions;
    this.width += range.mean > 0 ? (range.high - range.low) / range.mean : 0;
  }

  get share(): number {
    return this.hits / this.shown;
  }
}

/** Every commission is decided after so many days; so many of them are reversed. */
const DECISION_DAYS = 30;

export interface SimulatedSite {
  /** A name of `AMOUNTS`. */
  readonly amounts: string;
  /** The share of commissions that is reversed. */
  readonly reversed?: number;
  readonly isBursty: boolean;
  /** Of a page in 28 days. */
  readonly clicks: number;
}

/**
 * Simulates sites of ten pages, whose rates and amounts differ, and counts how often the ranges hold: of what a click
 * earns, by the clicks of a year and of 28 days, and of what those of 28 days will still bring, as of a campaign.
 */
export function calibrate(site: SimulatedSite, sites: number, seed: number) {
  const chance = createChance(seed);
  const drawCustomer = AMOUNTS[site.amounts];
  if (drawCustomer === undefined) throw new Error(`no amounts are called ${site.amounts}`);
  const { reversed = 0 } = site;
  const worth = getWorth(drawCustomer);
  const coverage = { year: new Coverage(), young: new Coverage(), coming: new Coverage() };
  for (let index = 0; index < sites; index++) {
    const year = simulateYear(site, chance, drawCustomer);
    const curve = buildClickCurve(year.commissions, { now: year.now });
    for (const weeks of [WEEKS, YOUNG_WEEKS]) {
      const { inputs, sums, clicks } = sumPages(year, curve, weeks, 1 - reversed);
      for (const own of inputs) {
        const page = year.pages.get(own.key);
        if (page === undefined) continue;
        const figure = weeks === WEEKS ? 'year' : 'young';
        const truth = page.rate * page.value * worth * (1 - reversed);
        coverage[figure].add(
          own.conversions,
          own.conversions < 2 ? null : estimateEarnings(own, sums),
          truth,
        );
        if (figure === 'year') continue;
        const weeksOfPage = clicks.filter(({ key }) => key === own.key);
        const coming = predictComing(own, sums, weeksOfPage, { curve, now: year.now });
        coverage.coming.add(own.conversions, coming && buildComingRange(coming), page.coming);
      }
    }
  }
  return coverage;
}

interface SimulatedYear {
  readonly now: number;
  /** The beginning of its first week. */
  readonly first: number;
  readonly clicks: readonly (ClickWeek & { readonly key: string })[];
  readonly commissions: readonly ReportedCommission[];
  readonly pages: ReadonlyMap<string, { readonly rate: number; readonly value: number; coming: number }>;
}

const SAMPLE = buildSampleEntry([{ status: 'approved' }]);

function simulateYear(site: SimulatedSite, chance: Chance, drawCustomer: DrawCustomer): SimulatedYear {
  const { reversed = 0 } = site;
  // Weeks of curves and of views begin on other days, and the last one is not over.
  const now = (3_000 + chance()) * WEEK_MS;
  const first = now - (WEEKS - chance()) * WEEK_MS;
  const pages = new Map(
    Array.from({ length: PAGES }, (_, page) => {
      const [rate, value] = [RATE * Math.exp(0.4 * drawNormal(chance)), Math.exp(0.2 * drawNormal(chance))];
      return [`/${page}`, { rate, value, coming: 0 }];
    }),
  );
  const clicks: (ClickWeek & { readonly key: string })[] = [];
  const commissions: ReportedCommission[] = [];
  for (let index = 0; index < WEEKS; index++) {
    const week = first + index * WEEK_MS;
    const length = Math.min(1, (now - week) / WEEK_MS);
    const level = length * (site.isBursty ? Math.exp(0.5 * drawNormal(chance)) : 1);
    for (const [key, page] of pages) {
      const count = drawCount(chance, (level * site.clicks) / YOUNG_WEEKS);
      clicks.push({ key, week, clicks: count });
      for (let left = drawCount(chance, count * page.rate); left > 0; left--) {
        const clickTime = week + chance() * length * WEEK_MS;
        const clickId = String(commissions.length);
        const journey = SAMPLE.journey && { ...SAMPLE.journey, clickTime, page: key, clickId };
        const delay = drawDelay(chance);
        for (const [day, usual] of drawCustomer(chance)) {
          const [amount, eventTime] = [Math.round(usual * page.value), clickTime + (day + delay) * DAY_MS];
          const isReversed = reversed > 0 && chance() < reversed;
          const isPending = reversed > 0 && now - eventTime < DECISION_DAYS * DAY_MS;
          const status = isPending ? 'pending' : isReversed ? 'reversed' : 'approved';
          const booked = status === 'reversed' ? 0 : amount;
          if (eventTime <= now)
            commissions.push({
              commission: { ...SAMPLE.commission, eventTime, status, amount: booked },
              journey,
              isLaterPayment: day > 0,
            });
          if (index < WEEKS - YOUNG_WEEKS || eventTime - clickTime > PREDICTED_WEEKS * WEEK_MS) continue;
          const paid = isReversed ? 0 : amount;
          // What has come counts with what is expected of it.
          if (eventTime > now) page.coming += paid;
          else if (isPending) page.coming += paid - amount * (1 - reversed);
        }
      }
    }
  }
  return { now, first, clicks, commissions, pages };
}

/** What the clicks of the last weeks of a year earned, by page and together. */
function sumPages(
  { now, first, ...year }: SimulatedYear,
  curve: MaturityCurve | null,
  weeks: number,
  approved: number,
) {
  const since = first + (WEEKS - weeks) * WEEK_MS;
  const clicks = year.clicks.filter(({ week }) => week >= since);
  const commissions = year.commissions.filter(({ journey }) => (journey?.clickTime ?? 0) >= since);
  const sums = new Map<string, { key: string; clicks: number; matureClicks: number; clicksError: number }>();
  for (const { key, week, clicks: count } of clicks) {
    const { weight, error } = weighWeek(curve, week, now);
    const sum = sums.get(key) ?? { key, clicks: 0, matureClicks: 0, clicksError: 0 };
    sums.set(key, sum);
    sum.clicks += count;
    sum.matureClicks += count * weight;
    sum.clicksError += count * error;
  }
  const mature = [...sums.values()];
  const earned = sumEarnings(commissions, 'page', ({ commission: { status, amount } }) =>
    status === 'pending' ? approved * amount : amount,
  );
  return { clicks, inputs: buildInputs(mature, earned), sums: sumSite(mature, earned) };
}

/** A curve that is known: commissions arrive after 15 days on average, each customer pays once. */
function buildKnownCurve(spread: number): MaturityCurve {
  const at = (weeks: number) => 1 - Math.exp((-7 * weeks) / DELAY_DAYS);
  const shares = Array.from({ length: WEEKS }, (_, age) => at(age + 0.5));
  const ranges = shares.map((share) => ({ low: share, high: share }));
  const spreads = Array.from({ length: PREDICTED_WEEKS + 1 }, (_, age) => ({
    seen: at(age) * spread,
    later: (1 - at(age)) * spread,
  }));
  return { shares, ranges, horizonWeeks: WEEKS - 1, spread: spreads };
}

/** How often each word was said of campaigns, and how often it was right. */
export type SaidWords = Readonly<Record<VerdictWord, { said: number; right: number }>>;

/**
 * Simulates campaigns of a year that bring `pays` for each $1 on average, on a site whose other clicks bring 2.5, and counts which
 * words are said of them and which are right: whether what their clicks have really brought after 12 months is more than they cost.
 * Breaking even would bring so many `customers`.
 */
export function simulateVerdicts(pays: number, customers: number, runs: number, seed: number): SaidWords {
  const chance = createChance(seed);
  const mean = PLANS.reduce((sum, plan) => sum + plan, 0) / PLANS.length;
  const square = PLANS.reduce((sum, plan) => sum + plan ** 2, 0) / PLANS.length;
  const curve = buildKnownCurve(square / mean);
  const start = 3_000 * WEEK_MS;
  const now = start + WEEKS * WEEK_MS;
  const cost = customers * mean;
  const clicks = (10 * customers) / WEEKS;
  const site = { clicks: 1e6, matureClicks: 1e6, clicksError: 0, conversions: 2.5e5, undecided: 0 };
  const others = { ...site, amount: 2.5e5 * mean, squares: 2.5e5 * square };
  const weeks = Array.from({ length: WEEKS }, (_, week) => ({ week: start + week * WEEK_MS, clicks }));
  const words = ['early', 'loses', 'probably-loses', 'open', 'probably-earns', 'earns'] as const;
  const said = Object.fromEntries(words.map((word) => [word, { said: 0, right: 0 }])) as SaidWords;
  for (let run = 0; run < runs; run++) {
    let [amount, squares, conversions, final] = [0, 0, 0, 0];
    for (const { week } of weeks)
      for (let left = drawCount(chance, (pays * customers) / WEEKS); left > 0; left--) {
        const paid = PLANS[Math.floor(3 * chance())] ?? 0;
        final += paid;
        if (week + chance() * WEEK_MS + drawDelay(chance) * DAY_MS > now) continue;
        amount += paid;
        squares += paid ** 2;
        conversions += 1;
      }
    const matureClicks = weeks.reduce(
      (sum, { week }) => sum + clicks * weighWeek(curve, week, now).weight,
      0,
    );
    const own = {
      clicks: clicks * WEEKS,
      matureClicks,
      clicksError: 0,
      undecided: 0,
      conversions,
      amount,
      squares,
    };
    const coming = predictComing(own, others, weeks, { curve, now });
    if (coming === null) throw new Error('what comes is not known');
    const expected = (cost * matureClicks) / own.clicks / getCustomerSize(own, others);
    const word = judge(buildEnd(coming, amount, 0, cost), { seen: conversions, expected });
    said[word].said += 1;
    const isRight = word.endsWith('earns') ? final > cost : word.endsWith('loses') ? final < cost : true;
    if (isRight) said[word].right += 1;
  }
  return said;
}
