import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

/** What people and machines are told to type. */
const PROMISED = [
  'start',
  'test',
  'dev',
  'build',
  'serve',
  'check',
  'fix',
  'events',
  'content',
  'articles',
  'claims',
  'new',
  'shots',
  'bench',
];

describe('npm run', () => {
  it.each(PROMISED)('knows %s', (name) => {
    expect(Object.keys(scripts)).toContain(name);
  });

  it.each(Object.entries(scripts))('%s runs files that exist', (_, command) => {
    const named = command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [];
    const files = named.filter((file) => !file.startsWith('dist/'));
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
