import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildPageDraft } from '../../core/pages/drafts.ts';
import { ContentFolder } from './content-folder.ts';
import { type PageReferences, readPageFiles } from './read-pages.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'pages-'));
  mkdirSync(path.join(root, 'pages'));
});
afterEach(() => rmSync(root, { recursive: true }));

const HEAD = `title: A page
description: A description of this page that is long enough to be one in search results.
`;

const REFERENCES: PageReferences = {
  figures: new Map([['price:starter', '$97']]),
  partners: readSamplePartners(),
  invalid: new Set<string>(),
  calculators: ['trial', 'roi'],
  authors: new Map(),
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
    problems: folder.problems.map(({ file, field, reason }) => `${file}, ${field}: ${reason}`),
  };
}

it('a document is served at the name of its file, with its figures filled in', () => {
  const { pages, problems } = read('  - { type: hero, title: "Only {price:starter}" }');
  expect(problems).toEqual([]);
  expect([...pages.keys()]).toEqual(['/offer']);
  expect(pages.get('/offer')?.sections[0]).toMatchObject({ type: 'hero', title: 'Only $97' });
});

it.each([
  [
    'a misspelt section type',
    '  - { type: herro, title: x }',
    'there is no section type `herro`; did you mean `hero`?',
  ],
  ['a missing field', '  - { type: hero }', 'sections.1 (hero).title: '],
  [
    'a misspelt field',
    '  - { type: hero, title: x, leed: y }',
    'sections.1 (hero): has the unknown field "leed"; did you mean "lead"?',
  ],
  [
    'a figure that is nowhere',
    '  - { type: hero, title: "{price:gold}" }',
    'sections.1 (hero).title: nothing is called {price:gold}',
  ],
  [
    'an action that leads nowhere',
    '  - { type: hero, title: x, actions: [{ label: Go }] }',
    'sections.1 (hero).actions.1: needs either `href` or `partnerLink`',
  ],
  [
    'a partner address written out',
    '  - { type: hero, title: x, actions: [{ label: Go, href: /go/highlevel }] }',
    'for a partner use `partnerLink`',
  ],
  [
    'a partner path in a text',
    '  - { type: prose, body: "Try [it](/kit-trial) now" }',
    'sections.1 (prose).body: links to a partner by its address',
  ],
  [
    'a trial path as the target of a button',
    '  - { type: hero, title: x, actions: [{ label: Go, href: /kit-trial?source=x }] }',
    'sections.1 (hero).actions.1.href: links to a partner by its address: for a partner use `partnerLink`',
  ],
  [
    "a partner's own address in a text",
    '  - { type: prose, body: "Try [it](https://kit.com/pricing) now" }',
    'sections.1 (prose).body: links to a partner by its address',
  ],
  [
    'an image without alternative text',
    '  - { type: image, image: { src: ../images/shot.png } }',
    'sections.1 (image).image.alt: is missing: it says what the image shows',
  ],
  [
    'an image that does not exist',
    '  - { type: image, image: { src: ../images/none.png, alt: x } }',
    'sections.1 (image).image.src: names content/images/none.png, which does not exist',
  ],
  [
    'an image of a hero that does not exist',
    '  - { type: hero, title: x, figure: { kind: image, image: { src: ../images/none.png, alt: x } } }',
    'sections.1 (hero).figure.image.src: names content/images/none.png, which does not exist',
  ],
  [
    'an image outside of the folder of images',
    '  - { type: image, image: { src: ../images/../site.yaml, alt: x } }',
    'sections.1 (image).image.src: must be a file in content/images/',
  ],
  [
    'an address of another site',
    '  - { type: hero, title: x, actions: [{ label: Go, href: "https://evil.test" }] }',
    'sections.1 (hero).actions.1.href: must be a path',
  ],
  [
    'a link to a partner without cta',
    '  - { type: hero, title: x, actions: [{ label: Go, partnerLink: trial }] }',
    'cta: is missing: the page has links to a partner',
  ],
  [
    'a text link to a partner without cta',
    '  - { type: prose, body: "Try [it](partner:trial)" }',
    'cta: is missing: the page has links to a partner',
  ],
  [
    'a calculator without cta',
    '  - { type: savings-calculator, calculator: roi }',
    'cta: is missing: the page has links to a partner',
  ],
  [
    'a source that no event and no partner link uses',
    '  - { type: hero, title: x, actions: [{ label: Go, href: /blog, source: hero }] }',
    'sections.1 (hero).actions.1.source: belongs to a `partnerLink` or an `event`',
  ],
  [
    'a partner of a link of this site',
    '  - { type: hero, title: x, actions: [{ label: Go, href: /blog, partner: kit }] }',
    'sections.1 (hero).actions.1.partner: belongs to a `partnerLink`',
  ],
  [
    'two sections with one anchor',
    '  - { type: hero, title: x, id: top }\n  - { type: prose, id: top, body: y }',
    'sections.2 (prose).id: #top is taken',
  ],
  [
    'a navigation to a section that is not there',
    '  - { type: section-nav, label: x, items: [{ label: a, to: a }, { label: b, to: b }] }',
    'sections.1 (section-nav).items: no section has the id a',
  ],
  [
    'a row with a cell too few',
    '  - { type: comparison-table, caption: x, rowHeading: x, columns: [{ label: a }, { label: b }], rows: [{ label: r, cells: [x] }] }',
    'sections.1 (comparison-table).rows.1.cells: has 1 cells for 2 columns',
  ],
  [
    'a quotation from nowhere',
    '  - { type: testimonials, items: [{ quote: x, name: y, company: z }] }',
    'sections.1 (testimonials).items.1.origin: is missing',
  ],
  [
    'a value without a number',
    '  - { type: chart, kind: pie, unit: "%", caption: x, labelHeading: x, valueHeading: x, items: [{ label: a, value: none }, { label: b, value: 2 }] }',
    'sections.1 (chart).items.1.value: has no number in it',
  ],
])('%s is reported with file, section, field and reason', (_, sections, expected) => {
  const { problems } = read(sections);
  expect(problems).toEqual([expect.stringContaining(expected)]);
  expect(problems[0]).toContain('pages/offer.yaml, ');
});

it.each([
  [
    'an unknown partner in a text',
    '  - { type: prose, body: "Try [it](partner:tik/trial) now" }',
    'sections.1 (prose).body: no partner is called "tik"',
  ],
  [
    'a page that the partner does not have',
    '  - { type: prose, body: "Try [it](partner:kit/demo) now" }',
    'sections.1 (prose).body: partner "kit" has no page "demo"; it has home, pricing, trial, features',
  ],
  [
    'a page that no partner has',
    '  - { type: prose, body: "Try [it](partner:trail) now" }',
    'sections.1 (prose).body: no partner has a page "trail"',
  ],
  [
    'a page that the partner of the page does not have',
    '  - { type: prose, body: "Try [it](partner:demo) now" }',
    'sections.1 (prose).body: partner "kit" has no page "demo"; it has home, pricing, trial, features',
    'cta: { source: offer, partner: kit }',
  ],
])(
  '%s is reported with the partners or pages that exist',
  (_, sections, expected, cta = 'cta: { source: offer }') => {
    const { problems } = read(sections, `${HEAD}${cta}\n`);
    expect(problems).toEqual([`pages/offer.yaml, ${expected}`]);
  },
);

it('all that is wrong is reported at once', () => {
  const { problems } = read('  - { type: hero }\n  - { type: prose }', 'title: A page\n');
  expect(problems).toHaveLength(3);
});

it('a landing header without cta is reported, because its button leads to a partner', () => {
  const { problems } = read('  - { type: hero, title: x }', `${HEAD}header: landing\n`);
  expect(problems).toEqual(['pages/offer.yaml, cta: is missing: the page has links to a partner']);
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
    expect.stringMatching(/^pages\/offer\.yaml, description: still has "What this page is about/),
    expect.stringMatching(/sections\.2 \(prose\)\.body: still has "Running text in Markdown\."/),
  ]);
});
