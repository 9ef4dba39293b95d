import { buildConsoleAddress } from '../../src/console/reports/addresses.ts';
import { CONSOLE_DOORS, CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';

/** Every view and tab of the console, and the pages of one page, source, commission, partner, new partner and way to count. */
export const CONSOLE_VIEW_PATHS: readonly string[] = [
  ...CONSOLE_VIEWS.map(({ key }) => buildConsoleAddress(key)),
  ...CONSOLE_DOORS.flatMap(({ tabs }) => tabs)
    .filter(({ rest }) => rest !== undefined)
    .map(({ view, rest = '' }) => buildConsoleAddress(view, {}, { rest: [rest] })),
  '/console/pages?page=%2Froi-calculator',
  '/console/sources?source=unknown',
  '/console/commissions/highlevel/c-0',
  '/console/partners?partner=highlevel&show=highlevel',
  '/console/content/new?kind=partner&network=awin',
];

/** The views with a range and filters. */
export const PERIOD_VIEW_PATHS: readonly string[] = CONSOLE_VIEWS.filter(({ hasPeriod }) => hasPeriod).map(
  ({ key }) => buildConsoleAddress(key),
);
