import { expect, it } from 'vitest';
import { describeAnswers, describeFilterValue, describeQuery, describeRange } from './names.ts';
import { parseConsoleQuery } from './query.ts';
import type { SiteNames } from './site-pages.ts';

const NAMES: SiteNames = {
  pages: new Map([['/roi-calculator', 'ROI calculator']]),
  partners: new Map([['highlevel', 'GoHighLevel']]),
  sites: new Map([['blog.example', 'Blog']]),
  topics: new Map(),
  questions: [
    {
      field: 'businessType',
      title: 'What kind of business do you run?',
      options: [
        { code: 'agency', label: 'Agency' },
        { code: 'business', label: 'Consultant' },
        { code: 'business', label: 'Other' },
      ],
    },
  ],
};

it.each([
  ['page', '/roi-calculator', 'ROI calculator'],
  ['page', '/removed', '/removed'],
  ['partner', 'highlevel', 'GoHighLevel'],
  ['site', 'blog.example', 'Blog'],
  ['site', 'gone.example', 'gone.example'],
  ['partner', 'removed', 'removed'],
  ['placement', '/roi-calculator roi-calculator / hero', 'roi-calculator / hero of ROI calculator'],
  ['placement', '/removed header', 'header of /removed'],
  ['answer', 'businessType agency', 'Agency'],
  ['answer', 'businessType business', 'Consultant or Other'],
  ['answer', 'businessType removed', 'removed'],
  ['answer', 'removed agency', 'agency'],
  ['answer', '', ''],
  ['campaign', 'google / cpc / brand', 'google / cpc / brand'],
  ['status', 'pending', 'pending'],
] as const)('the %s “%s” is called “%s”', (dimension, value, name) => {
  expect(describeFilterValue(NAMES, { dimension, value })).toBe(name);
});

it('answers have the question and the labels of their codes', () =>
  expect(describeAnswers(NAMES, { businessType: 'agency,business', mood: 'good' })).toEqual([
    {
      field: 'businessType',
      question: 'What kind of business do you run?',
      answer: 'Agency, Consultant or Other',
    },
    { field: 'mood', question: 'mood', answer: 'good' },
  ]));

it.each([
  ['range=28d', ['Last 28 days']],
  [
    'from=2026-10-01&to=2026-10-31&currency=EUR&partner!=highlevel',
    ['Oct 1 – Oct 31, 2026', 'EUR', 'Partner is not GoHighLevel'],
  ],
])('a view with %s is limited to %j', (parameters, parts) => {
  const context = { today: '2026-11-20', allTime: null, weekStart: 'monday' } as const;
  const { query } = parseConsoleQuery(new URLSearchParams(parameters), context);
  expect(describeQuery(query, NAMES)).toEqual(parts);
});

it.each([
  ['28d', '2026-11-03', '2026-11-30', 'in the last 28 days'],
  ['custom', '2026-11-03', '2026-11-30', 'from Nov 3 to Nov 30, 2026'],
  ['custom', '2026-11-03', '2026-11-03', 'on Nov 3, 2026'],
] as const)('a sentence says of %s, %s to %s: %s', (range, from, to, words) => {
  expect(describeRange({ range, from, to })).toBe(words);
});
