import { buildJourney } from '../../core/commissions/build-journey.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { buildFlow } from '../../core/console/build-flow.ts';
import { sumCommissions } from '../../core/console/commissions-model.ts';
import {
  buildPaths,
  JOURNEY_MEASURES,
  type JourneyPath,
  type JourneysModel,
} from '../../core/console/journeys-model.ts';
import { getPeriod, selectEntries } from '../../core/console/select-entries.ts';
import type { ClickReader } from '../../core/events/click-reader.ts';
import type { LedgerReading } from './commissions-reader.ts';
import type { ExportTable, ViewReader, ViewRequest } from './view-reader.ts';

export interface JourneysReaderOptions extends LedgerReading {
  /** Paths of the site's pages: journeys name pages without slashes. */
  readonly getPaths: () => readonly string[];
  readonly clicks: ClickReader;
}

/** More clicks than these of a period are not read. */
const MAX_CLICKS = 10_000;
const MAX_PATHS = 12;

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
      partners: Object.fromEntries(this.#options.partnerNames),
    };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { paths, currency } = await this.#build(request);
    return {
      columns: ['path', 'clicks', 'conversions', 'amount', 'currency'],
      rows: paths.map(({ key, clicks, conversions, amount }) => [
        key,
        clicks,
        conversions,
        formatDecimalAmount(amount, currency ?? 'USD'),
        currency,
      ]),
    };
  }

  async #build({ query, parameters }: ViewRequest) {
    const { readEntries, timeZone, clicks } = this.#options;
    const measure = JOURNEY_MEASURES.find((known) => known === parameters.get('by')) ?? 'money';
    const [all, events] = await Promise.all([
      readEntries(),
      clicks.readClicks({ ...getPeriod(query, timeZone), limit: MAX_CLICKS }),
    ]);
    const selected = selectEntries(all, query, timeZone);
    const currency = query.currency ?? sumCommissions(selected)[0]?.currency ?? null;
    // Filters are about commissions: with one, only the paths of commissions that pass it are shown.
    const journeys = query.filters.length > 0 ? [] : events.map((event) => buildJourney(event, []));
    const entries = selected.filter(({ commission }) => commission.currency === currency);
    return {
      measure,
      currency,
      paths: buildPaths(entries, journeys, measure, this.#options.getPaths()),
      isCut: events.length >= MAX_CLICKS,
    };
  }
}
