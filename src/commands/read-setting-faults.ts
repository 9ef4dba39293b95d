import { readFileSync } from 'node:fs';
import { findSettingFaults, type SettingFault } from '../server/setting-faults.ts';

/** Reads `.env` of the working folder and the environment, and lists what they set in vain. */
export function readSettingFaults(): readonly SettingFault[] {
  return findSettingFaults(readEnvFile(), process.env);
}

/** Writes the same as lines. */
export function warnOfSettingFaults(): void {
  for (const { file, text } of readSettingFaults()) process.stderr.write(`[settings] ${file}: ${text}\n`);
}

/** Null without a file. One that cannot be read has already ended the process (`scripts/start/env-file.mjs`). */
function readEnvFile(): string | null {
  try {
    return new TextDecoder().decode(readFileSync('.env'));
  } catch {
    return null;
  }
}
