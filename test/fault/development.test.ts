/** @module-tag rest */
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
import { chromium, type Locator } from 'playwright';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { CHROMIUM_ARGS, findBrowsers } from '../../scripts/test/browsers.ts';

const COPIED =
  'src scripts content migrations networks public astro.config.ts package.json package-lock.json tsconfig.json'.split(
    ' ',
  );

let folder = '';
let server: ChildProcess;
let output = '';
let url = '';
let reloads = 0;

/** Serves a copy of the tree, whose files the tests edit, and counts the messages that reload a browser. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'development-'));
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  // Without the variables of Vitest, with which Astro serves no pages.
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    DATA_DIR: path.join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: '0',
    NO_COLOR: '1',
  };
  server = spawn(process.execPath, ['scripts/start/start.mjs', 'dev'], { cwd: folder, env });
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
  // The site is loaded with the first request.
  await vi.waitUntil(async () => (await get()).includes('</footer>'), { timeout: 120_000, interval: 100 });
});

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const UNSTYLED = 'rgba(0, 0, 0, 0)';
const readBackground = (element: Locator) =>
  element.evaluate((found) => getComputedStyle(found).backgroundColor);
const get = async () => (await fetch(`${url}/contact`)).text();

/** The open database files and the threads of the server, which the program of `npm run dev` has started. */
function countResources(): { readonly databases: number; readonly threads: number } {
  const pid = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
  const files = readdirSync(`/proc/${pid}/fd`).map((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`);
    } catch {
      return '';
    }
  });
  const threads = readdirSync(`/proc/${pid}/task`).length;
  return { databases: files.filter((file) => file.includes('.sqlite')).length, threads };
}

it('closes the site of earlier code when server code changes', { tags: ['measures'] }, async () => {
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

it('shows the message of an invalid content file in the page and the terminal until the repair, and other pages', async () => {
  for (const [name, field] of [
    ['site.yaml', 'nonsense'],
    ['pages/help.yaml', 'titel'],
  ] as const) {
    const file = path.join(folder, 'content', name);
    const text = readFileSync(file, 'utf8');
    const message = `content/${name}[^<\\n]*line \\d+: has the unknown field`;
    writeFileSync(file, `${text}\n${field}: 1\n`);
    await expect.poll(get).toMatch(new RegExp(`${message} &quot;${field}&quot;`));
    expect(await get()).toContain('</footer>');
    expect(output).toMatch(new RegExp(`${message} .{0,2}${field}`));
    writeFileSync(file, text);
    await expect.poll(get).not.toContain('has the unknown field');
  }
});

it('answers a page of which a component throws with an error, until the repair', async () => {
  const file = path.join(folder, 'src/sections/pages/contact-form.tsx');
  const text = readFileSync(file, 'utf8');
  const readStatus = async () => (await fetch(`${url}/contact`)).status;
  writeFileSync(
    file,
    text.replaceAll('\n  return (', "\n  if (true) throw new Error('broken');\n  return ("),
  );
  await expect.poll(readStatus, { timeout: 20_000 }).toBe(500);
  writeFileSync(file, text);
  await expect.poll(readStatus, { timeout: 20_000 }).toBe(200);
});

it('serves every address with the host and port of the settings', async () =>
  expect(await get()).toContain(`<link rel="canonical" href="${url}/contact">`));

it('shows the views of the console with styles, scripts and the preview of a page', async () => {
  await expect.poll(() => output).toContain(`Console: ${url}/console/setup/`);
  const executablePath = findBrowsers('Chromium')[0];
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, ...(executablePath && { executablePath }) });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (entry) => entry.type() === 'error' && errors.push(entry.text()));
  await page.goto(/Console: (\S+)/.exec(output)?.[1] ?? '');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button').click();
  await page.waitForURL(`${url}/console/settings/start`);
  for (const view of ['', '/commissions', '/settings', '/content/pages/help.yaml']) {
    await page.goto(`${url}/console${view}`);
    expect(await readBackground(page.locator('html'))).not.toBe(UNSTYLED);
  }
  // The first one fills the frame, which a script of the page has added.
  const preview = page.frameLocator('iframe').first();
  await preview.getByRole('heading', { name: 'Help center' }).waitFor();
  expect(await readBackground(preview.locator('html'))).not.toBe(UNSTYLED);
  expect(errors).toEqual([]);
  await browser.close();
});

it('reloads the browser after each edit of a content file, however soon the next one follows', async () => {
  for (const edit of [1, 2, 3]) {
    const seen = reloads;
    appendFileSync(path.join(folder, 'content/site.yaml'), `\n# edit ${edit}\n`);
    await expect.poll(() => reloads, { interval: 1 }).toBeGreaterThan(seen);
  }
});
