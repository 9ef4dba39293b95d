import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
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

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Settings whose values in a copy of `.env.example` are wrong in a container: addresses and folders of the machine. */
const OF_THE_MACHINE = ['HOST', 'PORT', 'DATA_DIR', 'CONTENT_DIR'] as const;

it('the compose file sets what a copy of .env.example would set wrongly in a container', () => {
  const { services } = z
    .object({ services: z.object({ signpost: z.object({ environment: z.record(z.string(), z.string()) }) }) })
    .parse(parse(read('deploy/compose.yaml')));
  const example = parseEnv(read('.env.example'));
  for (const name of OF_THE_MACHINE) {
    expect(example[name]).toBeTruthy();
    expect(services.signpost.environment).toHaveProperty(name);
  }
  const { HOST, DATA_DIR } = services.signpost.environment;
  expect([HOST, DATA_DIR]).toEqual(['0.0.0.0', '/data']);
});

it('the steps for systemd write the DATA_DIR that the unit may write to', () => {
  const [, folder] = /^StateDirectory=(\S+)$/m.exec(read('deploy/signpost.service')) ?? [];
  expect(folder).toBe('signpost');
  expect(read('docs/deployment.md')).toContain(`s|^DATA_DIR=.*|DATA_DIR=/var/lib/${folder}|`);
});
