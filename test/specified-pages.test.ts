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

/**
 * What the specification counts or lists in the pages and files: where it is, and its entries as they are written there, or how
 * many there are. A name is a field of a list's entry, an id or a type that of a section.
 */
const SPECIFIED_LISTS: readonly (readonly [
  file: string,
  at: string,
  specified: number | readonly string[],
])[] = [
  [
    'pages/gohighlevel-free-trial.yaml',
    'risk-free.items.title',
    ['No Payment Info', 'Full {trial:days} Days', 'One-Click Cancel', 'Zero Commitments'],
  ],
  [
    'pages/gohighlevel-free-trial.yaml',
    'features.groups.title',
    [
      'Contacts and pipelines',
      'Email and SMS campaigns',
      'Online booking',
      'Drag-and-drop websites and funnels',
      'Automation workflows',
      'Analytics',
    ],
  ],
  [
    'pages/gohighlevel-free-trial.yaml',
    'plan.items.when',
    ['Days 1-2', 'Days 3-5', 'Days 6-8', 'Days 9-11', 'Days 12-14'],
  ],
  [
    'pages/gohighlevel-free-trial.yaml',
    'plan.items.title',
    [
      'Setup and import',
      'First campaign',
      'Calendar integration',
      'Website or funnel',
      'Automation and analysis',
    ],
  ],
  [
    'pages/gohighlevel-free-trial.yaml',
    'start.items.title',
    ['Enter your email', 'Verify and set up', 'Explore'],
  ],
  ['pages/gohighlevel-free-trial.yaml', 'faq.items.question', 6],
  ['pages/gohighlevel-free-trial.yaml', 'pricing.plans.price', ['{price:starter}', '{price:unlimited}']],
  ['pages/free-trial-demo.yaml', 'section-nav.items.to', ['features', 'success-stories', 'support', 'faq']],
  [
    'pages/free-trial-demo.yaml',
    'hero.points',
    [
      '{claim:trial-card} required{claim:trial-card.mark}',
      '{claim:trial-access.marked}',
      '{claim:trial-one-click.marked}',
      '{claim:trial-setup-help.marked}',
    ],
  ],
  ['pages/industry-report-2025.yaml', 'testimonials.items.quote', 2],
  ['pages/industry-report-2025.yaml', 'cost-comparison.rows.label', 6],
  [
    'pages/expert-review-gohighlevel-business-systems-consultant.yaml',
    'ratings.items.score',
    ['{claim:review-rating-features}', '{claim:review-rating-value}', '{claim:review-rating-ease}'],
  ],
  ['pages/roi-calculator.yaml', 'success-stories.items.rating', ['5', '5', '5']],
  ['site.yaml', 'blog.hero.stats', ['hub-revenue-growth', 'hub-time-saved', 'hub-retention']],
  ['site.yaml', 'blog.topics.name', ['CRM Strategy', 'Automation', 'Tool Reviews', 'Growth Tactics']],
  [
    'site.yaml',
    'blog.picks.items.href',
    ['/hubspot-vs-gohighlevel-pricing-comparison', '/gohighlevel-complete-tutorial', '/industry-report-2025'],
  ],
  ['site.yaml', 'blog.picks.items.minutes', ['12', '15', '8']],
  [
    'assessment.yaml',
    'businessType.options.label',
    [
      'Digital Marketing Agency',
      'E-commerce Store',
      'Course Creator/Coach',
      'Local Service Business',
      'SaaS/Tech Company',
      'Consultant/Freelancer',
      'Other',
    ],
  ],
  [
    'assessment.yaml',
    'revenue.options.label',
    ['Just starting (Under $5K)', 'Growing ($5K - $25K)', 'Scaling ($25K - $100K)', 'Established ($100K+)'],
  ],
  [
    'assessment.yaml',
    'challenges.options.label',
    [
      'Lead generation and acquisition',
      'Email marketing and automation',
      'Client/customer management',
      'Sales funnel optimization',
      'Integration between tools',
      'High costs of current tools',
    ],
  ],
  [
    'assessment.yaml',
    'budget.options.label',
    ['Under $100', '$100 - $300', '$300 - $500', '$500 - $1,000', '$1,000+'],
  ],
  ['assessment.yaml', 'questions.field', ['businessType', 'revenue', 'challenges', 'budget']],
];

/** The entries at `at`: each step is a field, or the id, type or field name of one entry of a list; on lists, of each entry. */
function listAt(value: unknown, at: string): string[] {
  const [step = '', ...rest] = at.split('.');
  if (Array.isArray(value)) {
    const named = value.find((entry) => [entry?.id, entry?.type, entry?.field].includes(step));
    return named === undefined ? value.flatMap((entry) => listAt(entry, at)) : listAt(named, rest.join('.'));
  }
  if (at === '') return [String(value)];
  const { [step]: next, sections, questions } = Object(value);
  if (next === undefined) return listAt(sections ?? questions ?? [], at);
  return Array.isArray(next) && rest.length === 0 ? next.map(String) : listAt(next, rest.join('.'));
}

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

it.each(SPECIFIED_LISTS)('%s has at %s what is specified', (file, at, specified) => {
  const found = listAt(parse(readFileSync(path.join(SHIPPED_CONTENT, file), 'utf8')), at);
  if (typeof specified === 'number') expect(found).toHaveLength(specified);
  else expect(found).toEqual(specified);
});
