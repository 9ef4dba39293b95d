import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyContent } from '../../../test/support/content-copy.ts';
import { readContent } from './read-content.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-content-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the shipped content is read, with figures in their places', () => {
  copyContent(folder);
  const { assessment, figures, plans } = readContent(folder);
  expect(figures.get('price:unlimited')).toBe('$297');
  expect(assessment.outcomes[0]?.reasons.join()).toContain('Flat $297/month');
  expect(plans.calculators.roi.plan.monthlyCents).toBe(97_00);
});

it.each([
  [
    'a price that no plan has',
    '{price:unlimited}',
    '{price:gold}',
    'content/assessment.yaml: there is no figure "{price:gold}"',
  ],
  [
    'a partner that is not there',
    'partner: kit',
    'partner: tik',
    'content/assessment.yaml, outcomes.3.partner: no partner is called "tik"',
  ],
  [
    'an outcome without business types',
    '[ecommerce]',
    '[]',
    'content/assessment.yaml, outcomes.2.businessTypes',
  ],
])('%s stops it with file, field and reason', (_, from, to, message) => {
  copyContent(folder, { 'assessment.yaml': (text) => text.replace(from, to) });
  expect(() => readContent(folder)).toThrow(message);
});

it('plans that are wrong are reported by their own file alone', () => {
  copyContent(folder, { 'plans.yaml': (text) => text.replace('monthly: 97', 'monthly: free') });
  expect(() => readContent(folder)).toThrow(
    '[content] 1 problem:\n  content/plans.yaml, plans.starter.monthly',
  );
});
