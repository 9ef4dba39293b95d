#!/usr/bin/env node
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { findBrowsers } from './browsers.ts';

// Playwright starts this program in place of Firefox. It starts Firefox, and passes WebDriver BiDi messages on in both
// directions. A command that this Firefox does not know yet, such as `emulation.setMediaFeaturesOverride`, is
// acknowledged instead of refused, because Playwright sends it to every new page. It can go when Debian's Firefox knows
// all commands that Playwright sends.

const ANNOUNCEMENT = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const unknownCommand = z.object({
  type: z.literal('error'),
  id: z.int(),
  error: z.literal('unknown command'),
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
    client.on('message', async (data) => {
      await opened;
      upstream.send(String(data));
    });
    upstream.on('message', (data) => client.send(acknowledgeUnknown(String(data))));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => other.close());
      one.on('error', () => other.close());
    }
  });
}

/** Turns the refusal of an unknown command into an empty success, and returns every other message unchanged. */
function acknowledgeUnknown(text: string): string {
  const refused = unknownCommand.safeParse(JSON.parse(text));
  return refused.success ? JSON.stringify({ type: 'success', id: refused.data.id, result: {} }) : text;
}
