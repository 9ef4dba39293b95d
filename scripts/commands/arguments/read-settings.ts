import type { SettingFault } from '../../../src/server/setting-faults.ts';
import { parseSettings, type Settings, SettingsError } from '../../../src/server/settings.ts';

/**
 * Parses the settings of a command. For invalid ones it prints each and `faults`, which may be the reason, and ends
 * the process with code 1.
 */
export function readSettings(environment: NodeJS.ProcessEnv, faults: readonly SettingFault[] = []): Settings {
  try {
    return parseSettings(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const lines = [error.message, ...faults.map(({ file, text }) => `  ${file}: ${text}`)];
    process.stderr.write(`${lines.join('\n')}\n`);
    process.exit(1);
  }
}
