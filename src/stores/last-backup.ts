import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createPrivateFolder, writePrivateFile } from './disk.ts';
import { readJsonFile } from './private-files.ts';

/** The file in the data folder that says when it was backed up. */
const BACKUP_FILE = 'last-backup.json';

/** Reads when the data folder was backed up last, in ms since 1970; null when it never was. */
export const readLastBackup = (dataDir: string): number | null => readTime(dataDir, BACKUP_FILE);

function readTime(dataDir: string, file: string): number | null {
  const { at } = Object(readJsonFile(path.join(dataDir, file)));
  return typeof at === 'number' && Number.isFinite(at) ? at : null;
}

/** The file in the data folder that says when the site was first started. */
const START_FILE = 'first-start.json';

/** Reads when the site was first started, in ms since 1970; null when it never was. */
export const readFirstStart = (dataDir: string): number | null => readTime(dataDir, START_FILE);

/** Notes the first start of a site. One that has databases already was started when the oldest of them was created. */
export function noteFirstStart(dataDir: string, now: number): void {
  const file = path.join(dataDir, START_FILE);
  if (existsSync(file)) return;
  createPrivateFolder(dataDir);
  const databases = readdirSync(dataDir).filter((name) => name.endsWith('.sqlite'));
  const created = databases.map((name) => statSync(path.join(dataDir, name)).birthtimeMs);
  const at = Math.floor(Math.min(now, ...created));
  writePrivateFile(file, `${JSON.stringify({ at })}\n`);
}

/** Notes that the data folder was backed up. */
export function writeLastBackup(dataDir: string, at: number): void {
  createPrivateFolder(dataDir);
  writePrivateFile(path.join(dataDir, BACKUP_FILE), `${JSON.stringify({ at })}\n`);
}

/** The file that marks a data folder whose content `npm run demo` generated. */
const SAMPLE_FILE = 'sample-data.json';

/** What a data folder says about its content. */
export type SampleState =
  /** Real data, or none. */
  | 'none'
  /** Generated data that were not written to the end. */
  | 'incomplete'
  | 'complete';

/** Reads whether a data folder has generated data, which the console has to name as such. */
export function readSampleState(dataDir: string): SampleState {
  const file = path.join(dataDir, SAMPLE_FILE);
  if (!existsSync(file)) return 'none';
  return Object(readJsonFile(file)).state === 'complete' ? 'complete' : 'incomplete';
}

/** Marks a data folder, which is created when missing. */
export function writeSampleState(dataDir: string, state: Exclude<SampleState, 'none'>): void {
  createPrivateFolder(dataDir);
  writePrivateFile(path.join(dataDir, SAMPLE_FILE), `${JSON.stringify({ state })}\n`);
}
