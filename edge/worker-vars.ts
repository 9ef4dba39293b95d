import { unstable_readConfig } from 'wrangler';
import { z } from 'zod';
import { parseSettings, type Settings } from '../src/server/settings.ts';
import { WORKER_CONFIG } from './open-bindings.ts';

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
