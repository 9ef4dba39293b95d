import type { Commissions } from '../server/commissions/commissions.ts';
import { testPostback } from '../server/commissions/postbacks.ts';
import { runSync } from '../server/commissions/sync-networks.ts';
import type { Site } from '../server/site.ts';
import { createEntryPath } from './access/setup.ts';
import { createNotifications } from './alerts/notifications.ts';
import { createAlertReader } from './alerts/read-alerts.ts';
import type { BackOffice } from './back-office.ts';
import { createConsole } from './console.ts';

/** Creates the back office in the event loop of the caller. Never throws. */
export function createBackOffice(site: Site): BackOffice {
  const { settings, content, rollups, trustedTime, operators, platform, log, clock } = site;
  const commissions = createCommissions(site);
  const readTrustedTime = () => trustedTime.read();
  const alerts = createAlertReader({ settings, content, commissions, rollups, platform });
  const { app, readPreferences, ...console } = createConsole({
    ...{ settings, content, platform, log, commissions, alerts, readTrustedTime },
    articles: site.articles,
    events: { rollups, feed: site.eventFeed, clicks: site.clicks, messages: site.messages },
    database: { operators, temporary: site.temporaryValues },
    readContentWarnings: site.readContentWarnings,
  });
  const notifications = createNotifications({
    ...{ settings, rollups, commissions, alerts, readPreferences, readTrustedTime, platform, log },
    siteName: content.site.name,
    partnerNames: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    messageFeed: site.messageFeed,
    outbox: site.notifications,
  });
  return {
    respond: app.respond,
    createEntryPath: () => createEntryPath(operators, clock.now()),
    async runDueJobs() {
      await console.runDueJobs();
      await notifications.runDueJobs();
    },
    async close() {
      await Promise.all([console.close(), notifications.close()]);
    },
  };
}

function createCommissions(site: Site): Commissions {
  const { ledger: store, commissions: ledger, commissionSources, postbackAddresses } = site;
  const opened = { store, ledger };
  return {
    intake: {
      readTokens: () => postbackAddresses.readTokens(),
      createTokens: () => postbackAddresses.create(),
      sendTest: (partner) => testPostback(site, partner),
      networks: [...commissionSources.keys()],
      runSync: commissionSources.size === 0 ? null : () => runSync(site),
    },
    clicks: site.clickSource,
    readEntries: () => ledger.readEntries(),
    getLedger: () => (store.exists() ? opened : null),
    createLedger: () => opened,
  };
}
