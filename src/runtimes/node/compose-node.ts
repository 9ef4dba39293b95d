import { createEntryPath } from '../../console/access/setup.ts';
import type { BackOffice, SiteSources } from '../../console/back-office.ts';
import { createCommissionSources } from '../../server/commissions/commission-sources.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import type { Platform } from '../../server/platform.ts';
import type { Services } from '../../server/services.ts';
import type { Config } from '../../server/settings.ts';
import { composeSite } from '../../server/site.ts';
import { BackOfficeClient } from './console-thread-client.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';

/** Puts the process together: files, SQLite, clock. Throws what the parts throw (`ContentError`, …). */
export async function composeNode(
  config: Config,
  log: Log,
  pageHashes: PageHashes,
  options: NodeOptions,
): Promise<Services> {
  const platform = createNodePlatform(config, log, options);
  const { backOfficeProgram: program } = options;
  if (program === undefined) {
    // Loaded where it runs: in production, its code is in the thread alone.
    const { createBackOffice } = await import('../../console/create-back-office.ts');
    return composeSite(config, log, pageHashes, platform, createBackOffice);
  }
  return composeSite(config, log, pageHashes, { ...platform, hasOfficeThread: true }, (site) =>
    openBackOfficeThread(site, program, config, platform, log),
  );
}

function openBackOfficeThread(
  site: SiteSources,
  program: URL,
  config: Config,
  platform: Platform,
  log: Log,
): BackOffice {
  const { clock, ledger, consoleDatabase } = platform;
  const hasDuties = hasChannels(config) || createCommissionSources(config, platform).size > 0;
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
function hasChannels(config: Config): boolean {
  const { SMTP_URL, SMTP_HOST, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL, NEWSLETTER_PROVIDER } = config;
  const addresses = [SMTP_URL, SMTP_HOST, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL];
  return NEWSLETTER_PROVIDER !== 'off' || addresses.some((address) => address !== '');
}
