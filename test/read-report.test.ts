import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readReport } from '../scripts/read-report.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(report: unknown): string {
  const file = path.join(folder, 'report.json');
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const suite = (status: string, tests: number) => ({ status, assertionResults: Array(tests).fill({}) });

describe('readReport', () => {
  it('counts the tests of Vitest', () => {
    const file = write({ numPassedTests: 7, numFailedTests: 2, testResults: [suite('failed', 9)] });
    expect(readReport('vitest', file)).toEqual({ passed: 7, failed: 2 });
  });

  it('counts a test file that could not load as failed', () => {
    const file = write({
      numPassedTests: 1,
      numFailedTests: 0,
      testResults: [suite('passed', 1), suite('failed', 0)],
    });
    expect(readReport('vitest', file)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts the tests of Playwright, flaky ones and errors outside of tests as failed', () => {
    const file = write({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }, errors: [{}] });
    expect(readReport('playwright', file)).toEqual({ passed: 5, failed: 3 });
  });

  it('throws on a report that was cut off', () => {
    expect(() => readReport('vitest', write('{"numPassedTests":'))).toThrow();
  });
});
