import { type StdioOptions, spawnSync } from 'node:child_process';
import path from 'node:path';
import { WORKER_CONFIG } from './open-bindings.ts';

const WRANGLER = path.join(import.meta.dirname, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/**
 * Runs wrangler with the configuration of the worker; returns what it writes to a piped output. Throws when it fails.
 */
export function runWrangler(args: readonly string[], stdio: StdioOptions = 'inherit'): string {
  const { status, stdout } = spawnSync(process.execPath, [WRANGLER, ...args, '--config', WORKER_CONFIG], {
    stdio,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (status === 0) return stdout ?? '';
  // With --json, wrangler writes its errors to standard output as well.
  process.stderr.write(stdout ?? '');
  throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed; its message is above.`);
}
