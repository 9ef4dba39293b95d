import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Outcome of one program, or of all. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  /** Name of each failed test with the first line of its error. */
  readonly failures: readonly string[];
  /** Name of each test that passed on the second try, with the first line of its first error. */
  readonly retried: readonly string[];
}

const vitestTest = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()),
});

type VitestTest = z.infer<typeof vitestTest>;

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(vitestTest),
    }),
  ),
});

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
    }),
  ),
});

const playwrightSuite = z.object({
  specs: z.array(playwrightSpec).default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});

type PlaywrightSuite = z.infer<typeof playwrightSuite>;

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(playwrightSuite).default([]),
});

/**
 * Counts the tests of a JSON report. A test that passed on the second try counts as passed; a file that could not load
 * and an error outside of the tests count as failed. Throws when the report is incomplete.
 */
export function readReport(kind: 'vitest' | 'playwright', file: string): TestCount {
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return kind === 'vitest' ? countVitest(json) : countPlaywright(json);
}

function countVitest(json: unknown): TestCount {
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(json);
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const describeTests = (isWanted: (test: VitestTest) => boolean) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(isWanted)
        .map((test) => describeFailure(`${name} > ${test.fullName}`, test.failureMessages[0])),
    );
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length,
    failures: [
      ...describeTests(({ status }) => status === 'failed'),
      ...unloaded.map(({ name, message }) => describeFailure(name, message)),
    ],
    // The errors of earlier tries stay with a test that passes.
    retried: describeTests(
      ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
    ),
  };
}

function countPlaywright(json: unknown): TestCount {
  const { stats, errors, suites } = playwrightReport.parse(json);
  const describeTests = (wanted: 'unexpected' | 'flaky') =>
    suites
      .flatMap(listSpecs)
      .flatMap(({ title, file, tests }) =>
        tests
          .filter(({ status }) => status === wanted)
          .map(({ results }) =>
            describeFailure(`${file} > ${title}`, results.find(({ error }) => error)?.error?.message),
          ),
      );
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [
      ...describeTests('unexpected'),
      ...errors.map(({ message }) => describeFailure('Playwright', message)),
    ],
    retried: describeTests('flaky'),
  };
}

function listSpecs({ specs, suites }: PlaywrightSuite): z.infer<typeof playwrightSpec>[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function describeFailure(name: string, message = ''): string {
  const line = stripVTControlCharacters(message).split('\n', 1)[0];
  return line ? `${name}: ${line}` : name;
}
