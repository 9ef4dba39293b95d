import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Outcome of one program or of all. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.unknown()),
});

/** Counts the tests of a JSON report. A file that could not even load and an error outside of tests count as failed. */
export function readReport(kind: 'vitest' | 'playwright', file: string): Count {
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (kind === 'playwright') {
    const { stats, errors } = playwrightReport.parse(json);
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
  }
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(json);
  const unloaded = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}
