import { createEntryPath } from '../../console/access/setup.ts';
import type { Console } from '../../console/console.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import { isLinkWatchOn } from '../../server/outbound/link-watch.ts';
import type { Platform } from '../../server/platform.ts';
import { addTypedSettings, parseSettings, type Settings } from '../../server/settings.ts';
import { createCommissionJobs, createSite, createSiteJobs, type Site } from '../../server/site.ts';
import { Operators } from '../../stores/operators.ts';
import { ConsoleThreadClient } from './console-thread-client.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';

/** A site with its console, whose background jobs run. */
export interface NodeSite {
  readonly site: Site;
  readonly console: Console;
  /** Calls a function whenever settings were typed into the console. */
  onSettings(listener: () => void): void;
  /** Writes events that wait in memory for as long as `timeoutMs`, stops the jobs and closes files. */
  close(timeoutMs: number): Promise<void>;
}

/** Creates the site of a process over files and SQLite. Rejects with what its parts throw (`ContentError`, …). */
export async function createNodeSite(
  settings: Settings,
  log: Log,
  pageHashes: PageHashes,
  options: NodeOptions,
): Promise<NodeSite> {
  const platform = createNodePlatform(settings, log, pageHashes, options);
  const site = await createSite(settings, platform);
  const { consoleProgram: program } = options;
  const listeners: (() => void)[] = [];
  const applySettings = () => {
    Object.assign(settings, parseSettings(addTypedSettings(process.env)));
    for (const listener of listeners) listener();
  };
  const console =
    program === undefined
      ? await createInlineConsole(site, options)
      : openConsoleThread(site, program, applySettings);
  // The thread of the console has those of the ledger.
  const jobs = [...createSiteJobs(site), ...(program === undefined ? createCommissionJobs(site) : [])];
  for (const job of jobs) job.start();
  return {
    site,
    console,
    onSettings: (listener) => void listeners.push(listener),
    async close(timeoutMs) {
      await site.close(timeoutMs, () => Promise.all([console.close(), ...jobs.map((job) => job.stop())]));
      await platform.copy?.close();
    },
  };
}

/** The code is loaded where it runs: in production, it is in the thread alone. */
async function createInlineConsole(site: Site, { renderPreview }: NodeOptions): Promise<Console> {
  const [{ createConsole }, { MoveIn }] = await Promise.all([
    import('../../console/console.ts'),
    import('../../move-in/move-in.ts'),
  ]);
  return createConsole(
    site,
    renderPreview,
    new MoveIn(site.platform.contentDir, site.platform.content.files?.journal),
  );
}

function openConsoleThread(site: Site, program: URL, applySettings: () => void): Console {
  const { settings, platform, clock } = site;
  const { commissionSources, ledger } = site.money;
  let closed: Promise<unknown> = Promise.resolve();
  return new ConsoleThreadClient(site, program, {
    hasWork: () =>
      hasChannels(settings) || commissionSources.size > 0 || isLinkWatchOn(settings) || ledger.exists(),
    applySettings,
    async createEntryPath() {
      if (settings.DEMO) return CONSOLE_PATH;
      // A disk still does what was given up: that address must not replace a newer one.
      await closed;
      const operators = openOperators(platform);
      return createEntryPath(operators, clock.now()).finally(() => {
        closed = operators.close();
      });
    },
  });
}

/** The thread of the console has the connection that stays open. */
const openOperators = (platform: Platform) => new Operators(platform.openDatabase('console'));

/** Whether anything is sent to operators outside the console. */
function hasChannels(settings: Settings): boolean {
  const { SMTP_URL, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL, NEWSLETTER_PROVIDER } = settings;
  const addresses = [SMTP_URL, CONTACT_WEBHOOK_URL, ALERT_WEBHOOK_URL];
  return NEWSLETTER_PROVIDER !== 'off' || addresses.some((address) => address !== '');
}
