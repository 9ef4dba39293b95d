import { getLocalDay } from '../../core/commissions/local-time.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import type { PagePart } from '../../core/pages/page-outline.ts';
import { yieldToEventLoop } from '../../server/commissions/yield-to-event-loop.ts';
import type { ChartAnnotation } from '../charts/chart-annotation.ts';
import { buildBreakdownCells, getMaxEpc, getSort } from '../figures/breakdown-table.ts';
import { type BreakdownRow, sortBreakdown } from '../figures/build-breakdown.ts';
import { getBucketUnit, listBuckets } from '../figures/build-money-series.ts';
import { buildListPage, parseListPage, ROWS_PER_PAGE } from '../figures/list-page.ts';
import type { MoneyPeriod, PeriodReader } from '../figures/period-reader.ts';
import { readBreakdown } from '../figures/read-breakdown.ts';
import type { PlacementsReader } from '../placements/placements-reader.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../view-reader.ts';
import { buildPageCourse, type CourseDay, type CoursePoint } from './page-course.ts';
import {
  buildPageFlows,
  buildPageParts,
  type LeagueRow,
  type PageDetail,
  type PageRow,
  type PagesModel,
  sortByPart,
} from './pages-model.ts';

export interface PagesReaderOptions {
  readonly periods: PeriodReader;
  readonly placements: PlacementsReader;
  /** Titles of pages and articles by path. */
  readonly readTitles: () => ReadonlyMap<string, string>;
  /** The parts of a page from top to bottom; empty where they are not known. */
  readonly readOutline: (path: string) => readonly PagePart[];
  /** When a page was published and changed. */
  readonly readChanges: (path: string) => readonly ChartAnnotation[];
  readonly timeZone: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/** The league of pages, and one page when the filters leave one. */
export class PagesReader implements ViewReader<PagesModel> {
  readonly #options: PagesReaderOptions;

  constructor(options: PagesReaderOptions) {
    this.#options = options;
  }

  async read({ query, parameters }: Pick<ViewRequest, 'query' | 'parameters'>): Promise<PagesModel> {
    const period = await this.#options.periods.readPeriod(query);
    const { known, unknown, ...league } = await this.readLeague(period);
    await yieldToEventLoop();
    const { rows, ...list } = buildListPage([...known, ...unknown], parseListPage(parameters));
    const shown = await this.#addSeries(rows, period);
    const knownShown = Math.max(0, Math.min(rows.length, known.length - (list.page - 1) * ROWS_PER_PAGE));
    return {
      currency: period.currency,
      ...league,
      ...list,
      rows: shown.slice(0, knownShown),
      unknownRows: shown.slice(knownShown),
      unknownTotal: unknown.length,
      areClicksCounted: [...known, ...unknown].every(({ clicks }) => clicks !== null),
      detail: await this.#readDetail(period),
    };
  }

  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const period = await this.#options.periods.readPeriod(query);
    const { known, unknown } = await this.readLeague(period);
    return buildTable<LeagueRow>([...known, ...unknown], {
      page: ({ key }) => key,
      title: ({ title }) => title,
      ...buildBreakdownCells(period.currency),
    });
  }

  /** Reads all pages in their order: those that can be ranked, or all when nothing is ranked, and the others. */
  async readLeague(period: MoneyPeriod) {
    const breakdown = await readBreakdown(this.#options.periods, period, 'page');
    const titles = this.#options.readTitles();
    const sort = getSort(period.query, 'certain');
    const rows = sortBreakdown(breakdown, sort).map((row) => ({
      ...row,
      title: titles.get(row.key) ?? null,
    }));
    const isRanked = rows.some(({ ranked }) => ranked !== null);
    const isKnown = ({ ranked }: BreakdownRow) => !isRanked || ranked?.isKnown === true;
    const known = rows.filter(isKnown);
    const unknown = rows.filter((row) => !isKnown(row));
    return {
      known,
      unknown: sort.column === 'certain' ? unknown.sort(compareNeeds) : unknown,
      sort,
      isRanked,
      maxEpc: getMaxEpc(known),
    };
  }

  /** Adds the clicks by day, week or month. */
  async #addSeries(rows: readonly LeagueRow[], { query, counts }: MoneyPeriod): Promise<readonly PageRow[]> {
    const buckets = listBuckets(query, getBucketUnit(query));
    const series = await counts.readPageSeries(new Set(rows.map(({ key }) => key)), buckets);
    return rows.map((row) => ({ ...row, series: series.get(row.key) ?? [] }));
  }

  /** By click day alone: money by booking day does not belong to the clicks of the same days. */
  async #readCourse({ query, entries, curve }: MoneyPeriod, page: string): Promise<readonly CoursePoint[]> {
    const { periods, timeZone, now } = this.#options;
    const clicksByDay = query.clock === 'click' ? await periods.readClicksByDay(query) : null;
    if (clicksByDay === null) return [];
    const days = new Map(
      [...clicksByDay].map(
        ([day, clicks]) => [day, { clicks, conversions: 0, amount: 0 }] as [string, CourseDay],
      ),
    );
    for (const { journey, commission } of entries) {
      // Some credit models give a page money of clicks on another one.
      const isOwn = journey !== null && buildPageName(journey.page) === buildPageName(page);
      if (!isOwn || commission.amount === 0) continue;
      const day = getLocalDay(journey.clickTime, timeZone);
      const { clicks = 0, conversions = 0, amount = 0 } = days.get(day) ?? {};
      days.set(day, { clicks, conversions: conversions + 1, amount: amount + commission.amount });
    }
    return buildPageCourse({ query, days, curve, timeZone, now: now() });
  }

  async #readDetail(period: MoneyPeriod): Promise<PageDetail | null> {
    const pages = period.query.filters.filter(({ dimension }) => dimension === 'page');
    const [only] = pages;
    if (only === undefined || only.isNot || pages.length > 1) return null;
    const { placements, readTitles, readOutline, readChanges } = this.#options;
    const [rows, views, course] = await Promise.all([
      placements.readRows(period),
      period.counts.readCounts('page'),
      this.#readCourse(period, only.value),
    ]);
    const { from, to } = period.query;
    const outline = readOutline(only.value);
    return {
      page: only.value,
      title: readTitles().get(only.value) ?? null,
      placements: sortByPart(rows, outline),
      parts: buildPageParts(outline, rows, views?.get(only.value)?.views ?? null),
      course,
      annotations: readChanges(only.value).filter(({ day }) => day >= from && day <= to),
      ...buildPageFlows(period.entries, only.value),
    };
  }
}

function compareNeeds(one: BreakdownRow, other: BreakdownRow): number {
  const isSeen = (row: BreakdownRow) => Number((row.clicks ?? 0) > 0);
  return (
    isSeen(other) - isSeen(one) ||
    (one.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) -
      (other.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) ||
    (other.views ?? 0) - (one.views ?? 0)
  );
}
