import { createEntryPath } from '../../console/access/setup.ts';
import type { BackOffice, SiteSources } from '../../console/back-office.ts';
import { createCommissionSources } from '../../server/commissions/commission-sources.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import type { Platform } from '../../server/platform.ts';
import type { Services } from '../../server/services.ts';
import type { Settings } from '../../server/settings.ts';
import { composeSite } from '../../server/site.ts';
import { BackOfficeClient } from './console-thread-client.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';

/** Puts the process together: files, SQLite, clock. Throws what the parts throw (`ContentError`, …). */
export async function composeNode(
  settings: Settings,
  log: Log,
  pageHashes: PageHashes,
  options: NodeOptions,
): Promise<Services> {
  const platform = createNodePlatform(settings, log, options);
  const { backOfficeProgram: program } = options;
  if (program === undefined) {
    // Loaded where it runs: in production, its code is in the thread alone.
    const { createBackOffice } = await import('../../console/create-back-office.ts');
    return composeSite(settings, log, pageHashes, platform, createBackOffice);
  }
  return composeSite(settings, log, pageHashes, { ...platform, hasOfficeThread: true }, (site) =>
    openBackOfficeThread(site, program, settings, platform, log),
  );
}

function openBackOfficeThread(
  site: SiteSources,
  program: URL,
  settings: Settings,
  platform: Platform,
  log: Log,
): BackOffice {
  const { clock, ledger, consoleDatabase } = platform;
  const hasDuties = hasChannels(settings) || createCommissionSources(settings, platform).size > 0;
  return new BackOfficeClient({
    ...site,
    program,
    hasWork: () => hasDuties || ledger.exists(),
    async createEntryPath() {
      const { operators } = consoleDatabase.open();
      return createEntryPath(operators, clock.now()).finally(() => operators.close());
    },
    clock,
    log,
  });
}

/** Whether anything is sent to operators outside the console. */
function hasChannels(settings: Settings): boolean {
  const { SMTP_URL, SMTP_HOST, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL, NEWSLETTER_PROVIDER } = settings;
  const addresses = [SMTP_URL, SMTP_HOST, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL];
  return NEWSLETTER_PROVIDER !== 'off' || addresses.some((address) => address !== '');
}
