import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { ReportLine } from '../scripts/test/report-lines.ts';
import { countTests } from '../scripts/test/run-stage.ts';
import { findStages } from '../scripts/test/stages.ts';

const STAGE = { part: 'unit', title: 'Unit', command: ['vitest'], tool: 'vitest', maxSeconds: 15 } as const;
const END: ReportLine = { kind: 'end' };

function buildTest(name: string, fields: Partial<ReportLine> = {}): ReportLine {
  return Object.assign(
    { kind: 'test' as const, name, passed: true, retried: false, ms: 5, message: '' },
    fields,
  );
}

it('counts passed and failed tests, and reports whole messages', () => {
  const failed = buildTest('b', { passed: false, message: 'expected 1\n- 1\n+ 2' });
  expect(countTests(STAGE, [buildTest('a'), failed, END], 1)).toEqual({
    passed: 1,
    failures: ['b\nexpected 1\n- 1\n+ 2'],
    retried: [],
  });
});

it('a test that passes on a further try counts as passed and is reported', () => {
  const retried = buildTest('a', { retried: true, message: 'timed out' });
  const count = countTests(STAGE, [retried, END], 1);
  expect(count).toEqual({ passed: 1, failures: [], retried: ['a\ntimed out'] });
});

it('a test that is slower than its stage allows fails, later when the run or the machine is slow', () => {
  const lines = [buildTest('a', { ms: 16_000 }), END];
  expect(countTests(STAGE, lines, 1).failures).toEqual([
    'a\ntook 16.0 s; a test of this stage may take 15 s',
  ]);
  expect(countTests(STAGE, lines, 4)).toEqual({ passed: 1, failures: [], retried: [] });
});

it('a tool that ends before its report does has failed', () =>
  expect(countTests(STAGE, [buildTest('a')], 1).failures).toEqual(['Unit: ended before its report did']));

it('each part has its stages, and an unknown part none', () => {
  const list = (part?: string, changed: readonly string[] = []) =>
    findStages(part, changed)?.map((stage) => stage.part);
  expect(findStages('types', [])?.map(({ title }) => title)).toEqual(['Route types', 'TypeScript']);
  expect(findStages('rules', [])?.[0]?.command).toContain('test/architecture.test.ts');
  expect(list('nothing')).toBeUndefined();
  expect(list()).not.toContain('systems');
});

it('the new site is tested when the run is at full length, or when a change touches its template', () => {
  const isTested = (part?: string, changed: readonly string[] = []) =>
    findStages(part, changed)?.some((stage) => stage.part === 'new-site');
  expect(isTested()).toBe(false);
  expect(isTested(undefined, ['src/core/pages/page.schema.ts'])).toBe(true);
  expect(isTested('all')).toBe(true);
});

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
