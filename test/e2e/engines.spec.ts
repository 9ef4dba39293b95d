import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { expect, siteTest } from '../support/browser-test.ts';

/** A browser that Playwright cannot drive. */
interface Engine {
  /** Loads a page. */
  readonly open: (url: string) => Promise<unknown>;
  /** Runs a JavaScript expression in the page and returns its value, or throws. */
  readonly run: (expression: string) => Promise<unknown>;
}

const processes: ChildProcess[] = [];
siteTest.afterAll(() => {
  for (const one of processes.splice(0)) one.kill();
});

function start(program: string, args: readonly string[], env: object = {}): void {
  processes.push(spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } }));
}

/** What does not fail within a minute, however busy the machine is: programs of other people start when they start. */
async function retry<T>(attempt: () => T): Promise<Awaited<T>> {
  for (const deadline = Date.now() + 60_000; ; )
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
}

const request = (url: string, init?: RequestInit): Promise<unknown> =>
  retry(async () => (await fetch(url, init)).json());

/** A port of this machine on which nothing listens. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = Object(server.address()).port;
  server.close();
  await once(server, 'close');
  return port;
}

const FOLDER = path.join(ROOT, '.cache/chromium-109');
const CHROMIUM_109 = path.join(FOLDER, 'chromium');
const WEBKIT = globSync('/usr/lib/*/webkit{2gtk-4.1,2gtk-4.0,gtk-6.0}/MiniBrowser')[0];

/** Installs Chromium 109 where it is missing. Returns why a machine has none; null when it has. */
function findMissingChromium(): string | null {
  if (existsSync(CHROMIUM_109)) return null;
  try {
    mkdirSync(FOLDER, { recursive: true });
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--prefix', FOLDER];
    // Without the option that refuses the network to what tests start.
    execFileSync('env', ['-u', 'NODE_OPTIONS', 'npm', 'install', ...flags, '@sparticuz/chromium@109.0.6'], {
      stdio: 'pipe',
    });
    const packed = readFileSync(path.join(FOLDER, 'node_modules/@sparticuz/chromium/bin/chromium.br'));
    writeFileSync(CHROMIUM_109, brotliDecompressSync(packed), { mode: 0o755 });
    return null;
  } catch (error) {
    rmSync(CHROMIUM_109, { force: true });
    return String(error).split('\n', 1)[0] ?? '';
  }
}

/** Why a machine has no WebKit that can be driven; null when it has. */
function findMissingWebKit(): string | null {
  const has = (name: string) => spawnSync('which', [name]).status === 0;
  return WEBKIT !== undefined && has('WebKitWebDriver') && has('Xvfb')
    ? null
    : 'it needs the packages webkit2gtk-driver and xvfb';
}

/** The Chromium of January 2023, from the package that carries it: the oldest in which pages are whole. */
async function startChromium109(): Promise<Engine> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'chromium-109-'));
  const flags = ['--headless', '--no-sandbox', '--single-process', '--no-zygote', '--disable-gpu'];
  const port = await findPort();
  start(CHROMIUM_109, [
    ...flags,
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${profile}`,
    'about:blank',
  ]);
  const pages = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }));
  const page = await retry(async () => {
    const found = pages.parse(await request(`http://127.0.0.1:${port}/json`));
    const opened = found.find(({ type }) => type === 'page');
    if (opened === undefined) throw new Error('no page is open yet');
    return opened;
  });
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let last = 0;
  const answer = z.object({
    id: z.number(),
    result: z.object({
      result: z.object({ value: z.unknown().optional() }).optional(),
      exceptionDetails: z.unknown().optional(),
    }),
  });
  const send = (method: string, params: object) =>
    new Promise<z.infer<typeof answer>['result']>((resolve) => {
      const id = ++last;
      const listen = ({ data }: MessageEvent) => {
        const read = answer.safeParse(JSON.parse(String(data)));
        if (read.data?.id !== id) return;
        socket.removeEventListener('message', listen);
        resolve(read.data.result);
      };
      socket.addEventListener('message', listen);
      socket.send(JSON.stringify({ id, method, params }));
    });
  const metrics = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true };
  await send('Emulation.setDeviceMetricsOverride', metrics);
  return {
    open: (url) => send('Page.navigate', { url }),
    run: async (expression) => {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return result?.value;
    },
  };
}

/** The WebKit of Debian (`webkit2gtk-driver` and `xvfb`), an engine of the family of Safari. */
async function startWebKit(): Promise<Engine> {
  const port = await findPort();
  const display = `:${port}`;
  start('Xvfb', [display, '-screen', '0', '1440x1000x24']);
  start('WebKitWebDriver', [`--port=${port}`], { DISPLAY: display });
  const post = (at: string, body: object) =>
    request(`http://127.0.0.1:${port}/session${at}`, { method: 'POST', body: JSON.stringify(body) });
  const options = { 'webkitgtk:browserOptions': { binary: WEBKIT, args: ['--automation'] } };
  // Until the display is there, the browser does not start.
  const sessionId = await retry(async () => {
    const created = await post('', { capabilities: { alwaysMatch: options } });
    return z.object({ value: z.object({ sessionId: z.string() }) }).parse(created).value.sessionId;
  });
  await post(`/${sessionId}/window/rect`, { width: 390, height: 844 });
  return {
    open: (url) => post(`/${sessionId}/url`, { url }),
    run: async (expression) => {
      const script = `return (${expression})`;
      const { value } = z
        .object({ value: z.unknown() })
        .parse(await post(`/${sessionId}/execute/sync`, { script, args: [] }));
      const failed = z.object({ error: z.string(), message: z.string() }).safeParse(value);
      if (failed.success) throw new Error(failed.data.message);
      return value;
    },
  };
}

const TEN_PAGES =
  '/ /blog /blog/crm-basics /gohighlevel-free-trial /roi-calculator /free-trial-demo /industry-report-2025 ' +
  '/hubspot-vs-gohighlevel-pricing-comparison /contact /assessment';

/** What a page has to be: as wide as the screen, its title and buttons visible, the field for programs out of sight. */
const LAYOUT = `(() => {
  const button = document.querySelector('main .button-primary');
  const trap = document.querySelector('[name=website]');
  return {
    isReady: document.readyState === 'complete',
    overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    title: document.querySelector('main h1')?.getBoundingClientRect().height > 0,
    button: !button || !/, 0\\)$|transparent/.test(getComputedStyle(button).backgroundColor),
    menu: [...document.querySelectorAll('.nav-popover')].every((menu) => !menu.offsetHeight),
    trap: !trap || trap.getBoundingClientRect().right < 0 || !trap.offsetHeight,
  };
})()`;
const WHOLE = { isReady: true, overflow: 0, title: true, button: true, menu: true, trap: true };

const type = (selector: string, text: string) => `(() => {
  const field = document.querySelector(${JSON.stringify(selector)});
  field.focus();
  field.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
})()`;
const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`;

// The usual run leaves both out.
for (const [name, launch, findMissing] of process.env['TEST_LENGTH'] === 'usual'
  ? []
  : ([
      ['Chromium 109', startChromium109, findMissingChromium],
      ['WebKit', startWebKit, findMissingWebKit],
    ] as const)) {
  const missing = findMissing();
  if (missing !== null) {
    if (process.env['TEST_WORKER_INDEX'] === undefined)
      console.log(`Nothing was run in ${name}: ${missing}.`);
    continue;
  }
  siteTest(`in ${name}, ten pages are whole, and what they offer works`, async ({ site }) => {
    const { open, run } = await launch();
    const shows = (expression: string) =>
      expect.poll(() => run(expression).catch(String), { message: expression, timeout: 60_000 }).toBe(true);
    const ready = (address: string) =>
      shows(`location.pathname === '${address}' && document.readyState === 'complete'`);

    for (const address of TEN_PAGES.split(' ')) {
      await open(site.url + address);
      await ready(address);
      expect.soft(await run(LAYOUT), address).toEqual(WHOLE);
    }

    await open(`${site.url}/roi-calculator`);
    await ready('/roi-calculator');
    await run(type('input[name=crmCost]', '120'));
    await shows(`!document.querySelector('astro-island[ssr]')`);
    await run(type('input[name=crmCost]', '121'));
    await shows(`/\\$24 per month|\\$24 a month/.test(document.querySelector('form').textContent)`);

    await open(`${site.url}/blog`);
    await ready('/blog');
    await run(type('#article-search', 'pipeline'));
    await run(`document.querySelector('[data-search]').requestSubmit()`);
    await shows(`/articles? for “pipeline”/.test(document.querySelector('main').textContent)`);

    await open(`${site.url}/blog?again`);
    await ready('/blog');
    await run(click('#articles a[data-hydrates]'));
    await shows(`document.querySelectorAll('#articles article').length > 12`);

    await open(`${site.url}/assessment`);
    await ready('/assessment');
    await run(
      `[...document.querySelectorAll('button')].find((one) => /Start My/.test(one.textContent)).click()`,
    );
    await shows(`document.querySelectorAll('main input[type=radio]').length > 2`);

    await open(`${site.url}/contact`);
    await ready('/contact');
    await run(`document.querySelector('main form').requestSubmit()`);
    await shows(`document.querySelectorAll('main form :invalid').length > 0`);

    await open(`${site.url}/gohighlevel-free-trial`);
    await ready('/gohighlevel-free-trial');
    await run(`document.querySelector('main a[href^="/go/"]').removeAttribute('target')`);
    await run(click('main a[href^="/go/"]'));
    await shows(`!location.pathname.startsWith('/gohighlevel-free-trial')`);
  });
}
