import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CHROMIUM_ARGS, findChromiums } from '../../scripts/test/chromium.ts';
import { expect, test } from '../support/browser-test.ts';
import { readEventsOf } from '../support/visit.ts';

/** Has the next page loaded ahead, says so to the server, and goes there. */
const DRIVE = `<!doctype html><title>Drive</title>
<script type="speculationrules">{"prerender":[{"urls":["/terms?utm_source=prerendered"],"eagerness":"immediate"}]}</script>
<script>addEventListener('load', () => setTimeout(async () => {
  await fetch('/shown');
  location.href = '/terms?utm_source=prerendered';
}, 4000));</script>`;

/** Starts a proxy in front of the site that adds pages for this test and records the requests. */
async function startProxy(origin: string) {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const address = incoming.url ?? '/';
    const purpose = incoming.headers['sec-purpose'];
    requests.push(`${incoming.method} ${address}${purpose ? ` (${purpose})` : ''}`);
    if (address === '/drive' || address === '/shown') {
      outgoing.setHeader('content-type', 'text/html');
      outgoing.end(address === '/drive' ? DRIVE : '');
      return;
    }
    const { method, headers } = incoming;
    const passed = forward(`${origin}${address}`, { method: method ?? 'GET', headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}

test('a prerendered page counts as a visit when it is shown, not before', async ({ site }) => {
  const [executable] = findChromiums();
  if (!executable) throw new Error('no Chromium');
  const proxy = await startProxy(site.url);
  const profile = mkdtempSync(path.join(os.tmpdir(), 'signpost-ahead-'));
  let browser: ChildProcess | undefined;
  try {
    // A browser under a debugger does not prerender, so the page itself drives this one.
    const args = ['--headless=new', ...CHROMIUM_ARGS, `--user-data-dir=${profile}`, `${proxy.url}/drive`];
    browser = spawn(executable, args, { stdio: 'ignore' });
    await expect
      .poll(() => proxy.requests.findIndex((line) => line.startsWith('POST /api/journey')), {
        timeout: 40_000,
      })
      .toBeGreaterThan(-1);
    const loaded = proxy.requests.indexOf('GET /terms?utm_source=prerendered (prefetch;prerender)');
    const shown = proxy.requests.indexOf('GET /shown');
    const posted = proxy.requests.findIndex((line) => line.startsWith('POST /api/journey'));
    expect([loaded > -1, loaded < shown, shown < posted]).toEqual([true, true, true]);
    expect(proxy.requests).not.toContain('GET /terms?utm_source=prerendered');
    const views = () => readEventsOf(site, (event) => event.campaign['utm_source'] === 'prerendered');
    await expect.poll(() => views().then((events) => events.length), { timeout: 40_000 }).toBe(1);
  } finally {
    browser?.kill('SIGKILL');
    proxy.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
