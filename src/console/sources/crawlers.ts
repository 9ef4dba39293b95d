import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { type CrawlerRequests, getCrawler } from '../../core/events/crawlers.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import type { Channel } from '../../core/events/visit-source.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { MoneyPeriod } from '../reports/periods.ts';
import type { ConsoleDimension } from '../reports/query.ts';

/** What agents have requested in a period. */
type Crawlers = Awaited<ReturnType<typeof readCrawlers>>;
/** What one agent has requested. */
export type CrawlerRow = Crawlers['agents'][number];
/** A page that agents have requested, beside the visitors and the money of the assistants of the same products. */
export type CrawledPage = Crawlers['pages'][number];

const CHANNEL: Channel = 'AI assistant';
const ASSISTANT = `${CHANNEL} / `;
const MAX_CRAWLED_PAGES = 20;

/**
 * Reads what agents have requested in a period. Filters by one page and by one source apply, the latter to the agents of
 * the same product; others are about visitors. Rejects with `EventStoreError`.
 */
export async function readCrawlers(site: ConsoleSite, period: MoneyPeriod) {
  const { from, to, filters } = period.query;
  const find = (name: ConsoleDimension) =>
    filters.find(({ dimension, isNot }) => dimension === name && !isNot)?.value;
  const [page, source] = [find('page'), find('source')];
  const all = await site.visitors.crawlerRequests.readByPage({ from, to, page });
  const counts = source === undefined ? all : all.filter(({ agent }) => getCrawler(agent)?.source === source);
  const pages = buildCrawledPages(counts, period.selection.cells);
  const shown = pages.slice(0, MAX_CRAWLED_PAGES);
  const visits = await readEntries(site, shown, { from, to });
  return {
    agents: buildCrawlerRows(counts, (crawler) => site.visitors.crawlerRanges.has(crawler)),
    pages: shown.map((row) => {
      const assistants = row.assistants
        .map((name) => ({ name, visits: visits.get(`${row.page} ${name}`) ?? 0 }))
        .sort((one, other) => other.visits - one.visits);
      // The visits came from them and began on the page.
      return { ...row, assistants };
    }),
    pageCount: pages.length,
  };
}

/** Reads the visits that assistants sent to pages that their agents have read, by path and name. */
async function readEntries(
  { money: { rollups } }: ConsoleSite,
  pages: readonly { readonly page: string; readonly assistants: readonly string[] }[],
  range: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, number>> {
  // The partner of a visit that began is empty.
  const keys = pages.flatMap(({ page, assistants }) => assistants.map((name) => [CHANNEL, name, page, '']));
  if (keys.length === 0) return new Map();
  const arrivals = await rollups.readByKey({ dimension: 'arrival', ...range, keys });
  return new Map(
    arrivals.map(({ key: [, name = '', page = ''], sessions }) => [`${page} ${name}`, sessions]),
  );
}

/** Sums the requests of each agent, most first. */
export function buildCrawlerRows(
  counts: readonly CrawlerRequests[],
  hasRanges: (crawler: { readonly ranges: string | null }) => boolean,
) {
  const rows = [...Map.groupBy(counts, ({ agent }) => agent)].flatMap(([agent, own]) => {
    const crawler = getCrawler(agent);
    if (crawler === null) return [];
    const { operator, kind } = crawler;
    const requests = own.reduce((sum, count) => sum + count.requests, 0);
    const verified = own.reduce((sum, count) => sum + count.verified, 0);
    const lastDay =
      own
        .map(({ day }) => day)
        .sort()
        .at(-1) ?? '';
    const isKnown = verified > 0 || hasRanges(crawler);
    return [
      {
        agent,
        operator,
        kind,
        requests,
        /** How many came from addresses that the operator of the agent has published; null while they are not known. */
        verified: isKnown ? verified : null,
        /** How many pages it has requested. */
        pages: own.length,
        /** The day of its newest request, `YYYY-MM-DD`. */
        lastDay,
      },
    ];
  });
  return rows.sort((one, other) => other.requests - one.requests);
}

/** Builds the pages with the names of their assistants, those with the most requests first. */
export function buildCrawledPages(counts: readonly CrawlerRequests[], cells: readonly CommissionCell[]) {
  const money = sumByEntry(cells);
  const pages = [...Map.groupBy(counts, ({ page }) => page)].map(([page, own]) => {
    const sources = [...new Set(own.map(({ agent }) => getCrawler(agent)?.source ?? ''))].filter((source) =>
      source.startsWith(ASSISTANT),
    );
    const earned = sources.map((source) => money.get(`${buildPageName(page)} ${source}`));
    const sum = (numbers: readonly (number | undefined)[]) =>
      numbers.reduce<number>((total, count = 0) => total + count, 0);
    return {
      /** Path; `(other)` for pages beyond the number that is counted. */
      page,
      /** Most requests first. */
      agents: own.map(({ agent, requests }) => ({ agent, requests })).sort(byRequests),
      requests: sum(own.map(({ requests }) => requests)),
      /** Those whose agents have requested the page. */
      assistants: sources.map((source) => source.slice(ASSISTANT.length)).sort(),
      /** Commissions of their visits, and what they are worth: approved, paid and pending, in minor units. */
      conversions: sum(earned.map((entry) => entry?.conversions)),
      amount: sum(earned.map((entry) => entry?.amount)),
    };
  });
  return pages.sort(byRequests);
}

const byRequests = (one: { readonly requests: number }, other: { readonly requests: number }) =>
  other.requests - one.requests;

const BOOKED: readonly CommissionStatus[] = ['pending', 'approved', 'paid'];

/** Sums the money of the visits that began on each page, by page name and last source. */
function sumByEntry(cells: readonly CommissionCell[]) {
  const sums = new Map<string, { conversions: number; amount: number }>();
  for (const { path, status, amount, count, state } of cells) {
    const source = path?.sources.at(-1);
    if (path === null || source === undefined || !BOOKED.includes(status)) continue;
    const key = `${buildPageName(path.entryPage || path.page)} ${source}`;
    const sum = sums.get(key) ?? { conversions: 0, amount: 0 };
    sums.set(key, sum);
    sum.amount += amount;
    if (state === STATES.conversion) sum.conversions += count;
  }
  return sums;
}
