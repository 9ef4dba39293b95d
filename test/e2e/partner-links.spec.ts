import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { expect, test } from '../support/browser-test.ts';
import type { ContentEdits } from '../support/content-copy.ts';
import { readRoutes } from '../support/routes.ts';
import { type Site, startSite } from '../support/site.ts';
import { readStructuredData } from '../support/structured-data.ts';

/** Figures with which both calculators show a saving, and so the link to their partner. */
const CALCULATOR_QUERY = '?tools=9&cost=300&crmCost=500&emailCost=500';
const REVIEW = '/expert-review-gohighlevel-business-systems-consultant';

interface PageDocument {
  readonly cta?: { readonly partner?: string };
}

const readPageText = (file: string) => readFileSync(path.join(ROOT, 'content', file), 'utf8');

/** The file of a page, by its route; null for the routes of the site itself. */
function findPageFile(route: string): string | null {
  const file = `pages${route}.yaml`;
  return /^\/[a-z0-9-]+$/.test(route) && route !== '/blog' && route !== '/assessment' ? file : null;
}

/** Partners that the links of a page, or its calculators in the browser, lead to; in order, repeated. */
async function readPartners(site: Site, route: string): Promise<string[]> {
  const html = await (await fetch(site.url + route + CALCULATOR_QUERY)).text();
  const body = html.replace(/<script\b.*?<\/script>/gs, '');
  return [...body.matchAll(/\/(?:go\/([a-z]+)|([a-z]+)-trial)\b(?=[?"&])([^"]*)/g)].flatMap(
    ([, redirect, trial, query = '']) => {
      const partner = redirect ?? trial ?? '';
      // A box or row of a product leads to the partner of that product.
      return new RegExp(`position=[a-z-]*-${partner}\\b`).test(query) ? [] : [partner];
    },
  );
}

/** Starts the site with changed content and compares the partners of every link of every page with what is expected. */
async function checkEveryLink(
  edits: ContentEdits,
  expectPartners: (route: string, file: string | null) => readonly string[],
): Promise<void> {
  await using site = await startSite({ contentEdits: edits });
  const routes = await readRoutes(site.url);
  expect(routes.length).toBeGreaterThan(40);
  let links = 0;
  for (const route of routes) {
    // Its results lead to the partner of each outcome.
    if (route === '/assessment') continue;
    const partners = await readPartners(site, route);
    links += partners.length;
    const allowed = expectPartners(route, findPageFile(route));
    const others = partners.filter((partner) => !allowed.includes(partner));
    expect.soft(others, `${route} leads to other partners than ${allowed.join(', ')}`).toEqual([]);
  }
  expect(links).toBeGreaterThan(80);
}

/** Partners that single links of a page name. */
function listNamedPartners(text: string): string[] {
  const named = text.replace(/^cta:.*$/m, '').matchAll(/\bpartner: ([a-z]+)|\(partner:([a-z]+)\//g);
  return [...named].map(([, action, inline]) => action ?? inline ?? '');
}

function readArticlePartner(route: string): string | undefined {
  const [, slug] = /^\/blog\/([a-z0-9-]+)$/.exec(route) ?? [];
  return slug && /^partner: (\w+)$/m.exec(readPageText(`articles/${slug}.md`))?.[1];
}

const promote = (partner: string): ContentEdits => ({
  'site.yaml': (text) => text.replace('promotedPartner: highlevel', `promotedPartner: ${partner}`),
});

test('every link without a partner of its own, its page or its article leads to the promoted partner', async () => {
  await checkEveryLink(promote('activecampaign'), (route, file) => {
    if (file === null) return [readArticlePartner(route) ?? 'activecampaign'];
    const text = readPageText(file);
    const { cta }: PageDocument = parse(text);
    return [cta?.partner ?? 'activecampaign', ...listNamedPartners(text)];
  });
});

test('cta.partner leads every link of a page, its header and its calculators to that partner', async () => {
  const files = [
    'roi-calculator',
    'gohighlevel-free-trial',
    'template',
    'feature-comparison',
    REVIEW.slice(1),
  ];
  const setPartner = (text: string) =>
    text
      .replace(/^cta: \{ (?:partner: \w+, )?/m, 'cta: { partner: kit, ')
      .replaceAll('partnerLink: demo', 'partnerLink: trial');
  const edits = Object.fromEntries(files.map((name) => [`pages/${name}.yaml`, setPartner]));
  await checkEveryLink(edits, (route, file) => {
    if (file === null) return [readArticlePartner(route) ?? 'highlevel'];
    const text = readPageText(file);
    const { cta }: PageDocument = parse(text);
    const isEdited = files.includes(route.slice(1));
    return [isEdited ? 'kit' : (cta?.partner ?? 'highlevel'), ...listNamedPartners(text)];
  });
});

test('the scores of a review are those of its partner, without the prices of another', async () => {
  const tested =
    'tested: { by: editorial-desk, on: 2026-11-02, evidence: [{ text: One sequence was sent to ten people. }] }';
  await using site = await startSite({
    contentEdits: {
      [`pages${REVIEW}.yaml`]: (text) =>
        text.replace('partner: highlevel', 'partner: kit').replace(/^( +)score: .*$/gm, '$&\n$1stars: 4'),
      'products/kit.yaml': (text) => `${text}\n${tested}\n`,
      'authors/editorial-desk.yaml': (text) =>
        text.replace('tests: []', 'tests: [{ what: Kit, date: 2026-11-02 }]'),
    },
  });
  const data = readStructuredData(await (await fetch(site.url + REVIEW)).text());
  const review = data.find((one) => one['@type'] === 'SoftwareApplication');
  expect(review).toMatchObject({ name: 'Kit', url: 'https://kit.com/' });
  expect(JSON.stringify(review)).not.toContain('297.00');
});
