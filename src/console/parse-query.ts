import { getLocalDay } from '../core/commissions/local-time.ts';
import { DEFAULT_PREFERENCES } from '../core/console/operator.ts';
import type { ConsoleSite } from './console-site.ts';
import { listCurrencies } from './figures/period-figures.ts';
import { parseConsoleQuery } from './figures/query.ts';

/**
 * Parses the parameters of an address; `problems` say what was not understood. Adds the currencies in which there are
 * commissions, the one with the most money first.
 */
export async function parseQuery(site: ConsoleSite, parameters: URLSearchParams) {
  const { commissions, settings, clock } = site;
  const firstDay = parameters.get('range') === 'all' ? await readFirstDay(site) : null;
  const { weekStart } = await readPreferences(site);
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  return {
    ...parseConsoleQuery(parameters, { today, firstDay, weekStart }),
    currencies: listCurrencies(await commissions.readEntries()),
  };
}

/** Reads what owners have chosen; the defaults while there is no operator. Rejects with `OperatorStoreError`. */
export async function readPreferences({ sessions, operators }: ConsoleSite) {
  return (await sessions.hasOperator()) ? operators.readPreferences() : DEFAULT_PREFERENCES;
}

/** Only the range of all time asks for it. */
async function readFirstDay({ commissions, clicks, settings, clock }: ConsoleSite): Promise<string> {
  const [entries, firstEvent] = await Promise.all([commissions.readEntries(), clicks.readFirstEventTime()]);
  const times = entries.map(({ commission, journey }) => journey?.clickTime ?? commission.eventTime);
  const first = times.reduce((one, other) => Math.min(one, other), firstEvent ?? clock.now());
  return getLocalDay(first, settings.TIME_ZONE);
}
