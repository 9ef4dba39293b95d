import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';

const SERVER = ['--import', './scripts/start/env-file.mjs', 'node_modules/astro/bin/astro.mjs', 'dev'];
const COPIED = [
  'src',
  'scripts',
  'content',
  'migrations',
  'public',
  'astro.config.ts',
  'package.json',
  'tsconfig.json',
];

let folder = '';
let server: ChildProcess;
let url = '';
let reloads = 0;

/** Serves a copy of the tree, whose files the tests edit, and counts the messages that reload a browser. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'development-'));
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  // Without the variables of Vitest, with which Astro serves no pages.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: path.join(folder, 'data'), NO_COLOR: '1' };
  server = spawn(process.execPath, [...SERVER, '--port', '0', '--host', '127.0.0.1'], { cwd: folder, env });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text;
    });
  await vi.waitFor(() => expect(output).toMatch(/127\.0\.0\.1:\d+/), { timeout: 120_000, interval: 100 });
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  const [, token] = /wsToken = "([^"]+)"/.exec(await (await fetch(`${url}/@vite/client`)).text()) ?? [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  socket.addEventListener('message', ({ data }) => {
    if (JSON.parse(String(data)).type === 'full-reload') reloads++;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
});

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const get = async () => (await fetch(`${url}/contact`)).text();

/** The open database files and the threads of the server. */
function countResources(): { readonly databases: number; readonly threads: number } {
  const files = readdirSync(`/proc/${server.pid}/fd`).map((file) => {
    try {
      return readlinkSync(`/proc/${server.pid}/fd/${file}`);
    } catch {
      return '';
    }
  });
  const threads = readdirSync(`/proc/${server.pid}/task`).length;
  return { databases: files.filter((file) => file.includes('.sqlite')).length, threads };
}

it('closes the site of earlier code when server code changes', async () => {
  expect(await get()).toContain('</html>');
  const before = countResources();
  expect(before.databases).toBeGreaterThan(0);
  for (const edit of [1, 2, 3]) {
    const seen = reloads;
    appendFileSync(path.join(folder, 'src/server/outbound/go.ts'), `\nexport const EDIT_${edit} = 1;\n`);
    await expect.poll(() => reloads).toBeGreaterThan(seen);
    expect(await get()).toContain('</html>');
  }
  const after = countResources();
  expect(after.databases).toBeLessThanOrEqual(before.databases);
  expect(after.threads).toBeLessThanOrEqual(before.threads + 1);
});

it('shows the message of an invalid content file, and the site again after the repair', async () => {
  const file = path.join(folder, 'content/site.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}\nnonsense: 1\n`);
  await expect.poll(get).toMatch(/content\/site\.yaml, line \d+: has the unknown field &quot;nonsense&quot;/);
  writeFileSync(file, text);
  await expect.poll(get).toContain('</footer>');
});

it('reloads the browser after each edit of a content file, however soon the next one follows', async () => {
  for (const edit of [1, 2, 3]) {
    const seen = reloads;
    appendFileSync(path.join(folder, 'content/site.yaml'), `\n# edit ${edit}\n`);
    await expect.poll(() => reloads, { interval: 1 }).toBeGreaterThan(seen);
  }
});
