import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readReport } from '../scripts/test/read-report.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(report: unknown): string {
  const file = path.join(folder, 'report.json');
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const suite = (status: string, tests: number) => ({
  name: 'a.test.ts',
  status,
  message: status === 'failed' ? 'Cannot find module\nat a.test.ts' : '',
  assertionResults: Array.from({ length: tests }, (_, index) => ({
    fullName: `case ${index}`,
    status: index < 7 ? 'passed' : 'failed',
    failureMessages:
      index > 0 && index < 7 ? [] : ['\u001b[31mexpected 1 to be 2\u001b[39m\n  at a.test.ts:1'],
  })),
});

describe('readReport', () => {
  it('counts the tests of Vitest, and names one that passed on the second try', () => {
    const file = write({ numPassedTests: 7, numFailedTests: 2, testResults: [suite('failed', 9)] });
    expect(readReport('vitest', file)).toEqual({
      passed: 7,
      failed: 2,
      failures: ['a.test.ts > case 7: expected 1 to be 2', 'a.test.ts > case 8: expected 1 to be 2'],
      retried: ['a.test.ts > case 0: expected 1 to be 2'],
    });
  });

  it('counts a test file that could not load as failed', () => {
    const file = write({
      numPassedTests: 1,
      numFailedTests: 0,
      testResults: [suite('passed', 0), suite('failed', 0)],
    });
    expect(readReport('vitest', file)).toEqual({
      passed: 1,
      failed: 1,
      failures: ['a.test.ts: Cannot find module'],
      retried: [],
    });
  });

  it('counts the tests of Playwright, errors outside of tests as failed, and names those that passed on the second try', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'a.spec.ts',
      ok: status !== 'unexpected',
      tests: [{ status, results: [status === 'expected' ? {} : { error: { message: 'Timeout\n at a' } }] }],
    });
    const file = write({
      stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 },
      errors: [{ message: 'The server ended' }],
      suites: [
        { specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'unexpected')] }] },
        { specs: [spec('three', 'flaky')] },
      ],
    });
    expect(readReport('playwright', file)).toEqual({
      passed: 6,
      failed: 2,
      failures: ['a.spec.ts > two: Timeout', 'Playwright: The server ended'],
      retried: ['a.spec.ts > three: Timeout'],
    });
  });

  it('throws on a report that was cut off', () => {
    expect(() => readReport('vitest', write('{"numPassedTests":'))).toThrow();
  });
});
