import { unstable_readConfig } from 'wrangler';
import { listUnknownSettings } from '../src/server/setting-faults.ts';
import { listMissingDatabases, WORKER_CONFIG } from './bindings.ts';
import { checkWorkerContent } from './local-worker.ts';
import { readWorkerAddress, readWorkerVars, runWrangler } from './wrangler.ts';

/** Applies the migrations to the databases of the operator's account and deploys. Throws when a step fails. */
export async function deploy(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== '--dry-run');
  if (unknown !== undefined) throw new Error(`Unknown option "${unknown}": deploy takes --dry-run only.`);
  const vars = readWorkerVars();
  const mistyped = listUnknownSettings(Object.keys(vars));
  if (mistyped.length > 0)
    throw new Error(`edge/wrangler.jsonc, "vars": ${mistyped.join(' ')} Nothing was deployed.`);
  await checkWorkerContent(vars['ARTICLE_SOURCE']);
  if (args.includes('--dry-run')) {
    runWrangler(['deploy', '--dry-run']);
    return;
  }
  checkConfiguration();
  const { d1_databases: databases } = unstable_readConfig({ config: WORKER_CONFIG });
  for (const { binding } of databases) runWrangler(['d1', 'migrations', 'apply', binding, '--remote']);
  runWrangler(['deploy']);
}

/** Throws when something is missing without which the deployed worker would be of no use. */
function checkConfiguration(): void {
  const databases = listMissingDatabases();
  const missing = [
    ...(readWorkerAddress().SITE_URL === '' ? ['SITE_URL under "vars"'] : []),
    ...(databases.length === 0 ? [] : [`the "database_id" of ${databases.join(', ')}`]),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `edge/wrangler.jsonc lacks ${missing.join(' and ')}: see docs/deployment.md. Nothing was deployed.`,
  );
}
