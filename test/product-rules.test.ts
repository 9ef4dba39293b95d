import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { checkContent, listOldPriceWarnings } from '../scripts/build/check-content.ts';
import { createSiteFolder } from '../src/commands/new.ts';
import { checkAmounts, checkQuotations, checkReviews } from '../src/content-files/check-copy.ts';
import { openFolderContent } from '../src/content-files/content-source.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { fillFigures } from '../src/core/pages/claims/placeholders.ts';
import type { Content } from '../src/core/pages/content.ts';
import { NO_IMAGES } from '../src/core/pages/images/content-image.ts';
import { type PageSection, sectionSchema } from '../src/core/pages/sections/section.schema.ts';
import type { Offer } from '../src/core/products/product.ts';
import { PageCache } from '../src/runtimes/node/page-cache.ts';
import { ShortcodeSection } from '../src/sections/articles/shortcode-section.tsx';
import { createApp } from '../src/server/app.ts';
import { ContentReload, createLiveContent } from '../src/server/pages/content-reload.ts';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { createFolder } from './support/create-folder.ts';
import { NO_LOG } from './support/no-log.ts';
import { runCommand } from './support/run-command.ts';
import { SHIPPED_CONTENT } from './support/sample-content.ts';
import { writeStandingDesks } from './support/standing-desks.ts';
import { createTestSite } from './support/test-site.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Creates the site about desks with edits of files. */
async function createDesks(edits: Readonly<Record<string, (text: string) => string>> = {}): Promise<string> {
  const root = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Desks', folder: root, day: TODAY });
  await writeStandingDesks(root, (kind) =>
    runCommand('new', ['page', kind, '--kind', kind], { CONTENT_DIR: root }),
  );
  for (const [name, edit] of Object.entries(edits)) {
    const file = path.join(root, name);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
  }
  return root;
}

type Edit = (text: string) => string;
const add =
  (more: string): Edit =>
  (text) =>
    `${text}${more}\n`;
const replace =
  (pattern: string | RegExp, by: string): Edit =>
  (text) =>
    text.replace(pattern, by);
const keep: Edit = (text) => text;

const ONE = 'products/desk-one.yaml';
const TWO = 'products/desk-two.yaml';
const ROUNDUP = 'pages/roundup.yaml';
const TEST = `tested: { by: editorial-desk, on: ${TODAY}, evidence: [{ text: Measured at full height. }] }`;
const COUPON = `coupons: [{ code: DESK10, text: 10% off, source: shop, starts: ${TODAY}, ends: ${TODAY} }]`;
const score = (criterion: string, value = 4) =>
  `scores: [{ criterion: ${criterion}, score: ${value}, why: Measured. }]`;
const RATINGS = (stars: number) => `  - type: ratings
    title: Scores
    items:
      - { title: Noise, score: ${stars}/5, stars: ${stars}, text: 41 dB. }
      - { title: Noise, score: ${stars}/5, stars: ${stars}, text: 43 dB. }`;

/** Makes the first offer a plan that is priced by volume. */
const addVolume = (text: string, source: string) =>
  `${text.replace(
    'billed: once, country: US',
    'billed: monthly, country: US, volume: { charges: [{ fact: power, label: Power }] }',
  )}facts: { power: { label: Power, amount: 9, ${source} } }\n`;

/** A content that the rule accepts, one that it refuses, and what the refusal says. */
const RULES: readonly [string, Readonly<Record<string, Edit>>, Readonly<Record<string, Edit>>, RegExp][] = [
  [
    'a test has evidence',
    { [ONE]: add(TEST) },
    { [ONE]: add(TEST.replace(/evidence: .*\]/, 'evidence: []')) },
    /tested.*evidence/,
  ],
  ['a test has a day', { [ONE]: add(TEST) }, { [ONE]: add(TEST.replace(/ on: [\d-]+,/, '')) }, /tested.*on/],
  [
    'a test has an author',
    { [ONE]: add(TEST) },
    { [ONE]: add(TEST.replace('editorial-desk', 'no-one')) },
    /there is no author "no-one"/,
  ],
  [
    'scores are compared on the same criteria',
    {
      [ONE]: add(score('Noise')),
      [TWO]: add(score('Noise')),
      [ROUNDUP]: replace('order: listed', 'order: score'),
    },
    {
      [ONE]: add(score('Noise')),
      [TWO]: add(score('Weight')),
      [ROUNDUP]: replace('order: listed', 'order: score'),
    },
    /compare the same criteria/,
  ],
  [
    'a roundup has a basis',
    { [ROUNDUP]: keep },
    { [ROUNDUP]: replace(/^ {4}basis: .*\n(?= {4}# listed)/m, '') },
    /basis/,
  ],
  [
    'a basis is not about what the site earns',
    { [ROUNDUP]: replace(/basis: .*/, 'basis: Measured noise.') },
    { [ROUNDUP]: replace(/basis: .*/, 'basis: The highest commission first.') },
    /what the site earns/,
  ],
  [
    'an order is one of scores, prices or a list',
    { [ROUNDUP]: replace('order: listed', 'order: price') },
    { [ROUNDUP]: replace('order: listed', 'order: commission') },
    /order/,
  ],
  [
    'no product has an aggregate rating',
    { [ONE]: keep },
    { [ONE]: add('aggregateRating: 4.8') },
    /aggregateRating/,
  ],
  [
    'a price has a source',
    { [ONE]: (text) => text.replaceAll(/ price: \d+,|, source: \w+/g, '') },
    { [ONE]: (text) => text.replaceAll(/, source: \w+/g, '') },
    /source: is missing: a price needs one/,
  ],
  [
    'a charge of a plan by volume is an amount with a source',
    { [ONE]: (text) => addVolume(text, 'source: shop') },
    { [ONE]: (text) => addVolume(text, 'note: Nobody knows.') },
    /charge 1, field fact: "power" is no amount with a source/,
  ],
  [
    'a plan by volume is billed by month or year',
    { [ONE]: (text) => addVolume(text, 'source: shop') },
    { [ONE]: (text) => addVolume(text, 'source: shop').replace('billed: monthly', 'billed: once') },
    /volume: needs a `price` that is billed monthly or yearly/,
  ],
  [
    'a source of an offer is that of a price',
    { [ONE]: (text) => text.replaceAll(/ price: \d+,|, source: \w+/g, '') },
    { [ONE]: (text) => text.replaceAll(/ price: \d+,/g, '') },
    /price: is missing: a `source` is that of a price/,
  ],
  ['a product has two pros', { [ONE]: keep }, { [ONE]: replace(/^pros: .*$/m, 'pros: [Steady]') }, /pros/],
  ['a product has two cons', { [ONE]: keep }, { [ONE]: replace(/^cons: .*$/m, 'cons: [Loud]') }, /cons/],
  [
    'a product has one score for a criterion',
    {
      [ONE]: (text) => `${text.replaceAll('partner: shop', 'partner: example')}${score('Noise')}\n`,
      'products/example.yaml': replace(/partner: example/g, 'partner: store'),
      'site.yaml': replace(/^promotedPartner: ""$/m, 'promotedPartner: example'),
      'pages/review.yaml': add(RATINGS(4)),
    },
    {
      [ONE]: (text) => `${text.replaceAll('partner: shop', 'partner: example')}${score('Noise')}\n`,
      'products/example.yaml': replace(/partner: example/g, 'partner: store'),
      'site.yaml': replace(/^promotedPartner: ""$/m, 'promotedPartner: example'),
      'pages/review.yaml': add(RATINGS(5)),
    },
    /desk-one has 4 for Noise/,
  ],
  [
    'a coupon has the page of its merchant',
    { [ONE]: add(COUPON) },
    { [ONE]: add(COUPON.replace(' source: shop,', '')) },
    /coupon 1, field source:/,
  ],
  [
    'a coupon has a first day',
    { [ONE]: add(COUPON) },
    { [ONE]: add(COUPON.replace(/ starts: [\d-]+,/, '')) },
    /coupon 1, field starts:/,
  ],
  [
    'a coupon has a last day',
    { [ONE]: add(COUPON) },
    { [ONE]: add(COUPON.replace(/, ends: [\d-]+/, '')) },
    /coupon 1, field ends:/,
  ],
];

it.each(RULES)('%s', async (_, accepted, refused, reason) => {
  expect(await checkContent(await createDesks(accepted), true)).toBeNull();
  expect(await checkContent(await createDesks(refused), true)).toMatch(reason);
});

it('a build warns of a price that is too old, and does not show it', async () => {
  const root = await createDesks({
    [ONE]: (text) => `${text.replaceAll(TODAY, daysAgo(610))}maxAgeDays: 60\n`,
  });
  expect(await checkContent(root, true)).toBeNull();
  expect(listOldPriceWarnings(root, null)).toEqual([
    expect.stringMatching(/Desk One \(Desk Shop, Desk Store\)/),
  ]);
  expect(readContent(root, { now: Date.now() }).figures.get('product:desk-one.price')).toBe('see price');
});

it('a price of a product is one that its file has, on every page', async () => {
  const page = 'pages/review.yaml';
  const edit = async (price: string) => {
    const root = await createDesks({ [page]: replace('A sentence about desks', `Desk One costs ${price}`) });
    return checkAmounts(root, readContent(root)).map(({ text }) => text);
  };
  expect(await edit('$499')).toEqual([]);
  expect(await edit('$650')).toEqual([expect.stringContaining('"$650" next to Desk One')]);
});

it('a pull quote is in the article that it names, and a number of a summary in its text', async () => {
  const quote = '  - { type: quote, text: QUOTE, source: { label: Desks, href: /blog/desks } }\n';
  const write = async (text: string, excerpt: string) => {
    const root = await createDesks({
      'pages/review.yaml': (page) => `${page}${quote.replace('QUOTE', text)}`,
    });
    mkdirSync(path.join(root, 'articles'), { recursive: true });
    const front = `title: Desks\nexcerpt: ${excerpt}\ncategories: [Desks]\npublishedAt: 2026-01-05\n`;
    writeFileSync(path.join(root, 'articles/desks.md'), `---\n${front}---\n\nA desk lasts 20 years.\n`);
    return checkQuotations(root).map(({ file, text: found }) => `${file}: ${found}`);
  };
  expect(await write('A desk lasts ==20 years==.', 'Desks last 20 years.')).toEqual([]);
  expect(await write('A desk lasts forever.', 'Desks last 30 years.')).toEqual([
    'content/articles/desks.md: excerpt: "30" is not in its text, whose nearest words are: "A desk lasts 20 years."',
    expect.stringMatching(
      /^content\/pages\/review.yaml: section \d+, text: "A desk lasts forever\." is not in \/blog\/desks, whose nearest words are: "A desk lasts 20 years\."$/,
    ),
  ]);
});

it('a page is called a review, and has stars, with a test and a picture of it, or where the site says so', async () => {
  const picture = TEST.replace(
    'text: Measured at full height.',
    'text: Measured., image: { src: ../images/signpost.svg, alt: The desk at full height. }',
  );
  const stars = '      - { quote: Good., name: A, company: B, rating: 5, sample: true }';
  const page = `${RATINGS(4)}\n  - type: testimonials\n    title: Voices\n    items:\n${stars}\n`;
  const find = async (edits: Readonly<Record<string, Edit>>) => {
    const root = await createDesks({
      'pages/review.yaml': (text) => `${text.replace(/^title: .*/m, 'title: Desk One review')}${page}`,
      ...edits,
    });
    return checkReviews(root, readContent(root)).map(
      ({ file, text }) => `${file}: ${text.replace(/:.*/, '')}`,
    );
  };
  const found = await find({ [ONE]: add(TEST), [TWO]: add(TEST) });
  expect(found).toEqual(
    expect.arrayContaining([
      'content/pages/review.yaml: field title',
      expect.stringMatching(/^content\/pages\/review.yaml: section \d+ \(ratings\)$/),
      expect.stringMatching(/^content\/pages\/review.yaml: section \d+ \(testimonials\)$/),
    ]),
  );
  expect(found.filter((one) => !one.startsWith('content/pages/review.yaml'))).toEqual([]);
  expect(await find({ [ONE]: add(picture), [TWO]: add(picture) })).toEqual([]);
  expect(await find({ 'site.yaml': add('untestedRatings: [/review]') })).toEqual([]);
});

it.each([
  ['Desk One review', true],
  ['Reviews of four desks', true],
  ['Review the result', false],
  ['Review requests that work', false],
  ['A preview of the desk', false],
])('%s: called a review: %s', async (title, isReview) => {
  const root = await createDesks({
    'pages/review.yaml': (text) =>
      `title: ${title}\n${text.replace(/^title: .*\n/m, '').replace(/\breview\b/gi, 'look')}`,
  });
  const found = checkReviews(root, readContent(root)).filter(({ text }) => text.startsWith('field title'));
  expect(found).toHaveLength(isReview ? 1 : 0);
});

/** Renders a section as pages and articles do. */
async function renderSection(section: PageSection, content: Content, now = Date.now()): Promise<string> {
  const site = await createTestSite({ content, clock: { now: () => now, monotonic: () => now } });
  const context = buildArticleContext(site, buildCta({ source: 'test' }, content), '/');
  return renderToStaticMarkup(createElement(ShortcodeSection, { section, context }));
}

const listSections = ([one, two]: readonly [string, string]): readonly PageSection[] => {
  const picks = [one, two].map((product) => ({ product, bestFor: 'all', why: 'Good.', limit: 'Loud.' }));
  return [
    { type: 'product-box', product: one },
    { type: 'product-comparison', products: [one, two] },
    { type: 'picks-table', basis: 'Measured.', items: picks },
    { type: 'roundup', basis: 'Measured.', items: [{ product: one }, { product: two }] },
    { type: 'versus', products: [one, two], verdict: 'The first one.' },
  ].map((section) => sectionSchema.parse(section));
};

it('the label of paid links is in the element of each box with its buttons', async () => {
  const content = readContent(await createDesks());
  for (const section of listSections(['desk-one', 'desk-two'])) {
    const document = parseDocument(await renderSection(section, content));
    const links = DomUtils.findAll(
      ({ attribs }) => attribs['href']?.startsWith('/go/') === true,
      document.children,
    );
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      let box = link.parentNode;
      const isBox = () =>
        box !== null &&
        'attribs' in box &&
        /"data-(product|products|picks)"/.test(JSON.stringify(Object.keys(box.attribs)));
      while (box !== null && !isBox()) box = box.parentNode;
      expect(box, `${section.type}: a button outside of a box`).not.toBeNull();
      const labels = DomUtils.findAll(
        ({ attribs }) => 'data-disclosure' in attribs,
        box === null ? [] : [box as never],
      );
      expect(labels, section.type).toHaveLength(1);
      expect(DomUtils.textContent(labels)).toMatch(/^Paid links\./);
    }
  }
});

it('one edit of a price changes every page, box, table, total and date that names it', async () => {
  const root = path.join(createFolder(), 'content');
  cpSync(SHIPPED_CONTENT, root, { recursive: true });
  const before = readContent(root);
  const file = path.join(root, 'products/highlevel.yaml');
  const product = before.products.get('highlevel') ?? expect.fail();
  const [starter = expect.fail(), unlimited = expect.fail()] = ['starter', 'unlimited'].flatMap(
    (plan) => product.offers.find(({ key }) => key === plan) ?? [],
  );
  expect(unlimited.source?.key).toBe(starter.source?.key);
  const source = new RegExp(`(\\n {2}${starter.source?.key}:\\n(?: {4}.*\\n)*? {4}checked: )[\\d-]+`);
  const raise = (all: string, { amount }: Offer) =>
    all.replace(`price: ${amount / 100}\n`, `price: ${amount / 100 + 13}\n`);
  writeFileSync(
    file,
    [starter, unlimited].reduce(raise, readFileSync(file, 'utf8')).replace(source, '$12026-11-22'),
  );
  const after = readContent(root);
  const names = [...after.figures]
    .filter(([name, value]) => before.figures.get(name) !== value)
    .map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(
      (
        'product:highlevel.unlimited product:highlevel.unlimited.checked ' +
        'product:highlevel.unlimited.year price:unlimited total:unlimited-month'
      ).split(' '),
    ),
  );
  expect(after.savings.plans.find(({ key }) => key === 'unlimited')?.monthlyCents).toBe(
    unlimited.amount + 1_300,
  );

  // Pages as the reader fills them; articles as their body is filled.
  const listPages = ({ pages }: Content) =>
    new Map([...pages].map(([route, page]) => [`pages${route}.yaml`, JSON.stringify(page)]));
  const [pagesBefore, pagesAfter] = [listPages(before), listPages(after)];
  const articles = readdirSync(path.join(root, 'articles')).map((name) => `articles/${name}`);
  let changed = 0;
  for (const name of [...pagesAfter.keys(), ...articles]) {
    const raw = readFileSync(path.join(root, name), 'utf8');
    const named = names.filter((figure) => raw.includes(`{${figure}}`));
    if (named.length === 0) continue;
    const fill = ({ figures }: Content) => fillFigures(raw, figures, () => undefined);
    const [was, is] = [pagesBefore.get(name) ?? fill(before), pagesAfter.get(name) ?? fill(after)];
    expect(is, name).not.toBe(was);
    for (const figure of named)
      expect(is?.replaceAll('\\n', '\n'), `${name}: ${figure}`).toContain(after.figures.get(figure));
    changed += 1;
  }
  expect(changed).toBeGreaterThan(10);

  const [old, raised] = [0, 13].map((more) => new RegExp(`\\$${starter.amount / 100 + more}(?!\\d)`));
  for (const section of listSections(['highlevel', 'kit'])) {
    const markup = await renderSection(section, after);
    expect(markup, section.type).toMatch(raised ?? '');
    expect(markup, section.type).not.toMatch(old ?? '');
  }
  const box = sectionSchema.parse({ type: 'product-box', product: 'highlevel' });
  expect(await renderSection(box, after)).toContain(
    'Price transcribed on November 22, 2026 by a public index.',
  );
});

it('a price that becomes too old disappears from a cached page without a restart', async () => {
  const root = await createDesks();
  let now = Date.now();
  const source = openFolderContent(root, () => NO_IMAGES, { now: () => now });
  const start = source.readStart();
  const live = createLiveContent(start.content);
  const cache = new PageCache({ freshMs: 1e12, maxStaleMs: 1e12, maxPages: 10, maxBytes: 1e6 }, () => now);
  const reload = new ContentReload({
    live,
    start,
    startArticles: null,
    now,
    read: source.readEdits,
    remember: source.remember,
    prepareArticles: () => null,
    onApplied: () => cache.clear(),
    log: { ...NO_LOG, warn: (line) => expect.fail(line) },
  });
  let rendered = 0;
  const [section] =
    live
      .read()
      .pages.get('/review')
      ?.sections.filter(({ type }) => type === 'product-box') ?? [];
  const render = async () => {
    rendered += 1;
    const box = { ...(section ?? expect.fail()), product: 'desk-one' } as PageSection;
    const title = fillFigures('{product:desk-one.price}', live.read().figures, () => undefined);
    const html = `<title>${title}</title>${await renderSection(box, { ...live.read() }, now)}`;
    return { status: 200, headers: { 'cache-control': 'public, s-maxage=300' }, body: Buffer.from(html) };
  };
  const site = await createTestSite({ content: start.content });
  const app = createApp(
    {
      ...site,
      routes: [],
      console: async () => null,
      content: { read: () => ({ site: { aliases: {} }, redirects: new Map() }), pageParameters: new Map() },
    },
    { render, submit: render },
    { cache },
  );
  const get = async () =>
    (await app.fetch(new Request('http://hub.test/review'), { requestId: 'id', clientAddress: '' })).text();
  const first = await get();
  expect(first).toContain('$499');
  expect([await get(), rendered]).toEqual([first, 1]);
  now += 181 * DAY_MS;
  reload.refreshPrices(now);
  const later = await get();
  expect(later).toContain('<title>see price</title>');
  expect(later).toContain('See price');
  expect(later).not.toMatch(/\$499|€449|opened the live page/);
  expect(rendered).toBe(2);
});
