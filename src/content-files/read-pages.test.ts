import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createFolder } from '../../test/support/create-folder.ts';
import { readSamplePartners, readSampleProducts } from '../../test/support/sample-content.ts';
import { buildPageDraft } from '../core/pages/drafts.ts';
import { ContentFolder } from './content-folder.ts';
import { type PageReferences, readPageFiles } from './read-pages.ts';

let root = '';
beforeEach(() => {
  root = createFolder();
  mkdirSync(path.join(root, 'pages'));
});

const HEAD = `title: A page
description: A description of this page that is long enough to be one in search results.
`;

const STARTER = new Map([['price:starter', '$97']]);
const REFERENCES: PageReferences = {
  figures: STARTER,
  aged: { listed: STARTER, charges: new Map() },
  partners: readSamplePartners(),
  invalid: new Set<string>(),
  calculators: ['trial', 'roi'],
  authors: new Map(),
  promotedPartner: undefined,
  products: readSampleProducts(),
  aliases: { '/old-offer': '/offer' },
  images: {
    images: new Map([['shot.png', { src: '/images/shot.png', width: 800, height: 600, sources: [] }]]),
    origin: 'folder',
  },
};

function read(sections: string, head = HEAD) {
  writeFileSync(path.join(root, 'pages/offer.yaml'), `${head}sections:\n${sections}`);
  const folder = new ContentFolder(root);
  const pages = readPageFiles(folder, REFERENCES);
  return {
    pages,
    problems: folder.problems.map(
      ({ file, field, reason }) => `${file}, ${field.replace(/^line \d+, /, '')}: ${reason}`,
    ),
  };
}

it.each([
  [
    'updates: [{ date: 2026-11-20, text: One. }, { date: 2026-11-21, text: Two. }]\n',
    '2026-11-21',
    ['Two.', 'One.'],
  ],
  ['updated: 2026-11-22\nupdates: [{ date: 2026-11-20, text: One. }]\n', '2026-11-22', ['One.']],
  ['updated: 2026-11-22\n', '2026-11-22', []],
  ['publishedAt: 2026-11-01T10:00:00Z\n', '2026-11-01', ['First published.']],
])('a page with %j was changed on %s', (head, updated, rows) => {
  const page = read('  - { type: prose, body: Text. }', HEAD + head).pages.get('/offer');
  expect(page?.updated).toBe(updated);
  expect(page?.updates.map(({ text }) => text)).toEqual(rows);
});

it('a document is served at the name of its file, with its figures filled in', () => {
  const { pages, problems } = read('  - { type: hero, title: "Only {price:starter}" }');
  expect(problems).toEqual([]);
  expect([...pages.keys()]).toEqual(['/offer']);
  expect(pages.get('/offer')?.sections[0]).toMatchObject({ type: 'hero', title: 'Only $97' });
});

const problemSchema = z.strictObject({
  title: z.string(),
  sections: z.string(),
  problem: z.string(),
  cta: z.string().default('{ source: offer }'),
});
const INVALID = z
  .strictObject({ sections: z.array(problemSchema), partners: z.array(problemSchema) })
  .parse(parse(readFileSync(path.resolve('test/fixtures/invalid-pages.yaml'), 'utf8')));

it.each(INVALID.sections)('$title is reported with its place and reason', ({ sections, problem }) => {
  const { problems } = read(sections);
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems[0]).toContain('pages/offer.yaml, ');
});

it.each(INVALID.partners)('$title is reported with what exists', ({ sections, problem, cta }) => {
  const { problems } = read(sections, `${HEAD}cta: ${cta}\n`);
  expect(problems).toEqual([`pages/offer.yaml, ${problem}`]);
});

it('all that is wrong is reported at once', () => {
  const { problems } = read('  - { type: hero }\n  - { type: prose }', 'title: A page\n');
  expect(problems).toHaveLength(3);
});

it('a landing header without cta is reported, because its button leads to a partner', () => {
  const { problems } = read('  - { type: hero, title: x }', `${HEAD}header: landing\n`);
  expect(problems).toEqual(['pages/offer.yaml, field cta: is missing: the page has links to a partner']);
});

it('an image of a section and of a hero is read with its focal point', () => {
  const image = '{ src: ../images/shot.png, alt: The calendar, focus: 30% 68% }';
  const { pages, problems } = read(
    `  - { type: hero, title: x, figure: { kind: image, image: ${image} } }\n  - { type: image, image: ${image} }`,
  );
  expect(problems).toEqual([]);
  const expected = { src: '../images/shot.png', alt: 'The calendar', focus: { x: 30, y: 70 } };
  expect(pages.get('/offer')?.sections).toMatchObject([{ figure: { image: expected } }, { image: expected }]);
});

it.each([
  ['blog', 'the site responds at /blog itself'],
  ['go', 'the site responds at /go itself'],
  ['healthz', 'the site responds at /healthz itself'],
  ['old-offer', 'site.yaml has an alias /old-offer'],
  ['kit-trial', '/kit-trial leads to a partner'],
  ['Offer_2', 'only a-z, 0-9 and single hyphens'],
])('a document called %s is reported, because no visitor would see it', (name, reason) => {
  writeFileSync(path.join(root, `pages/${name}.yaml`), `${HEAD}sections:\n  - { type: hero, title: x }`);
  const folder = new ContentFolder(root);
  readPageFiles(folder, REFERENCES);
  expect(folder.problems).toEqual([
    { file: `pages/${name}.yaml`, field: '', reason: expect.stringContaining(reason) },
  ]);
});

it('publishes no page that still has the texts of its draft', () => {
  const draft = buildPageDraft('An offer', '2026-03-12');
  const readDocument = (text: string) => {
    const [head = '', sections = ''] = text.split('sections:\n');
    return read(sections, head).problems;
  };
  expect(readDocument(draft)).toEqual([]);
  expect(readDocument(draft.replace('draft: true\n', ''))).toEqual([
    expect.stringMatching(/^pages\/offer\.yaml, field description: still has "What this page is about/),
    expect.stringMatching(/section 2 \(prose\), field body: still has "Running text in Markdown\."/),
  ]);
});

it('cites the source of a price, which may be a page of a partner, and no other page of it', () => {
  const source = 'https://www.gohighlevel.com/pricing';
  const references = {
    ...REFERENCES,
    figures: new Map([['product:highlevel.starter.source', `[Pricing](${source})`]]),
    aged: {
      listed: new Map([['product:highlevel.starter.source', `[Pricing](${source})`]]),
      charges: new Map(),
    },
  };
  const findProblems = (note: string) => {
    writeFileSync(
      path.join(root, 'pages/offer.yaml'),
      `${HEAD}sections:\n  - { type: prose, body: Text., note: "${note}" }\n`,
    );
    const folder = new ContentFolder(root);
    readPageFiles(folder, references);
    return folder.problems.map(({ reason }) => reason);
  };
  expect(findProblems('See {product:highlevel.starter.source}.')).toEqual([]);
  expect(findProblems('See [it](https://www.gohighlevel.com/demo).')).toEqual([
    expect.stringContaining('links to a partner by its address'),
  ]);
});

it('reads what pages of earlier versions have: chapters without a video, and tools that become one', () => {
  const drawing = 'kind: merge, alt: Three tools, parts: [CRM, Email, Texts], into: One account';
  writeFileSync(
    path.join(root, 'pages/former.yaml'),
    `${HEAD}sections:\n  - { type: video, name: A tour, chapters: [{ title: The inbox }], drawing: { ${drawing} } }\n`,
  );
  const folder = new ContentFolder(root);
  const page = readPageFiles(folder, REFERENCES).get('/former');
  expect(folder.problems).toEqual([]);
  expect(page?.sections[0]).toMatchObject({
    drawing: { kind: 'stops', stops: ['CRM', 'Email', 'Texts', 'One account'].map((label) => ({ label })) },
  });
});
