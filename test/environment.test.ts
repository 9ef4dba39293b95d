import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { parseSettings, SETTINGS } from '../src/server/settings.ts';
import { createFolder } from './support/create-folder.ts';

const example = readFileSync(path.resolve(import.meta.dirname, '../.env.example'), 'utf8');
const listed = parseEnv(example);

describe('.env.example', () => {
  it('lists every setting and no other', () =>
    expect(Object.keys(listed).sort()).toEqual([...SETTINGS].sort()));

  it('shows the defaults', () => expect(parseSettings(listed)).toEqual(parseSettings({})));

  it('explains every setting in the line above it', () => {
    const lines = example.split('\n');
    const bare = lines.filter(
      (line, index) => /^[A-Z_]+=/.test(line) && !/^# \S/.test(lines[index - 1] ?? ''),
    );
    expect(bare).toEqual([]);
  });
});

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Settings whose values in a copy of `.env.example` are wrong in a container: addresses and folders of the machine. */
const OF_THE_MACHINE = ['HOST', 'PORT', 'DATA_DIR'] as const;

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

it('the image is built from the exact Node that the project pins, and its logs are bounded', () => {
  const version = read('.node-version').trim();
  expect([...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(
    Array.from({ length: 2 }, () => `node:${version}-bookworm-slim`),
  );
  const services = z
    .object({
      services: z.record(
        z.string(),
        z.object({ logging: z.object({ options: z.record(z.string(), z.string()) }) }),
      ),
    })
    .parse(parse(read('deploy/compose.yaml'))).services;
  for (const { logging } of Object.values(services))
    expect(logging.options).toEqual({ 'max-size': '20m', 'max-file': '10' });
});

it('the table of data formats begins with the one that the migrations make', () => {
  const newest = ['', 'commissions', 'console', 'notifications'].map((folder) => {
    const names = readdirSync(path.join(ROOT, 'migrations', folder)).filter((name) => name.endsWith('.sql'));
    return Math.max(...names.map((name) => Number(name.slice(0, 4))));
  });
  const [, stated] = /^\| format \|.*\n.*\n\| (\d+) \|/m.exec(read('docs/operations.md')) ?? [];
  expect(Number(stated)).toBe(newest.reduce((sum, one) => sum + one, 0));
});

it('the steps for systemd write the DATA_DIR that the unit may write to', () => {
  const [, folder] = /^StateDirectory=(\S+)$/m.exec(read('deploy/signpost.service')) ?? [];
  expect(folder).toBe('signpost');
  expect(read('docs/deployment.md')).toContain(`s|^DATA_DIR=.*|DATA_DIR=/var/lib/${folder}|`);
});

let folder = '';
beforeEach(() => {
  folder = createFolder();
});

const TEXT = 'PORT=4999\r\nSITE_URL="https://a.example"\r\n';
const run = () =>
  spawnSync(
    process.execPath,
    [
      '--import',
      path.join(ROOT, 'scripts/start/env-file.mjs'),
      '-e',
      'process.stdout.write([process.env.PORT, process.env.SITE_URL].join())',
    ],
    { cwd: folder, encoding: 'utf8', env: { SITE_URL: 'https://b.example' } },
  );
const write = (text: string, encoding: BufferEncoding = 'utf8') =>
  writeFileSync(path.join(folder, '.env'), text, encoding);

it.each(['', '\uFEFF'])('reads the settings of a file that begins with %j; the environment wins', (mark) => {
  write(mark + TEXT);
  expect(run()).toMatchObject({ status: 0, stdout: '4999,https://b.example', stderr: '' });
});

it.each<[string, () => void, string]>([
  ['UTF-16 with a mark', () => write(`\uFEFF${TEXT}`, 'utf16le'), 'is not UTF-8: save it in that encoding'],
  ['UTF-16 without a mark', () => write(TEXT, 'utf16le'), 'is not UTF-8: save it in that encoding'],
  ['Windows-1252', () => write('NAME=Caf\xe9', 'latin1'), 'is not UTF-8: save it in that encoding'],
  ['a folder', () => mkdirSync(path.join(folder, '.env')), 'cannot be read (EISDIR)'],
])('refuses %s, from which no setting could be read', (_, make, reason) => {
  make();
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: `[settings] .env ${reason}\n` });
});

it('names the Node that is needed, and where it is, when an older one starts the built site', () => {
  const versions =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })";
  const program = path.join(ROOT, 'src/runtimes/node/main.ts');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, program];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Signpost needs Node 24 or later, and this is 20\.19\.0\. .*node_modules\/\.bin\/node.*\n$/,
  );
});
