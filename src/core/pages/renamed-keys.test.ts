import { expect, it } from 'vitest';
import type { TextPath } from './figures.ts';
import { applyRenames, PAGE_RENAMES, type Renames, SITE_RENAMES } from './renamed-keys.ts';

function run(raw: unknown, renames: Renames = PAGE_RENAMES) {
  const reports: string[] = [];
  const report = (path: TextPath, reason: string) => reports.push(`${path.join('.')}: ${reason}`);
  return { value: applyRenames(raw, renames, report), reports };
}

it('an old key is reported with its place and replaced', () => {
  const { value, reports } = run({ calls: { go: 'trial' }, sections: [{ ground: 'sunken' }] });
  expect(value).toEqual({ cta: { partnerLink: 'trial' }, sections: [{ background: 'sunken' }] });
  expect(reports).toEqual([
    'calls: `calls` is now `cta`',
    'calls.go: `go` is now `partnerLink`',
    'sections.0.ground: `ground` is now `background`',
  ]);
});

it('a key that is old in one place only stays where it is current', () => {
  const page = { columns: [{ answer: true }], items: [{ answer: 'Yes.' }] };
  expect(run(page).value).toEqual({ columns: [{ recommended: true }], items: [{ answer: 'Yes.' }] });
  expect(run({ copyright: { year: 2024 }, bill: { year: 'a year' } }, SITE_RENAMES).value).toEqual({
    copyright: { year: 2024 },
    bill: { yearLabel: 'a year' },
  });
});

it('an old value is reported and replaced under its key alone', () => {
  const { value, reports } = run({ look: 'answer', title: 'answer', figure: { kind: 'drawing' } });
  expect(value).toEqual({ variant: 'recommended', title: 'answer', figure: { kind: 'illustration' } });
  expect(reports).toContain('look: `answer` is now `recommended`');
});

it('an old link in a text is reported once and replaced everywhere in it', () => {
  const { value, reports } = run({ body: 'Try [it](go:trial) or [Kit](go:kit/trial).' });
  expect(value).toEqual({ body: 'Try [it](partner:trial) or [Kit](partner:kit/trial).' });
  expect(reports).toEqual(['body: `[words](go:…)` is now `[words](partner:…)`']);
});

it('a current document passes unchanged', () => {
  const page = { cta: { partnerLink: 'trial' }, sections: [{ type: 'prose', body: 'Let it go: now.' }] };
  expect(run(page)).toEqual({ value: page, reports: [] });
});

it.each(['constructor', 'toString', '__proto__'])('the key %s is no old key', (key) => {
  expect(run(JSON.parse(`{ "${key}": { "a": "x" } }`)).reports).toEqual([]);
});
