import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

const ROOT = path.resolve(import.meta.dirname, '..');
const PROXY = path.join(ROOT, 'scripts/test/firefox-proxy.ts');

/** A fake Firefox that knows two commands and announces its address. */
const BROWSER = `#!${process.execPath}
const { WebSocketServer } = require(${JSON.stringify(path.join(ROOT, 'node_modules/ws'))});
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () =>
  console.error('WebDriver BiDi listening on ws://127.0.0.1:' + server.address().port));
server.on('connection', (socket, { url }) => socket.on('message', (data) => {
  const { id, method } = JSON.parse(data);
  socket.send(JSON.stringify(method === 'session.status'
    ? { type: 'success', id, result: { url } }
    : { type: 'error', id, error: method === 'known.refused' ? 'invalid argument' : 'unknown command' }));
}));
`;

/** Starts the proxy in front of the fake browser and resolves with what it announces. */
async function startProxy(browser: string): Promise<string> {
  const child = spawn(process.execPath, [PROXY], { env: { ...process.env, FIREFOX_PATH: browser } });
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(String(text))?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the proxy ended with code ${code}`)));
  });
}

it('passes messages on, and acknowledges commands that the browser does not know', async () => {
  const browser = path.join(mkdtempSync(path.join(os.tmpdir(), 'signpost-firefox-')), 'firefox.cjs');
  writeFileSync(browser, BROWSER, { mode: 0o755 });
  const socket = new WebSocket(`${await startProxy(browser)}/session`);
  const replies: unknown[] = [];
  const received = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      replies.push(JSON.parse(String(data)));
      if (replies.length === 3) resolve();
    });
  });
  socket.once('open', () => {
    for (const [id, method] of ['session.status', 'emulation.unknown', 'known.refused'].entries()) {
      socket.send(JSON.stringify({ id, method, params: {} }));
    }
  });
  await received;
  socket.close();
  expect(replies).toEqual([
    { type: 'success', id: 0, result: { url: '/session' } },
    { type: 'success', id: 1, result: {} },
    { type: 'error', id: 2, error: 'invalid argument' },
  ]);
});
