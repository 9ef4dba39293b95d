import { type Config, ConfigError, parseConfig } from '../../../src/server/config.ts';

/** Parses the settings of a command. For invalid ones it prints each and ends the process with code 1. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  try {
    return parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
