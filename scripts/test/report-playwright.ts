import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { ROOT } from '../start/pinned-node.mjs';
import { writeReportLine, writeTest } from './report-lines.ts';

/** Writes the outcome of each test of Playwright for the run. */
export default class implements Reporter {
  onBegin(_: FullConfig, suite: Suite): void {
    writeReportLine({ kind: 'start', unit: 'tests', total: suite.allTests().length });
  }

  onTestEnd(test: TestCase): void {
    const outcome = test.outcome();
    const isLastTry = test.results.length > test.retries;
    if (outcome === 'skipped' || (outcome === 'unexpected' && !isLastTry)) return;
    writeReportLine({ kind: 'step' });
    const message = test.results.flatMap(({ errors }) => errors).map(formatError);
    writeTest(`${path.relative(ROOT, test.location.file)} > ${test.title}`, message.join('\n'), {
      passed: outcome !== 'unexpected',
      retried: outcome === 'flaky',
      ms: test.results.at(-1)?.duration ?? 0,
    });
  }

  onError(error: TestError): void {
    writeTest('Playwright', formatError(error));
  }

  onEnd(): void {
    writeReportLine({ kind: 'end' });
  }

  printsToStdio(): boolean {
    return false;
  }
}

function formatError({ message = '', location }: TestError): string {
  const place = location && `at ${location.file}:${location.line}:${location.column}`;
  return stripVTControlCharacters([message, place].filter(Boolean).join('\n'));
}
