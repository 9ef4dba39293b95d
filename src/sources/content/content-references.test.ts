import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { copyContent } from '../../../test/support/content-copy.ts';
import { authorFileSchema } from '../../core/articles/author.schema.ts';
import { assessmentSchema } from '../../core/assessment/assessment.schema.ts';
import type { ImageCatalog } from '../../core/pages/content-image.ts';
import { pageSchema } from '../../core/pages/page.schema.ts';
import { siteSchema } from '../../core/pages/site.schema.ts';
import { plansSchema } from '../../core/savings/plans.schema.ts';
import { listArticleSlugs, readArticleFiles } from '../articles/files/read-article-files.ts';
import { readContent } from './read-content.ts';

/** A reference from one content file to another, or to another part of the same file, broken by an edit. */
interface Broken {
  /** `kind of file: field`, as the schema names the field; `text` for a link or figure in a text. */
  readonly key: string;
  readonly file: string;
  readonly edit: readonly [from: string, to: string];
  /** The place that the error names. */
  readonly field: string;
  readonly reason: string;
}

const broken = (
  key: string,
  file: string,
  edit: readonly [string, string],
  field: string,
  reason: string,
): Broken => ({ key, file, edit, field, reason });

const SITE = 'site.yaml';
const ROI = 'pages/roi-calculator.yaml';
const GUIDE = 'pages/business-tool-consolidation-guide.yaml';
const HELP = 'pages/help.yaml';
const DESK = 'authors/editorial-desk.yaml';
const ARTICLE = 'articles/crm-basics.md';
/** Adds a section to the end of the help page. */
const section = (fields: string): readonly [string, string] => {
  const cta = fields.includes('partner') ? 'cta: { source: help }\n' : '';
  return ['sections:\n', `${cta}sections:\n  - { ${fields} }\n`];
};
const page = (key: string, fields: string, field: string, reason: string) =>
  broken(`page: ${key}`, HELP, section(fields), `sections.1${field}`, reason);

const REFERENCES: readonly Broken[] = [
  broken(
    'site: author',
    SITE,
    ['author: editorial-desk', 'author: desk'],
    'author',
    'no file in content/authors/',
  ),
  broken(
    'site: promotedPartner',
    SITE,
    ['promotedPartner: highlevel', 'promotedPartner: low'],
    'promotedPartner',
    'no partner',
  ),
  broken(
    'site: href',
    SITE,
    ['label: Assessment, href: /assessment }', 'label: Assessment, href: /assessmnt }'],
    'navigation.4.href',
    'did you mean /assessment?',
  ),
  broken(
    'site: href',
    SITE,
    ['href: /help }', 'href: /helps }'],
    'footer.3.links.2.href',
    'did you mean /help?',
  ),
  broken(
    'site: href',
    SITE,
    [
      'line by line\n      href: /hubspot-vs-gohighlevel-pricing-comparison',
      'line by line\n      href: /compare',
    ],
    'home.entryPoints.1.href',
    'leads to /compare, which does not exist',
  ),
  broken(
    'site: href',
    SITE,
    ['own bills, href: /roi-calculator', 'own bills, href: /roi'],
    'home.bill.link.href',
    'leads to /roi',
  ),
  broken(
    'site: href',
    SITE,
    ['your savings, href: /roi-calculator', 'your savings, href: /roi'],
    'blog.offers.promoted.alternative.href',
    'leads to /roi',
  ),
  broken(
    'site: href',
    SITE,
    ['href: /industry-report-2025', 'href: /industry-report-2052'],
    'blog.picks.items.3.href',
    'did you mean /industry-report-2025?',
  ),
  broken(
    'site: href',
    SITE,
    ['href: /industry-report-2025', 'href: /blog/crm-basic'],
    'blog.picks.items.3.href',
    'did you mean /blog/crm-basics?',
  ),
  broken(
    'site: aliases',
    SITE,
    ['/expert-review: /expert-review-gohighlevel-business-systems-consultant', '/expert-review: /expert'],
    'aliases./expert-review',
    'leads to /expert',
  ),
  broken(
    'site: aliases',
    SITE,
    ['/expert-review: /expert-review-gohighlevel-business-systems-consultant', '/expert-review: //expert'],
    'aliases./expert-review',
    'must be a path of this site',
  ),
  broken(
    'site: aliases',
    SITE,
    ['  /expert-review: ', '  /blog: '],
    'aliases./blog',
    'the site responds at /blog itself',
  ),
  broken(
    'site: aliases',
    SITE,
    ['  /expert-review: ', '  /expert-review/: '],
    'aliases./expert-review/',
    'must not end with a slash',
  ),
  broken(
    'site: aliases',
    SITE,
    ['  /expert-review: ', '  /kit-trial: '],
    'aliases./kit-trial',
    '/kit-trial leads to a partner',
  ),
  broken(
    'site: aliases',
    SITE,
    ['  /expert-review: ', '  /other: /expert-review\n  /expert-review: '],
    'aliases./other',
    'is an alias itself',
  ),
  broken(
    'site: plan',
    SITE,
    ['plan: unlimited', 'plan: limited'],
    'home.bill.plan',
    'there is no plan "limited"; plans.yaml has',
  ),
  broken(
    'site: name',
    SITE,
    ['name: trial', 'name: trail'],
    'home.bill.calculator.name',
    'there is no calculator "trail"; plans.yaml has trial, roi',
  ),
  broken(
    'site: page',
    SITE,
    ['page: /gohighlevel-free-trial', 'page: /free-trial'],
    'home.bill.calculator.page',
    'leads to /free-trial, which does not exist',
  ),
  broken(
    'site: page',
    SITE,
    ['page: /gohighlevel-free-trial', 'page: /blog'],
    'home.bill.calculator.page',
    '/blog is not a page of content/pages/',
  ),
  broken(
    'site: section',
    SITE,
    ['section: calculator', 'section: calc'],
    'home.bill.calculator.section',
    'no section "calc" of /gohighlevel-free-trial has the calculator "trial"; calculator has',
  ),
  broken(
    'site: section',
    SITE,
    ['section: calculator', 'section: pricing'],
    'home.bill.calculator.section',
    'no section "pricing"',
  ),
  broken(
    'site: stats',
    SITE,
    ['[hub-revenue-growth,', '[hub-growth,'],
    'blog.hero.stats.1',
    'no claim is called "hub-growth"',
  ),
  broken(
    'site: partnerLink',
    SITE,
    ['partnerLink: trial', 'partnerLink: trail'],
    'blog.offers.promoted.partnerLink',
    'no partner has a page "trail"',
  ),
  broken(
    'site: text',
    SITE,
    ['{claim:hub-agencies}', '{claim:hub}'],
    'blog.hero.title',
    'there is no figure called {claim:hub}',
  ),

  broken(
    'plans: partner',
    'plans.yaml',
    ['partner: highlevel', 'partner: low'],
    'partner',
    'no partner is called "low"',
  ),
  broken(
    'plans: stackPlan',
    'plans.yaml',
    ['stackPlan: ', 'stackPlan: no-'],
    'stackPlan',
    'there is no plan "no-',
  ),
  broken(
    'plans: plan',
    'plans.yaml',
    ['    plan: ', '    plan: no-'],
    'calculators.trial.plan',
    'there is no plan "no-',
  ),

  broken(
    'assessment: fallback',
    'assessment.yaml',
    ['fallback: ', 'fallback: no-'],
    'fallback',
    'no outcome has the key',
  ),
  broken(
    'assessment: partner',
    'assessment.yaml',
    ['partner: kit', 'partner: tik'],
    'outcomes.3.partner',
    'no partner is called "tik"',
  ),
  broken(
    'assessment: partnerLink',
    'assessment.yaml',
    ['partnerLink: ', 'partnerLink: no-'],
    'outcomes.1.partnerLink',
    'has no page "no-',
  ),
  broken(
    'assessment: businessTypes',
    'assessment.yaml',
    ['[ecommerce]', '[ecommerce, shop]'],
    'outcomes.2.businessTypes',
    'no option has the key "shop"',
  ),
  broken(
    'assessment: code',
    'assessment.yaml',
    ['code: ', 'code: no-'],
    'questions.1.options.1.code',
    'is not a code of',
  ),
  broken(
    'assessment: claims',
    'assessment.yaml',
    ['    claims: [', '    claims: [no-claim, '],
    'copy.intro.claims.1',
    'no claim is called "no-claim"',
  ),
  broken(
    'assessment: text',
    'assessment.yaml',
    ['{price:unlimited}', '{price:gold}'],
    'outcomes.1',
    'there is no figure "{price:gold}"',
  ),

  broken(
    'author: href',
    DESK,
    ['tests: []', 'tests: [{ what: x, date: 2026-01-01, href: /reviews }]'],
    'tests.1.href',
    'leads to /reviews',
  ),
  broken(
    'author: src',
    DESK,
    ['name: ', 'image: { src: ../images/none.png, alt: x }\nname: '],
    'image.src',
    'names content/images/none.png, which does not exist',
  ),
  broken('author: text', DESK, ['bio: |\n', 'bio: |\n  [x](/reviews)\n'], 'bio', 'leads to /reviews'),
  broken(
    'author: text',
    DESK,
    ['bio: |\n', 'bio: |\n  [x](partner:tik/trial)\n'],
    'bio',
    'no partner is called "tik"',
  ),

  broken(
    'brand: src',
    'brand.yaml',
    ['displayFont:', 'logo: { src: ../images/none.svg, alt: x }\ndisplayFont:'],
    'logo.src',
    'which does not exist',
  ),
  broken(
    'brand: favicon',
    'brand.yaml',
    ['displayFont:', 'favicon: ../images/none.svg\ndisplayFont:'],
    'favicon',
    'which does not exist',
  ),
  broken(
    'brand: socialImage',
    'brand.yaml',
    ['displayFont:', 'socialImage: ../images/none.png\ndisplayFont:'],
    'socialImage',
    'which does not exist',
  ),

  page(
    'href',
    'type: call-to-action, title: x, actions: [{ label: x, href: /halp }]',
    ' (call-to-action).actions.1.href',
    'did you mean /help?',
  ),
  page(
    'href',
    'type: call-to-action, title: x, actions: [{ label: x, href: "#nowhere" }]',
    ' (call-to-action).actions.1.href',
    'leads to #nowhere, but no section or heading of this page has this id',
  ),
  page(
    'href',
    'type: call-to-action, title: x, actions: [{ label: x, href: "/feature-comparison#nowhere" }]',
    ' (call-to-action).actions.1.href',
    'leads to #nowhere, but no section or heading of /feature-comparison has this id',
  ),
  page(
    'href',
    'type: call-to-action, title: x, actions: [{ label: x, href: "/contact?topic=none" }]',
    ' (call-to-action).actions.1.href',
    'names the topic "none"',
  ),
  page(
    'href',
    'type: quote, text: x, source: { label: x, href: /blog/none } ',
    ' (quote).source.href',
    'leads to /blog/none',
  ),
  broken(
    'page: href',
    HELP,
    ['sections:\n', 'quickLinks: [{ label: x, href: "#nowhere" }]\nsections:\n'],
    'quickLinks.1.href',
    'leads to #nowhere',
  ),
  page('text', 'type: prose, body: "[x](/halp)"', ' (prose).body', 'leads to /halp'),
  page('text', 'type: prose, body: "[x](/halp \'a title\')"', ' (prose).body', 'leads to /halp'),
  page('text', 'type: prose, body: "[x](#nowhere)"', ' (prose).body', 'leads to #nowhere'),
  page('text', 'type: prose, body: "{claim:none}"', ' (prose).body', 'nothing is called {claim:none}'),
  page('text', 'type: prose, body: "[x](partner:tik/trial)"', ' (prose).body', 'no partner is called "tik"'),
  page(
    'src',
    'type: image, image: { src: ../images/none.png, alt: x }',
    ' (image).image.src',
    'which does not exist',
  ),
  page(
    'author',
    'type: author, author: none, text: x',
    ' (author).author',
    'no file in content/authors/ is called "none"',
  ),
  page(
    'slugs',
    'type: article-teasers, slugs: [crm-basics, none]',
    ' (article-teasers).slugs.2',
    'no file in content/articles/ is called "none.md"',
  ),
  page(
    'to',
    'type: section-nav, label: x, items: [{ label: a, to: links }, { label: b, to: none }]',
    ' (section-nav).items',
    'no section has the id none',
  ),
  broken(
    'page: calculator',
    ROI,
    ['calculator: roi }', 'calculator: rio }'],
    'sections.1 (hero).figure.calculator',
    'there is no calculator "rio"',
  ),
  broken(
    'page: partner',
    GUIDE,
    ['cta: { ', 'cta: { partner: tik, '],
    'cta.partner',
    'no partner is called "tik"',
  ),
  page(
    'partner',
    'type: call-to-action, title: x, actions: [{ label: x, partnerLink: trial, partner: tik }]',
    ' (call-to-action).actions.1.partnerLink',
    'no partner is called "tik"',
  ),
  page(
    'partnerLink',
    'type: call-to-action, title: x, actions: [{ label: x, partnerLink: trail, partner: kit }]',
    ' (call-to-action).actions.1.partnerLink',
    'partner "kit" has no page "trail"',
  ),

  broken(
    'partner: destinations',
    'partners/kit.yaml',
    ['trialPath: /kit-trial', 'trialPath: /hubspot-trial'],
    'trialPath',
    'is the trial path of partner',
  ),
];

const ARTICLES: readonly Broken[] = [
  broken('article: partner', ARTICLE, ['partner: hubspot', 'partner: tik'], 'partner', 'must be one of'),
  broken(
    'article: author',
    ARTICLE,
    ['title:', 'author: ada-prak\ntitle:'],
    'author',
    'names no file in content/authors/: "ada-prak"',
  ),
  broken(
    'article: src',
    ARTICLE,
    ['src: ../images/', 'src: ../images/none-'],
    'image.src',
    'which does not exist',
  ),
  broken(
    'article: text',
    ARTICLE,
    ['\n## ', '\n![x](../images/none.png)\n\n## '],
    'body',
    'which does not exist',
  ),
];

let folder: string;
let images: ImageCatalog;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-references-'));
  copyContent(folder);
  const names = readdirSync(path.join(folder, 'images'), { recursive: true, encoding: 'utf8' });
  const image = { src: '/images/x.svg', width: 1, height: 1, sources: [] };
  images = { images: new Map(names.map((name) => [name, image])), origin: 'folder' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Applies an edit, and puts the file back after `check`. */
function withEdit({ file, edit: [from, to] }: Broken, check: () => void): void {
  const full = path.join(folder, file);
  const text = readFileSync(full, 'utf8');
  expect(text, `${file} has the text to replace`).toContain(from);
  writeFileSync(full, text.replace(from, to));
  try {
    check();
  } finally {
    writeFileSync(full, text);
  }
}

const read = () => {
  const articles = path.join(folder, 'articles');
  const content = readContent(folder, { images, articles: new Set(listArticleSlugs(articles)) });
  const { partners, authors } = content;
  readArticleFiles(articles, { partners: new Set(partners.keys()), authors, images });
};

it('the shipped content has no broken reference', () => {
  expect(read).not.toThrow();
});

/** What reading the folder throws. */
function readError(): string {
  try {
    read();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

it.each(REFERENCES)('$key in $file, $edit.1: the error names file and field', (reference) => {
  const { file, field, reason } = reference;
  withEdit(reference, () => {
    const [title, ...lines] = readError().split('\n');
    expect(title).toBe('[content] 1 problem:');
    expect(lines).toEqual([expect.stringContaining(`  content/${file}, ${field}`)]);
    expect(lines[0]).toContain(reason);
  });
});

it.each(ARTICLES)('$key in $file: the error names file and field', (reference) => {
  withEdit(reference, () => {
    const [title, ...lines] = readError().split('\n');
    expect(title).toBe('[articles:files] 1 file is invalid');
    expect(lines).toEqual([expect.stringContaining(`/crm-basics.md: ${reference.field} `)]);
    expect(lines[0]).toContain(reference.reason);
  });
});

/** Texts that other files or the site name by their key: they define something, or are checked against a list. */
const NO_REFERENCES: Readonly<Record<string, string>> = {
  'plans: plans': 'keys that it defines',
  'plans: calculators': 'keys that it defines',
  'plans: name': 'a parameter of links',
  'plans: checked': 'a day',
  'assessment: key': 'keys that it defines',
  'assessment: challenges': 'compared with the options, in src/core/assessment/assessment-checks.ts',
  'assessment: budgets': 'compared with the options, in the same place',
  'assessment: revenueNotes': 'compared with the options, in the same place',
  'author: alt': 'words',
  'author: focus': 'two numbers',
  'author: date': 'a day',
  'page: publishedAt': 'a day',
  'page: updated': 'a day',
  'page: source': 'a name that it gives',
  'page: headerSource': 'a name that it gives',
  'page: id': 'an anchor that it defines',
  'page: key': 'a topic that it defines',
  'page: alt': 'words',
  'page: focus': 'two numbers',
  'page: youtube': 'an id of another site',
};

const KINDS: Readonly<Record<string, z.ZodType>> = {
  site: siteSchema,
  plans: plansSchema,
  assessment: assessmentSchema,
  author: authorFileSchema,
  page: pageSchema,
};

/** The fields of a schema whose texts have a form: keys, paths, anchors. */
function listFormedFields(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Reflect.get(value, 'type') === 'string' && Reflect.has(value, 'pattern')) found.add(name);
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'properties') walk(part, name);
      else for (const [field, child] of Object.entries(Object(part))) walk(child, field);
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
  return found;
}

it.each(Object.entries(KINDS))(
  'every key, path and anchor that a %s names is in the table',
  (kind, schema) => {
    const covered = new Set(REFERENCES.map(({ key }) => key));
    const fields = [...listFormedFields(schema)].map((field) => `${kind}: ${field}`);
    expect(fields.length).toBeGreaterThan(1);
    expect(fields.filter((field) => !covered.has(field) && !(field in NO_REFERENCES))).toEqual([]);
  },
);
