import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseSettings, SETTINGS } from '../src/server/settings.ts';

const example = readFileSync(path.resolve(import.meta.dirname, '../.env.example'), 'utf8');
const listed = parseEnv(example);

describe('.env.example', () => {
  it('lists every setting and no other', () => {
    expect(Object.keys(listed).sort()).toEqual([...SETTINGS].sort());
  });

  it('shows the defaults', () => {
    expect(parseSettings(listed)).toEqual(parseSettings({}));
  });

  it('explains every setting in the line above it', () => {
    const lines = example.split('\n');
    const bare = lines.filter(
      (line, index) => /^[A-Z_]+=/.test(line) && !/^# \S/.test(lines[index - 1] ?? ''),
    );
    expect(bare).toEqual([]);
  });
});
