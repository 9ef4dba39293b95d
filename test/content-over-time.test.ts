import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readImageCatalog } from '../scripts/build/read-image-catalog.ts';
import { openArticleFolder } from '../src/content-files/articles/read-article-files.ts';
import { checkAmounts } from '../src/content-files/check-copy.ts';
import { readShown } from '../src/content-files/content-source.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { describeAgedCharges, listNames, listTexts } from '../src/core/pages/claims/placeholders.ts';
import type { Content } from '../src/core/pages/content.ts';
import { findLaunchFaults } from '../src/core/pages/launch-report.ts';
import { isAged } from '../src/core/products/price.ts';
import { ShortcodeSection } from '../src/sections/articles/shortcode-section.tsx';
import { ChartSection } from '../src/sections/pages/chart.tsx';
import { ContentReload, createLiveContent } from '../src/server/pages/content-reload.ts';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { copyContent } from './support/content-copy.ts';
import { createFolder } from './support/create-folder.ts';
import { NO_LOG } from './support/no-log.ts';
import { readSampleProducts, SHIPPED_CONTENT } from './support/sample-content.ts';
import { createTestSite } from './support/test-site.ts';

/** The day on which the newest figure of the shipped content was checked. */
const CHECKED = Math.max(
  ...[...readSampleProducts(SHIPPED_CONTENT).values()].flatMap(({ sources }) =>
    sources.map(({ checked }) => Date.parse(checked)),
  ),
);
const IMAGES = await readImageCatalog(SHIPPED_CONTENT);
const after = (days: number) => CHECKED + days * DAY_MS;

const readArticles = (root: string, { partners, authors, figures, aged, products }: Content) =>
  openArticleFolder(path.join(root, 'articles')).readShown(
    { partners: new Set(partners.keys()), authors, figures, aged, products, images: IMAGES },
    null,
  );

/** What a folder has at a time: its pages, articles, and everything that is wrong with them. */
function readAt(root: string, now: number) {
  const { content, documents, leftOut, warnings } = readShown(root, { now });
  const articles = readArticles(root, content);
  const state = {
    pages: [...content.pages.keys()],
    charts: [...content.pages].flatMap(([route, { sections }]) =>
      sections.flatMap((section) => (section.type === 'chart' ? `${route} ${section.items.length}` : [])),
    ),
    totals: [...content.figures.keys()],
    calculators: Object.keys(content.savings.calculators),
    articles: articles.files.map(({ slug }) => slug),
    wrong: [...leftOut, ...warnings, ...articles.leftOut, ...checkAmounts(root, content)],
  };
  return { content, documents, articles, state };
}

const TIMES = [1, 330, 400, 800];
const [first, ...later] = TIMES.map((days) => readAt(SHIPPED_CONTENT, after(days)));
if (first === undefined) throw new Error('there is no time');

it.each(TIMES.slice(1).map((days, index) => [days, index] as const))(
  'after %i days the shipped content has the same pages, articles, charts and calculators',
  (_, index) => {
    expect(first.content.pages.size).toBeGreaterThan(10);
    expect(later[index]?.state).toEqual(first.state);
  },
);

it.each(TIMES)('after %i days an edit of the shipped content is shown', (days) => {
  const root = createFolder();
  copyContent(root);
  const [now, problems] = [after(days), [] as string[]];
  const start = readShown(root, { now });
  const live = createLiveContent(start.content);
  const reload = new ContentReload({
    live,
    start,
    startArticles: null,
    now: after(1),
    read: (last) => readShown(root, { now }, last),
    remember: () => null,
    prepareArticles: (next) => {
      problems.push(...readArticles(root, next).leftOut.map(({ file }) => file));
      return null;
    },
    onApplied: () => problems.push('applied'),
    log: NO_LOG,
  });
  copyContent(root, { 'pages/help.yaml': (text) => text.replace('title: Help center', 'title: Help') });
  reload.reload(['pages/help.yaml']);
  expect([live.read().pages.get('/help')?.title, problems]).toEqual(['Help', ['applied']]);
  expect(reload.readWarnings()).toEqual([]);
});

const LONG = `title: A page
description: A description of this page that is long enough to be one in search results.
sections:
  - { type: hero, title: New }
  - type: chart
    kind: pie
    unit: $
    title: Bills
    labelHeading: Bill
    valueHeading: Amount
    caption: Both.
    items:
      - { label: One, value: "{price:unlimited}" }
      - { label: Two, value: "{product:kit.creator}" }
`;

it('a chart of prices that are too old says see price, and draws numbers alone', async () => {
  const root = createFolder();
  copyContent(root, { 'pages/long.yaml': () => LONG });
  for (const kind of ['pie', 'bars', 'efficiency']) {
    copyContent(root, { 'pages/long.yaml': () => LONG.replace('pie', kind) });
    const { content } = readAt(root, after(800));
    const [section] =
      content.pages.get('/long')?.sections.flatMap((one) => (one.type === 'chart' ? one : [])) ?? [];
    const site = await createTestSite({ content });
    const context = buildArticleContext(site, buildCta({ source: 'test' }, content), '/');
    const html = renderToStaticMarkup(
      createElement(ChartSection, { section: section ?? expect.fail(), context }),
    );
    expect(html.match(/see price/g)?.length).toBeGreaterThanOrEqual(2);
    expect(html).not.toMatch(/NaN|Infinity|null|\$\d/);
  }
});

it('where see price is too long for a field, a dash stands for the price', () => {
  const root = createFolder();
  const limit = 170;
  const head = 'A description that is as long as one may be, with the price at its end, which is ';
  const description = (price: string) => head.padEnd(limit - price.length, 'e') + price;
  const listed = readAt(SHIPPED_CONTENT, CHECKED).content.figures.get('price:unlimited') ?? '';
  copyContent(root, {
    'pages/long.yaml': () =>
      LONG.replace(/description: .*/, `description: ${description(listed)}`).replace(
        listed,
        '{price:unlimited}',
      ),
  });
  const show = (days: number) => readAt(root, after(days)).content.pages.get('/long')?.description;
  expect(show(1)).toBe(description(listed));
  expect(show(800)).toBe(description(listed).replace(listed, '–'));
});

it('a charge past its age keeps its number, and page and article say how old it and sums with it are', () => {
  const now = after(1);
  const { content, articles } = readAt(SHIPPED_CONTENT, now);
  const product = content.products.get('highlevel') ?? expect.fail();
  const fact = product.facts.find(({ key }) => key === 'text-high') ?? expect.fail();
  expect(isAged(product, fact, now)).toBe(true);
  const shown = content.figures.get('product:highlevel.text-high') ?? expect.fail();
  expect(shown).toMatch(/^\$0\.\d+$/);
  expect(content.aged.charges.get('product:highlevel.text-high')).toEqual({ shown, day: '2025-07-30' });
  const sum = content.figures.get('total:unlimited-month') ?? expect.fail();
  expect(content.aged.charges.get('total:unlimited-month')).toEqual({ shown: sum, day: '2025-05-05' });
  const rate = `The usage rates date from July 30, 2025 (${shown})`;
  const advice = ': check them first.';
  const usage = `The usage rates date from May 5, 2025 or later${advice}`;
  const [total, charge, price] = [
    '{total:unlimited-month}',
    '{product:highlevel.text-high}',
    '{price:unlimited}',
  ];
  // Once a page, at the last part with a rate or a sum of them.
  expect(describeAgedCharges([total, charge, [total, charge], price], content.aged)).toEqual([
    '',
    '',
    `${rate} and May 5, 2025 (the oldest in sums)${advice}`,
    '',
  ]);
  expect(describeAgedCharges([total, total, price], content.aged)).toEqual(['', usage, '']);
  expect(describeAgedCharges([price, price], content.aged)).toEqual(['', '']);
  for (const [route, page] of content.pages) {
    const { sections } = parse(readFileSync(`${SHIPPED_CONTENT}/pages${route}.yaml`, 'utf8'));
    const days = describeAgedCharges(sections, content.aged);
    page.sections.forEach((section, index) => {
      if (section.type !== 'section-nav') expect(section.note ?? '', route).toContain(days[index]);
    });
  }
  const find = (text: string) => articles.files.some(({ markdown }) => markdown.includes(text));
  expect([find(`\n_${usage}_\n`), find('\n_The usage rates date from July 30, 2025 ($0.')]).toEqual([
    true,
    true,
  ]);
  const named = readAt(SHIPPED_CONTENT, Number.NaN);
  expect(named.articles.files.some(({ markdown }) => markdown.includes('rates date from'))).toBe(false);
});

it('a sum with an offer past its age is not shown, and neither is the offer anywhere', async () => {
  const { content, articles } = readAt(SHIPPED_CONTENT, after(800));
  const names = ['price:unlimited', 'total:unlimited-month', 'stack:saving', 'stack:saving-percent'];
  expect(names.map((name) => content.figures.get(name))).toEqual(names.map(() => 'see price'));
  expect(content.aged.charges.has('total:unlimited-month')).toBe(false);
  expect(content.savings.calculators['trial']?.copy.compared).toMatch(
    /at see price per month.* The amounts date from May 5, 2025 or later\.$/,
  );
  // Nothing that was filled has a name in braces left.
  const texts = [...content.pages.values(), ...articles.files.map(({ markdown }) => markdown)];
  const left = listTexts(texts).flatMap(({ text }) => listNames(text));
  expect(left.filter((name) => content.figures.has(name))).toEqual([]);
  const section = { type: 'product-box', product: 'highlevel' } as const;
  const site = await createTestSite({ content, clock: { now: () => after(800), monotonic: () => 0 } });
  const context = buildArticleContext(site, buildCta({ source: 'test' }, content), '/');
  const html = renderToStaticMarkup(createElement(ShortcodeSection, { section: section as never, context }));
  expect(html).toMatch(/see price/i);
  expect(html).not.toMatch(/\$(97|297)\b/);
});

it('the launch check names what will be past its age within 60 days', () => {
  const { content } = readAt(SHIPPED_CONTENT, after(1));
  const settings = { siteUrl: '', articleSource: 'files', hasArticleKey: true, trustedProxyHops: 0 };
  const rest = { isRegionUnknown: false, isContactDelivered: true, hasNewsletter: true, lastBackup: null };
  const list = (day: string) =>
    findLaunchFaults(content, { ...settings, ...rest }, Date.parse(day)).flatMap(({ file, text }) =>
      text.includes('are past their age after 2027-09-22') ? file : [],
    );
  expect(list('2027-07-24')).toEqual([]);
  expect(list('2027-07-25')).toEqual(['content/products/highlevel.yaml']);
  expect(list('2027-09-22')).toEqual(['content/products/highlevel.yaml']);
  expect(list('2027-09-23')).toEqual([]);
});
