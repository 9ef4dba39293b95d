import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { writeWhole } from './write-whole.ts';

const CALLS = ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync', 'linkSync', 'rmSync'] as const;

it.each([
  [false, 'renameSync'],
  [true, 'linkSync'],
] as const)(
  'has all of a file on the disk before readers find it, and its name after; new: %s',
  (isNew, put) => {
    const target = path.join(createFolder(), 'a.md');
    if (!isNew) fs.writeFileSync(target, 'old');
    const steps: string[] = [];
    const read = () => (fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : 'none');
    for (const name of CALLS) {
      const act = fs[name].bind(fs) as (...args: unknown[]) => unknown;
      vi.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
        const found = act(...args);
        steps.push(`${name} ${read()}`);
        return found;
      }) as never);
    }
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    expect(writeWhole(target, 'new', isNew, () => null)).toBeNull();
    const before = isNew ? 'none' : 'old';
    expect(steps).toEqual([
      ...['openSync', 'writeFileSync', 'fsyncSync'].map((name) => `${name} ${before}`),
      ...[put, 'openSync', 'fsyncSync', 'rmSync'].map((name) => `${name} new`),
    ]);
  },
);
