import type { CreditPath } from '../../core/commissions/credit/credit.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import type { ClickPath } from '../../stores/clicks.ts';
import type { EntryScope } from '../../stores/commission-entries.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import { buildFlow } from '../charts/build-flow.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { BOOKED, CLICKS, CONVERSIONS, type Column, CURRENCY, column, PAYMENTS } from '../reports/columns.ts';
import { findVisits, selectJourneys } from '../reports/periods.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { buildCommissionRow, getPeriod, passesFilters } from '../reports/select-entries.ts';
import { listSitePages } from '../reports/site-pages.ts';

/** What the width of a path shows. */
export const JOURNEY_MEASURES = ['money', 'clicks'] as const;
export type JourneyMeasure = (typeof JOURNEY_MEASURES)[number];

/** A path that several visits took: the page of entry, the last pages before the click, and the partner. */
export interface JourneyPath {
  /** Identifies the path in an address. */
  readonly key: string;
  /** Pages, then the partner's key. `…` is for pages that are left out. */
  readonly steps: readonly string[];
  readonly clicks: number;
  readonly conversions: number;
  readonly payments: number;
  /** Approved, paid and pending commission in minor units. */
  readonly amount: number;
}

const MAX_PAGES = 4;
const SEPARATOR = ' > ';

type Visit = Pick<CreditPath, 'entryPage' | 'pages' | 'page' | 'partner'>;
type PathSums = { -readonly [Key in keyof JourneyPath]: JourneyPath[Key] };

/**
 * Sums clicks and commissions by the paths that led to them. Commissions and their clicks have the journey that was
 * stored with them; all other clicks have what their link carried. Add each once.
 */
class JourneyPaths {
  readonly #paths = new Map<string, PathSums>();
  /** The path of everything that was looked up, by pages and partner: most visits are like many others. */
  readonly #known = new Map<string, PathSums>();
  readonly #names = new Map<string, string>();
  readonly #sitePaths: ReadonlyMap<string, string>;

  /** `sitePaths` are the paths of the site's pages: journeys name pages without slashes. */
  constructor(sitePaths: readonly string[] = []) {
    this.#sitePaths = new Map(sitePaths.map((path) => [buildPageName(path), path]));
  }

  /** Adds clicks without those that commissions belong to. */
  addClicks(paths: readonly ClickPath[]): void {
    // A link carries pages by their names, and its own page last.
    for (const path of paths)
      this.#find({ ...path, pages: [...path.pages, path.page] }).clicks += path.clicks;
  }

  addCommissions(cells: readonly CommissionCell[]): void {
    for (const { path: visit, state, status, count, amount } of cells) {
      if (visit === null) continue;
      const path = this.#find(visit);
      if (state === STATES.conversion) path.conversions += count;
      if (state === STATES.payment) path.payments += count;
      if (status !== 'unknown') path.amount += amount;
    }
  }

  /** Adds the clicks of commissions, which show that there were some: events of old clicks may be removed already. */
  addVisits(visits: readonly { readonly path: CreditPath | null; readonly clicks: number }[]): void {
    for (const { path, clicks } of visits) if (path !== null) this.#find(path).clicks += clicks;
  }

  getKey(visit: CreditPath): string {
    return this.#find(visit).key;
  }

  /** Lists the paths, those with the most of the measure first. */
  list(measure: JourneyMeasure): readonly JourneyPath[] {
    const other = measure === 'money' ? 'clicks' : 'amount';
    const own = measure === 'money' ? 'amount' : 'clicks';
    return [...this.#paths.values()].sort(
      (one, next) => next[own] - one[own] || next[other] - one[other] || (one.key < next.key ? -1 : 1),
    );
  }

  #find(visit: Visit): PathSums {
    const { entryPage, pages, page, partner } = visit;
    const text = JSON.stringify([entryPage, pages, page, partner]);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const steps = this.#buildSteps(visit);
    const key = steps.join(SEPARATOR);
    const path = this.#paths.get(key) ?? { key, steps, clicks: 0, conversions: 0, payments: 0, amount: 0 };
    this.#paths.set(key, path);
    this.#known.set(text, path);
    return path;
  }

  /** At most four pages, of which the first one and the last ones stay, and the partner. */
  #buildSteps({ entryPage, pages, page, partner }: Visit): readonly string[] {
    const names = [entryPage, ...pages, page]
      .filter((name) => name !== '')
      .map((name) => this.#getName(name));
    const last = names.at(-1) ?? 'home';
    const seen = [...new Set(names.slice(0, -1))].filter((name) => name !== last);
    const all = [...seen, last];
    const shown = all.length <= MAX_PAGES ? all : [all[0] ?? '', '…', ...all.slice(-(MAX_PAGES - 2))];
    return [...shown, partner].map((step) => this.#sitePaths.get(step) ?? step);
  }

  #getName(page: string): string {
    const name = this.#names.get(page) ?? buildPageName(page);
    this.#names.set(page, name);
    return name;
  }
}

/** More clicks than these of a period are not read. */
const MAX_CLICKS = 10_000;
const MAX_PATHS = 12;

type PathRow = JourneyPath & { readonly currency: string | null };

export const PATH_COLUMNS: readonly Column<PathRow>[] = [
  column('path', 'Path', ({ key }) => key),
  CLICKS,
  CONVERSIONS,
  PAYMENTS,
  BOOKED,
  CURRENCY,
];

/** Reads the paths from the page of entry to the click and the commission. */
export async function readJourneys(site: ConsoleSite, request: ViewRequest) {
  const { rows: paths, measure, currency, isCut, listCommissions } = await readAllJourneys(site, request);
  const key = request.parameters.get('path');
  const chosen = paths.find((path) => path.key === key) ?? null;
  const shown = chosen === null ? paths.slice(0, MAX_PATHS) : [chosen];
  const rest = chosen === null ? paths.slice(MAX_PATHS) : [];
  const sum = (field: 'clicks' | 'conversions' | 'payments' | 'amount') =>
    rest.reduce((total, path) => total + path[field], 0);
  const getWeight = (path: JourneyPath) => (measure === 'money' ? path.amount : path.clicks);
  return {
    measure,
    /** The paths with the most of the measure. */
    paths: shown,
    /** How many other paths there are, and what they sum to. */
    rest: {
      paths: rest.length,
      clicks: sum('clicks'),
      conversions: sum('conversions'),
      payments: sum('payments'),
      amount: sum('amount'),
    },
    /** The path that is chosen as a filter; null without one. */
    chosen,
    /** The commissions of the chosen path, newest booking first; empty behind a share link. */
    commissions: chosen === null || request.viewer.kind === 'share' ? [] : await listCommissions(chosen.key),
    flow: buildFlow(shown.map((path) => ({ key: path.key, steps: path.steps, weight: getWeight(path) }))),
    /** Null without any money. */
    currency,
    /** Whether older clicks of the period were left out because there are too many. */
    isCut,
  };
}

/** Reads every path, those with the most of the measure first. */
export async function readAllJourneys(site: ConsoleSite, { query: asked, parameters }: ViewRequest) {
  const measure = JOURNEY_MEASURES.find((known) => known === parameters.get('by')) ?? 'money';
  const { periods } = site;
  const query = await selectKnown(site, asked);
  const { cells, currency, isConverted } = await periods.readCells(query);
  const scope = { ...(await periods.readScope(query)), currency: isConverted ? null : currency };
  const paths = new JourneyPaths(listSitePages(site).map(({ path }) => path));
  const isCut = await addClicks(site, paths, scope, query);
  paths.addVisits(await readVisits(site, query, cells, scope));
  paths.addCommissions(cells.filter((cell) => cell.currency === currency));
  return {
    measure,
    currency,
    isCut,
    async listCommissions(key: string) {
      const shown = await periods.findPaths(query, (path) => paths.getKey(path) === key);
      const entries = await periods.readEntries(query, { isCounted: true, paths: shown });
      return entries
        .filter(({ commission }) => commission.currency === currency)
        .map(buildCommissionRow)
        .sort((one, other) => other.bookedAt - one.bookedAt);
    },
    rows: paths.list(measure).map((path): PathRow => ({ ...path, currency })),
  };
}

/** The query for visits with journey, where there are others: of those, the pages in between are not known. */
async function selectKnown({ periods, money }: ConsoleSite, query: ConsoleQuery): Promise<ConsoleQuery> {
  const { cells } = await periods.readCells(query);
  const { clicks } = await money.rollups.readShares(query);
  return clicks.without > 0 || cells.some(({ path }) => path?.isFree) ? selectJourneys(query) : query;
}

/**
 * Counts the clicks of commissions by path. Sums have each click with its first commission, which a status or a partner may not
 * have.
 */
async function readVisits(
  { money: { commissions } }: ConsoleSite,
  { filters, clock, model }: ConsoleQuery,
  cells: readonly CommissionCell[],
  scope: EntryScope,
) {
  if (filters.some(({ dimension }) => dimension === 'partner' || dimension === 'status'))
    return commissions.table.countClicks(scope);
  const own = cells.filter((cell) => scope.currency === null || cell.currency === scope.currency);
  if (clock === 'click' || scope.days === undefined) return own;
  const earlier = await commissions.table.readEarlierClicks(scope.days, scope.currency ?? null);
  return [
    ...own,
    ...earlier.filter((one) => passesFilters({ ...one, status: 'unknown' }, { filters, model })),
  ];
}

/**
 * Filters are about commissions: with one, only the paths of commissions that pass it are shown. Returns whether older ones are
 * missing.
 */
async function addClicks(
  { settings, money: { clicks, commissions } }: ConsoleSite,
  paths: JourneyPaths,
  scope: EntryScope,
  query: ConsoleQuery,
): Promise<boolean> {
  if (query.filters.some(({ dimension }) => dimension !== 'journey')) return false;
  const visits = findVisits(query);
  const newest = { ...getPeriod(query, settings.TIME_ZONE), limit: MAX_CLICKS, visits };
  const since = await clicks.findOldestTime(newest);
  const except = since === null ? [] : await commissions.table.readClickIds(scope, since);
  const read = await clicks.readClickPaths({ ...newest, except });
  paths.addClicks(read.paths);
  return read.isCut;
}
