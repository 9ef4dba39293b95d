import { startCommand } from './run-command.ts';
import type { Site } from './site.ts';

/** Creates the address at which a network reports to a running site; the ledger appears with it. */
export async function createPostbackUrl(
  { dataDir, url }: Pick<Site, 'dataDir' | 'url'>,
  partner = 'highlevel',
): Promise<string> {
  return (
    await startCommand('commissions', ['postback-url', partner], { DATA_DIR: dataDir, SITE_URL: url })
  ).stdout.trim();
}
