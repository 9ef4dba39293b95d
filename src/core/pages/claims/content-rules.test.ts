import { expect, it } from 'vitest';
import { createTestSite } from '../../../../test/support/test-site.ts';
import type { Author } from '../../articles/author.schema.ts';
import type { Content } from '../content.ts';
import { ruleFields } from './content-rules.schema.ts';
import { judgeFile, openJudgedFile, RULE_IDS } from './content-rules.ts';

const sample = (await createTestSite()).content.read();
const NOW = Date.parse('2026-11-27');
const PUBLIC = 'https://hub.example';
const DAY = '2026-11-20';

/** What differs from the sample: the file, its site, its author, and what the product is. */
interface Case {
  readonly file?: string;
  readonly site?: object;
  readonly product?: object;
  readonly siteUrl?: string;
  readonly now?: number;
}

function judge(value: object, { file = 'articles/a.md', site, product, siteUrl = PUBLIC, now = NOW }: Case) {
  const [base] = sample.products.values();
  if (base === undefined) throw new Error('no product');
  const own = { ...base, tested: undefined, ...product };
  const ada: Author = { key: 'ada', name: 'Ada', kind: 'person', role: '', bio: '', links: [], tests: [] };
  const content: Content = {
    ...sample,
    site: { ...sample.site, author: 'ada', ...site },
    products: new Map([...sample.products, [own.key, own]]),
    authors: new Map([['ada', ada]]),
  };
  const partner = own.offers[0]?.partner;
  const head = file.startsWith('articles/')
    ? { partner }
    : file.startsWith('pages/')
      ? { cta: { partner } }
      : {};
  return judgeFile(openJudgedFile(file, { ...head, ...value }, content, { siteUrl, now }));
}

const [first] = sample.products.values();
const say = (body: string, more: object = {}) => ({ body, ...more });
const prove = (words: string, proof: object) => ({ proofs: [{ words, ...proof }] });
const list = (type: string, more: object = {}) => ({ sections: [{ type, ...more }] });
const quote = (more: object) =>
  list('testimonials', { items: [{ quote: 'Good.', name: 'A', company: 'B', ...more }] });
const page = { file: 'pages/p.yaml' };
const site = { file: 'site.yaml' };
const disclosure = (change: object) => ({ site: { disclosure: { ...sample.site.disclosure, ...change } } });
const source = { source: 'https://a.example/', checked: DAY };
const image = { src: 'a.jpg', alt: 'A', ai: 'realistic' };
const storage = [...sample.figures.keys()]
  .filter((one) => one.startsWith('storage:'))
  .map((one) => `{${one}}`);
const accessible = { scope: 'consumers', href: '/a11y', stated: DAY };

type Texts = readonly (readonly [value: object, change?: Case])[];
const CASES: Readonly<Record<string, { readonly passes: Texts; readonly fails: Texts }>> = {
  'disclosure-first': {
    passes: [[say('x')], [list('hero'), page], [say('x', { partner: 'none' }), disclosure({ short: '' })]],
    fails: [
      [say('x'), disclosure({ short: '' })],
      [list('hero'), { ...page, ...disclosure({ strip: ' ' }) }],
      [{}, { ...site, ...disclosure({ short: '' }) }],
    ],
  },
  'review-proof': {
    passes: [
      [quote({ sample: true }), page],
      [quote({ proof: 'invoice 12', verifiedOn: DAY }), page],
      [{ copy: { intro: { testimonials: [] } } }, { file: 'assessment.yaml' }],
    ],
    fails: [
      [quote({}), page],
      [quote({ proof: 'invoice 12' }), page],
      [{ copy: { intro: { testimonials: [{ text: 'Good.' }] } } }, { file: 'assessment.yaml' }],
    ],
  },
  'sample-quotes': {
    passes: [
      [{ samples: 'local' }, site],
      [{ samples: 'show' }, { ...site, siteUrl: 'http://localhost:4321' }],
      [{ samples: 'hide' }, site],
    ],
    fails: [
      [{ samples: 'show' }, site],
      [{ samples: 'show' }, { ...site, siteUrl: 'https://www.desks.shop' }],
      [{ samples: 'show', name: 'x' }, site],
    ],
  },
  'stars-source': {
    passes: [
      [say('Rated 4.8 of 5.', prove('4.8', { ...source, count: 120 }))],
      [say('2 of 5 clients left. See 3/5/2026.')],
      [say('Ask nobody for five stars.')],
      [{ rating: { figure: '5/5', wording: 'ease of use', evidence: '' } }, { file: 'claims/a.yaml' }],
    ],
    fails: [[say('Rated 4.8 of 5.', prove('4.8', source))], [say('It has 4.5 stars.')], [say('★★★★★')]],
  },
  'tested-words': {
    passes: [
      [say('We have not tested it.')],
      [say('We tested it for a week.'), { product: { tested: { by: 'ada', on: DAY, evidence: [] } } }],
      [say('It was tested by its maker.')],
    ],
    fails: [
      [say('We tested it for a week.')],
      [say('A hands-on look.')],
      [say('In our tests it won.'), { product: { tested: { by: 'ben', on: DAY, evidence: [] } } }],
    ],
  },
  'price-age': {
    passes: [
      [{}, { file: `products/${first?.key}.yaml`, now: Date.parse('2026-09-23') }],
      [say('x'), { now: Date.parse('2030-01-01') }],
      [{}, { ...site, now: Date.parse('2030-01-01') }],
    ],
    fails: ['2028-01-01', '2029-01-01', '2030-01-01'].map((day) => [
      {},
      { file: `products/${first?.key}.yaml`, now: Date.parse(day) },
    ]),
  },
  'ai-image': {
    passes: [
      [say('x', { image: { ...image, ai: 'drawn' } })],
      [list('image', { image, caption: 'Generated with a tool (AI).' }), page],
      [say('The picture above was generated.', { image })],
    ],
    fails: [
      [say('x', { image })],
      [list('image', { image, caption: 'A desk.' }), page],
      [list('image', { image }), page],
    ],
  },
  accessibility: {
    passes: [
      [{ accessibility: { scope: 'none' } }, site],
      [{ accessibility: accessible }, site],
      [list('video', { youtube: 'a', captions: true }), page],
    ],
    fails: [
      [{}, site],
      [{ accessibility: { ...accessible, stated: '2025-11-20' } }, site],
      [say('![](a.png)')],
    ],
  },
  operator: {
    passes: [
      [{}, { ...site, site: { operator: { name: 'A', address: 'B', email: '' } } }],
      [{}, { ...site, siteUrl: 'http://localhost' }],
      [say('x')],
    ],
    fails: ['', 'A', 'B'].map((name) => [
      {},
      { ...site, site: { operator: { name, address: name === '' ? 'B' : '', email: '' } } },
    ]),
  },
  'privacy-list': {
    passes: [
      [list('prose', { body: storage.join(' ') }), { file: 'pages/privacy.yaml' }],
      [list('prose'), page],
      [say('x'), { file: 'articles/privacy.md' }],
    ],
    fails: storage
      .slice(0, 3)
      .map((one) => [
        list('prose', { body: storage.filter((other) => other !== one).join(' ') }),
        { file: 'pages/privacy.yaml' },
      ]),
  },
};

it('every rule has three texts that pass and three that fail', () => {
  expect(Object.keys(CASES)).toEqual(RULE_IDS);
  for (const texts of Object.values(CASES).flatMap(({ passes, fails }) => [passes, fails]))
    expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBeGreaterThanOrEqual(3);
});

it.each(
  Object.entries(CASES).flatMap(([id, { passes, fails }]) => [
    ...passes.map(([value, change = {}]) => [id, 'passes', value, change] as const),
    ...fails.map(([value, change = {}]) => [id, 'fails', value, change] as const),
  ]),
)('%s %s %j %j', (id, outcome, value, change) => {
  const found = judge(value, change).filter(({ rule }) => rule === id);
  expect(found.length > 0 ? 'fails' : 'passes').toBe(outcome);
});

it('a finding is allowed by its file, for its words alone, with a rule that exists and a reason', () => {
  const decision = { rule: 'stars-source', words: '4.5', reason: 'true', by: 'A', day: DAY };
  const find = (allow: object) =>
    judge(say('It has 4.5 stars. It has 4.6 stars.', { allow: [allow] }), {}).map(({ message }) => message);
  expect(find(decision)).toEqual(['"4.6 stars": from where, how many, which day?']);
  expect(find({ ...decision, rule: 'tested-words' })).toHaveLength(2);
  expect(find({ ...decision, words: undefined })).toEqual([]);
  const parse = (change: object) => ruleFields.allow.safeParse([{ ...decision, ...change }]).success;
  expect([parse({}), parse({ rule: 'scarce' }), parse({ reason: undefined })]).toEqual([true, false, false]);
});
