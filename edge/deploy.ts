import path from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { runWrangler } from './run-wrangler.ts';

const CONFIG = path.join(import.meta.dirname, 'wrangler.jsonc');

/** Applies the migrations to the databases of the operator's account and deploys. Throws when a step fails. */
export function deploy(args: readonly string[]): void {
  const unknown = args.find((arg) => arg !== '--dry-run');
  if (unknown !== undefined) throw new Error(`Unknown option "${unknown}": deploy takes --dry-run only.`);
  if (args.includes('--dry-run')) {
    runWrangler(['deploy', '--dry-run']);
    return;
  }
  const { d1_databases: databases } = unstable_readConfig({ config: CONFIG });
  for (const { binding } of databases) runWrangler(['d1', 'migrations', 'apply', binding, '--remote']);
  runWrangler(['deploy']);
}
