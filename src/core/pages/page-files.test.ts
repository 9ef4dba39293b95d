import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSampleProducts, readSampleSavings } from '../../../test/support/sample-content.ts';
import { listArticleReferences } from './check-references.ts';
import { buildFigures, fillFigures, listMarkedClaims } from './claims/placeholders.ts';
import { buildPageDraft } from './drafts.ts';
import { pageSchema } from './page.schema.ts';

it.each(['Plain title of a page', 'What "per seat" costs: a sum', '{price:starter} # 5'])(
  'a new page with the title %j is a page',
  (title) => {
    const result = pageSchema.safeParse(parse(buildPageDraft(title, '2026-03-12')));
    expect(result.error?.issues).toBeUndefined();
    expect(result.data).toMatchObject({ title, draft: true });
  },
);

it('lists the links to articles in texts and lists, with their place', () => {
  const content = {
    sections: [
      { href: '/blog/a?x=1#part' },
      { type: 'prose', body: 'Read [this](/blog/b), then /blog/topic/c.' },
      { href: 'https://x.example/blog/d', count: 3, nothing: null, path: '/blog' },
    ],
  };
  expect(listArticleReferences(content, '/page')).toEqual([
    { place: '/page, section 1, field href', path: '/blog/a' },
    { place: '/page, section 2 (prose), field body', path: '/blog/b' },
    { place: '/page, section 2 (prose), field body', path: '/blog/topic/c' },
  ]);
});

const FACT = {
  heading: 'Some',
  text: 'there are.',
  source: 'https://acme.example/terms',
  checked: '2026-11-21',
};
const figures = buildFigures({
  savings: readSampleSavings(),
  products: readSampleProducts(),
  claims: new Map([
    ['hub-agencies', { figure: '1,000+', wording: 'agencies', evidence: '' }],
    ['proven', { figure: '9', wording: 'seats', evidence: 'An invoice.' }],
    ['denied', { figure: 'No fees', wording: 'ever', evidence: 'Its page.', fact: FACT }],
  ]),
});

it.each([
  ['Flat {price:unlimited}/month', 'Flat $297/month'],
  ['{plan:starter}, {subaccounts:starter} sub-accounts', 'Starter, 3 sub-accounts'],
  ['{trial:days} days, {guarantee:days} days', '14 days, 30 days'],
  ['Trusted by {claim:hub-agencies} Agencies', 'Trusted by 1,000+ Agencies'],
  ['{claim:hub-agencies} {claim:hub-agencies.wording}', '1,000+ agencies'],
  ['{claim:hub-agencies.status}', 'No source published yet'],
  ['{claim:hub-agencies.marked}', '1,000+[†](#no-source "hub-agencies")'],
  ['{claim:proven.marked}', '9'],
  ['{claim:denied}{claim:denied.mark}', 'No fees[†](#no-source "denied")'],
  ['{stack:crm-seats} of {stack:total}', '$450 of $1,492'],
  ['{stack:saving} ({stack:saving-percent}), {stack:saving-year} a year', '$1,195 (80%), $14,340 a year'],
  ['{price:starter.year}', '$1,164'],
  ['Step {step} of {steps}', 'Step {step} of {steps}'],
])('%j reads %j', (text, filled) => {
  expect(fillFigures({ deep: [{ text }] }, figures, () => undefined)).toEqual({ deep: [{ text: filled }] });
});

it('lists the claims that a page marks, each once', () => {
  const text = '{claim:denied.marked}, {claim:proven.marked}, {claim:hub-agencies.marked}';
  const page = fillFigures({ sections: [{ title: text }, { points: [text] }] }, figures, () => undefined);
  expect(listMarkedClaims(page)).toEqual(['denied', 'hub-agencies']);
});

it('a name without a figure is reported and stays', () => {
  const missing: unknown[] = [];
  const content = { lines: ['', '{price:gold}'] };
  expect(fillFigures(content, figures, (name, path) => missing.push([name, path]))).toEqual(content);
  expect(missing).toEqual([['price:gold', ['lines', 1]]]);
});
