import { DAY_MS } from '../../core/clock.ts';
import { type CampaignCost, listCostDays } from '../../core/commissions/cost/campaign-cost.ts';
import { getLocalDay, nameDay, toUtc } from '../../core/commissions/local-time.ts';
import { getMinorDigits } from '../../core/commissions/money.ts';
import { buildInputs, sumSite, weighWeek } from '../../core/commissions/ranges/build-ranking.ts';
import type { MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import {
  buildComingRange,
  type ComingMoney,
  type EarnedClicks,
  type Estimate,
  estimateEarnings,
  getCustomerSize,
  type KnownWeek,
  predictComing,
} from '../../core/commissions/ranges/rank-by-earnings.ts';
import {
  type DayAmount,
  ENOUGH_CUSTOMERS,
  type Evidence,
  findSure,
  findWait,
  HELD_DAYS,
  hasEnough,
  judge,
  sumRipe,
  type VerdictWord,
} from '../../core/commissions/ranges/verdict.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { ConsoleSite } from '../console-site.ts';
import { type Learned, readLabelledPages, readOtherCurrencies } from './breakdown.ts';
import { formatDay, formatMoney, formatNumber, formatRoughShare, formatShortMoney } from './format.ts';
import { getCreditedName, sumEarnedCells } from './period-figures.ts';
import type { CountedDimension, MoneyPeriod, PeriodReader } from './periods.ts';
import { DEFAULT_QUERY } from './query.ts';
import { addDays, addMonths } from './range.ts';

/** What is said of a campaign, a source or a page: the same in every view, whatever its clock, range and currency are. */
export interface Verdict {
  readonly word: VerdictWord | 'nothing' | 'strong' | 'weak' | 'usual' | 'fell' | 'unread';
  /** `It earns.` */
  readonly lead: string;
  /** `Each $1 is likely to bring $2.00 to $3.00.` */
  readonly text: string;
  /** What is wrong with the data, said first; null without doubt. */
  readonly doubt: string | null;
  /** The share of the money of the clicks that has usually arrived; null without clicks. */
  readonly arrived: number | null;
  /** Of a campaign: what each unit of its currency brings, and what the days lose at least, in minor units. */
  readonly returned: Estimate | null;
  readonly loss: number;
  readonly cost: number;
  readonly currency: string;
  /** What it was judged by; null where that is not enough. */
  readonly learned: Learned | null;
}

/** Older clicks say less: those before the last three months count so much, as if half of their weight went in 120 days. */
const OLD_WEIGHT = 3 / 8;
/** The days whose profit a verdict names. */
export const VERDICT_DAYS = 28;

/** The clicks of twelve months by a dimension and what they earned, the older ones with less weight. */
async function readKnown(
  { periods, clock, settings }: ConsoleSite,
  by: CountedDimension,
  currency: string | null,
) {
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  const to = addDays(today, -1);
  const month = `${today.slice(0, 8)}01`;
  const read = (from: string, end: string) =>
    periods.readPeriod({ ...DEFAULT_QUERY, currency, clock: 'click', from, to: end });
  // Whole months are sums in the database.
  const middle = addMonths(month, -3);
  const [old, late, last] = await Promise.all([
    read(addMonths(month, -12), addDays(middle, -1)),
    read(middle, to),
    read(addDays(to, 1 - VERDICT_DAYS), to),
  ]);
  const [sums, recent, days] = await Promise.all([old, late, last].map((period) => readSums(period, by)));
  const own = new Map<string, EarnedClicks>(recent?.own);
  for (const [key, sum] of sums?.own ?? []) own.set(key, addOld(recent?.own.get(key), sum));
  const site = addOld(recent?.site, sums?.site ?? NO_CLICKS);
  return {
    today,
    to,
    middle,
    from: addMonths(month, -12),
    old,
    late,
    last,
    own,
    site,
    days: days?.own ?? new Map(),
  };
}

const NO_CLICKS: EarnedClicks = {
  clicks: 0,
  matureClicks: 0,
  clicksError: 0,
  conversions: 0,
  amount: 0,
  squares: 0,
  undecided: 0,
};

function addOld(recent: EarnedClicks = NO_CLICKS, old: EarnedClicks): EarnedClicks {
  const add = (name: keyof EarnedClicks, weight = OLD_WEIGHT) => recent[name] + weight * old[name];
  return {
    clicks: add('clicks'),
    matureClicks: add('matureClicks'),
    clicksError: add('clicksError'),
    conversions: add('conversions'),
    amount: add('amount'),
    squares: add('squares', OLD_WEIGHT ** 2),
    undecided: add('undecided', OLD_WEIGHT ** 2),
  };
}

async function readSums({ counts, selection, curve }: MoneyPeriod, by: CountedDimension) {
  const [clicks, earned] = [await counts.readMatureClicks(by), selection.getEarnings(by)];
  const own = new Map<string, EarnedClicks>(buildInputs(clicks, earned).map((input) => [input.key, input]));
  return { own, site: sumSite(clicks, earned, curve) };
}

type Known = Awaited<ReturnType<typeof readKnown>>;

/** For as long as alerts count, half a minute or until a form was handled. */
const memory = new SharedReads<object, ReadonlyMap<string, Verdict>>(new WeakMap());

/** Reads the verdict of each campaign that has cost something in twelve months. */
export async function readCampaignVerdicts(site: ConsoleSite): Promise<ReadonlyMap<string, Verdict>> {
  const alerts = await site.readAlerts();
  return memory.read(alerts, site.platform.sharesWork, () => judgeCampaigns(site));
}

async function judgeCampaigns(site: ConsoleSite): Promise<ReadonlyMap<string, Verdict>> {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const costs = await site.money.costs.readSummed(addMonths(`${today.slice(0, 8)}01`, -12), today);
  const verdicts = new Map<string, Verdict>();
  const main = await site.periods.readCurrency({ currency: null });
  // With a currency of totals, costs are converted into it as money is; else each currency is by itself.
  for (const code of new Set(costs.map(({ currency }) => (main.isConverted ? null : currency)))) {
    const known = await readKnown(site, 'campaign', code);
    for (const [campaign, verdict] of await judgeCurrency(site, known))
      if (!verdicts.has(campaign)) verdicts.set(campaign, verdict);
  }
  return verdicts;
}

/** What a campaign cost by day since a first day, and what is known of its clicks. */
interface CampaignCosts {
  readonly days: readonly (DayAmount & { readonly day: string })[];
  readonly since: string;
  readonly last: string;
  /** Whether all of it is in the currency of the totals. */
  readonly isWhole: boolean;
}

async function readCosts(site: ConsoleSite, { from, middle, to, last: { currency, query } }: Known) {
  const before = { from, to: addDays(middle, -1) };
  const [sums, late] = await Promise.all([
    site.money.costs.readSummed(from, before.to),
    site.money.costs.read(middle, to),
  ]);
  // The sum of several days has no rate.
  const isSummed = query.currency !== null || sums.every((row) => row.currency === currency);
  const old = isSummed ? sums : await site.money.costs.read(from, before.to);
  const zone = site.settings.TIME_ZONE;
  const toDays = (rows: readonly CampaignCost[], range: typeof before, weight: number) =>
    rows.flatMap(({ campaign, ...row }) =>
      listCostDays(row, range).map(({ day, amount }) => ({
        campaign,
        day,
        weight,
        time: toUtc(Date.parse(day), zone),
        amount,
        currency: row.currency,
        status: 'approved' as const,
        reversedAmount: 0,
      })),
    );
  const found = [...toDays(old, before, OLD_WEIGHT), ...toDays(late, { from: middle, to }, 1)];
  const all = await site.periods.convert(query, found, ({ day }) => Date.parse(day) / DAY_MS);
  const firsts = new Map<string, string>();
  for (const { campaign, first } of sums)
    if (first < (firsts.get(campaign) ?? '9')) firsts.set(campaign, first);
  const costs = new Map<string, CampaignCosts>();
  for (const [campaign, parts] of Map.groupBy(all, (part) => part.campaign)) {
    const own = parts.filter((part) => part.currency === currency);
    if (own.length === 0 && query.currency !== null) continue;
    const days = own.map(({ amount, weight, ...part }) => ({ ...part, amount: amount * weight }));
    const sorted = days.map(({ day }) => day).sort();
    const first = firsts.get(campaign) ?? sorted[0] ?? '';
    const since = first.length === 7 ? `${first}-01` : first;
    costs.set(campaign, { days, since, last: sorted.at(-1) ?? '', isWhole: own.length === parts.length });
  }
  return costs;
}

async function judgeCurrency(site: ConsoleSite, known: Known) {
  const { late, old, last, to } = known;
  const costs = await readCosts(site, known);
  const keys = new Set(costs.keys());
  const [lateWeeks, oldWeeks, lastWeeks, booked, visits, doubt] = await Promise.all([
    late.counts.readWeeks('campaign', keys),
    old.counts.readWeeks('campaign', keys),
    last.counts.readWeeks('campaign', keys),
    readBookedLately(site.periods, known),
    site.money.rollups.readByKey({ dimension: 'campaign', from: addDays(to, -1), to }),
    readDoubt(site, known),
  ]);
  const visited = new Set(
    visits
      .filter(({ sessions }) => sessions > 0)
      .map(({ key: [source, medium, name] }) => `${source} / ${medium} / ${name}`),
  );
  const findReason = await findPartial(site, known, 'campaign');
  return [...costs].map(([campaign, own]): [string, Verdict] => {
    const weigh = (weeks: Awaited<typeof lateWeeks>, weight: number) =>
      (weeks.get(campaign) ?? []).map((week) => ({ ...week, weight }));
    const weeks = [...weigh(oldWeeks, OLD_WEIGHT), ...weigh(lateWeeks, 1)];
    const isMissing =
      own.last < addDays(to, -1) && own.last > addDays(to, -VERDICT_DAYS) && visited.has(campaign);
    const missing = isMissing
      ? `Costs are missing since ${formatDay(addDays(own.last, 1), to)}, so this is what was true until then.`
      : null;
    const facts = { campaign, own, weeks, last: lastWeeks.get(campaign) ?? [], booked };
    const verdict = { ...judgeCampaign(site, known, facts), doubt: missing ?? doubt };
    const reason = own.isWhole ? findReason(campaign) : NOT_CONVERTED;
    if (reason === null) return [campaign, verdict];
    return [campaign, { ...verdict, ...sayPartial(reason), returned: null, loss: 0 }];
  });
}

const NOT_CONVERTED =
  'Some of its money or cost is in a currency that is not converted: choose a currency for totals and add rates in Settings.';

const BY_LABEL = 'Some of its money came by a tracking id, which names no click.';

/** Says of what has earned money which no figure of it has why it cannot be judged: profit, loss and rank of a part would be false. */
async function findPartial({ periods }: ConsoleSite, { old, late }: Known, by: CountedDimension) {
  const halves = await Promise.all([old, late].map((half) => readOtherCurrencies(periods, half, by)));
  const labelled =
    by === 'page' ? await Promise.all([old, late].map((half) => readLabelledPages(periods, half))) : [];
  return (key: string): string | null => {
    if (halves.some((keys) => keys.has(key))) return NOT_CONVERTED;
    return labelled.some((pages) => pages.has(buildPageName(key))) ? BY_LABEL : null;
  };
}

const sayPartial = (text: string) => ({ word: 'early', lead: 'It cannot be judged.', text }) as const;

/** What was booked today, and yesterday or today, by campaign: it was not known at the end of the days before. */
async function readBookedLately(periods: PeriodReader, { late, today, to }: Known) {
  const query = { ...late.query, clock: 'booking', from: to, to: today } as const;
  const cells = await periods.readOwnCells({ ...late, query }, { by: 'path and day' });
  return [today, to].map((day) =>
    sumEarnedCells(
      cells.filter((cell) => nameDay(cell.day ?? 0) >= day),
      late.rates,
      ({ path }) => getCreditedName(path, 'campaign', 'last'),
    ),
  );
}

/** Beyond this share, money without a click makes what clicks earn too low. */
const MAX_UNMATCHED = 0.2;

/** What makes every verdict doubtful: much money without a click, or a large partner that is silent. */
async function readDoubt(site: ConsoleSite, { last, late }: Known): Promise<string | null> {
  const { matchRate } = last.selection.getMoney();
  if (matchRate !== null && matchRate < 1 - MAX_UNMATCHED)
    return `${formatRoughShare(1 - matchRate)} of the money found no click, so this may be too low.`;
  const { cells } = late.selection;
  const all = cells.reduce((sum, { amount }) => sum + amount, 0);
  const silent = (await site.readAlerts()).find(({ key }) => {
    const own = cells.filter(({ partner }) => key === `silent:${partner}`);
    return own.reduce((sum, { amount }) => sum + amount, 0) > MAX_UNMATCHED * all;
  });
  return silent === undefined ? null : `${silent.text} This is what was true until then.`;
}

interface CampaignFacts {
  readonly campaign: string;
  readonly own: CampaignCosts;
  /** Of twelve months, and of the last 28 days. */
  readonly weeks: readonly KnownWeek[];
  readonly last: readonly Omit<KnownWeek, 'weight'>[];
  readonly booked: Awaited<ReturnType<typeof readBookedLately>>;
}

function judgeCampaign(site: ConsoleSite, known: Known, facts: CampaignFacts): Omit<Verdict, 'doubt'> {
  const { campaign, own: costs } = facts;
  const { currency } = known.last;
  const { to, today, site: all } = known;
  const { curve } = known.late;
  const now = site.clock.now();
  const zone = site.settings.TIME_ZONE;
  const own = known.own.get(campaign) ?? NO_CLICKS;
  const days = known.days.get(campaign) ?? NO_CLICKS;
  const since = addDays(to, 1 - VERDICT_DAYS);
  const cost = costs.days.reduce((sum, { day, amount }) => sum + (day >= since ? amount : 0), 0);
  const arrived = days.clicks === 0 ? null : days.matureClicks / days.clicks;
  const learned = { own, site: all, weeks: facts.weeks };
  const base = { arrived, returned: null, loss: 0, cost, currency, learned };
  if (own.clicks === 0) {
    const text = 'Check that its name is the one that its links carry.';
    return { ...base, word: 'nothing', lead: 'It has a cost and no click.', text };
  }
  if (curve === null)
    return { ...base, word: 'early', lead: TOO_EARLY, text: 'Too few commissions are known yet.' };
  const size = getCustomerSize(own, all);
  const share = getKnownShare(facts.weeks, costs.since, curve, now);
  const evidence = Array.from({ length: HELD_DAYS }, (_, age): Evidence => {
    const time = age === 0 ? now : toUtc(Date.parse(addDays(today, 1 - age)), zone);
    const later = age === 0 ? undefined : facts.booked[age - 1]?.get(campaign);
    const amount = Math.max(0, own.amount - (later?.amount ?? 0)) * share;
    return { amount, line: sumRipe(costs.days, curve, time), size, undecided: own.undecided };
  });
  const coming = predictComing(own, all, facts.last, { curve, now, known: facts.weeks });
  const range = coming && buildEnd(coming, days);
  const returned =
    range && cost > 0 ? { low: range.low / cost, mean: range.mean / cost, high: range.high / cost } : null;
  const word = judge(evidence, returned);
  const customers = (all.conversions / Math.max(1, all.matureClicks)) * own.matureClicks;
  if (own.conversions === 0 && Math.exp(-customers) < 0.01) {
    const [low, high] = [-1.3, 1.3].map((place) => formatNumber(customers + place * Math.sqrt(customers)));
    const text = `${low} to ${high} would be usual. Check the link, then stop the ads.`;
    return {
      ...base,
      returned,
      word: 'nothing',
      lead: `No customer from ${formatNumber(own.clicks)} clicks.`,
      text,
    };
  }
  const loss = returned === null ? 0 : Math.round(Math.max(0, 1 - returned.high) * cost);
  const judged = {
    ...base,
    word,
    returned,
    loss,
    days: costs.days,
    daily: cost / VERDICT_DAYS,
    curve,
    now,
    today,
  };
  const [first] = evidence;
  const said = first === undefined ? { lead: TOO_EARLY, text: '' } : describeCampaign(judged, first);
  return { ...base, ...said, word, returned, loss };
}

/** What has come, and what still comes. */
function buildEnd(coming: ComingMoney, { amount, undecided }: EarnedClicks): Estimate {
  const { low, mean, high } = buildComingRange({ ...coming, undecided });
  return { low: Math.max(0, amount + low), mean: amount + mean, high: amount + high };
}

/** How much of the money comes from clicks of days with a known cost: as many as there were of such clicks. */
function getKnownShare(
  weeks: readonly KnownWeek[],
  since: string,
  curve: MaturityCurve,
  now: number,
): number {
  const sum = (list: readonly KnownWeek[]) =>
    list.reduce(
      (all, { week, clicks, weight }) => all + clicks * weight * weighWeek(curve, week, now).weight,
      0,
    );
  const all = sum(weeks);
  return all === 0 ? 1 : sum(weeks.filter(({ week }) => week > Date.parse(since) - 7 * DAY_MS)) / all;
}

const TOO_EARLY = 'Too early to say.';

interface Judged extends Omit<Verdict, 'lead' | 'text' | 'doubt'> {
  readonly days: readonly DayAmount[];
  readonly daily: number;
  readonly curve: MaturityCurve;
  readonly now: number;
  readonly today: string;
}

/** The sentence of a campaign, as the operator would say it to a friend. */
function describeCampaign(
  judged: Judged,
  evidence: Evidence,
): { readonly lead: string; readonly text: string } {
  const { word, returned, currency, cost, daily, days, today } = judged;
  const short = (amount: number) => formatShortMoney(Math.round(amount), currency);
  const wait = (goal: number) => findWait(days, daily, goal, judged);
  const onDay = (count: number) => formatDay(addDays(today, Math.max(1, count)), today);
  if (cost <= 0)
    return {
      lead: 'It has cost nothing lately.',
      text: `Nothing is known of the last ${VERDICT_DAYS} days.`,
    };
  if (word === 'early') {
    const count = wait(ENOUGH_CUSTOMERS * evidence.size);
    if (count === null || returned === null)
      return {
        lead: 'Too early, and it would stay so.',
        text: `At ${short(7 * daily)} a week this needs more than six months. Judge it together with others.`,
      };
    const more = `Until then it costs about ${short(daily * count)} more.`;
    return { lead: TOO_EARLY, text: `On ${onDay(count)} it will not be. ${more}` };
  }
  const unit = 10 ** getMinorDigits(currency);
  const each = `Each ${formatShortMoney(unit, currency)}`;
  const range = formatReturn(judged);
  const sure = findSure(evidence);
  const settled = sure === null ? null : wait(sure);
  switch (word) {
    case 'earns':
      return { lead: 'It earns.', text: `${each} is likely to bring ${range}.` };
    case 'loses':
      return { lead: 'It loses.', text: `${each} is likely to bring back only ${range}.` };
    case 'probably-loses':
      return {
        lead: 'It probably loses.',
        text: `${each} is likely to bring back ${range}. ${
          settled === null
            ? ''
            : `Sure around ${onDay(settled)}; until then it costs about ${short(daily)} a day. `
        }Bid less now.`,
      };
    case 'probably-earns':
      return {
        lead: 'It probably earns.',
        text: `${each} is likely to bring ${range}.${settled === null ? '' : ` Sure around ${onDay(settled)}.`}`,
      };
    default: {
      const isNarrow = returned !== null && returned.low >= 0.9 && returned.high <= 1.1;
      if (isNarrow) return { lead: 'It pays for itself, not more.', text: `${each} brings ${range}.` };
      const settles =
        settled === null ? 'More clicks would settle it.' : `It is settled around ${onDay(settled)}.`;
      return { lead: 'It may earn or lose.', text: `${each} is likely to bring ${range}. ${settles}` };
    }
  }
}

/** What each unit of a currency brings, `$2.00 to $3.00`; a dash without a range. */
function formatReturn({ returned, currency }: Judged): string {
  const unit = 10 ** getMinorDigits(currency);
  if (returned === null) return '–';
  return [returned.low, returned.high].map((part) => formatMoney(part * unit, currency)).join(' to ');
}

/** The verdict of a source by its visits, or of a page by its views; null where neither is counted. */
export async function readWorthVerdict(
  site: ConsoleSite,
  by: 'source' | 'page',
  key: string,
): Promise<Verdict | null> {
  const known = await readKnown(site, by, null);
  const [late, old, last] = await Promise.all(
    [known.late, known.old, known.last].map(({ counts }) => counts.readCounts(by)),
  );
  if (!late || !old || !last) return null;
  const { curve, currency } = known.late;
  const count = (name: string) => (late.get(name)?.views ?? 0) + OLD_WEIGHT * (old.get(name)?.views ?? 0);
  const own = known.own.get(key) ?? NO_CLICKS;
  const views = count(key);
  const sumViews = [...new Set([...late.keys(), ...old.keys()])].reduce((sum, name) => sum + count(name), 0);
  const days = known.days.get(key) ?? NO_CLICKS;
  const arrived = days.clicks === 0 ? null : days.matureClicks / days.clicks;
  const base = {
    arrived,
    returned: null,
    loss: 0,
    cost: 0,
    currency,
    learned: null,
    doubt: await readDoubt(site, known),
  };
  const [unit, name] = by === 'source' ? [100, '100 visits'] : [1_000, '1,000 views'];
  const unread = by === 'page' ? describeUnread(last.get(key), last) : null;
  if (unread !== null)
    return { ...base, word: 'unread', lead: 'Read, but it sends nobody on.', text: unread };
  const reason = (await findPartial(site, known, by))(key);
  if (reason !== null) return { ...base, ...sayPartial(reason) };
  if (views === 0) return { ...base, word: 'nothing', lead: 'Nobody came in twelve months.', text: '' };
  const size = getCustomerSize(own, known.site);
  // What the site's clicks earn in the end, for each view or visit.
  const middle =
    (known.site.amount / Math.max(1, known.site.matureClicks)) * (known.site.clicks / Math.max(1, sumViews));
  const ripeViews = own.clicks === 0 ? views : (views * own.matureClicks) / own.clicks;
  const line = ripeViews * middle;
  const daily = ((last.get(key)?.views ?? 0) / VERDICT_DAYS) * middle;
  const earnings = estimateEarnings(own, known.site);
  if (curve === null || earnings === null || !hasEnough({ line, size })) {
    const start = [{ time: site.clock.now() - 300 * DAY_MS, amount: line }];
    const wait = curve && findWait(start, daily, ENOUGH_CUSTOMERS * size, { curve, now: site.clock.now() });
    const text =
      wait === null || size === 0
        ? 'At this pace it needs more than six months.'
        : `On ${formatDay(addDays(known.today, Math.max(1, wait)), known.today)} it will not be.`;
    return { ...base, word: 'early', lead: TOO_EARLY, text };
  }
  const money = (amount: number) => formatShortMoney(Math.round(amount * unit), currency);
  const each = own.clicks / views;
  const bring = `${name} bring ${money(earnings.low * each)} to ${money(earnings.high * each)}`;
  const usual = `usual is ${money(middle)}.`;
  if (earnings.low * each > middle)
    return {
      ...base,
      word: 'strong',
      lead: by === 'source' ? 'A strong source.' : 'One of your best pages.',
      text: `${bring}; ${usual}`,
    };
  if (earnings.high * each < middle)
    return {
      ...base,
      word: 'weak',
      lead: by === 'source' ? 'A weak source.' : 'It earns less than your other pages.',
      text: `${bring}; ${usual}`,
    };
  return { ...base, word: 'usual', lead: 'As good as your others.', text: `${bring}; ${usual}` };
}

/** Fewer clicks than chance explains in 99 of 100 cases, by the click rate of all pages; null where that is not so. */
function describeUnread(
  own: { readonly views: number; readonly clicks: number } | undefined,
  all: ReadonlyMap<string, { readonly views: number; readonly clicks: number }>,
): string | null {
  if (own === undefined) return null;
  const sum = (name: 'views' | 'clicks') => [...all.values()].reduce((total, one) => total + one[name], 0);
  const expected = (own.views * sum('clicks')) / Math.max(1, sum('views'));
  let [part, below] = [Math.exp(-expected), 0];
  for (let count = 0; count <= own.clicks; count++) {
    below += part;
    part *= expected / (count + 1);
  }
  if (below >= 0.01 || own.clicks > expected / 4) return null;
  const half = 1.3 * Math.sqrt(expected);
  const usual = `${formatNumber(expected - half)} to ${formatNumber(expected + half)} would be usual`;
  return `${formatNumber(own.views)} views, ${own.clicks === 1 ? '1 click' : `${formatNumber(own.clicks)} clicks`} in the last ${VERDICT_DAYS} days; ${usual}.`;
}
