import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listNames, listTexts } from '../src/core/pages/claims/placeholders.ts';
import { readSampleClaims, SHIPPED_CONTENT } from './support/sample-content.ts';

/**
 * The sections that the specification lists for a page, in its order, by their ids, or by their type where they have
 * none. Sections that it does not list may be between them.
 */
const SPECIFIED_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'gohighlevel-free-trial': (
    'tutorial risk-free challenges features pricing calculator plan outcomes testimonials ' +
    'included support start faq final-cta'
  ).split(' '),
  'roi-calculator': (
    'roi-calculator tutorial tool-chaos tutorial-insights before-after success-stories ' +
    'templates trial-offer final-cta'
  ).split(' '),
  'hubspot-vs-gohighlevel-pricing-comparison': ['problem', 'solution', 'features', 'pricing'],
  'gohighlevel-complete-tutorial': ['why-gohighlevel', 'what-you-get', 'success-stories', 'get-started'],
  'industry-report-2025': (
    'executive-summary research-findings monthly-cost efficiency cost-comparison testimonials ' +
    'methodology conclusion disclosure'
  ).split(' '),
  'expert-review-gohighlevel-business-systems-consultant':
    'section-nav author video method problems ratings limits verdict call-to-action faq'.split(' '),
  'free-trial-demo': ['section-nav', 'hero', 'features', 'success-stories', 'support', 'faq'],
};

/** At most this many of the specified sections of a page are folded: lists that few readers look something up in. */
const MAX_FOLDED = 3;

const FOLDER = path.join(SHIPPED_CONTENT, 'pages');
const pageSchema = z.object({
  sections: z.array(
    z.looseObject({ type: z.string(), id: z.string().optional(), folded: z.boolean().default(false) }),
  ),
});
const readPage = (name: string) => pageSchema.parse(parse(readFileSync(path.join(FOLDER, name), 'utf8')));
const getName = ({ id, type }: { readonly id?: string | undefined; readonly type: string }) => id ?? type;

const unproven = new Set(
  [...readSampleClaims(SHIPPED_CONTENT).values()]
    .filter(({ evidence }) => evidence === '')
    .map(({ key }) => `claim:${key}`),
);

/** The figures without a source that have no mark in the same entry of a list, down to single texts. */
function listUnmarked(entry: unknown): string[] {
  // The bars and shares of a chart have no room for a mark: its caption has them.
  if (typeof entry === 'object' && entry !== null && 'type' in entry && entry.type === 'chart')
    return listUnmarkedNames(listTexts(entry));
  const parts = typeof entry === 'object' && entry !== null ? Object.values(entry) : [entry];
  const lists = parts.filter((part) => Array.isArray(part));
  return [
    ...listUnmarkedNames(listTexts(parts.filter((part) => !Array.isArray(part)))),
    ...lists.flat().flatMap(listUnmarked),
  ];
}

function listUnmarkedNames(texts: ReturnType<typeof listTexts>): string[] {
  const names = texts.flatMap(({ text }) => listNames(text));
  return names.filter((name) => unproven.has(name) && !names.includes(`${name}.mark`));
}

describe.each(Object.entries(SPECIFIED_SECTIONS))('/%s', (page, specified) => {
  const { sections } = readPage(`${page}.yaml`);
  const listed = sections.filter((section) => specified.includes(getName(section)));

  it('has the specified sections in the specified order', () =>
    expect(listed.map(getName)).toEqual(specified));

  it('folds at most three of them', () =>
    expect(listed.filter(({ folded }) => folded).length).toBeLessThanOrEqual(MAX_FOLDED));

  it('marks every figure without a source, where it is', () =>
    expect(sections.flatMap(listUnmarked)).toEqual([]));
});
