import { expect, it } from 'vitest';
import { SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readContent } from '../../content-files/read-content.ts';
import { readDossier } from '../../content-files/read-dossier.ts';
import { judgeFile, openJudgedFile } from './claims/content-rules.ts';
import { listStatements } from './claims/statements.ts';
import type { Content } from './content.ts';
import { buildDossier, renderDossier, renderDossierIndex } from './dossier.ts';

const AT = { siteUrl: 'https://hub.example', now: Date.parse('2026-11-27') };
const WORDS = {
  ...{ Dossier: 'Akte', Disclosure: 'Offen<legung', fails: 'versagt', 'Stored in the browser': 'Im Browser' },
  'No version is kept yet.': 'Keine Fassung.',
};
const VERSIONS = [{ number: 2, operator: 'Ada', savedAt: AT.now }];

/** The worst state of each part. */
function readStates({ lines }: ReturnType<typeof buildDossier>) {
  const order = ['ok', 'open', 'fails'] as const;
  const parts = Map.groupBy(lines, ({ part }) => part);
  return Object.fromEntries(
    [...parts].map(([part, own]) => [part, order.findLast((one) => own.some(({ state }) => state === one))]),
  );
}

it('the dossier of a shipped article says of each part what is in order and what is open', () => {
  const content = readContent(SHIPPED_CONTENT);
  const dossier = readDossier(SHIPPED_CONTENT, 'articles/gohighlevel-limits.md', content, AT, VERSIONS);
  if (dossier === null) throw new Error('the article has no dossier');
  expect(readStates(dossier)).toEqual({
    ...{ disclosure: 'ok', sources: 'ok', prices: 'open', basis: 'ok', ranking: 'ok', provenance: 'open' },
    ...{ quotations: 'ok', environment: 'ok', wording: 'ok', ties: 'fails', accessibility: 'open' },
    // Nobody runs the shipped site yet.
    ...{ data: 'fails', history: 'ok' },
  });
  const texts = dossier.lines.map(({ text }) => text).join('\n');
  expect(texts).toMatch(/GoHighLevel, Starter: \$97 .* USD, checked 66 days ago of 365/);
  expect(texts).toContain('Version: 2, 2026-11-27, Ada');
  const [usual, free, gpc] = dossier.lines.flatMap(({ text }) => (/^Passed on/.test(text) ? [text] : []));
  expect(usual).toMatch(/utm_content=cta_type_budget_page.*journey_pages=first.*gclid=gclid/);
  expect(free).toMatch(/where nothing is stored before consent: .*entry_page=first/);
  for (const less of [free, gpc])
    expect(less).not.toMatch(/=budget|_budget_|gclid|journey|session_time|challenges/);
  expect(gpc).not.toContain('entry_page');
  expect(readDossier(SHIPPED_CONTENT, 'site.yaml', content, AT, [])).toBeNull();
});

it('each part of a page about which everything is wrong fails, in HTML without a tag of the content', async () => {
  const sample = (await createTestSite()).content.read();
  const [product] = sample.products.values();
  const [claim] = sample.claims.values();
  if (product === undefined || claim === undefined) throw new Error('the sample has none');
  const content: Content = {
    ...sample,
    site: {
      ...sample.site,
      ...{ samples: 'show', disclosure: { ...sample.site.disclosure, strip: '' }, name: '<i>Hub</i>' },
      dossier: WORDS,
    },
    products: new Map([[product.key, { ...product, maxAgeDays: 1, tested: undefined }]]),
    claims: new Map([[claim.key, { ...claim, evidence: '' }]]),
  };
  const [offer] = product.offers;
  const value = {
    title: '<script>alert(1)</script>',
    cta: { partner: offer?.partner },
    provenance: { kind: 'generated' },
    publicInterest: true,
    sections: [
      { type: 'versus', verdict: 'We tested it: eco-friendly, and only 3 left. <b onclick="x">"free"</b>' },
      {
        type: 'testimonials',
        items: [{ quote: 'Good.', name: 'A & B', sample: true }, { name: '<u>C</u>' }],
      },
      { type: 'video', youtube: 'x' },
    ],
  };
  const judged = openJudgedFile('pages/worst.yaml', value, content, AT);
  const files = [judged, openJudgedFile('site.yaml', content.site, content, AT)];
  const dossier = buildDossier({
    ...{ path: '/worst', title: value.title, judged, versions: [], statements: listStatements(content) },
    findings: files.flatMap(judgeFile),
  });
  expect(readStates(dossier)).toEqual({
    ...{ disclosure: 'fails', sources: 'fails', prices: 'fails', basis: 'fails', ranking: 'fails' },
    ...{ provenance: 'fails', quotations: 'fails', environment: 'fails', wording: 'fails', ties: 'fails' },
    ...{ accessibility: 'fails', data: 'fails' },
    // It is what it is.
    history: 'open',
  });
  expect(renderDossier(dossier)).toMatch(/<h1>Akte: .*<h2>Offen&lt;legung<.*>versagt</s);
  expect(dossier.lines.find(({ text }) => text.startsWith('Im Browser: '))).toMatchObject({ part: 'data' });
  expect(dossier.lines.map(({ text }) => text)).toContain('Keine Fassung.');
  for (const line of dossier.lines) expect([line.text, line.file].every(Boolean)).toBe(true);
  for (const html of [renderDossier(dossier), renderDossierIndex([{ name: '"><i>', dossier }])]) {
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag));
    const own = 'html head meta title style body h1 h2 p table tr td br a'.split(' ');
    expect([...tags].filter((tag) => !own.includes(tag ?? ''))).toEqual([]);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  }
});
