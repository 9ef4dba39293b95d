#!/usr/bin/env node
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { findBrowsers } from './browsers.ts';

// Playwright starts this program in place of Firefox. It starts Firefox, and passes WebDriver BiDi messages on in both
// directions. A command that this Firefox does not know yet, such as `emulation.setMediaFeaturesOverride`, is
// acknowledged instead of refused, because Playwright sends it to every new page. A page that comes back from the
// back/forward cache gets the events that Playwright waits for and Firefox leaves out. The program can go when Debian's
// Firefox knows all commands that Playwright sends, and sends these events.

const ANNOUNCEMENT = /WebDriver BiDi listening on (ws:\/\/\S+)/;

/** What is read of a message, in either direction. */
const message = z.object({
  type: z.string().optional(),
  id: z.int().nullish(),
  method: z.string().optional(),
  error: z.string().optional(),
  params: z.looseObject({ context: z.unknown().optional() }).optional(),
});

const [executable] = findBrowsers('Firefox');
if (!executable) {
  console.error('Firefox is missing: "npm test -- browser" installs it, or FIREFOX_PATH names it.');
  process.exit(1);
}

const firefox = spawn(executable, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal));
firefox.stderr.setEncoding('utf8').on('data', (text: string) => {
  const address = ANNOUNCEMENT.exec(text)?.[1];
  if (address === undefined) process.stderr.write(text);
  else startServer(address);
});

function startServer(address: string): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
    const { port } = server.address() as AddressInfo;
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
  });
  server.on('connection', (client, { url = '' }) => {
    const upstream = new WebSocket(address + url);
    const opened = new Promise((resolve) => upstream.once('open', resolve));
    /** The pages of commands that go back or forward, and what Firefox said when it began to. */
    const traversed = new Map<unknown, unknown>();
    const started = new Map<unknown, unknown>();
    client.on('message', async (data) => {
      const { id, method, params } = message.parse(JSON.parse(String(data)));
      if (method === 'browsingContext.traverseHistory') {
        traversed.set(id, params?.context);
        started.delete(params?.context);
      }
      await opened;
      upstream.send(String(data));
    });
    upstream.on('message', (data) => {
      const { id, type, method, error, params } = message.parse(JSON.parse(String(data)));
      client.send(
        error === 'unknown command' ? JSON.stringify({ type: 'success', id, result: {} }) : String(data),
      );
      if (method === 'browsingContext.navigationStarted') started.set(params?.context, params);
      if (method === 'browsingContext.navigationCommitted') started.delete(params?.context);
      // Firefox answers when the page is shown. One from the cache is never committed.
      const restored = type === 'success' && started.get(traversed.get(id));
      for (const name of restored ? ['navigationCommitted', 'domContentLoaded', 'load'] : [])
        client.send(JSON.stringify({ type: 'event', method: `browsingContext.${name}`, params: restored }));
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => other.close());
      one.on('error', () => other.close());
    }
  });
}
