import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-env-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TEXT = 'PORT=4999\r\nSITE_URL="https://a.example"\r\n';
const run = () =>
  spawnSync(
    process.execPath,
    [
      ...['--import', path.join(ROOT, 'scripts/start/env-file.mjs')],
      ...['-e', 'process.stdout.write([process.env.PORT, process.env.SITE_URL].join())'],
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
