import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createSiteFolder } from '../../src/commands/new.ts';
import { type ContentEdits, editContent } from './content-copy.ts';

/** Creates an empty folder that is removed when the test is over. For tests and what runs before each of them. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/** The files and folders of a folder, itself included, that other users of the machine can read or open. */
export function listReadableByOthers(folder: string): readonly string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.filter((name) => {
    // What a database removes meanwhile is read by no one.
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
}

/** Writes the content of a new site into `folder`, which is read in a tenth of the time of what ships, and changes it. */
export function createSmallContent(folder: string, edits: ContentEdits = {}): void {
  createSiteFolder({ name: 'New site', folder, day: '2025-01-05' });
  editContent(folder, edits);
}
