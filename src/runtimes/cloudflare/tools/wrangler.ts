import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { EDGE, unstable_readConfig } from '#cloudflare-tools';
import { parseSettings, type Settings } from '../../../server/settings.ts';
import { WORKER_CONFIG } from './bindings.ts';

const WRANGLER = path.join(EDGE, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** Runs wrangler with the configuration of the worker. Throws when it fails. */
export function runWrangler(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [WRANGLER, ...args, '--config', WORKER_CONFIG], {
    stdio: 'inherit',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (status !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed; its message is above.`);
}

/** Settings as `vars` has them: a number or a truth value may be without quotes. */
const varsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** Reads the settings of the deployed worker that are no secrets, by name. Throws `ZodError`. */
export function readWorkerVars(): z.infer<typeof varsSchema> {
  return varsSchema.parse(unstable_readConfig({ config: WORKER_CONFIG }).vars);
}

/** Reads where the deployed worker is. Throws `SettingsError`. */
export function readWorkerAddress(): Settings {
  const { SITE_URL, CONSOLE_HOST } = readWorkerVars();
  // The other settings may need secrets, which are not in the file.
  return parseSettings({ SITE_URL, CONSOLE_HOST });
}
