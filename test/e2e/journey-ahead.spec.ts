import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CHROMIUM_ARGS, findChromiums } from '../../scripts/find-chromium.ts';
import { expect, test } from '../support/browser-test.ts';
import { readEventsOf } from '../support/visit.ts';

/** Has the next page loaded ahead, says so to the server, and goes there. */
const DRIVE = `<!doctype html><title>Drive</title>
<script type="speculationrules">{"prerender":[{"urls":["/terms?utm_source=loaded-ahead"],"eagerness":"immediate"}]}</script>
<script>addEventListener('load', () => setTimeout(async () => {
  await fetch('/shown');
  location.href = '/terms?utm_source=loaded-ahead';
}, 4000));</script>`;

/** Stands in front of the site with one page of its own, and notes what is asked. */
async function startProxy(origin: string) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const address = incoming.url ?? '/';
    const purpose = incoming.headers['sec-purpose'];
    asked.push(`${incoming.method} ${address}${purpose ? ` (${purpose})` : ''}`);
    if (address === '/drive' || address === '/shown') {
      outgoing.setHeader('content-type', 'text/html');
      outgoing.end(address === '/drive' ? DRIVE : '');
      return;
    }
    const { method, headers } = incoming;
    const passed = forward(`${origin}${address}`, { method: method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

test('a page that the browser loads ahead is a visit when it is shown, and not before', async ({ site }) => {
  test.setTimeout(60_000);
  const [executable] = findChromiums();
  if (!executable) throw new Error('no Chromium');
  const proxy = await startProxy(site.url);
  const profile = mkdtempSync(path.join(os.tmpdir(), 'signpost-ahead-'));
  let browser: ChildProcess | undefined;
  try {
    // A browser that is driven by a debugger loads nothing ahead, so this one drives itself.
    const args = ['--headless=new', ...CHROMIUM_ARGS, `--user-data-dir=${profile}`, `${proxy.url}/drive`];
    browser = spawn(executable, args, { stdio: 'ignore' });
    await expect
      .poll(() => proxy.asked.findIndex((line) => line.startsWith('POST /api/journey')), { timeout: 40_000 })
      .toBeGreaterThan(-1);
    const loaded = proxy.asked.indexOf('GET /terms?utm_source=loaded-ahead (prefetch;prerender)');
    const shown = proxy.asked.indexOf('GET /shown');
    const posted = proxy.asked.findIndex((line) => line.startsWith('POST /api/journey'));
    expect([loaded > -1, loaded < shown, shown < posted]).toEqual([true, true, true]);
    expect(proxy.asked).not.toContain('GET /terms?utm_source=loaded-ahead');
    const views = () => readEventsOf(site, (event) => event.campaign['utm_source'] === 'loaded-ahead');
    await expect.poll(() => views().then((events) => events.length), { timeout: 10_000 }).toBe(1);
  } finally {
    browser?.kill('SIGKILL');
    proxy.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
