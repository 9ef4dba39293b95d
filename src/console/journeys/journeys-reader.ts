import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { yieldToEventLoop } from '../../server/commissions/yield-to-event-loop.ts';
import type { ClickReader } from '../../stores/clicks.ts';
import { buildFlow } from '../charts/build-flow.ts';
import type { LedgerReading } from '../commissions/commissions-reader.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';
import { listCurrencies } from '../figures/list-currencies.ts';
import { getPeriod, selectEntries } from '../figures/select-entries.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../view-reader.ts';
import { JourneyPaths } from './journey-paths.ts';
import { JOURNEY_MEASURES, type JourneyPath, type JourneysModel } from './journeys-model.ts';

export interface JourneysReaderOptions extends LedgerReading {
  /** Paths of the site's pages: journeys name pages without slashes. */
  readonly getPaths: () => readonly string[];
  readonly clicks: Pick<ClickReader, 'readClickPaths'>;
}

/** More clicks than these of a period are not read. */
const MAX_CLICKS = 10_000;
const MAX_PATHS = 12;
const ENTRIES_AT_ONCE = 1_000;

/** The paths from the page of entry to the click and the commission. */
export class JourneysReader implements ViewReader<JourneysModel> {
  readonly #options: JourneysReaderOptions;

  constructor(options: JourneysReaderOptions) {
    this.#options = options;
  }

  async read(request: ViewRequest): Promise<JourneysModel> {
    const { paths, measure, currency, isCut } = await this.#build(request);
    const key = request.parameters.get('path');
    const chosen = paths.find((path) => path.key === key) ?? null;
    const shown = chosen === null ? paths.slice(0, MAX_PATHS) : [chosen];
    const rest = chosen === null ? paths.slice(MAX_PATHS) : [];
    const sum = (field: 'clicks' | 'conversions' | 'amount') =>
      rest.reduce((total, path) => total + path[field], 0);
    const getWeight = (path: JourneyPath) => (measure === 'money' ? path.amount : path.clicks);
    return {
      measure,
      paths: shown,
      rest: {
        paths: rest.length,
        clicks: sum('clicks'),
        conversions: sum('conversions'),
        amount: sum('amount'),
      },
      chosen,
      flow: buildFlow(shown.map((path) => ({ key: path.key, steps: path.steps, weight: getWeight(path) }))),
      currency,
      isCut,
    };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { paths, currency } = await this.#build(request);
    return buildTable(paths, {
      path: ({ key }) => key,
      clicks: ({ clicks }) => clicks,
      conversions: ({ conversions }) => conversions,
      amount: ({ amount }) => formatDecimalAmount(amount, currency ?? 'USD'),
      currency: () => currency,
    });
  }

  async #build({ query, parameters }: ViewRequest) {
    const { readEntries, timeZone } = this.#options;
    const measure = JOURNEY_MEASURES.find((known) => known === parameters.get('by')) ?? 'money';
    const all = await readEntries();
    const selected = selectEntries(all, query, timeZone);
    const currency = query.currency ?? listCurrencies(all)[0] ?? null;
    const entries = selected.filter(({ commission }) => commission.currency === currency);
    const paths = new JourneyPaths(this.#options.getPaths());
    const isCut = await this.#addClicks(paths, entries, query);
    for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
      paths.addCommissions(entries.slice(start, start + ENTRIES_AT_ONCE));
      await yieldToEventLoop();
    }
    return { measure, currency, paths: paths.list(measure), isCut };
  }

  /**
   * Filters are about commissions: with one, only the paths of commissions that pass it are shown. Returns whether
   * older clicks are missing.
   */
  async #addClicks(
    paths: JourneyPaths,
    entries: readonly LedgerEntry[],
    query: ConsoleQuery,
  ): Promise<boolean> {
    if (query.filters.length > 0) return false;
    const period = getPeriod(query, this.#options.timeZone);
    const except = listNewestClicks(entries, MAX_CLICKS);
    const clicks = await this.#options.clicks.readClickPaths({ ...period, limit: MAX_CLICKS, except });
    paths.addClicks(clicks.paths);
    return clicks.isCut;
  }
}

/** Lists the clicks that commissions belong to; of more than the limit, no others can be among as many clicks. */
function listNewestClicks(entries: readonly LedgerEntry[], limit: number): readonly string[] {
  const journeys = entries.flatMap(({ journey, isCounted }) =>
    journey !== null && isCounted ? [journey] : [],
  );
  if (journeys.length > limit) journeys.sort((one, next) => next.clickTime - one.clickTime);
  return journeys.slice(0, limit).map(({ clickId }) => clickId);
}
