import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { findTouched } from '../scripts/test/rest.ts';
import { readPlaywright, readVitest } from '../scripts/test/run-tests.ts';
import { compareSizes } from '../scripts/test/sizes.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

it('reads which tests of vitest passed, failed, and passed on a second try', () => {
  const test = (title: string, status: 'passed' | 'failed' | 'pending', ...failureMessages: string[]) => ({
    ancestorTitles: [],
    fullName: title,
    title,
    status,
    failureMessages,
    meta: {},
    tags: [],
    benchmarks: [],
  });
  const read = (
    status: 'passed' | 'failed',
    message: string,
    ...assertionResults: ReturnType<typeof test>[]
  ) =>
    readVitest({
      testResults: [
        {
          name: path.join(ROOT, 'src/a.test.ts'),
          status,
          message,
          startTime: 0,
          endTime: 0,
          assertionResults,
        },
      ],
    });
  expect(
    read(
      'failed',
      '',
      test('a', 'passed'),
      test('b', 'failed', 'expected 1', 'expected 2'),
      test('c', 'pending'),
    ),
  ).toEqual([
    { name: 'src/a.test.ts > a', state: 'passed', message: '' },
    { name: 'src/a.test.ts > b', state: 'failed', message: 'expected 1\nexpected 2' },
  ]);
  const missing = 'There is no /dev/fuse.';
  expect(read('passed', '', { ...test('a', 'pending'), meta: { missing } })).toEqual([
    { name: 'src/a.test.ts > a', state: 'skipped', message: missing },
  ]);
  expect(read('passed', '', test('a', 'passed', 'timed out'))).toEqual([
    { name: 'src/a.test.ts > a', state: 'retried', message: 'timed out' },
  ]);
  expect(read('failed', 'cannot be imported')).toEqual([
    { name: 'src/a.test.ts', state: 'failed', message: 'cannot be imported' },
  ]);
});

it('reads which tests of Playwright passed, failed, were skipped, and passed on a second try', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    file: 'a.spec.ts',
    title,
    tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  });
  const report = {
    suites: [
      {
        specs: [spec('a', 'expected')],
        suites: [{ specs: [spec('b', 'flaky', 'late'), spec('c', 'skipped')] }],
      },
    ],
    errors: [{ message: 'No browser' }],
  };
  expect(readPlaywright(report as unknown as Parameters<typeof readPlaywright>[0])).toEqual([
    { name: 'test/e2e/a.spec.ts > a', state: 'passed', message: '' },
    { name: 'test/e2e/a.spec.ts > b', state: 'retried', message: 'late' },
    { name: 'Playwright', state: 'failed', message: 'No browser' },
  ]);
});

it('what a change touches is tested whole', () => {
  const list = (file: string) => findTouched([file]).map(([part]) => part);
  expect(list('src/browser/events/outbox.ts')).toContain('firefox');
  expect(list('src/stores/clicks.ts')).toEqual(expect.arrayContaining(['edge', 'fault']));
  expect(findTouched(['src/core/pages/page.schema.ts'])).toEqual([
    ['unit', ['src/core/pages/']],
    ['new-site', []],
  ]);
  expect(list('README.md')).toEqual([]);
});

it('a folder may grow by 3 % before somebody has to say why', () => {
  const compare = (code: number, tests = 100) =>
    compareSizes({ core: { code: 1_000, tests: 100 } }, { core: { code, tests } });
  expect(compare(1_000)).toEqual([]);
  expect(compare(900, 90)).toEqual([]);
  expect(compare(1_030)).toEqual([
    { text: 'src/core: 1000 → 1030 lines of code, 3.0 % more', isTooMuch: false },
  ]);
  expect(compare(1_031)).toMatchObject([{ isTooMuch: true }]);
  expect(compare(1_000, 104)).toMatchObject([{ isTooMuch: true }]);
  expect(compareSizes({}, { added: { code: 1, tests: 0 } })).toMatchObject([{ isTooMuch: true }]);
});

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
