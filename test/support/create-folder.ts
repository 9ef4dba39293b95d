import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is removed when the test is over. For tests and what runs before each of them. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
