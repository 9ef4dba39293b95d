import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkSvg } from '../scripts/build/media/check-svg.ts';
import { scaleToMachine } from './support/scale-to-machine.ts';

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inside}</svg>`;

it.each([
  ['paths and gradients', svg('<defs><linearGradient id="a"/></defs><path fill="url(#a)" d="M0 0z"/>')],
  [
    'references inside the document',
    svg('<use href="#a"/><use xlink:href="#b" style="filter:url(\'#c\')"/>'),
  ],
  ['a style sheet', svg('<style>@media (prefers-color-scheme: dark){.a{fill:#fff}}</style>')],
  ['an embedded bitmap', svg('<image href="data:image/png;base64,AAAA"/>')],
  [
    'a declaration, a comment and a DOCTYPE',
    `<?xml version="1.0" encoding="UTF-8"?><!-- <script/> --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
  ],
  [
    'data of a drawing program',
    svg(
      '<sodipodi:namedview inkscape:export-filename="C:\\desk.png"/>',
      ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:svg="http://www.w3.org/2000/svg"',
    ),
  ],
  [
    'elements with the usual prefix',
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:path d="M0 0z"/></svg:svg>',
  ],
])('accepts %s', (_, text) => {
  expect(checkSvg(text)).toBeNull();
});

it.each([
  ['a script', svg('<script>alert(1)</script>'), 'has a <script> element'],
  [
    'a script with the usual prefix',
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script/></svg:svg>',
    'has a <svg:script> element',
  ],
  [
    'a script with a prefix of its own',
    svg('<x:script/>', ' xmlns:x="http://www.w3.org/2000/svg"'),
    'gives http://www.w3.org/2000/svg the prefix x',
  ],
  [
    'a script of HTML',
    svg('<h:script/>', ' xmlns:h="http://www.w3.org/1999/xhtml"'),
    'gives http://www.w3.org/1999/xhtml the prefix h',
  ],
  [
    'a script of HTML by its namespace in entities',
    svg('<g xmlns="http&#58;//www.w3.org/1999/xhtml"/>'),
    'has elements of http://www.w3.org/1999/xhtml',
  ],
  ['HTML', svg('<foreignObject><body/></foreignObject>'), 'has a <foreignObject> element'],
  ['a link', svg('<a href="https://x.example/"/>'), 'has a <a> element'],
  [
    'an animation that changes an address',
    svg('<set attributeName="href" to="javascript:1"/>'),
    'has a <set> element',
  ],
  ['an event handler', svg('', ' onload="alert(1)"'), 'has the event handler onload'],
  ['an event handler in capitals', svg('', ' ONLOAD="alert(1)"'), 'has the event handler ONLOAD'],
  [
    'an image of another host',
    svg('<image href="https://x.example/a.png"/>'),
    'refers to https://x.example/a.png',
  ],
  ['an image by the old attribute', svg('<image xlink:href="/a.png"/>'), 'refers to /a.png'],
  [
    'an embedded SVG, which can run scripts',
    svg('<image href="data:image/svg+xml;base64,AA"/>'),
    'refers to data:image/svg+xml;base64,AA',
  ],
  ['a script address', svg('<use href="javascript:1"/>'), 'refers to javascript:1'],
  [
    'another base',
    svg('<use href="#a"/>', ' xml:base="https://x.example/"'),
    'changes the base of its references with xml:base',
  ],
  [
    'a style that loads',
    svg('<style>a{fill:url(https://x.example/a)}</style>'),
    'refers to url(https://x.example/a)',
  ],
  [
    'a style in CDATA',
    svg('<style><![CDATA[a{fill:url(//x.example)}]]></style>'),
    'refers to url(//x.example)',
  ],
  [
    'a style sheet that imports',
    svg('<style>&#64;import "//x.example/a.css";</style>'),
    'refers to @import "//x.example/a.css"',
  ],
  [
    'a style attribute that loads',
    svg('<path style="fill: URL( &quot;//x.example&quot; )"/>'),
    'refers to URL( "//x.example" )',
  ],
  ['an escaped address in CSS', svg('<path fill="u\\72l(//x.example)"/>'), 'refers to \\7'],
  [
    'a presentation attribute that loads',
    svg('<path mask="url(//x.example#a)"/>'),
    'refers to url(//x.example#a)',
  ],
  ['an entity', `<!DOCTYPE svg [<!ENTITY x "<script/>">]>${svg('&x;')}`, 'defines entities in its DOCTYPE'],
  ['a linked style sheet', `<?xml-stylesheet href="//x.example/a.css"?>${svg('')}`, 'loads a style sheet'],
  [
    'an encoding that hides markup',
    `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('')}`,
    'is in ISO-2022-JP, not in UTF-8',
  ],
  ['UTF-16', Buffer.from(svg(''), 'utf16le').toString('utf8'), 'is not an SVG document in UTF-8'],
  ['an HTML page', '<!doctype html><html><body><svg/></body></html>', 'is not an SVG document in UTF-8'],
  ['text', 'hello', 'is not an SVG document in UTF-8'],
])('refuses %s', (_, text, problem) => {
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
