import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../core/text/parse-json.ts';

/** The file in the data folder that says when it was backed up. */
const BACKUP_FILE = 'last-backup.json';

/** Reads when the data folder was backed up last, in ms since 1970; null when it never was. */
export function readLastBackup(dataDir: string): number | null {
  try {
    const mark = parseJson(readFileSync(path.join(dataDir, BACKUP_FILE), 'utf8'));
    const { at } = Object(mark);
    return typeof at === 'number' && Number.isFinite(at) ? at : null;
  } catch {
    return null;
  }
}

/** Notes that the data folder was backed up. */
export function writeLastBackup(dataDir: string, at: number): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path.join(dataDir, BACKUP_FILE), `${JSON.stringify({ at })}\n`);
}
