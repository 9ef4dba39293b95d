import { getLocalDay, nameDay } from '../core/commissions/local-time.ts';
import { DEFAULT_PREFERENCES } from '../core/console/operator.ts';
import type { ConsoleSite } from './console-site.ts';
import { parseConsoleQuery } from './reports/query.ts';
import type { DayRange } from './reports/range.ts';

/**
 * Parses the parameters of an address; `problems` say what was not understood. Adds the currencies in which there are
 * commissions, the one with the most money first.
 */
export async function parseQuery(site: ConsoleSite, parameters: URLSearchParams) {
  const { periods, settings, clock } = site;
  const allTime = parameters.get('range') === 'all' ? await readAllTime(site) : null;
  const { weekStart } = await readPreferences(site);
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  return {
    ...parseConsoleQuery(parameters, { today, allTime, weekStart }),
    currencies: await periods.readCurrencies(),
  };
}

/** Reads what was chosen in the settings; the defaults while there is no operator. Rejects with `OperatorStoreError`. */
export async function readPreferences({ sessions, operators: { accounts: operators } }: ConsoleSite) {
  return (await sessions.hasOperator()) ? operators.readPreferences() : DEFAULT_PREFERENCES;
}

/** Only the range of all time asks for it: every click and every booking, whichever of them a view counts by. */
async function readAllTime({
  settings,
  clock,
  money: { commissions, clicks },
}: ConsoleSite): Promise<DayRange> {
  const [times, firstEvent] = await Promise.all([
    commissions.table.readTimes(false),
    clicks.readFirstEventTime(),
  ]);
  const now = clock.now();
  const days = [...times.click, ...times.booking].flatMap((day) => (day === null ? [] : [nameDay(day)]));
  const own = [Math.min(now, firstEvent ?? now), now].map((time) => getLocalDay(time, settings.TIME_ZONE));
  const sorted = [...days, ...own].sort();
  return { from: sorted[0] ?? '', to: sorted.at(-1) ?? '' };
}
