import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readImageCatalog } from '../scripts/build/read-image-catalog.ts';
import { openArticleFolder } from '../src/content-files/articles/read-article-files.ts';
import { ParsedFiles } from '../src/content-files/content-folder.ts';
import { readFolderContents } from '../src/content-files/read-content.ts';
import { buildOfferCopy } from '../src/core/articles/article-copy.ts';
import { splitShortcodes } from '../src/core/articles/shortcodes.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { placeFacts } from '../src/core/pages/claims/corrections.ts';
import { buildFigures } from '../src/core/pages/claims/placeholders.ts';
import type { Content } from '../src/core/pages/content.ts';
import type { PageSection } from '../src/core/pages/sections/section.schema.ts';
import { parseShortcode } from '../src/core/pages/sections/shortcode.schema.ts';
import { findPick } from '../src/core/products/compare.ts';
import { productSchema } from '../src/core/products/product.schema.ts';
import { buildBill } from '../src/core/savings/calculate-savings.ts';
import { buildSavings, calculatorsSchema } from '../src/core/savings/calculators.schema.ts';
import { buildAssessmentContent } from '../src/islands/assessment/assessment-props.ts';
import { ArticlePick } from '../src/sections/articles/article-page-parts.tsx';
import { BlogHero } from '../src/sections/articles/blog-hero.tsx';
import { HomeHero } from '../src/sections/home/home-hero.tsx';
import { PicksTableSection } from '../src/sections/pages/picks-table.tsx';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { renderMarkdown } from '../src/sources/articles/html/prepare-body.ts';
import { forAll } from './support/for-all.ts';
import { renderSection } from './support/render-section.ts';
import { SHIPPED_CONTENT } from './support/sample-content.ts';
import { createTestSite } from './support/test-site.ts';

// What the files say, as YAML and nothing else: the sums below share no function with the product.

interface RawFact {
  amount?: number;
  readonly value?: string;
}
interface RawOffer {
  readonly name: string;
  readonly partner: string;
  price: number;
  readonly billed: 'monthly' | 'yearly';
  readonly facts?: Record<string, RawFact>;
  readonly volume?: {
    readonly each?: Quantity;
    readonly limits: Partial<Record<Quantity, number>>;
    readonly charges?: readonly RawCharge[];
  };
}
interface RawCharge {
  readonly fact: string;
  readonly each?: Quantity;
  readonly above?: number;
  readonly by?: number;
  readonly when?: Quantity;
  readonly once?: boolean;
}
interface RawProduct {
  readonly name: string;
  readonly offers: Record<string, RawOffer>;
  readonly facts: Record<string, RawFact>;
}
interface RawLine {
  readonly figure?: string;
  readonly amount?: number;
  readonly hours?: string;
  readonly times?: number;
}
interface RawCalculator {
  readonly plan: string;
  readonly usage?: string;
  readonly base?: readonly { readonly figure: string; readonly times?: number; readonly side?: 'plan' }[];
  readonly fields: readonly {
    readonly kind: 'count' | 'amount';
    readonly charge?: string;
    readonly included?: number;
    readonly side?: 'plan';
    readonly default?: number;
    readonly placeholder?: number;
  }[];
}
interface RawCalculators {
  readonly product: string;
  readonly stackPlan: string;
  readonly stackUsage: string;
  readonly stackSizes: readonly number[];
  readonly stack: readonly { readonly name: string; readonly monthly: number; readonly seats?: number }[];
  readonly calculators: Record<string, RawCalculator>;
  readonly work: { rate: number; readonly hours: Record<string, number> };
  readonly totals: Record<string, { readonly lines: readonly RawLine[]; readonly earnedBackBy?: string }>;
}
interface RawClaim {
  readonly figure: string;
  readonly wording: string;
  readonly evidence: string;
}
interface Commission {
  readonly percent: number;
  readonly months?: number;
  readonly note?: string;
  readonly examples: readonly string[];
}
type Quantity = 'people' | 'contacts' | 'texts' | 'emails';
const QUANTITIES = ['people', 'contacts', 'texts', 'emails'] as const;

const read = (file: string) => readFileSync(path.join(SHIPPED_CONTENT, file), 'utf8');
const list = (folder: string) =>
  readdirSync(path.join(SHIPPED_CONTENT, folder)).map((name) => `${folder}/${name}`);
const PARSED_TEXTS = new Map<string, unknown>();
/** Parses a text once for all random cases. */
function parseOnce<T>(text: string): T {
  if (!PARSED_TEXTS.has(text)) PARSED_TEXTS.set(text, parse(text));
  return PARSED_TEXTS.get(text) as T;
}
const readFolder = <T>(folder: string): [string, T][] =>
  list(folder).map((file) => [path.basename(file, '.yaml'), parseOnce<T>(read(file))]);

/** Everything in the content folder that sums are made of. */
interface Files {
  readonly products: Record<string, RawProduct>;
  readonly calculators: RawCalculators;
}
const readFiles = (): Files => ({
  products: structuredClone(Object.fromEntries(readFolder<RawProduct>('products'))),
  calculators: structuredClone(parseOnce<RawCalculators>(read('calculators.yaml'))),
});
const CLAIMS = Object.assign({}, ...readFolder<object>('claims').map(([, file]) => file)) as Record<
  string,
  RawClaim
>;
const COMMISSIONS = readFolder<{ commission?: Commission }>('partners').flatMap(
  ([, one]) => one.commission ?? [],
);

/**
 * Millionths of a dollar as money: the cents that there are, or none. Rounded once: a twelfth of a price can end a hundredth of
 * a millionth below half a cent. Seven decimals are more than files write, and fewer than a sum of fractions is off by.
 */
const money = (micros: number) => {
  const cents = Math.round(Number((micros / 10_000).toFixed(7)));
  const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/(?<=\d)(?=(\d{3})+$)/g, ',');
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? '−' : ''}$${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
};
const DOLLAR = 1_000_000;
const round = (micros: number) => Math.round(micros / DOLLAR) * DOLLAR;
/** A charge with all of its decimals. */
const charge = (micros: number) => {
  const rest = String(micros % DOLLAR)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${money(micros - (micros % DOLLAR))}${rest === '' ? '' : `.${rest.padEnd(2, '0')}`}`;
};

/** What an amount of a product's file is, in millionths: `highlevel.unlimited`, `kit.creator.fact`, `highlevel.email`. */
function amount({ products }: Files, figure: string): number {
  const [key = '', first = '', second = ''] = figure.split('.');
  const offer = products[key]?.offers[first];
  const fact = second === '' ? products[key]?.facts[first] : offer?.facts?.[second];
  const dollars = second === '' && offer !== undefined ? offer.price : fact?.amount;
  if (dollars === undefined) throw new Error(`no amount is called ${figure}`);
  return Math.round(dollars * DOLLAR);
}

function sum(files: Files, key: string): number {
  const { totals, work } = files.calculators;
  return (totals[key] ?? expect.fail(`no total ${key}`)).lines.reduce((all, line) => {
    const { figure, amount: own = 0, hours, times = 1 } = line;
    const dollars = hours === undefined ? own : work.rate * (work.hours[hours] ?? expect.fail(hours));
    const micros = Math.abs(times) * (figure === undefined ? dollars * DOLLAR : amount(files, figure));
    // As on a receipt, each line is rounded to cents, a half away from 0.
    return all + Math.sign(times) * Math.round(Number((micros / 10_000).toFixed(3))) * 10_000;
  }, 0);
}

/** Every name that copy may use for an amount, a saving, a total or a payback. */
function computeNames(files: Files): Map<string, string> {
  const { products, calculators } = files;
  const { totals, work, stack, stackSizes, stackPlan, stackUsage, product } = calculators;
  const names = new Map<string, string>();
  for (const [key, one] of Object.entries(products)) {
    const prices = Object.values(one.offers).map(({ price, billed }) => ({
      price,
      billed,
      month: price / (billed === 'yearly' ? 12 : 1),
    }));
    const [least] = prices.toSorted((a, b) => a.month - b.month);
    names.set(`product:${key}.price`, least?.price === 0 ? 'Free' : money((least?.price ?? 0) * DOLLAR));
    const addFacts = (of: string, facts: Record<string, RawFact> = {}) => {
      for (const [fact, { amount: dollars, value = '' }] of Object.entries(facts)) {
        const text = dollars === undefined ? value : charge(Math.round(dollars * DOLLAR));
        names.set(`product:${of}.${fact}`, text);
        if (of === product && /^(trial|guarantee)-/.test(fact)) names.set(fact.replace('-', ':'), text);
      }
    };
    addFacts(key, one.facts);
    for (const [offer, { price, billed, facts }] of Object.entries(one.offers)) {
      for (const name of [`product:${key}.${offer}`, ...(key === product ? [`price:${offer}`] : [])]) {
        names.set(name, money(price * DOLLAR));
        if (billed === 'monthly') names.set(`${name}.year`, money(12 * price * DOLLAR));
      }
      addFacts(`${key}.${offer}`, facts);
    }
  }
  for (const [key, { earnedBackBy }] of Object.entries(totals)) {
    const micros = sum(files, key);
    names.set(`total:${key}`, money(micros));
    names.set(`total:${key}.rounded`, money(round(micros)));
    if (earnedBackBy === undefined) continue;
    const saving = sum(files, earnedBackBy);
    names.set(`total:${key}.months`, saving <= 0 ? 'never' : (micros / saving).toFixed(1));
  }
  names.set('work:rate', money(work.rate * DOLLAR));
  for (const [key, hours] of Object.entries(work.hours)) {
    names.set(`work:${key}`, String(hours));
    names.set(`work:${key}.cost`, money(hours * work.rate * DOLLAR));
  }
  const bills = (people?: number) =>
    stack.reduce(
      (all, { monthly, seats }) =>
        all + monthly * (seats === undefined || people === undefined ? 1 : people / seats) * DOLLAR,
      0,
    );
  const plan = amount(files, `${product}.${stackPlan}`);
  const usage = sum(files, stackUsage);
  const addBoth = (name: string, micros: number) => {
    names.set(`stack:${name}`, money(micros));
    names.set(`stack:${name}-year`, money(12 * micros));
    names.set(`stack:${name}-percent`, `${Math.round((100 * micros) / bills())}%`);
  };
  addBoth('total', bills());
  addBoth('saving', bills() - plan);
  addBoth('net', bills() - plan - usage);
  names.set('stack:usage', money(usage));
  names.set('stack:plan-net', money(plan + usage));
  names.set('stack:per-tool', money(bills() / stack.length));
  for (const people of stackSizes) names.set(`stack:people-${people}`, money(bills(people)));
  for (const { name, monthly, seats } of stack) {
    names.set(`stack:${name.toLowerCase().replaceAll(' ', '-')}`, money(monthly * DOLLAR));
    if (seats === undefined) continue;
    names.set('stack:per-seat', money((monthly / seats) * DOLLAR));
    names.set('stack:without-seats', money(bills() - monthly * DOLLAR));
  }
  for (const [key, { figure, wording, evidence }] of Object.entries(CLAIMS)) {
    for (const name of ['', '.marked']) names.set(`claim:${key}${name}`, figure);
    names.set(`claim:${key}.wording`, wording);
    names.set(`claim:${key}.status`, evidence);
  }
  names.set('partners:commissions', COMMISSIONS.map((one) => computeCommissions(files, one)).join(', '));
  return names;
}

/** What a program pays for one customer of each example, in at most two years, after its terms. */
function computeCommissions(files: Files, { percent, months, note = '', examples }: Commission): string {
  const paid = examples.map((example) => {
    const [key = '', offer = ''] = example.split('.');
    const monthly =
      amount(files, example) / (files.products[key]?.offers[offer]?.billed === 'yearly' ? 12 : 1);
    return money((monthly * percent * Math.min(months ?? 24, 24)) / 100);
  });
  return `${percent}% ${months === undefined ? '' : `${months} months`} ${note} ${paid.join(', ')}`;
}

const TOKEN = /\{([a-z]+:[a-z0-9.-]+)\}/g;
const fill = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(TOKEN, (_, name) => fill(names.get(name) ?? '', names));

// What readers see: amounts of money, shares, numbers of months, and numbers with one decimal, as paybacks have.
const MONEY = String.raw`[−-]?[$€£]\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const FIGURE = new RegExp(
  String.raw`${MONEY}|(?<![\d.,])\d[\d,]*(?:\.\d+)?(?=\s?%|\smonths?\b)|(?<![\d.,/])\d+\.\d(?![\d.])|\bnever(?= months)`,
  'g',
);
const listFigures = (text: string) =>
  [...text.matchAll(FIGURE)].map(([figure]) =>
    figure.replace(/\s/g, '').replace('-', '−').replace(/\.00$/, ''),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
};
const showText = (html: string) =>
  html
    .replace(/<svg.*?<\/svg>|<!--.*?-->/gs, (part) => (part.includes('<text') ? part : ''))
    .replace(/<[^>]*>/g, (tag) => ` ${/ (?:alt|aria-label)="([^"]*)"/.exec(tag)?.[1] ?? ''} `)
    .replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity] ?? '');
const plain = (markdown: string) =>
  markdown
    .replace(/\]\([^()]*\)/g, '] ')
    .replace(/\[\^\d+\]/g, '')
    .replace(/[*_|`]|==/g, ' ');

/** Whether figures stand in another list one after the other. */
const isWithin = (part: readonly string[], whole: readonly string[]) =>
  `|${whole.join('|')}|`.includes(`|${part.join('|')}|`);

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** The figures of a calculator's example, as they stand: a saving, its year, and both with usage; none when the plan saves nothing. */
function computeExample(files: Files, { plan, usage, base = [], fields }: RawCalculator) {
  const cents = (micros: number) => Math.round(micros / 10_000) * 10_000;
  const typed = fields.map((field) => {
    const isShown = fields.every(({ placeholder }) => placeholder !== undefined);
    return { ...field, typed: (isShown ? field.placeholder : field.default) ?? 0 };
  });
  const counted = typed.filter((field) => field.charge !== undefined);
  const [count, ...others] = typed
    .filter((field) => field.charge === undefined)
    .toSorted((a) => (a.kind === 'count' ? -1 : 1));
  const own =
    count?.kind === 'count'
      ? [count.typed * (others[0]?.typed ?? 0)]
      : [count, ...others].map((one) => one?.typed ?? 0);
  const add = (side?: 'plan') => [
    ...base
      .filter((one) => one.side === side)
      .map(({ figure, times = 1 }) => cents(amount(files, figure) * times)),
    ...counted
      .filter((one) => one.side === side)
      .map(({ charge: figure = '', typed: many, included = 0 }) =>
        cents(Math.max(0, many - included) * amount(files, figure)),
      ),
  ];
  const bills = [...add(), ...own.map((dollars) => dollars * DOLLAR)];
  const price = amount(files, `${files.calculators.product}.${plan}`);
  const charges = [price, ...add('plan')];
  const total = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
  const saving = Math.max(0, total(bills) - total(charges));
  const used = usage === undefined ? 0 : sum(files, usage);
  const net = Math.max(0, saving - used);
  const result = saving === 0 ? [] : [saving, 12 * saving, ...(usage === undefined ? [] : [net, 12 * net])];
  const units = counted.map(({ charge: figure = '' }) => `$${amount(files, figure) / DOLLAR}`);
  return {
    result: result.map(money),
    parts: [
      ...bills,
      total(bills),
      ...charges,
      used,
      saving,
      12 * saving,
      ...result,
      ...fields.map(({ default: one = 0 }) => one * DOLLAR),
    ]
      .map(money)
      .concat(units),
  };
}

/** The first year of the cheapest plan whose price covers a volume, and every line of each plan for as much as it covers. */
function computeYears({ products }: Files, key: string, volume: Record<Quantity, number>) {
  const { offers, facts } = products[key] ?? expect.fail();
  const plans = Object.values(offers).flatMap(({ price, billed, volume: priced }) => {
    if (priced === undefined) return [];
    const part = { ...volume };
    let share = 1;
    for (const one of QUANTITIES) {
      part[one] = Math.min(volume[one], priced.limits[one] ?? volume[one]);
      if (part[one] < volume[one]) share *= part[one] / volume[one];
    }
    const lines = [
      {
        dollars: price,
        times: (priced.each === undefined ? 1 : part[priced.each]) * (billed === 'yearly' ? 1 : 12),
        once: false,
      },
      ...(priced.charges ?? []).flatMap(({ fact, each, above = 0, by = 1, when, once = false }) =>
        when !== undefined && part[when] === 0
          ? []
          : [
              {
                dollars: facts[fact]?.amount ?? 0,
                times: ((each === undefined ? 1 : Math.max(0, part[each] - above)) / by) * (once ? 1 : 12),
                once,
              },
            ],
      ),
    ].map((line) => ({
      ...line,
      micros: Math.round((line.dollars * DOLLAR * line.times) / 10_000) * 10_000,
    }));
    const add = (shown: typeof lines) => shown.reduce((all, { micros }) => all + micros, 0);
    const years = [add(lines), add(lines.filter(({ once }) => !once))];
    const units = lines.map(({ dollars }) => charge(Math.round(dollars * DOLLAR)));
    return [
      {
        share,
        first: years[0] ?? 0,
        figures: [...[...years, ...lines.map(({ micros }) => micros)].map(money), ...units],
      },
    ];
  });
  const [best] = plans.toSorted((a, b) => b.share - a.share || a.first - b.first);
  const first = best?.first ?? 0;
  return { first: money(first), figures: [...(best?.figures ?? []), money(first / 12)] };
}

const IMAGES = await readImageCatalog(SHIPPED_CONTENT);
const PARSED = new ParsedFiles(SHIPPED_CONTENT);

/** The content with these files instead of its own. */
function readVaried({ products, calculators }: Files): Content {
  const held = new Map<string, unknown>([['calculators.yaml', calculators]]);
  for (const [key, product] of Object.entries(products)) held.set(`products/${key}.yaml`, product);
  const { content, problems } = readFolderContents(SHIPPED_CONTENT, { images: IMAGES, files: PARSED, held });
  return content ?? expect.fail(JSON.stringify(problems));
}

/** What is shown at one address: the texts of its file, and the figures that a reader sees. */
interface Shown {
  readonly at: string;
  readonly texts: readonly string[];
  readonly figures: readonly string[];
  /** What stands there one after the other, whatever the texts say. */
  readonly computed: readonly (readonly string[])[];
  /** What these are made of, which stands there too. */
  readonly parts?: readonly string[];
}

async function render(content: Content, files: Files): Promise<Shown[]> {
  const site = await createTestSite({ content, clock: { now: () => NOW, monotonic: () => 0 } });
  const cta = buildCta({ source: 'test' }, content);
  const context = buildArticleContext(site, cta, '/');
  const see = (...html: string[]) => listFigures(showText(html.join(' ')));
  /** The results of a calculator or a table of prices by volume: what stands there, and its parts. */
  const compute = (section: PageSection): Pick<Shown, 'computed' | 'parts'> => {
    if (section.type === 'volume-prices') {
      const rows = section.products.map((key) => computeYears(files, key, section));
      return { computed: rows.map(({ first }) => [first]), parts: rows.flatMap((row) => row.figures) };
    }
    const key =
      section.type === 'savings-calculator'
        ? section.calculator
        : section.type === 'hero' && section.figure?.kind === 'calculator'
          ? section.figure.calculator
          : '';
    const calculator = files.calculators.calculators[key];
    if (calculator === undefined) return { computed: [], parts: [] };
    const { result, parts } = computeExample(files, calculator);
    return { computed: [result], parts };
  };
  const shown: Shown[] = [];
  for (const [route, { sections, title, description }] of content.pages) {
    const raw: { title: string; description: string; sections: unknown[] } = parseOnce(
      read(`pages${route}.yaml`),
    );
    shown.push({
      at: `${route} head`,
      texts: [raw.title, raw.description],
      figures: [...listFigures(title), ...listFigures(description)],
      computed: [],
    });
    const view = { isHidden: () => false, areFactsInstead: false };
    placeFacts(sections, content.claims, view).forEach((section, index) => {
      // Sample quotations stand on this machine alone; a public site shows an example in their place.
      const samples = section.type === 'testimonials' ? [true, false] : [true];
      const html = samples.map((one) => renderSection(section, { ...context, samples: one })).join(' ');
      shown.push({
        at: `${route} section ${index + 1}, ${section.type}`,
        texts: listTexts(raw.sections[index]),
        figures: see(html),
        ...compute(section),
      });
    });
  }
  const { site: about, partners, authors, figures, aged, products } = content;
  const { bill, picks } = about.home;
  const offer = buildOfferCopy(cta, about);
  const raw: { home: object } = parseOnce(read('site.yaml'));
  const stack = files.calculators.stack.map(({ monthly }) => monthly * DOLLAR);
  const names = computeNames(files);
  const receipt = [...stack.map(money), names.get('stack:total') ?? '', names.get('price:unlimited') ?? ''];
  const home = renderToStaticMarkup(
    createElement(HomeHero, {
      site: about,
      bill: buildBill(content.savings, bill?.plan ?? '', NOW),
      fields: [],
      proof: about.home.facts,
      offer,
    }),
  );
  shown.push({
    at: '/',
    texts: listTexts(raw.home),
    figures: see(
      home,
      renderToStaticMarkup(
        createElement(PicksTableSection, { section: { ...picks, type: 'picks-table' } as never, context }),
      ),
    ),
    computed: [
      [
        ...receipt,
        ...['saving', 'saving-year', 'net', 'net-year'].map((name) =>
          atLeastZero(names.get(`stack:${name}`) ?? ''),
        ),
      ],
    ],
  });
  const hub = renderToStaticMarkup(
    createElement(BlogHero, {
      blog: about.blog,
      claims: content.claims,
      samples: true,
      tagline: about.tagline,
    }),
  );
  shown.push({ at: '/blog', texts: [], figures: see(hub), computed: [] });
  const assessment = buildAssessmentContent(content);
  shown.push({
    at: '/assessment',
    texts: listTexts(parseOnce(read('assessment.yaml'))),
    figures: listTexts(content.assessment).flatMap(listFigures),
    computed: [],
  });
  shown.push({
    at: '/assessment, results',
    texts: [],
    figures: listTexts(assessment.outcomes).flatMap(listFigures),
    computed: [],
    // What a platform costs of a budget names the budgets of the question.
    parts: listTexts(assessment.questions).flatMap(listFigures),
  });
  const articles = openArticleFolder(path.join(SHIPPED_CONTENT, 'articles')).readShown(
    { partners: new Set(partners.keys()), authors, figures, aged, products, images: IMAGES },
    null,
  );
  expect(articles.leftOut).toEqual([]);
  for (const { slug, front, markdown } of articles.files) {
    const parts: { html: string[]; computed: (readonly string[])[]; parts: string[] } = {
      html: [],
      computed: [],
      parts: [],
    };
    for (const part of splitShortcodes(renderMarkdown(markdown))) {
      const section = 'html' in part ? part.html : parseShortcode(part, products);
      parts.html.push(typeof section === 'string' ? section : renderSection(section, context));
      if (typeof section === 'string') continue;
      parts.computed.push(...compute(section).computed);
      parts.parts.push(...(compute(section).parts ?? []));
    }
    const pick = findPick(
      { partner: front.partner ?? '', content: markdown, title: front.title },
      products,
      front.partner ?? about.promotedPartner,
    );
    const box =
      pick &&
      offer &&
      renderToStaticMarkup(
        createElement(ArticlePick, { product: pick.product, plan: pick.offer, offer, now: NOW }),
      );
    const { title, excerpt, seoTitle = '', seoDescription = '', short = [], image } = front;
    shown.push({
      at: `/blog/${slug}`,
      texts: readTexts(`articles/${slug}.md`),
      figures: [
        ...[title, excerpt, seoTitle, seoDescription, ...short, image?.alt ?? '']
          .map(plain)
          .flatMap(listFigures),
        '',
        ...see(...parts.html, box ?? ''),
      ],
      computed: parts.computed,
      parts: parts.parts,
    });
  }
  return shown;
}

const NOW = Date.parse('2026-11-26');

const STEPS = 1000;
/** Other amounts of every offer that costs something, of every charge, and of an hour's work: a quarter of each to four times. */
function vary(draws: readonly number[]): Files {
  const files = readFiles();
  let at = 0;
  const draw = (one: number, unit: number) =>
    Math.max(unit, Math.round((one * 4 ** ((draws[at++ % draws.length] ?? 0) / STEPS)) / unit) * unit);
  for (const { offers, facts } of Object.values(files.products)) {
    for (const offer of Object.values(offers)) {
      if (offer.price > 0) offer.price = draw(offer.price, 0.5);
      for (const fact of Object.values(offer.facts ?? {}))
        if (fact.amount) fact.amount = draw(fact.amount, 0.01);
    }
    for (const fact of Object.values(facts))
      if (fact.amount) fact.amount = Math.round(draw(fact.amount * DOLLAR, 1)) / DOLLAR;
    // One price, written by the email and by the thousand.
    const { email, 'email-thousand': thousand } = facts;
    if (email?.amount && thousand) thousand.amount = Math.round(email.amount * DOLLAR) / 1000;
  }
  const { work } = files.calculators;
  work.rate = draw(work.rate, 1);
  for (const key of Object.keys(work.hours)) work.hours[key] = draw(work.hours[key] ?? 1, 0.5);
  return files;
}

const DRAWS = fc.array(fc.integer({ min: -STEPS, max: STEPS }), { minLength: 100, maxLength: 100 });

// The exceptions: amounts that stay whatever the product files say. Every other amount in a text has to be a name.

/** Specified figures, with the line of the specification that fixes each. Claims among them carry the mark. */
const SPECIFIED = [
  { line: '62 (2.5, claims of the pricing page) and 237', at: { 'claims/landing.yaml': '$1,300 $1,003' } },
  { line: '129 (revenue of the assessment)', at: { 'assessment.yaml': '$5 $25 $100' } },
  { line: '131 (budget of the assessment)', at: { 'assessment.yaml': '$100 $300 $500 $1,000' } },
  { line: '233 (budget codes of earlier labels)', at: { 'assessment.yaml': '$500 $1,000 $2,500' } },
  {
    line: '234 (placeholders of the ROI calculator: 99, 79, 147, 25, 150)',
    at: { 'pages/roi-calculator.yaml': '$500' },
  },
  {
    line: '235 (Unlimited $297, in the evidence of the difference of $1,003)',
    at: { 'claims/landing.yaml': '$297' },
  },
  {
    line: '237 (static claims)',
    at: { 'claims/landing.yaml': '$500 $6,000 $400', 'claims/assessment.yaml': '$2,400' },
  },
  { line: '238 (claims of the report)', at: { 'claims/report.yaml': '$2,400 $14,400' } },
  {
    line: '238 (the six bills of the report: 450, 297, 299, 96, 150, 200, in all $1,492)',
    at: {
      'articles/all-in-one-vs-best-of-breed.md': '$450 $297 $299 $96 $150 $200',
      'articles/crm-migration-two-weeks.md': '$450 $297 $96 $843',
      'articles/gohighlevel-limits.md': '$200 $450 $246',
      'articles/per-seat-pricing-agency-of-nine.md': '$450 $297 $299 $96 $150 $200 $1,492 $546',
    },
  },
] as const;

/**
 * Specified formulas, with their lines. They compute with the prices of the product files, so no figure of theirs is left out
 * above: 174, trial page, max(0, tools x cost - plan), and x 12; 175, ROI page, (five costs - plan) x 12. By both and by the
 * decision on calculators, what they and the bill of the front page show is at least $0, where other pages print the
 * difference below 0 as it is.
 */
const atLeastZero = (figure: string) => (figure.startsWith('−') ? '$0' : figure);

/** What examples assume: bills, fees, profits and hours of a business that no product file knows, and sums of these alone. */
const EXAMPLES = {
  'pages/case-studies.yaml': '$195 $246 $79 $60 $45 $90',
  'pages/free-trial-demo.yaml': '$195 $79',
  'articles/activecampaign-for-stores.md':
    '$320 $110 $62 $558 $48 $576 $54 $486 $248 $1,868 $840.60 $420.30 $50 $320.30 $210.15 $110.15',
  'articles/agency-retainer-pricing-crm.md': '$300 $90 $60 $40 $1,500 $4,000 $25 $95',
  'articles/all-in-one-vs-best-of-breed.md': '$180 $50 $60 $20',
  'articles/appointment-reminders-no-shows.md': '$90 $75 $15',
  'articles/contact-data-cleanup-before-import.md': '$40',
  'articles/crm-basics.md': '$1,500 $50 $1,450 $300',
  'articles/crm-migration-two-weeks.md': '$250',
  'articles/database-reactivation.md': '$800 $400 $5,200',
  'articles/gohighlevel-starter-or-unlimited.md': '$75 $150 $225 $300 $450',
  'articles/kit-for-course-creators.md':
    '$120 $3,240 $4,320 $5,400 $6,480 $19,440 $200 $2,400 $680.40 $1,200 $3,000',
  'articles/lead-magnet-to-booked-call.md':
    '$2,900 $3,000 $620 $1.50 $6 $50 $66.67 $333.33 $80 $655.56 $2,500 $700 $300 $5,900 $5,280 $586.67',
  'articles/missed-call-text-back.md': '$350 $11.67',
  'articles/pipeline-stages-small-agency.md': '$32,000 $10,000 $2,000',
  'articles/referral-program-service-business.md': '$600 $420 $360 $300 $150 $100 $50 $1,680 $1,800 $400',
  'articles/webinar-funnel-math.md':
    '$20,000 $16.74 $490 $2 $4,000 $5.71 $914 $20.09 $17.15 $24.50 $40 $408.35 $11.03 $8,820 $49 $2.01 $5,000',
};

/** What a source that the article cites says of something else than a product: the thresholds of a tax form. */
const SOURCES = { 'articles/referral-program-service-business.md': '$2,000 $600' };

/** Numbers of months that are no payback: a commitment, what is kept for how long, silent contacts, and ages of reviews. */
const MONTHS = {
  'products/hubspot.yaml': '12 months',
  'pages/privacy.yaml': '13 months',
  'articles/email-deliverability-new-domain.md': '6 months 12 months',
  'articles/review-requests-local-business.md': '3 months 6 months 12 months',
  'articles/hubspot-free-crm-limits.md': '12 months',
};

/** What costs nothing, as a fact of the plan and not as a price of the day. */
const FREE = '$0';

it('every amount and number of months in a text is a name, or among the specified figures, examples and sources above', () => {
  const expected = new Map<string, Set<string>>();
  for (const at of [...SPECIFIED.map((one): Record<string, string> => one.at), EXAMPLES, SOURCES, MONTHS])
    for (const [file, amounts] of Object.entries(at))
      expected.set(
        file,
        new Set([...(expected.get(file) ?? []), ...(amounts.match(/\$\S+|\S+ months/g) ?? [])]),
      );
  const files = [
    'site.yaml',
    'assessment.yaml',
    ...['claims', 'products', 'pages', 'articles'].flatMap(list),
  ];
  const found = new Map(
    files.map((file) => {
      const literal = readTexts(file).map((text) => plain(text.replace(TOKEN, '{}')));
      const amounts = literal.flatMap(listFigures).filter((one) => one.includes('$') && one !== FREE);
      const months = literal.flatMap((text) => text.match(/(?<![\d.])\d[\d.]* months\b/g) ?? []);
      return [file, new Set([...amounts.map((one) => one.replace('−', '')), ...months])] as const;
    }),
  );
  const sort = (map: ReadonlyMap<string, ReadonlySet<string>>) =>
    Object.fromEntries(
      [...map].filter(([, set]) => set.size > 0).map(([file, set]) => [file, [...set].toSorted()]),
    );
  expect(sort(found)).toEqual(sort(expected));
});

/** The texts of a file; the sources of an article say what was read on their day, and are left out. */
function readTexts(file: string): string[] {
  const [, head = read(file), body = ''] = file.endsWith('.md')
    ? (/^---\n(.*?)\n---\n(.*)$/s.exec(read(file)) ?? [])
    : [];
  const { sources: _, checked: __, ...texts } = parseOnce<Record<string, unknown>>(head);
  return [...listTexts(texts), ...body.split('\n').filter((line) => !line.startsWith('{{'))];
}

/** Totals that are the same figure, or made of others, on different pages. */
const EQUAL: readonly (readonly [string, ...(readonly [times: number, total: string | number])[]])[] = [
  ['highlevel-nine', [1, 'unlimited-month']],
  ['highlevel-usage', [1, 'usage-month']],
  ['usage-month', [1, 'messages-month'], [1, 'number-month']],
  ['highlevel-number', [1, 'number-month']],
  ['unlimited-month-courses', [1, 'unlimited-month'], [1, 200]],
  ['unlimited-month-crm', [1, 'unlimited-month'], [1, 650]],
  ['six-saving', [1, 1492], [-1, 'highlevel-nine']],
  ['six-saving-courses', [1, 'six-saving'], [-1, 200]],
  ['six-saving-crm', [1, 'six-saving'], [-1, 650]],
  ['six-saving-crm-year', [12, 'six-saving-crm']],
  ['six-move-all', [1, 'six-move']],
  ['six-move-crm', [1, 'six-move']],
  ['six-first-year', [12, 'six-saving-courses'], [-1, 'six-move']],
  ['four-saving', [1, 180], [-1, 'starter-small']],
  ['four-move-sync', [1, 'four-move']],
  ['four-first-year', [12, 'four-saving'], [-1, 'four-move']],
  ['trial-month', [1, 'account-1-usage']],
  ['account-1-usage', [1, 'account-1'], [1, 'account-usage']],
  ['report-left-year', [12, 'report-left']],
  ['local-net', [1, 'local-saving'], [-1, 'local-usage']],
  ['local-month', [1, 195], [-1, 'local-net']],
  ['coach-more-net', [1, 'coach-more'], [1, 'coach-usage']],
  ['coach-month', [1, 79], [1, 'coach-more-net']],
  ['roi-net', [1, 'roi-saving'], [-1, 'account-usage']],
  ['move-saving', [1, 843], [-1, 'move-month']],
  ['missed-call-gain', [1, 350], [-1, 'missed-call']],
  ['missed-call-cost', [1, 'missed-call']],
  ['client-usage-twice', [2, 'client-usage']],
  ['client-half-cost', [1, 'client-cost'], [1, 'client-share']],
  ['client-usage-cost', [1, 'client-cost'], [1, 'client-usage']],
  ['client-support-cost', [1, 'client-cost'], [1, 90]],
  ['client-margin', [1, 300], [-1, 'client-cost']],
  ['client-half-left', [1, 300], [-1, 'client-half-cost']],
  ['client-usage-left', [1, 300], [-1, 'client-usage-cost']],
  ['client-support-left', [1, 300], [-1, 'client-support-cost']],
  ['client-markup', [1.4, 'client-cost']],
  ['client-slip', [144, 300], [-144, 'client-markup']],
  ['client-card', [1 / 0.57, 'client-cost']],
  ['growing-starter', [1, 'growing-plan'], [1, 'growing-usage']],
  ['hubspot-nine', [1, 'hubspot-professional-nine']],
  ['hubspot-nine-first-year', [1, 'hubspot-nine'], [1, 'hubspot-onboarding']],
  ['hubspot-nine-year-two', [12, 'hubspot-nine']],
  ['hubspot-nine-saving', [1, 'hubspot-nine'], [-1, 'highlevel-nine']],
  ['hubspot-nine-step', [1, 'hubspot-professional-nine'], [-1, 'hubspot-starter-nine']],
  ['hubspot-nine-step-year', [12, 'hubspot-nine-step']],
  ['hubspot-four-year-two', [12, 'hubspot-four']],
  ['nine-difference', [1, 'hubspot-nine-first-year'], [-1, 'highlevel-nine-emails']],
  ['nine-difference-later', [1, 'hubspot-nine'], [-1, 'highlevel-nine-emails']],
  ['nine-starter-difference', [1, 'highlevel-nine-emails'], [-1, 'hubspot-starter-nine']],
  ['referral-client', [0.25, 'referral-year']],
];

it('for random product files every named figure is the one computed from them, and no total differs from its parts', () =>
  forAll(1, [DRAWS], (draws) => {
    const files = vary(draws);
    const products = new Map(
      Object.entries(files.products).map(([key, one]) => [key, { key, ...productSchema.parse(one) }]),
    );
    const savings = buildSavings(calculatorsSchema.parse(files.calculators), products, (at) =>
      expect.fail(at.join()),
    );
    const figures = buildFigures({ products, savings, claims: new Map() });
    const names = computeNames(files);
    for (const [name, figure] of figures) {
      if (!/[$€£]\d/.test(figure) || figure.includes('{') || name.startsWith('partners:')) continue;
      expect([name, figure.replace(/ per .*/, '')]).toEqual([name, names.get(name)]);
    }
    for (const name of names.keys())
      if (name.endsWith('.months')) expect(figures.get(name)).toBe(names.get(name));
    for (const [total, ...parts] of EQUAL) {
      const add = (all: number, [times, part]: (typeof parts)[number]) =>
        all + times * (typeof part === 'number' ? part * DOLLAR : sum(files, part));
      const difference = sum(files, total) - parts.reduce(add, 0);
      // Lines that stand in a part too leave nothing; each other line of either side is rounded by half a cent.
      const listLines = (key: string | number, times: number) =>
        (files.calculators.totals[key]?.lines ?? []).map(
          (line) => `${line.figure ?? line.amount} ${Math.abs((line.times ?? 1) * times)}`,
        );
      const [own, theirs] = [listLines(total, 1), parts.flatMap(([times, part]) => listLines(part, times))];
      const isMultiple = parts.some(([times]) => Math.abs(times) !== 1);
      const rounded = own.filter((line) => isMultiple || !theirs.includes(line)).length;
      const allowed = rounded * 5_000 * Math.max(...parts.map(([times]) => 1 + Math.abs(times)), 3);
      expect(Math.abs(difference) <= allowed ? '' : `${total} differs by ${money(difference)}`).toBe('');
    }
    expect(names.get('stack:net')).toBe(names.get('total:six-saving'));
    expect(names.get('stack:plan-net')).toBe(names.get('total:highlevel-nine'));
  }));

/** Lists what is not as the files say. */
function findFaults(shown: readonly Shown[], names: ReadonlyMap<string, string>): string[] {
  const named = [...names.values()].flatMap((one) => listFigures(fill(one, names)));
  return shown.flatMap(({ at, texts, figures, computed, parts = [] }) => {
    const expected = [...texts.map((text) => listFigures(plain(fill(text, names)))), ...computed];
    const known = new Set([FREE, ...named, ...parts, ...expected.flat()].map((one) => one.replace('−', '')));
    return [
      ...expected
        .filter((one) => one.length > 0 && !isWithin(one, figures))
        .map((one) => `${at}: ${one.join(' ')} is not there`),
      ...figures
        .filter((one) => one.includes('$') && !known.has(one.replace('−', '')))
        .map((one) => `${at}: ${one} is in no file`),
    ];
  });
}

it('for random product files every saving, total and payback on every page is the one computed from them', {
  tags: ['rest'],
}, async () => {
  let figures = 0;
  await forAll(0.08, [DRAWS], async (draws) => {
    const files = vary(draws);
    const shown = await render(readVaried(files), files);
    figures += shown.reduce((all, one) => all + one.figures.length, 0);
    expect(findFaults(shown, computeNames(files))).toEqual([]);
  });
  expect(figures).toBeGreaterThan(5_000);
});
