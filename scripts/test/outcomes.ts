// How tests ended, as Vitest and Playwright report it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { createFolder, writeNote } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';

/** How one test ended, or a whole file, or the step that ran them. */
export interface Outcome {
  /** Relative to the project; '' for the step itself. */
  readonly file: string;
  /** With the names of its groups; '' for the whole file. */
  readonly name: string;
  /** Failed for good: nothing that another try could tell. */
  readonly state: 'passed' | 'failed' | 'failed for good';
  /** First message of a failure. */
  readonly message: string;
  readonly project: string;
  /** Pattern of the name by which the tool runs this test alone. */
  readonly pattern: string;
}

/** The report of a step: its tests, and the files that have a result. */
export interface Report {
  readonly outcomes: readonly Outcome[];
  readonly files: readonly string[];
}

export const failForGood = (file: string, message: string, name = ''): Outcome => ({
  file,
  name,
  state: 'failed for good',
  message,
  project: '',
  pattern: '',
});

/**
 * The outcomes of a file. Tests that did not run though nothing in their text says so are a failure of the file, which is
 * repeated whole if another failure explains it.
 */
function judge(
  file: string,
  project: string,
  tests: readonly Outcome[],
  notRun: readonly string[],
  broken: readonly string[],
) {
  if (broken.length === 0 && notRun.length === 0) return tests;
  const reason = broken[0] ?? tests.find(({ state }) => state === 'failed')?.message;
  const left = notRun.length > 0 ? `${notRun.length} tests did not run, among them: ${notRun[0]}` : '';
  if (reason === undefined) return [...tests, failForGood(file, left)];
  const whole: Outcome = {
    file,
    name: '',
    state: 'failed',
    message: `${reason}\n${left}`,
    project,
    pattern: '',
  };
  return [...tests.filter(({ state }) => state !== 'failed'), whole];
}

/** Whether a file may have tests with a tag: it says so, or it is a contract, whose tests stand in other files. */
export function hasTag(file: string, tag: string): boolean {
  if (file.startsWith('test/contract/')) return true;
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return text.includes(`'${tag}'`) || text.includes(`@module-tag ${tag}`);
}

const relate = (file: string) => path.relative(ROOT, file);

/** Writes what Vitest's JSON lacks: failed hooks, tests that did not run, and errors outside of tests. */
export default class VitestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env['TEST_REPORT'];
    if (file === undefined) return;
    const report: Report = {
      outcomes: [
        ...modules.flatMap(readModule),
        ...errors.map((error) => failForGood('', describeError(error), 'an error outside of tests')),
      ],
      files: modules.filter((one) => one.state() !== 'pending').map(({ moduleId }) => relate(moduleId)),
    };
    createFolder(path.dirname(file));
    writeNote(file, JSON.stringify(report));
  }
}

function readModule(module: TestModule): readonly Outcome[] {
  const [file, project] = [relate(module.moduleId), module.project.name];
  const all = [...module.children.allTests()];
  const tests = all.flatMap((test): Outcome[] => {
    const { state, errors = [] } = test.result();
    if (state !== 'passed' && state !== 'failed') return [];
    const message = errors.map(describeError)[0] ?? '';
    const pattern = `^${RegExp.escape(test.fullName)}$`;
    return [{ file, name: test.fullName, state, message, project, pattern }];
  });
  const suites: readonly (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  const broken = suites.flatMap((one) => one.errors()).map(describeError);
  // A test whose hook failed is skipped, though neither a filter nor its text says so; one that skips itself has no such hook.
  const hasNotRun = (test: TestCase) =>
    test.result().state === 'pending' ||
    (broken.length > 0 && test.result().state === 'skipped' && test.options.mode === 'run');
  const notRun = all.filter(hasNotRun).map(({ fullName }) => fullName);
  // The file would not be loaded where only this tag runs.
  const hidden = new Set(all.flatMap(({ tags }) => tags).filter((tag) => !hasTag(file, tag)));
  const lost = [...hidden].map((tag) => failForGood(file, `Its tag “${tag}” stands in another file.`));
  return [...judge(file, project, tests, notRun, broken), ...lost];
}

/** Of errors with causes the innermost, without the lines of the tools, and what it compared. */
function describeError(error: SerializedError): string {
  if (error.cause !== undefined) return describeError(error.cause);
  const lines = [error.stack ?? error.message, error.diff ?? ''].join('\n').split('\n');
  return lines.filter((line) => line !== '' && !/node_modules|node:|new Promise/.test(line)).join('\n');
}

export const readVitest = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'));

/** A test of Playwright with the names of its groups. */
interface Found {
  readonly file: string;
  readonly titles: readonly string[];
  readonly test: JSONReportTest;
}

const listTests = (
  { file, title, specs, suites = [] }: JSONReportSuite,
  groups: readonly string[],
): readonly Found[] => {
  const names = title === file ? groups : [...groups, title];
  return [
    ...specs.flatMap((spec) => spec.tests.map((test) => ({ file, titles: [...names, spec.title], test }))),
    ...suites.flatMap((suite) => listTests(suite, names)),
  ];
};

export function readPlaywright(reportFile: string): Report {
  const { suites, errors, config }: JSONReport = JSON.parse(readFileSync(reportFile, 'utf8'));
  const place = ({ file = '' }: Partial<Found> = {}) => relate(path.join(config.rootDir, file));
  const found = Map.groupBy(
    suites.flatMap((suite) => listTests(suite, [])),
    ({ file, test }) => `${test.projectName} ${file}`,
  );
  const outcomes = [...found.values()].flatMap((tests) => {
    const [first] = tests;
    const file = place(first);
    const project = first?.test.projectName ?? '';
    const ended = tests.flatMap(({ test, titles, ...one }): Outcome[] => {
      if (test.status === 'skipped') return [];
      const message =
        test.results.flatMap((result) => result.errors.map((error) => error.message ?? ''))[0] ?? '';
      const state =
        test.status === 'expected' ? 'passed' : ENDED.test(message) ? 'failed for good' : ('failed' as const);
      // Tags stand behind the titles of groups and of the test.
      const pattern = ` ${[one.file, ...titles].map((title) => RegExp.escape(title)).join('(?: @\\S+)* ')}(?: @\\S+)*$`;
      return [{ file, name: titles.join(' > '), state, message, project, pattern }];
    });
    const notRun = tests.filter(({ test }) => test.status === 'skipped' && !isSkippedByText(test));
    return judge(
      file,
      project,
      ended,
      notRun.map(({ titles }) => titles.join(' > ')),
      [],
    );
  });
  return {
    outcomes: [
      ...outcomes,
      ...errors.map(({ message = '' }) => failForGood('', message, 'an error outside of tests')),
    ],
    files: [...found.values()].map(([first]) => place(first)),
  };
}

/** Playwright says so of a test whose process ended. */
const ENDED = /worker process exited unexpectedly/;

const isSkippedByText = ({ annotations }: JSONReportTest) =>
  annotations.some(({ type }) => type === 'skip' || type === 'fixme');
