import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkSvg } from '../src/sources/content/svg.ts';
import { scaleToMachine } from './support/scale-to-machine.ts';

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;

const document = z.string().transform((text) => (/^<(?!svg|[?!])/.test(text) ? svg(text) : text));
const DOCUMENTS = z
  .strictObject({
    accepted: z.record(z.string(), document),
    refused: z.array(z.strictObject({ title: z.string(), text: document, problem: z.string() })),
  })
  .parse(parse(readFileSync(path.join(import.meta.dirname, 'fixtures/svg-documents.yaml'), 'utf8')));

it.each(Object.entries(DOCUMENTS.accepted))('accepts %s', (_, text) => {
  expect(checkSvg(text)).toBeNull();
});

it.each([
  ...DOCUMENTS.refused,
  {
    title: 'UTF-16',
    text: Buffer.from(svg(''), 'utf16le').toString('utf8'),
    problem: 'is not an SVG document in UTF-8',
  },
])('refuses $title', ({ text, problem }) => {
  expect(checkSvg(text)).toBe(problem);
});

it('accepts every drawing of the site', () => {
  const folder = path.join(import.meta.dirname, '../content/images');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svg'),
  );
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(checkSvg(readFileSync(path.join(folder, name), 'utf8')), name).toBeNull();
});

it('takes time in proportion to the size of the document', () => {
  const start = performance.now();
  checkSvg(svg('<g style="a:url(#a) url(#b)"/>'.repeat(100_000)));
  checkSvg(svg(`<style>${'url( '.repeat(200_000)}url(${' '.repeat(200_000)}</style>`));
  expect(performance.now() - start).toBeLessThan(scaleToMachine(3_000));
});
