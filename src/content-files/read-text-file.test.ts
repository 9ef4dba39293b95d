import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFolder } from '../../test/support/create-folder.ts';
import { NO_IMAGES } from '../core/pages/images/content-image.ts';
import { readArticleFiles } from './articles/read-article-files.ts';
import { ContentFolder } from './content-folder.ts';

let root: string;
beforeEach(() => {
  root = createFolder();
  mkdirSync(path.join(root, 'articles'));
});

/** Ten aliases of ten aliases …: a few lines that become ten thousand million values. */
const BILLION_LAUGHS = Array.from(
  { length: 10 },
  (_, at) =>
    `l${at}: &l${at} [${
      at === 0
        ? 'ha'
        : Array(10)
            .fill(`*l${at - 1}`)
            .join(', ')
    }]`,
).join('\n');
const LATIN_1 = Buffer.from('kind: x\nname: Caf\xe9', 'latin1');
const OUTSIDE = path.join(os.tmpdir(), 'signpost-outside.txt');

/** What can be in the place of a file; the text is YAML, for articles between lines of `---`. */
const KINDS: readonly (readonly [
  kind: string,
  make: (file: string, wrap: (yaml: string) => string) => void,
  reason: RegExp,
])[] = [
  [
    'text that is not UTF-8',
    (file) => writeFileSync(file, LATIN_1),
    /is not UTF-8 \(line 2\): save it in that/,
  ],
  ['UTF-16', (file) => writeFileSync(file, '\uFEFFname: x', 'utf16le'), /is not UTF-8/],
  ['a folder', (file) => mkdirSync(file), /is a folder/],
  ['a named pipe', (file) => void execFileSync('mkfifo', [file]), /is not a regular file/],
  ['a link to nothing', (file) => symlinkSync('/nowhere', file), /missing/],
  ['a link to itself', (file) => symlinkSync(file, file), /missing|leads back to itself/],
  [
    'a link out of the folder',
    (file) => {
      writeFileSync(OUTSIDE, 'name: secret');
      symlinkSync(OUTSIDE, file);
    },
    /outside of the folder/,
  ],
  ['a file of 5 MB', (file) => writeFileSync(file, 'x'.repeat(5_000_000)), /larger than 4 MB/],
  ['a billion laughs', (file, wrap) => writeFileSync(file, wrap(BILLION_LAUGHS)), /alias/],
  [
    'an anchor that contains itself',
    (file, wrap) => writeFileSync(file, wrap('a: &a\n  b: *a')),
    /contains itself/,
  ],
  ['a tab', (file, wrap) => writeFileSync(file, wrap('a:\n\tb: x')), /a tab as indentation: use spaces/],
  ['a key twice', (file, wrap) => writeFileSync(file, wrap('a: x\nb: x\na: x')), /has a key twice/],
  [
    'a quote that does not end',
    (file, wrap) => writeFileSync(file, wrap('a: "x\nb: y')),
    /quotation mark that is not closed/,
  ],
  ['a YAML tag', (file, wrap) => writeFileSync(file, wrap('name: !!js/function "x"')), /begins with !/],
  ['a colon in a text', (file, wrap) => writeFileSync(file, wrap('a: b: c')), /colon inside of a text/],
  ['a text with a # in it', (file, wrap) => writeFileSync(file, wrap('a: Tool #1')), /# after a value/],
  ['a color without quotes', (file, wrap) => writeFileSync(file, wrap('a: #2454b3')), /# after a value/],
  ['a wrong indentation', (file, wrap) => writeFileSync(file, wrap('a:\n  - b\n c')), /indentation/],
];

describe.each(KINDS)('%s', (_, make, reason) => {
  it('is reported with the file when it is in the place of a content file', () => {
    make(path.join(root, 'site.yaml'), (yaml) => yaml);
    const folder = new ContentFolder(root);
    expect(folder.readFile('site.yaml', z.unknown())).toBeUndefined();
    expect(folder.problems).toEqual([
      {
        file: 'site.yaml',
        field: expect.stringMatching(/^(line \d)?$/),
        reason: expect.stringMatching(reason),
      },
    ]);
  });

  it('is reported with the file when it is in the place of an article', () => {
    const dir = path.join(root, 'articles');
    make(path.join(dir, 'a.md'), (yaml) => `---\n${yaml}\n---\nText.`);
    const read = () => readArticleFiles(dir, { images: NO_IMAGES });
    expect(read).toThrow(reason);
    expect(read).toThrow(/articles\/a\.md: /);
  });
});

it('is reported with its line', () => {
  writeFileSync(path.join(root, 'site.yaml'), 'a: x\nb: x\na: x');
  const folder = new ContentFolder(root);
  folder.readFile('site.yaml', z.unknown());
  expect(folder.problems).toEqual([{ file: 'site.yaml', field: 'line 3', reason: 'has a key twice' }]);
});

it('says of a second document how to remove it', () => {
  writeFileSync(path.join(root, 'site.yaml'), 'a: x\n---\nb: x\n');
  const folder = new ContentFolder(root);
  folder.readFile('site.yaml', z.unknown());
  expect(folder.problems[0]?.reason).toBe('has a second document: remove the line ---');
});

it.each(['\uFEFFname: x\n', 'name: x\r\n', '---\nname: x\n'])('reads %j', (text) => {
  writeFileSync(path.join(root, 'site.yaml'), text);
  expect(new ContentFolder(root).readFile('site.yaml', z.object({ name: z.string() }))).toEqual({
    name: 'x',
  });
});

it.each(['a.yml', 'a.YAML'])('reports the file %s, which would be ignored', (name) => {
  mkdirSync(path.join(root, 'pages'));
  writeFileSync(path.join(root, 'pages', name), 'name: x');
  const folder = new ContentFolder(root);
  folder.readFolder('pages', z.unknown());
  const reason = 'is not read: its ending has to be .yaml';
  expect(folder.problems).toEqual([{ file: `pages/${name}`, field: '', reason }]);
});

it.each(['a.markdown', 'a.MD'])('reports the article %s, which would be ignored', (name) => {
  const dir = path.join(root, 'articles');
  writeFileSync(path.join(dir, name), 'x');
  expect(() => readArticleFiles(dir, { images: NO_IMAGES })).toThrow(`${name}: the file is not read`);
});

it.each(['', '# nothing\n', 'a:\n'])('calls what is empty empty: %j', (text) => {
  writeFileSync(path.join(root, 'site.yaml'), text);
  const folder = new ContentFolder(root);
  folder.readFile('site.yaml', z.object({ a: z.string() }));
  expect(folder.problems).toEqual([
    { file: 'site.yaml', field: text.startsWith('a') ? 'line 1, field a' : '', reason: 'is empty' },
  ]);
});

it('reads a link to a file of the same folder', () => {
  writeFileSync(path.join(root, 'real.yaml'), 'name: x');
  symlinkSync('real.yaml', path.join(root, 'site.yaml'));
  expect(new ContentFolder(root).readFile('site.yaml', z.object({ name: z.string() }))).toEqual({
    name: 'x',
  });
});

it('accepts comments after values, and # in texts that are quoted or have several lines', () => {
  writeFileSync(path.join(root, 'site.yaml'), 'a: x # one\nb: "Tool #1"\nc: |\n  Tool #1\nd: a#b\n#e: x\n');
  const folder = new ContentFolder(root);
  expect(folder.readFile('site.yaml', z.unknown())).toEqual({
    a: 'x',
    b: 'Tool #1',
    c: 'Tool #1\n',
    d: 'a#b',
  });
});
