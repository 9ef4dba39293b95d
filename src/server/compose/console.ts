import type { Clock } from '../../core/clock.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { parseConsoleQuery } from '../../core/console/parse-console-query.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Config } from '../config.ts';
import { type ConsoleApp, createConsoleApp } from '../console/console-app.ts';
import { ConsoleViews } from '../console/console-views.ts';
import { SettingsReader } from '../console/settings-reader.ts';

/** The console in the process of the site. */
export interface Console {
  readonly app: ConsoleApp;
}

/** Creates the console: who may use it, and the reader of every view. */
export function createConsole(options: {
  readonly config: Config;
  readonly content: Pick<Content, 'site'>;
  readonly clock: Clock;
}): Console {
  const { config, content, clock } = options;
  const siteName = content.site.name;
  const views = new ConsoleViews({
    siteName,
    readers: { settings: new SettingsReader() },
    parseQuery: async (parameters) => ({
      ...parseConsoleQuery(parameters, { today: getLocalDay(clock.now(), config.TIME_ZONE), firstDay: null }),
      currencies: [],
    }),
    readCounts: async () => ({}),
  });
  const app = createConsoleApp({
    auth: { hasOperator: async () => false, readSession: async () => null },
    views,
    entrances: new Map(),
    alwaysOpen: new Set(),
    isAdmitted: () => true,
    siteName,
    siteOrigin: config.SITE_URL === '' ? null : config.siteUrl,
  });
  return { app };
}
