import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { writeReportLine, writeTest } from './report-lines.ts';

type Problem = NonNullable<ReturnType<TestModule['errors']>[number]>;

/** Writes the outcome of each test of vitest for the run. */
export default class implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    writeReportLine({ kind: 'start', unit: 'files', total: specifications.length });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'passed' && state !== 'failed') return;
    const { duration = 0, retryCount = 0 } = test.diagnostic() ?? {};
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    const message = (errors ?? []).map(formatError).join('\n');
    writeTest(name, message, { passed: state === 'passed', retried: retryCount > 0, ms: duration });
  }

  onTestModuleEnd(module: TestModule): void {
    writeReportLine({ kind: 'step' });
    for (const error of module.errors()) writeTest(module.relativeModuleId, formatError(error));
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly Problem[]): void {
    for (const error of errors) writeTest('vitest', formatError(error));
    writeReportLine({ kind: 'end' });
  }
}

/** Message, place and the difference of an error. */
function formatError({ message, diff, stacks }: Problem): string {
  const [place] = stacks ?? [];
  const lines = [message, diff, place && `at ${place.file}:${place.line}:${place.column}`];
  return stripVTControlCharacters(lines.filter(Boolean).join('\n'));
}
