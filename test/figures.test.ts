import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDollars } from '../src/core/savings/parse-amount.ts';
import { readSampleClaims, readSamplePlans, SHIPPED_CONTENT } from './support/sample-content.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Figures that cannot be mistaken for anything else: with $, % or +, or with a thousands comma. */
const isTelling = (figure: string) => /[$%+]|\d,\d/.test(figure) && figure.length > 2;

const plans = readSamplePlans(SHIPPED_CONTENT);
const claims = [...readSampleClaims(SHIPPED_CONTENT).values()];
const FIGURES = new Set(
  [
    ...plans.plans.map(({ monthlyCents }) => formatDollars(monthlyCents)),
    ...plans.stack.map(({ monthlyCents }) => formatDollars(monthlyCents)),
    ...claims.map(({ figure }) => figure),
  ].filter(isTelling),
);
const TERMS = new RegExp(`\\b(${plans.trial.days}|${plans.guarantee.days})[- ]days?\\b`, 'i');

function listFiles(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
}

function findFigures(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/\{[a-z]+:[a-z0-9.-]+\}/g, '{}');
  const written = [...FIGURES].filter((figure) => hasFigure(text, figure));
  const terms = TERMS.exec(text)?.[0];
  return [...written, ...(terms === undefined ? [] : [terms])].map((figure) => `${file}: ${figure}`);
}

/** `$97` is not in `$970` or `$97.50`, nor `23%` in `123%`. */
function hasFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + figure.length);
    if (!/[\d.,$]/.test(before) && !/^(\d|[.,]\d)/.test(after + text.charAt(at + figure.length + 1)))
      return true;
  }
  return false;
}

describe('a figure is in content/plans.yaml or content/claims alone', () => {
  it('knows the figures that it looks for', () => {
    expect(FIGURES).toContain('$297');
    expect(FIGURES).toContain('40,000+');
    expect(FIGURES.size).toBeGreaterThan(25);
  });

  it('so no page document writes one', () => {
    expect(listFiles('content/pages', /\.yaml$/).flatMap(findFigures)).toEqual([]);
  });

  it('and no component does', () => {
    const files = ['src/sections', 'src/islands', 'src/ui', 'src/pages'].flatMap((folder) =>
      listFiles(folder, /\.(tsx?|astro)$/),
    );
    expect(files.flatMap(findFigures)).toEqual([]);
  });
});

it('figures that are computed from others still agree with them', () => {
  const read = (key: string) =>
    Number(claims.find((claim) => claim.key === key)?.figure.replace(/[^0-9.]/g, ''));
  const unlimited = (plans.plans.find(({ key }) => key === 'unlimited')?.monthlyCents ?? 0) / 100;
  expect(read('competing-difference')).toBe(read('competing-price') - unlimited);
  expect(read('tools-yearly')).toBe(read('tools-monthly') * plans.months);
  expect(read('report-fragmented')).toBe(100 - read('report-consolidating'));
});
