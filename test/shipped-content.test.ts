import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSiteFolder } from '../src/commands/new.ts';
import {
  checkAmounts,
  checkClaimants,
  checkCopy,
  checkOffers,
  checkQuotations,
  checkReviews,
} from '../src/content-files/check-copy.ts';
import { checkRules } from '../src/content-files/check-rules.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import type { Claim } from '../src/core/pages/claims/claim.schema.ts';
import { FACT_MARK, placeFacts } from '../src/core/pages/claims/corrections.ts';
import type { PageSection } from '../src/core/pages/sections/section.schema.ts';
import { siteSchema } from '../src/core/pages/site.schema.ts';
import { describePoints } from '../src/core/products/product.ts';
import { formatDollars } from '../src/core/savings/parse-amount.ts';
import { buildContents } from '../src/sections/pages/markdown-text.tsx';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { createFolder } from './support/create-folder.ts';
import { renderSection } from './support/render-section.ts';
import {
  readSampleClaims,
  readSamplePartners,
  readSampleSavings,
  SHIPPED_CONTENT,
} from './support/sample-content.ts';
import { createTestSite } from './support/test-site.ts';

const FOLDER = path.resolve(import.meta.dirname, '../content/pages');
const pageSchema = z.object({ cta: z.object({ partner: z.string().optional() }).optional() });

it('a page with calls to action that names one partner only sends its readers to that partner', () => {
  const partners = [...readSamplePartners(SHIPPED_CONTENT).values()];
  const wrong: string[] = [];
  for (const file of readdirSync(FOLDER)) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const { cta } = pageSchema.parse(parse(text));
    const [named, ...others] = partners.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
    if (cta === undefined || named === undefined || others.length > 0) continue;
    if (cta.partner !== named.key) wrong.push(`${file}: needs cta.partner: ${named.key}`);
  }
  expect(wrong).toEqual([]);
});

it('How we are paid leads to the page of that name, and on a new site to its affiliate disclosure', () => {
  expect(readContent(SHIPPED_CONTENT).site.disclosure.href).toBe('/how-we-are-paid');
  const template = path.resolve(import.meta.dirname, '../src/commands/new/site-template/site.yaml');
  const { newProducts: _, ...fields } = parse(readFileSync(template, 'utf8'));
  const written = { ...fields, copyright: { year: 2026 } };
  expect(siteSchema.parse(written).disclosure.href).toBe('/affiliate-disclosure');
});

it('the shipped content has no fault of copy', () =>
  expect(checkCopy(path.resolve(import.meta.dirname, '../content'))).toEqual([]));

it('no sentence of the shipped content has an amount next to a product that nothing explains', () =>
  expect(checkAmounts(SHIPPED_CONTENT, readContent(SHIPPED_CONTENT))).toEqual([]));

it('no sentence of the shipped content gives a claim to someone who has not made it', () =>
  expect(checkClaimants(SHIPPED_CONTENT, readContent(SHIPPED_CONTENT))).toEqual([]));

it('the offer of an article is for a partner that it names, and none where its verdict is neither', () => {
  const content = readContent(SHIPPED_CONTENT);
  expect(checkOffers(SHIPPED_CONTENT, content)).toEqual([]);
  const root = createFolder();
  mkdirSync(path.join(root, 'articles'));
  const source = readFileSync(
    path.join(SHIPPED_CONTENT, 'articles/review-requests-local-business.md'),
    'utf8',
  );
  const find = (text: string) => {
    writeFileSync(path.join(root, 'articles/x.md'), text);
    return checkOffers(root, content).map((one) => one.text);
  };
  const kit = source.replace('partner: none', 'partner: kit');
  expect(find(source)).toEqual([]);
  expect(find(kit)).toEqual([expect.stringContaining('its verdict is "neither"')]);
  expect(find(kit.replace('For reviews alone, neither.', ''))).toEqual([
    expect.stringContaining('which its text never names'),
  ]);
});

it('neither the shipped content nor a new site says what a rule does not allow, and every warning is meant', () => {
  const at = { siteUrl: 'http://localhost', now: Date.parse('2026-11-27') };
  const judge = (root: string) => checkRules(root, readContent(root), at);
  const check = (root: string) =>
    judge(root).flatMap((one) => (one.isError ? [`${one.file} ${one.text}`] : []));
  // Whether the act applies is for the operator to say.
  expect(judge(SHIPPED_CONTENT).map(({ finding }) => finding.rule)).toEqual(['accessibility']);
  for (const kind of ['physical', 'software'] as const) {
    const root = path.join(createFolder(), 'content');
    createSiteFolder({ name: 'Site', folder: root, day: '2026-11-20', kind });
    expect(check(root)).toEqual([]);
  }
});

describe('a page at a public address', () => {
  const { pages, claims } = readContent(SHIPPED_CONTENT);
  const isSample = (claim: Claim) => claim.sample === true && claim.evidence === '';
  const outline = (sections: readonly PageSection[]) =>
    sections.map((section) => {
      const { type, id, items } = section as { type: string; id?: string; items?: readonly unknown[] };
      const list = type === 'cards' || type === 'faq' ? items?.length : undefined;
      return [type, id, list];
    });

  it.each([...pages])(
    '%s has the sections, anchors, cards and questions that it has here',
    (_, { sections }) => {
      const local = placeFacts(sections, claims, { isHidden: () => false, areFactsInstead: false });
      const shown = placeFacts(sections, claims, { isHidden: isSample, areFactsInstead: true });
      const kept = local.filter(({ type, id }) => type !== 'stats' || id !== undefined);
      expect(outline(shown)).toEqual(outline(kept));
      const text = JSON.stringify(shown);
      expect(text).not.toContain(FACT_MARK);
      for (const { figure, fact } of claims.values())
        if (fact !== undefined && !/^[$\d]/.test(figure)) expect(text).not.toContain(`${figure}[`);
    },
  );

  it('says the facts of the trial as its four cards', () => {
    const shown = placeFacts(pages.get('/gohighlevel-free-trial')?.sections ?? [], claims, {
      isHidden: isSample,
      areFactsInstead: true,
    });
    expect(shown.find(({ id }) => id === 'risk-free')).toMatchObject({
      items: ['Have a card ready', 'Full 14 Days', 'Nine steps to cancel', 'Ask about a minimum'].map(
        (title) => ({ title }),
      ),
    });
  });
});

it.each([true, false])(
  'every heading of a page with a list of contents is in it, with facts instead of claims: %s',
  async (areFactsInstead) => {
    const template = path.join(createFolder(), 'content');
    createSiteFolder({
      name: 'Site',
      folder: template,
      day: '2026-11-20',
      kind: 'software',
    });
    const checked: string[] = [];
    for (const root of [SHIPPED_CONTENT, template]) {
      const content = readContent(root);
      const site = await createTestSite({ content });
      const context = {
        ...buildArticleContext(site, buildCta({ source: 'page' }, content), '/page'),
        samples: !areFactsInstead,
      };
      for (const [route, page] of content.pages) {
        const placed = placeFacts(page.sections, content.claims, { isHidden: () => false, areFactsInstead });
        const { sections, contents } = buildContents(placed);
        const html = sections.map((section) => renderSection(section, { ...context, contents })).join('');
        const [nav] = /<nav aria-label="Contents"[\s\S]*?On this page[\s\S]*?<\/nav>/.exec(html) ?? [];
        if (nav === undefined) continue;
        checked.push(route);
        const read = (text: string, pattern: RegExp) =>
          [...text.matchAll(pattern)].map(([, inner = '']) => inner.replace(/<[^>]*>|†/g, ''));
        expect(read(nav, /<a [^>]*>(.*?)<\/a>/g)).toEqual(read(html, /<h2[^>]*>(.*?)<\/h2>/g));
        for (const id of read(nav, /href="#([^"]*)"/g))
          expect([id, html.split(` id="${id}"`).length]).toEqual([id, 2]);
      }
    }
    expect(checked).toEqual(
      expect.arrayContaining(['/privacy', '/terms', '/glossary', '/affiliate-disclosure']),
    );
  },
);

it('every quotation and number of the shipped content is in the text that it is from', () =>
  expect(checkQuotations(SHIPPED_CONTENT)).toEqual([]));

it('only the pages that the specification gives a score or stars have them, and no product was tested', () => {
  const content = readContent(SHIPPED_CONTENT);
  expect(checkReviews(SHIPPED_CONTENT, content)).toEqual([]);
  expect(content.site.untestedRatings).toEqual([
    '/expert-review-gohighlevel-business-systems-consultant',
    '/roi-calculator',
  ]);
  expect([...content.products.values()].filter(({ tested }) => tested !== undefined)).toEqual([]);
});

describe('how the platforms are rated', () => {
  const { products, claims, pages } = readContent(SHIPPED_CONTENT);

  it.each([
    ['highlevel', '5/5', '4/7'],
    ['hubspot', '3/5', '3/7'],
    ['kit', '2/5', '4/7, 1 open'],
    ['activecampaign', '2.5/5', '1/7, 1 open'],
  ])('%s has %s for features, %s for value, and ease of use is open', (key, features, value) => {
    const criteria = products.get(key)?.criteria ?? {};
    const points = ['features', 'value', 'ease'].map((name) =>
      describePoints(Object.values(criteria[name] ?? {}).map((one) => one.answer)),
    );
    expect(points).toEqual([features, value, 'open']);
    expect(Object.values(criteria).map((answers) => Object.keys(answers).length)).toEqual([5, 7, 5]);
  });

  it('the figure in the title of /how-we-rate is the mean of the three claims', () => {
    const scores = ['features', 'value', 'ease'].map((name) =>
      Number.parseInt(claims.get(`review-rating-${name}`)?.figure ?? '', 10),
    );
    const mean = (scores.reduce((sum, score) => sum + score, 0) / 3).toFixed(1);
    expect(JSON.stringify(pages.get('/how-we-rate')?.sections[0])).toContain(`what ${mean} means`);
  });
});

it('the table of commissions has each program, with two years of an offer at its rate', () => {
  const { partners, products, figures } = readContent(SHIPPED_CONTENT);
  const table = figures.get('partners:commissions')?.split('\n') ?? [];
  expect(table).toHaveLength(2 + partners.size);
  for (const [index, { name, commission }] of [...partners.values()].entries()) {
    const { percent = 0, months = 24, examples = [] } = commission ?? {};
    const amounts = examples.map((example) => {
      const [key = '', plan] = example.split('.');
      const offer = products.get(key)?.offers.find((one) => one.key === plan);
      return (((offer?.amount ?? 0) / 100) * percent * Math.min(months, 24)) / 100;
    });
    const row = table[2 + index] ?? '';
    expect(row).toContain(`| ${name} | ${percent}% | `);
    const shown = [...row.matchAll(/\$([\d,.]+) on /g)].map(([, amount = '']) =>
      Number(amount.replace(',', '')),
    );
    expect(shown).toEqual(amounts.map((amount) => Math.round(amount * 100) / 100));
  }
});

it('names the file and line of a rejected word, and two sections of rows in a row', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'copy-'));
  try {
    mkdirSync(path.join(root, 'pages'));
    const sections = 'sections:\n  - { type: outcomes }\n  - { type: cards, variant: rows }\n';
    writeFileSync(
      path.join(root, 'pages/offer.yaml'),
      `title: Beside the point\nlead: Put it beside it\n${sections}`,
    );
    expect(checkCopy(root)).toEqual([
      { kind: 'style', file: 'content/pages/offer.yaml:2', text: '"beside": write "next to"' },
      {
        kind: 'style',
        file: 'content/pages/offer.yaml',
        text: 'section 2 looks like the section before it, change its type or variant',
      },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('files that cannot be read are left to the check of the content', () => {
  const folder = createFolder();
  mkdirSync(path.join(folder, 'site.yaml'));
  expect(checkCopy(folder)).toEqual([]);
});

const ROOT = path.resolve(import.meta.dirname, '..');

/** Figures that cannot be mistaken for anything else: with $, % or +, or with a thousands comma. */
const isTelling = (figure: string) => /[$%+]|\d,\d/.test(figure) && figure.length > 2;

const savings = readSampleSavings(SHIPPED_CONTENT);
const claims = [...readSampleClaims(SHIPPED_CONTENT).values()];
const FIGURES = new Set(
  [
    ...savings.plans.map(({ monthlyCents }) => formatDollars(monthlyCents)),
    ...savings.stack.map(({ monthlyCents }) => formatDollars(monthlyCents)),
    ...claims.map(({ figure }) => figure),
  ].filter(isTelling),
);
const TERMS = /\b(14|30)[- ]days?\b/i;

function listFiles(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
}

function findFigures(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/\{[a-z]+:[a-z0-9.-]+\}/g, '{}');
  const written = [...FIGURES].filter((figure) => hasFigure(text, figure));
  const terms = TERMS.exec(text)?.[0];
  return [...written, ...(terms === undefined ? [] : [terms])].map((figure) => `${file}: ${figure}`);
}

/** `$97` is not in `$970` or `$97.50`, nor `23%` in `123%`. */
function hasFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + figure.length);
    if (!/[\d.,$]/.test(before) && !/^(\d|[.,]\d)/.test(after + text.charAt(at + figure.length + 1)))
      return true;
  }
  return false;
}

describe('a figure is in content/products/, calculators.yaml or content/claims alone', () => {
  it('knows the figures that it looks for', () => {
    expect(FIGURES).toContain('$297');
    expect(FIGURES).toContain('40,000+');
    expect(FIGURES.size).toBeGreaterThan(25);
  });

  it('so no page document writes one', () =>
    expect(listFiles('content/pages', /\.yaml$/).flatMap(findFigures)).toEqual([]));

  it('and no component does', () => {
    const files = ['src/sections', 'src/islands', 'src/ui', 'src/pages'].flatMap((folder) =>
      listFiles(folder, /\.(tsx?|astro)$/),
    );
    expect(files.flatMap(findFigures)).toEqual([]);
  });
});

it('figures that are computed from others still agree with them', () => {
  const read = (key: string) =>
    Number(claims.find((claim) => claim.key === key)?.figure.replace(/[^0-9.]/g, ''));
  const unlimited = (savings.plans.find(({ key }) => key === 'unlimited')?.monthlyCents ?? 0) / 100;
  expect(read('competing-difference')).toBe(read('competing-price') - unlimited);
  expect(read('tools-yearly')).toBe(read('tools-monthly') * savings.months);
  expect(read('report-fragmented')).toBe(100 - read('report-consolidating'));
});
