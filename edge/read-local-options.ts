import path from 'node:path';
import { parseSettings, SETTINGS } from '../src/server/settings.ts';
import type { LocalOptions } from './local-worker.ts';

const DEFAULT_PORT = '4322';
/** What belongs to the program in front of workerd. */
const OWN: ReadonlySet<string> = new Set(['HOST', 'PORT', 'DATA_DIR', 'CONTENT_DIR']);

/** Reads the settings of the environment. Throws `SettingsError`. */
export function readLocalOptions(environment: NodeJS.ProcessEnv): LocalOptions {
  const config = parseSettings({ ...environment, PORT: environment['PORT']?.trim() || DEFAULT_PORT });
  const settings = SETTINGS.flatMap((name): [string, string][] => {
    const value = environment[name]?.trim() ?? '';
    return value === '' || OWN.has(name) ? [] : [[name, value]];
  });
  return {
    host: config.HOST,
    port: config.PORT,
    dataDir: path.resolve(config.DATA_DIR),
    contentDir: path.resolve(config.CONTENT_DIR),
    settings: Object.fromEntries(settings),
  };
}
