import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkSvg, cleanSvg } from '../src/content-files/svg.ts';
import { watchMachine } from './support/scale-to-machine.ts';

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;

const document = z.string().transform((text) => (/^<(?!svg|[?!])/.test(text) ? svg(text) : text));
const DOCUMENTS = z
  .strictObject({
    accepted: z.record(z.string(), document),
    refused: z.array(z.strictObject({ title: z.string(), text: document, problem: z.string() })),
  })
  .parse(parse(readFileSync(path.join(import.meta.dirname, 'fixtures/svg-documents.yaml'), 'utf8')));

it.each(Object.entries(DOCUMENTS.accepted))('accepts %s', (_, text) => expect(checkSvg(text)).toBeNull());

it.each([
  ...DOCUMENTS.refused,
  {
    title: 'UTF-16',
    text: Buffer.from(svg(''), 'utf16le').toString('utf8'),
    problem: 'is not an SVG document in UTF-8',
  },
])('refuses $title', ({ text, problem }) => expect(checkSvg(text)).toBe(problem));

const clean = (text: string) => {
  const cleaned = cleanSvg(text);
  return 'text' in cleaned ? cleaned.text : cleaned.problem;
};

it.each(DOCUMENTS.refused)('cleans $title, or refuses it', ({ text }) => {
  const cleaned = cleanSvg(text);
  if ('problem' in cleaned) expect(cleaned.problem).toMatch(/^is not an SVG document that can be read/);
  else expect(checkSvg(cleaned.text)).toBeNull();
});

it('leaves what draws as it is, and nothing else', () => {
  const hostile = svg(
    '<!-- a --><metadata>place</metadata><title>A &amp; B</title><script>alert(1)</script><g onclick="alert(1)" id="a">' +
      '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject><path d="M0 0h9" style="fill:url(//x)"/></g>' +
      '<a href="javascript:alert(1)"><path d="M1 1"/></a><use href="#a"/><image href="https://x.example/track.png"/>' +
      '<style>@import url(//x);.b{fill:red}</style><set attributeName="href" to="x"/>',
  );
  expect(clean(hostile)).toBe(
    `<svg xmlns="http://www.w3.org/2000/svg"><title>A &#38; B</title><g id="a"><path d="M0 0h9"></path></g>` +
      '<use href="#a"></use><image></image><style>;.b{fill:red}</style></svg>\n',
  );
});

it('draws the same after cleaning', async () => {
  const folder = path.join(import.meta.dirname, '../content/images');
  const [name = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.svg'),
  );
  const before = readFileSync(path.join(folder, name), 'utf8');
  const draw = (text: string) => sharp(Buffer.from(text)).raw().toBuffer();
  expect((await draw(clean(before))).equals(await draw(before))).toBe(true);
});

it.each([
  [
    'entities that grow',
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><title>&b;</title></svg>',
  ],
  ['a document that is not XML', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
  ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>'],
])('refuses %s', (_, text) => expect(clean(text)).toMatch(/^is not an SVG document that can be read: /));

it('refuses references that repeat each other until there are millions of elements, and circles', () => {
  const level = (index: number) => `<g id="a${index}">${`<use href="#a${index - 1}"/>`.repeat(10)}</g>`;
  const levels = Array.from({ length: 9 }, (_, index) => level(index + 1)).join('');
  expect(clean(svg(`<path id="a0"/>${levels}`))).toMatch(/^draws more than 100,000 elements/);
  expect(clean(svg('<g id="a"><use href="#a"/></g>'))).toMatch(/^draws more than/);
  expect(clean(svg(`<path id="a0"/>${level(1)}`))).toContain('<use href="#a0">');
});

it('accepts every drawing of the site', () => {
  const folder = path.join(import.meta.dirname, '../content/images');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svg'),
  );
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(checkSvg(readFileSync(path.join(folder, name), 'utf8')), name).toBeNull();
});

it('takes time in proportion to the size of the document', { tags: ['measures'] }, () => {
  const scale = watchMachine();
  const start = performance.now();
  checkSvg(svg('<g style="a:url(#a) url(#b)"/>'.repeat(100_000)));
  checkSvg(svg(`<style>${'url( '.repeat(200_000)}url(${' '.repeat(200_000)}</style>`));
  expect(performance.now() - start).toBeLessThan(scale(3_000));
});
