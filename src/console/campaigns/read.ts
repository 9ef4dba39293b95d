import { listCostDays } from '../../core/commissions/cost/campaign-cost.ts';
import { isYoung } from '../../core/commissions/earned.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import { buildInputs, sumSite } from '../../core/commissions/ranges/build-ranking.ts';
import { getCustomerSize, predictComing } from '../../core/commissions/ranges/rank-by-earnings.ts';
import {
  buildEnd,
  type CampaignEnd,
  ENOUGH_CUSTOMERS,
  judge,
  type VerdictWord,
} from '../../core/commissions/ranges/verdict.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { Task } from '../../core/console/task.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { convertDated } from '../reports/cash.ts';
import { type Column, column, formatAmountCell } from '../reports/columns.ts';
import {
  buildEarnedColumns,
  type Earned,
  type EarnedRow,
  type EarnedTable,
  readEarned,
  sortEarned,
  sumRows,
} from '../reports/earned.ts';
import { formatCount, formatDay, formatMoney, formatShortMoney, nameMonth } from '../reports/format.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';
import { addMonths, buildPresetRange, countDays } from '../reports/range.ts';

/** A campaign with a cost. Amounts: minor units of the currency of the totals. */
export interface JudgedRow extends EarnedRow {
  readonly cost: number;
  /** Earned less cost, and where it is in 8 of 10 cases 12 months after the clicks; null where that is not known. */
  readonly left: number;
  /** Currencies of costs and money that have no rate: they are in neither. */
  readonly missing: readonly string[];
  readonly end: CampaignEnd['left'] | null;
  /** Null where the range is too short for one. */
  readonly verdict: Verdict | null;
}

/** The columns of every campaign, and those of the campaigns with a cost. */
export const CAMPAIGN_COLUMNS = buildEarnedColumns('Campaign', 'Visits').filter(({ key }) => key !== 'click');
const amount = (key: 'left' | 'earned' | 'cost', name: string): Column<JudgedRow> =>
  column(key, name, (row) => formatAmountCell(row[key], row.currency), {
    isNumeric: true,
    figure: (row) => row[key],
    format: 'money',
    currency: ({ currency }) => currency,
  });
export const JUDGED_COLUMNS: readonly Column<JudgedRow>[] = [
  column('name', 'Campaign', ({ key }) => key),
  { ...amount('left', 'Earned less cost'), onPhone: 'lead' },
  amount('earned', 'Earned'),
  amount('cost', 'Cost'),
  column('visits', 'Visits', ({ views }) => views, {
    isNumeric: true,
    format: 'count',
    figure: (row) => row.views,
  }),
  column('customers', 'Customers', ({ customers }) => customers, {
    isNumeric: true,
    format: 'count',
    figure: ({ customers }) => customers,
  }),
];

/** What costs are read from: the command has no more. */
type CostSite = Pick<ConsoleSite, 'periods'> & { readonly money: Pick<ConsoleSite['money'], 'costs'> };

/** What each campaign cost in a range: in the currency of the totals, and in currencies that have no rate into it. */
export async function readCosts(
  site: CostSite,
  { from, to }: { from: string; to: string },
  currency: string,
) {
  const sums = await site.money.costs.readSummed(from, to);
  // The sum of several days has no rate.
  const isSummed = sums.every((row) => row.currency === currency);
  const rows = isSummed ? sums : await site.money.costs.read(from, to);
  const days = rows.flatMap(({ campaign, ...row }) =>
    listCostDays(row, { from, to }).map((day) => ({ ...day, campaign, currency: row.currency })),
  );
  const converted = isSummed ? days : await convertDated(site, days);
  const costs = new Map<string, { cost: number; missing: string[]; first: string; last: string }>();
  for (const { campaign, amount: cost, currency: code } of converted) {
    const own = costs.get(campaign) ?? { cost: 0, missing: [], first: '9', last: '' };
    costs.set(campaign, own);
    if (code === currency) own.cost += cost;
    else if (!own.missing.includes(code)) own.missing.push(code);
  }
  for (const { campaign, first, period } of sums) {
    const own = costs.get(campaign);
    if (own === undefined) continue;
    if (first < own.first) own.first = first;
    const end = period.length === 7 ? addDays(addMonths(`${period}-01`, 1), -1) : period;
    if (end > own.last) own.last = end;
  }
  return costs;
}

/** Reads the campaigns with a cost, judged over the range of a query where it is long enough. */
async function readJudged(site: ConsoleSite, table: EarnedTable) {
  const { period, currency } = table;
  const { query } = period;
  const costs = await readCosts(site, query, currency);
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const [to = today] = [query.to, today].sort();
  const year = buildPresetRange('12mo', { today, allTime: null, weekStart: 'monday' });
  const isLong = year !== null && query.from <= year.from && query.to >= addDays(today, -1);
  const before = isLong
    ? new Set<string>()
    : new Set(
        (await site.money.costs.readSummed('2000-01-01', addDays(query.from, -1))).map((row) => row.campaign),
      );
  const isJudged = (campaign: string) =>
    !isYoung(table.arrived) && (isLong || (query.to >= addDays(today, -1) && !before.has(campaign)));
  const findEnd = await readEnds(site, table, new Set(costs.keys()));
  const recent = await site.money.rollups.readByKey({ dimension: 'campaign', from: addDays(to, -2), to });
  const visited = new Set(
    recent.flatMap(({ key, sessions }) => (sessions > 0 ? [key.slice(0, 3).join(' / ')] : [])),
  );
  const known = new Map(table.rows.map((row) => [row.key, row]));
  // What ids of a network brought has no campaign, and may be of any.
  const { byLabel, noClick } = table;
  const doubtLoss = (verdict: Verdict, left: number) =>
    isLosing({ verdict }) && (left + byLabel.earned >= 0 || byLabel.others.length > 0)
      ? say(
          'none',
          'No verdict:',
          `${formatShortMoney(byLabel.earned, currency)} by ids of networks may be of it.`,
        )
      : verdict;
  const rows = [...costs].map(([campaign, { cost, missing, first, last }]): JudgedRow => {
    const row = known.get(campaign) ?? { ...sumRows([], currency), key: campaign, views: 0, clicks: 0 };
    const found = findEnd(campaign, cost);
    const open = [...new Set([...missing, ...row.others.map((other) => other.currency)])];
    const isMissing = last < addDays(to, -2) && last >= addDays(to, -28) && visited.has(campaign);
    const facts = {
      row,
      cost,
      found,
      noClick,
      today,
      days: countDays([first, query.from].sort().at(-1) ?? to, to),
    };
    const verdict = !isJudged(campaign)
      ? null
      : open.length > 0
        ? say('none', 'No verdict.', `Set a rate for ${open[0]}.`)
        : isMissing
          ? say(
              'none',
              'No verdict:',
              `costs are missing since ${formatDay(addDays(last, 1), today)}.`,
              'Add costs',
            )
          : doubtLoss(explain(facts), row.earned - cost);
    const end = verdict === null || open.length > 0 ? null : (found?.end?.left ?? null);
    return { ...row, cost, left: row.earned - cost, missing: open, end, verdict };
  });
  return rows.sort(compareJudged);
}

type Ends = Awaited<ReturnType<typeof readEnds>>;

/** Finds where campaigns end up, and how many customers their clicks would have brought by now. */
async function readEnds({ periods, clock }: ConsoleSite, table: EarnedTable, keys: ReadonlySet<string>) {
  const { period } = table;
  const { counts, selection, curve, query } = period;
  const earned = selection.getEarnings('campaign', query.model);
  const [clicks, weeks, site] = await Promise.all([
    counts.readMatureClicks('campaign'),
    counts.readWeeks('campaign', keys),
    periods.readSite(period, 'campaign'),
  ]);
  const inputs = new Map(buildInputs(clicks, earned).map((input) => [input.key, input]));
  const all = sumSite(clicks, earned);
  return (campaign: string, cost: number) => {
    const own = inputs.get(campaign);
    if (own === undefined) return null;
    const coming = predictComing(own, site, weeks.get(campaign) ?? [], { curve, now: clock.now() });
    const size = getCustomerSize(own, site);
    const arrived = own.clicks === 0 ? 0 : own.matureClicks / own.clicks;
    const byRate = (all.conversions / Math.max(1, all.matureClicks)) * own.matureClicks;
    const byCost = size > 0 ? (cost * arrived) / size : 0;
    return {
      end: coming === null ? null : buildEnd(coming, own.amount, own.undecided, cost),
      expected: Math.max(byRate, byCost),
    };
  };
}

/** `lead`: `It loses.`; `text`: `Each $1 has brought 53 cents.`; `advice`: what to do, empty where there is nothing. */
const say = (word: VerdictWord | 'none', lead: string, text: string, advice = '') =>
  ({ word, lead, text, advice }) as const;
/** What is said of a campaign over a range. */
type Verdict = ReturnType<typeof say>;

/** Beyond as many days, waiting is no plan. */
const MAX_WAIT_DAYS = 180;

interface Facts {
  readonly row: EarnedRow;
  readonly cost: number;
  readonly found: ReturnType<Ends>;
  /** Money without a known click, some of which may be of the campaign. */
  readonly noClick: Earned;
  readonly today: string;
  /** Since its first cost in the range. */
  readonly days: number;
}

/** What is said of a campaign, by the table of words. */
function explain({ row, cost, found, noClick, today, days }: Facts): Verdict {
  const { currency, customers, earned, views } = row;
  if (cost <= 0) return say('none', 'It cost nothing.', '');
  const end = found?.end ?? null;
  const expected = found?.expected ?? 0;
  const word = end === null ? 'early' : judge(end, { seen: customers, expected });
  const unknown =
    noClick.earned > 0 ? `, without ${formatShortMoney(noClick.earned, currency)} of no known click` : '';
  const each = `Each ${formatShortMoney(100, currency)} has brought ${formatPart(earned / cost, currency)}${unknown}.`;
  switch (word) {
    case 'loses':
      return say(word, 'It loses.', each, 'Stop it');
    case 'probably-loses':
      return say(word, 'It probably loses.', each, 'Bid less');
    case 'probably-earns':
      return say(word, 'It probably earns.', each);
    case 'earns': {
      const most = views === null || views === 0 || end === null ? null : (end.left.low + cost) / views;
      const advice = most === null ? '' : `Pay up to ${formatMoney(Math.floor(most), currency)} a visit`;
      return say(word, 'It earns.', `${formatCount(customers, 'customer')} in the range.`, advice);
    }
    case 'open': {
      const { low, mean, high } = end?.left ?? { low: 0, mean: 0, high: 0 };
      const half = (high - low) / 2;
      const wait = mean === 0 ? MAX_WAIT_DAYS + 1 : days * ((half / Math.abs(mean)) ** 2 - 1);
      const text =
        wait > MAX_WAIT_DAYS
          ? 'More clicks would settle it.'
          : `At this pace, ${nameMonth(addDays(today, Math.max(1, Math.round(wait))))} decides.`;
      return say(word, 'It may earn or lose.', text);
    }
    default: {
      const daily = expected / Math.max(1, days);
      const wait = daily === 0 ? MAX_WAIT_DAYS + 1 : (ENOUGH_CUSTOMERS - expected) / daily;
      if (wait > MAX_WAIT_DAYS || wait <= 0)
        return say('early', 'Too early.', 'Judge it together with others.');
      const more = formatShortMoney(Math.round((cost / Math.max(1, days)) * wait), currency);
      const day = formatDay(addDays(today, Math.ceil(wait)), today);
      return say('early', 'Too early.', `About ${day}. Until then it costs about ${more}.`);
    }
  }
}

/** What a unit of a currency has brought: `53 cents`, `$2.10`. */
function formatPart(part: number, currency: string): string {
  if (currency === 'USD' && part < 1) return formatCount(Math.round(part * 100), 'cent');
  return formatMoney(Math.round(part * 100), currency);
}

/** Those that lose first, then what leaves most. */
function compareJudged(one: JudgedRow, other: JudgedRow): number {
  const rank = ({ verdict }: JudgedRow) => {
    const place = ['loses', 'probably-loses'].indexOf(verdict?.word ?? '');
    return place < 0 ? 2 : place;
  };
  const loss = rank(one) < 2 ? one.left - other.left : other.left - one.left;
  return rank(one) - rank(other) || loss || (one.key < other.key ? -1 : 1);
}

/** Whether a campaign is said to lose. */
export const isLosing = ({ verdict }: Pick<JudgedRow, 'verdict'>) =>
  verdict?.word === 'loses' || verdict?.word === 'probably-loses';

const MAX_PROPOSED = 200;

/** Reads the campaigns that cost money with their verdicts, and all campaigns. */
export async function readCampaigns(site: ConsoleSite, { query, viewer }: ViewRequest) {
  const table = await readEarned(site.periods, query, 'campaign');
  // Costs are of all sites together.
  const hasCosts = query.filters.every(({ dimension }) => dimension !== 'site');
  const judged = hasCosts ? await readJudged(site, table) : [];
  const withCost = new Set(judged.map(({ key }) => key));
  const { rows, sort } = sortEarned(
    table.rows.filter(({ key }) => !withCost.has(key)),
    CAMPAIGN_COLUMNS,
    query.sort,
  );
  const sum = sumRows(judged, table.currency);
  const cost = judged.reduce((all, row) => all + row.cost, 0);
  const missing = [...new Set(judged.flatMap((row) => row.missing))];
  return {
    ...table,
    sort,
    hasCosts,
    judged,
    /** All with a cost together. */
    sum: {
      ...sum,
      key: 'sum',
      cost,
      left: sum.earned - cost,
      missing,
      end: null,
      verdict: null,
    } satisfies JudgedRow,
    /** Those without a known cost, with money or visits. */
    rows: rows.filter((row) => row.earned !== 0 || (row.views ?? 0) > 0),
    canChange: isAllowed(viewer, 'manage'),
    /** What the form for a cost proposes, and what was spent beyond ads. */
    names: table.rows.slice(0, MAX_PROPOSED).map(({ key }) => key),
    expenses: isAllowed(viewer, 'manage') ? await site.money.costs.readExpenses() : [],
    isYoung: isYoung(table.arrived),
  };
}

/** Reads every campaign in the order of a query, for its table. */
export async function readCampaignTable(
  site: ConsoleSite,
  { query }: { readonly query: ViewRequest['query'] },
) {
  const { rows } = await readEarned(site.periods, query, 'campaign');
  return { rows: sortEarned(rows, CAMPAIGN_COLUMNS, query.sort).rows };
}

/** For as long as alerts count, half a minute or until a form was handled. */
const memory = new SharedReads<object, readonly JudgedRow[]>(new WeakMap());

const TASK_DAYS = 28;

/** Lists campaigns that lose money over 12 months as tasks of the operator. */
export async function readCampaignTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const range = buildPresetRange('12mo', { today, allTime: null, weekStart: 'monday' });
  if (range === null) return [];
  const rows = await memory.read(await site.readAlerts(), site.platform.sharesWork, async () =>
    readJudged(
      site,
      await readEarned(site.periods, { ...DEFAULT_QUERY, ...range, range: '12mo' }, 'campaign'),
    ),
  );
  const losing = rows.filter(isLosing);
  if (losing.length === 0) return [];
  const lately = await readCosts(
    site,
    { from: addDays(today, 1 - TASK_DAYS), to: today },
    losing[0]?.currency ?? '',
  );
  return losing.flatMap(({ key, left, verdict, currency }) => {
    const cost = lately.get(key)?.cost ?? 0;
    if (cost <= 0) return [];
    const [does, advice] =
      verdict?.word === 'loses' ? ['loses', 'Stop it, or bid less'] : ['probably loses', 'Bid less'];
    const lost = formatShortMoney(Math.abs(left), currency);
    return [
      {
        key: `campaign:${key}`,
        kind: 'campaign',
        text: `${key} ${does}: ${lost} in 12 months. ${advice}.`,
        detail: `${verdict?.text} It cost ${formatMoney(cost, currency)} in the last ${TASK_DAYS} days.`,
        amount: cost,
        currency,
        href: buildConsoleAddress('campaigns'),
      },
    ];
  });
}
