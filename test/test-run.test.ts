import { expect, it } from 'vitest';
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

it('a tool that ends before its report does has failed', () => {
  expect(countTests(STAGE, [buildTest('a')], 1).failures).toEqual(['Unit: ended before its report did']);
});

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
