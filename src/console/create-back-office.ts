import type { Commissions } from '../server/commissions/commissions.ts';
import type { EventReaders } from '../server/events/events.ts';
import type { Log } from '../server/log.ts';
import type { Platform } from '../server/platform.ts';
import type { Settings } from '../server/settings.ts';
import { createEntryPath } from './access/setup.ts';
import { createNotifications } from './alerts/notifications.ts';
import { createAlertReader } from './alerts/read-alerts.ts';
import type { BackOffice, SiteSources } from './back-office.ts';
import { createConsole } from './console.ts';

/** What the back office reads and writes. */
export interface BackOfficeOptions extends SiteSources {
  readonly events: EventReaders;
  readonly commissions: Commissions;
  readonly settings: Settings;
  readonly platform: Platform;
  readonly log: Log;
}

/** Creates the back office in the event loop of the caller. Never throws. */
export function createBackOffice(options: BackOfficeOptions): BackOffice {
  const { settings, content, events, commissions, platform, log } = options;
  const { database, rollups, readTrustedTime } = events;
  const alerts = createAlertReader({ settings, content, commissions, rollups, platform });
  const { app, openDatabase, readPreferences, ...console } = createConsole({
    ...options,
    alerts,
    readTrustedTime,
  });
  const notifications = createNotifications({
    settings,
    siteName: content.site.name,
    partnerNames: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    database,
    rollups,
    commissions,
    alerts,
    readPreferences,
    readTrustedTime,
    platform,
    log,
  });
  return {
    respond: app.respond,
    createEntryPath: () => createEntryPath(openDatabase().operators, platform.clock.now()),
    async runDueJobs() {
      await console.runDueJobs();
      await notifications.runDueJobs();
    },
    async close() {
      await Promise.all([console.close(), notifications.close()]);
    },
  };
}
