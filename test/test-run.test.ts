import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createFastFolder } from '../scripts/test/ground.ts';
import { findTouched } from '../scripts/test/rest.ts';
import { conclude, folders, type Result, runLanes, type Step } from '../scripts/test/run-tests.ts';
import { compareSizes } from '../scripts/test/sizes.ts';
import { createFolder } from './support/create-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Test files that are run by a run of their own: a name with the text of the file. */
const VITEST_FILES = {
  first:
    "it('fails the first time', () => expect(count('first')).not.toBe(1));\nit('fails the first time too', () => {});",
  always: "it('fails always', () => expect(1).toBe(2));",
  two: "it('fails in two of three', () => expect([1, 3, 4]).not.toContain(count('two')));",
  one: "it('fails in one of three', () => expect([1, 3]).not.toContain(count('one')));",
  throws: "it('is never reached', () => {});\nthrow new Error('thrown while it is loaded');",
  hook: "beforeAll(() => { if (count('hook') === 1) throw new Error('no server'); });\nit('waits', () => {});",
  behind: "beforeAll(() => { throw new Error('no server'); });\nit('cannot run', () => {});",
  killed: "it('ends its process', () => process.kill(process.pid, 'SIGKILL'));",
  unhandled:
    "it('forgets a promise', async () => { Promise.reject(new Error('nobody waits')); await null; });",
  hidden: "const tags = ['meas' + 'ures'];\nit('hides its tag', { tags }, () => {});",
  skipped:
    "it.skip('is skipped by its text', () => {});\nit('skips itself', ({ skip }) => skip());\nit('passes', () => {});",
};
const PLAYWRIGHT_FILES = {
  first: VITEST_FILES.first.replaceAll('it(', 'test(').replace("time', ", "time', { tag: '@some' }, "),
  always: VITEST_FILES.always.replace('it(', 'test('),
  hook: VITEST_FILES.hook.replace('beforeAll', 'test.beforeAll').replace('it(', 'test('),
  behind:
    "test.beforeAll(() => { throw new Error('no server'); });\ntest('a', () => {});\ntest('b', () => {});",
  killed: VITEST_FILES.killed.replace('it(', 'test('),
  skipped:
    "test.skip('is skipped by its text', () => {});\ntest('skips itself', () => test.skip());\ntest('passes', () => {});",
};

/** The order of files that share a process. */
const BY_PATH =
  'class { sort(files) { return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1)); } }';

/** Counts its calls in a file, since each run has a process of its own. */
const COUNT = `export const count = (name) => {
  const file = path.join(import.meta.dirname, name + '.count');
  appendFileSync(file, '.');
  return readFileSync(file, 'utf8').length;
};`;

/** Runs such files as the runner does; resolves with the exit code, what is said of each failure, and the counts. */
async function runFiles(
  tool: 'vitest' | 'playwright',
  files: Record<string, string>,
  more: Partial<Step> = {},
) {
  mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(ROOT, '.cache/run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  const isVitest = tool === 'vitest';
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write(
    'count.mjs',
    `import { appendFileSync, readFileSync } from 'node:fs';\nimport path from 'node:path';\n${COUNT}`,
  );
  const imports = isVitest
    ? "beforeAll, expect, it } from 'vitest'"
    : "expect, test } from '@playwright/test'";
  for (const [name, text] of Object.entries(files))
    write(
      `${name}.${isVitest ? 'test' : 'spec'}.mjs`,
      `import { count } from './count.mjs';\nimport { ${imports};\n${text}\n`,
    );
  const shared =
    more.half === undefined ? '' : `isolate: false, maxWorkers: 1, sequence: { sequencer: ${BY_PATH} }, `;
  write(
    `${tool}.config.mjs`,
    isVitest
      ? `export default { root: import.meta.dirname, test: { ${shared}tags: [{ name: 'measures' }], include: ['*.test.mjs'] } };`
      : "export default { projects: [{ name: 'some' }], outputDir: 'output' };",
  );
  const config = path.relative(ROOT, path.join(folder, `${tool}.config.mjs`));
  const command = `${isVitest ? 'vitest run' : 'playwright test'} --config ${config}`;
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(String(text)));
  const before = folders.reports;
  folders.reports = path.join(folder, 'reports');
  onTestFinished(() => {
    folders.reports = before;
  });
  const run = { length: '', args: [] } as const;
  const code = await conclude(await runLanes([[{ title: 'Some', command, ...more }]], run), true);
  const list = JSON.parse(readFileSync(path.join(folders.reports, 'unsteady.json'), 'utf8'));
  const told = list.map((one: Record<'test' | 'state' | 'how' | 'message', string>) => {
    const name = one.test
      .replace(/^\S+\/run-\w+\/|\.(?:test|spec)\.mjs/g, '')
      .replace(/\.(?:test|spec)\.mjs/, '');
    return `${name}: ${one.state}, ${one.how.replace('Some; ', '')}: ${one.message.split('\n')[0]}`;
  });
  return { code, told: told.sort(), last: lines.at(-1)?.trim(), folder };
}

it('tells what fails each time from what fails sometimes, and repeats no crash', {
  tags: ['rest'],
}, async () => {
  expect(await runFiles('vitest', VITEST_FILES)).toMatchObject({
    code: 1,
    told: [
      'always > fails always: failed, passed 0 of 3 alone: AssertionError: expected 1 to be 2 // Object.is equality',
      'an error outside of tests: failed, never run again: Caused by: Error: Worker exited unexpectedly with signal SIGKILL',
      'an error outside of tests: failed, never run again: Error: nobody waits',
      'behind: failed, passed 0 of 3 alone: Error: no server',
      'first > fails the first time: unsteady, passed 3 of 3 alone: AssertionError: expected 1 not to be 1',
      'hidden: failed, never run again: Its tag “measures” stands in another file.',
      'hook: unsteady, passed 3 of 3 alone: Error: no server',
      'killed: failed, never run again: 1 tests did not run, among them: ends its process',
      'one > fails in one of three: unsteady, passed 2 of 3 alone: AssertionError: expected [ 1, 3 ] to not include 1',
      'throws: failed, passed 0 of 3 alone: Error: thrown while it is loaded',
      'two > fails in two of three: failed, passed 1 of 3 alone: AssertionError: expected [ 1, 3, 4 ] to not include 1',
    ].map((line) => expect.stringContaining(line)),
    last: '7 passed, 8 failed',
  });
});
it('tells the same of tests in a browser', { tags: ['rest'] }, async () => {
  expect(await runFiles('playwright', PLAYWRIGHT_FILES)).toMatchObject({
    code: 1,
    told: [
      'always > fails always: failed, passed 0 of 3 alone: Error: expect(received).toBe(expected)',
      'behind: failed, passed 0 of 3 alone: Error: no server',
      'first > fails the first time: unsteady, passed 3 of 3 alone: Error: expect(received).not.toBe(expected)',
      'hook > waits: unsteady, passed 3 of 3 alone: Error: no server',
      'killed > ends its process: failed, never run again: Error: worker process exited unexpectedly',
    ].map((line) => expect.stringContaining(line)),
    last: '4 passed, 3 failed',
  });
});

it('runs unit tests the third time with their neighbors, once for all', { tags: ['rest'] }, async () => {
  const files = {
    a: "it('leaves something', () => { count('a'); globalThis.left = true; });",
    b: "it('is behind another file', () => {});",
    c: "it('finds it', () => expect(globalThis.left).toBeUndefined());\nit('finds it too', () => expect(globalThis.left).toBeUndefined());",
  };
  const { code, told, folder } = await runFiles('vitest', files, { half: 0 });
  expect({ code, told }).toEqual({
    code: 0,
    told: ['finds it too', 'finds it'].map((name) =>
      expect.stringContaining(`c > ${name}: unsteady, passed 2 of 3 alone`),
    ),
  });
  expect(readFileSync(path.join(folder, 'a.count'), 'utf8')).toBe('..');
});

it('ends with 0 when what failed passes alone, and leaves the rest to the next command', {
  tags: ['rest'],
}, async () => {
  const { code, last, folder } = await runFiles('vitest', { first: VITEST_FILES.first });
  expect([code, last]).toEqual([0, '2 passed, 0 failed']);
  folders.reports = path.join(folder, 'reports');
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(String(text)));
  expect(await conclude([], false)).toBe(0);
  expect(lines.join('\n')).toContain('fails the first time (Some; passed 3 of 3 alone)');
});

/** Results of tests that failed, of a step that would fail again. */
const listFailures = (count: number) =>
  Array.from(
    { length: count },
    (_, index): Result => ({
      file: 'a.test.ts',
      name: `test ${index}`,
      state: 'failed',
      message: 'expected 1\nto be 2',
      project: '',
      pattern: 'a',
      step: { title: 'Some', command: 'vitest run --project=unit no-such-file' },
      run: { length: '', args: [], limit: 1 },
      alone: [],
    }),
  );

it('names more failures than can be luck, without trying them again', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(String(text)));
  const before = folders.reports;
  folders.reports = createFolder();
  onTestFinished(() => {
    folders.reports = before;
  });
  expect(await conclude(listFailures(26), true)).toBe(1);
  expect(
    lines.filter((line) => line.includes('not run again')).map((line) => line.trim().split('\n')),
  ).toEqual(
    Array.from({ length: 26 }, (_, index) => [
      `a.test.ts > test ${index} (Some; not run again)`,
      '    expected 1',
      '    to be 2',
    ]),
  );
  expect(lines.at(-1)).toBe('\n0 passed, 26 failed');
});

it('ends a step that says nothing, and whatever a step has started', async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const folder = createFolder();
  const run = async (text: string, limits: { quiet?: number; limit?: number }) => {
    const file = path.join(folder, 'program.cjs');
    writeFileSync(file, text);
    const step = { title: 'Some', command: `${process.execPath} ${file}` };
    const [result] = await runLanes([[step]], { length: '', args: [], ...limits });
    return result?.state === 'passed' ? 'passed' : result?.message.split('\n')[0];
  };
  const speaks = 'setInterval(() => console.log(1), 20);';
  expect(await run('setInterval(() => {}, 20);', { quiet: 200 })).toMatch(/stopped after .* without output/);
  expect(await run(speaks, { quiet: 10_000, limit: 400 })).toMatch(/stopped after [\d.]+ minutes\.$/);
  expect(await run(`${speaks} setTimeout(() => process.exit(), 400);`, { quiet: 300 })).toBe('passed');
  const pid = path.join(folder, 'pid');
  const leaves = `const { pid } = require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(pid)); process.exit();`;
  expect(await run(leaves, {})).toBe('passed');
  await expect.poll(() => spawnSync('kill', ['-0', readFileSync(pid, 'utf8')]).status).not.toBe(0);
});

it('writes to the disk where memory has no room', () => {
  const folder = createFastFolder('/no/such/folder');
  expect(path.dirname(folder)).toBe(os.tmpdir());
  rmSync(folder, { recursive: true });
});

it('ends with 2 and a sentence before any test where a browser cannot be installed', {
  tags: ['rest'],
}, () => {
  const env = { ...process.env, CHROMIUM_PATH: '/no/such/browser' };
  const words = ['scripts/test/run-tests.ts', 'browser', 'home'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('The tests cannot run: CHROMIUM_PATH is /no/such/browser, which does not run');
  expect(stdout.match(/Trying again/g)).toHaveLength(2);
  expect(stdout).not.toContain('──');
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
  const browser = path.join(createFolder(), 'firefox.cjs');
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
