import { expect, it } from 'vitest';
import { createTestSite } from '../../../../test/support/test-site.ts';
import type { Author } from '../../articles/author.schema.ts';
import type { Content } from '../content.ts';
import { allowedFileSchema } from './content-rules.schema.ts';
import { judgeFile, openJudgedFile, RULE_IDS } from './content-rules.ts';

const sample = (await createTestSite()).content.read();
const NOW = Date.parse('2026-11-27');
const PUBLIC = 'https://hub.example';
const DAY = '2026-11-20';

/** What differs from the sample: the file, its site, its author, and what the product is. */
interface Case {
  readonly file?: string;
  readonly site?: object;
  readonly tie?: string;
  readonly product?: object;
  readonly siteUrl?: string;
  readonly now?: number;
}

function judge(
  value: object,
  { file = 'articles/a.md', site, tie, product, siteUrl = PUBLIC, now = NOW }: Case,
) {
  const [base] = sample.products.values();
  if (base === undefined) throw new Error('no product');
  const own = { ...base, tested: undefined, ...product };
  const ada: Author = { key: 'ada', name: 'Ada', kind: 'person', role: '', bio: '', links: [], tests: [] };
  const ties = { stated: DAY, list: [{ with: own.maker ?? own.name, kind: tie as 'gift' }] };
  const content: Content = {
    ...sample,
    site: { ...sample.site, author: 'ada', ...site },
    products: new Map([...sample.products, [own.key, own]]),
    authors: new Map([['ada', tie === undefined ? ada : { ...ada, ties }]]),
  };
  const partner = own.offers[0]?.partner;
  const head = file.startsWith('articles/')
    ? { partner }
    : file.startsWith('pages/')
      ? { cta: { partner } }
      : {};
  return judgeFile(openJudgedFile(file, { ...head, ...value }, content, { siteUrl, now }));
}

const [first, second] = sample.products.values();
const OTHER = second?.key ?? '';
const NAME = first?.name ?? '';
const MAKER = first?.maker ?? NAME;
const say = (body: string, more: object = {}) => ({ body, ...more });
const prove = (words: string, proof: object) => ({ proofs: [{ words, ...proof }] });
const list = (type: string, more: object = {}) => ({ sections: [{ type, ...more }] });
const quote = (more: object) =>
  list('testimonials', { items: [{ quote: 'Good.', name: 'A', company: 'B', ...more }] });
const page = { file: 'pages/p.yaml' };
const site = { file: 'site.yaml' };
const goods = { product: { kind: 'physical' } };
const disclosure = (change: object) => ({ site: { disclosure: { ...sample.site.disclosure, ...change } } });
const source = { source: 'https://a.example/', checked: DAY };
const dated = { key: 's', title: 'S', href: 'https://a.example/', read: 'opened', checked: DAY };
const trial = { product: { facts: [{ key: 'trial-days', label: 'Days', value: '14', source: dated }] } };
const gratis = { product: { offers: first?.offers.map((one) => ({ ...one, amount: 0, source: dated })) } };
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
  'paid-ranking': {
    passes: [
      [list('roundup', { basis: 'By price.' }), page],
      [list('versus'), { ...page, ...disclosure({ commission: 'Commission does not change the order.' }) }],
      [list('product-box'), page],
    ],
    fails: [
      [list('product-comparison'), page],
      [say('{{volume-prices products="a, b"}}')],
      [{ home: { picks: { items: [] } } }, site],
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
    ],
    fails: [[say('Rated 4.8 of 5.', prove('4.8', source))], [say('It has 4.5 stars.')], [say('★★★★★')]],
  },
  insider: {
    passes: [
      [say('x')],
      [say(`Ada works for ${MAKER}, which pays her.`), { tie: 'employment' }],
      [say('x', { partner: 'none' }), { tie: 'other', product: { maker: 'Nobody', offers: [] } }],
    ],
    fails: [
      [say('x'), { tie: 'employment' }],
      [say(`We like ${MAKER}.`), { tie: 'ownership' }],
      [list('author', { author: 'ada' }), { ...page, tie: 'gift' }],
    ],
  },
  independence: {
    passes: [
      [say('An independent look.', { partner: 'none' })],
      [say('Pay independent contractors on time.')],
      [say('We are paid.')],
    ],
    fails: [
      [say('An unbiased look.')],
      [say('Our impartial list.')],
      [{ ...list('hero', { lead: 'Independently read' }) }, page],
    ],
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
  'price-cut': {
    passes: [
      [say('$97 a month, checked November 20.'), goods],
      [
        say(
          'It was $497, now $297.',
          prove('297', { lowest30: { amount: 297, from: DAY, to: DAY, source: 'https://a.example/' } }),
        ),
        goods,
      ],
      [say('A margin of 10-20% is left.'), goods],
    ],
    fails: [
      [say('It was $497, now $297.'), goods],
      [say('~~$497~~ $297'), goods],
      [say('Save 30% today.'), goods],
    ],
  },
  scarcity: {
    passes: [
      [say('47 spots left.', prove('47 spots', { until: '2026-12-01', evidence: 'the seats of the room' }))],
      [say('Three places are in the list. The offer ends in March.')],
      [say('Only 3 of them have an export.')],
    ],
    fails: [[say('Only 3 left!')], [say('47 spots left')], [say('The sale ends today.')]],
  },
  'free-claim': {
    passes: [
      [say('It is free.[^1]')],
      [say('No credit card.', prove('credit card', source))],
      [say('That is free of charges you know; call toll-free and free up an hour.')],
      [say('Start on the free plan.'), gratis],
      [say('Start your free trial.'), trial],
      [list('cards', { items: [{ title: NAME, text: 'It is free.' }] }), { ...page, ...gratis }],
      [list('faq', { items: [{ question: 'Is there a free plan?' }] }), page],
      [list('table', { rows: [{ label: 'Free plan', cells: ['{product:x.free-plan}'] }] }), page],
    ],
    fails: [
      [say('Start on the free plan.'), trial],
      [say('Free, and no credit card.'), gratis],
      [list('cards', { items: [{ product: OTHER, text: 'It is free.' }] }), { ...page, ...gratis }],
      [say('It is free.')],
      [say('No credit card needed.')],
      [say('Cancel anytime, money-back.', prove('other', source))],
    ],
  },
  'green-generic': {
    passes: [
      [say('Green Valley is a town.')],
      [
        say(
          'Servers run on electricity from contract X (2026). Sustainable growth is slow, and an ecosystem is large.',
        ),
      ],
      [say('Eco-friendly hosting.', prove('eco-friendly', { scheme: 'EU Ecolabel DE/1' }))],
    ],
    fails: [
      [say('It has green servers.')],
      [say('An eco-friendly, sustainable desk.')],
      [say('Biodegradable packaging.')],
    ],
  },
  'green-offset': {
    passes: [
      [say('Climate neutrality is a word.')],
      [say('The town is carbon neutral.')],
      [say(`${NAME} publishes its electricity contract.`)],
    ],
    fails: [
      [say(`${NAME} is climate neutral.`)],
      [say('Our hosting is CO2 compensated.', prove('CO2', { scheme: 'X' }))],
      [say('The platform is net zero.')],
    ],
  },
  'green-label': {
    passes: [
      [say('A certified accountant.')],
      [say('It has a certified climate label.', prove('certified', { scheme: 'EU Ecolabel 12' }))],
      [say('A green box, open at the top.')],
    ],
    fails: [
      [say('Certified green power.')],
      [say('It carries an environmental seal.')],
      [say('A carbon certificate is shown.')],
    ],
  },
  'green-future': {
    passes: [
      [say('By 2030 prices will have doubled.')],
      [say('Climate neutral by 2030.', prove('by 2030', { plan: 'https://a.example/plan' }))],
      [say('Since 2020 it runs on green energy.')],
    ],
    fails: [[say('Net zero by 2030.')], [say('Only green energy by 2028.')], [say('Carbon falls by 2035.')]],
  },
  'ai-text': {
    passes: [
      [say('x')],
      [say('x', { provenance: { kind: 'assisted' } })],
      [say('x', { provenance: { kind: 'generated', reviewer: 'A. Meyer' }, publicInterest: true })],
    ],
    fails: [
      [say('x', { provenance: { kind: 'generated' } })],
      [say('x', { provenance: { kind: 'generated', tool: 'x' } })],
      [{ ...list('prose'), provenance: { kind: 'generated' } }, page],
    ],
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

it.each([
  ['price-cut', say('Save 30%.'), {}, 'warning'],
  ['independence', say('Unbiased.'), { tie: 'ownership' }, 'error'],
  ['ai-text', say('x', { provenance: { kind: 'generated' }, publicInterest: true }), {}, 'error'],
] as const)('%s has another level for some texts: %j', (id, value, change, level) => {
  expect(judge(value, change).find(({ rule }) => rule === id)?.level).toBe(level);
});

it('a finding is allowed by its file, for its words alone, with a rule that exists and a reason', () => {
  const decision = { rule: 'scarcity', words: 'only 3', reason: 'true', by: 'A', day: DAY };
  const found = judge(say('Only 3 left. Only 4 left.', { allow: [decision] }), {});
  const scarce = found.filter(({ rule }) => rule === 'scarcity');
  expect(scarce.map(({ allowed }) => allowed?.reason)).toEqual(['true', undefined]);
  const [other] = judge(say('Only 3 left.', { allow: [{ ...decision, rule: 'free-claim' }] }), {});
  expect([other?.rule, other?.allowed]).toEqual(['scarcity', undefined]);
  const parse = (change: object) =>
    allowedFileSchema.safeParse([{ file: 'a', ...decision, ...change }]).success;
  expect([parse({}), parse({ rule: 'scarce' }), parse({ reason: undefined })]).toEqual([true, false, false]);
});
