import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readContent } from '../src/content-files/read-content.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { listTexts, type TextPath } from '../src/core/pages/claims/placeholders.ts';
import { buildSlug } from '../src/core/text/slug.ts';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { renderSection } from './support/render-section.ts';
import { SHIPPED_CONTENT } from './support/sample-content.ts';
import { createTestSite } from './support/test-site.ts';

/** The pages that sell, and explain a term at its first use. */
const PAGES = [
  '/gohighlevel-free-trial',
  '/hubspot-vs-gohighlevel-pricing-comparison',
  '/feature-comparison',
  '/gohighlevel-complete-tutorial',
  '/free-trial-demo',
  '/business-tool-consolidation-guide',
  '/industry-report-2025',
  '/roi-calculator',
];

/** Terms in texts that are specified, or where a link would stand in another one: `path term`. */
const EXCEPTIONS: readonly string[] = [];

const glossary = readFileSync(path.join(SHIPPED_CONTENT, 'pages/glossary.yaml'), 'utf8');
/** A term in its forms: `sub-accounts`, `White-label`, `rebill`. */
const TERMS = [...glossary.matchAll(/^ +## (.+)$/gm)].map(([, term = '']) => ({
  id: buildSlug(term),
  use: new RegExp(`\\b${term.replace(/[ -]/g, '[ -]').replace(/ing$/, '(?:ing|ed|s)?')}s?\\b`, 'i'),
}));

/** Text in sentences; not a label or a cell of a few words. */
const isRunning = (text: string) => /[.?!:)*]\W*$/.test(text.trim()) && text.split(/\s+/).length >= 5;
const withoutLinks = (text: string) =>
  text.replace(/\[[^\]]*\]\([^)]*\)|^#+ .*$/gm, (link) => ' '.repeat(link.length));

function putText(value: unknown, [key, ...rest]: TextPath, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((one, index) => (index === key ? putText(one, rest, text) : one));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, one]) => [name, name === key ? putText(one, rest, text) : one]),
  );
}

const content = readContent(SHIPPED_CONTENT);
const site = await createTestSite({ content });
const context = buildArticleContext(site, buildCta({ source: 'test' }, content), '/');

it('the glossary has the terms', () =>
  expect(TERMS.map(({ id }) => id)).toEqual(expect.arrayContaining(['a2p', 'sub-account', 'white-label'])));

it.each(PAGES)('%s links each term of the glossary where running text uses it first', (route) => {
  const { sections } = content.pages.get(route) ?? expect.fail();
  const missing = TERMS.flatMap(({ id, use }) => {
    const link = `](/glossary#${id})`;
    for (const [index, section] of sections.entries())
      for (const { text, path: at } of listTexts(section)) {
        if (text.includes(link)) return [];
        const found = use.exec(withoutLinks(text));
        if (found === null || !isRunning(text)) continue;
        const linked = `${text.slice(0, found.index)}[${found[0]}${link}${text.slice(found.index + found[0].length)}`;
        const html = renderSection(putText(section, at, linked) as typeof section, context);
        const where = `${[index, ...at].join('.')} ${id}`;
        if (html.includes(`href="/glossary#${id}"`) && !EXCEPTIONS.includes(`${route} ${where}`))
          return [`${where}: ${text}`];
      }
    return [];
  });
  expect(missing).toEqual([]);
});
