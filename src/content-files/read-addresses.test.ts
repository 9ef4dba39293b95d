import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyContent } from '../../test/support/content-copy.ts';
import { NO_IMAGES } from '../core/pages/images/content-image.ts';
import { listArticleSlugs } from './articles/read-article-files.ts';
import { ContentFiles } from './content-files.ts';
import { readContent } from './read-content.ts';

let folder: string;
let slugs: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-addresses-'));
  copyContent(folder);
  mkdirSync(path.join(folder, 'redirects'));
  slugs = listArticleSlugs(path.join(folder, 'articles'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function address(file: string, own: string, extra = ''): void {
  const full = path.join(folder, file);
  const text = readFileSync(full, 'utf8').replace(/^title:/m, `address: ${own}\n${extra}title:`);
  writeFileSync(full, text);
}

function read() {
  const { addresses, addressClashes } = readContent(folder, { articles: new Set(slugs) });
  return { addresses: Object.fromEntries(addresses), clashes: addressClashes };
}

it('reads the addresses of pages and articles', () => {
  const [first = '', second = ''] = slugs;
  address(`articles/${first}.md`, '/2022/07/größe/');
  address(`articles/${second}.md`, `/blog/${second}/`);
  address('pages/roi-calculator.yaml', '/tools/roi.html');
  expect(read()).toEqual({
    addresses: {
      [`/blog/${first}`]: '/2022/07/gr%C3%B6%C3%9Fe/',
      [`/blog/${second}`]: `/blog/${second}/`,
      '/roi-calculator': '/tools/roi.html',
    },
    clashes: [],
  });
});

it('lets texts and redirects lead to an address', () => {
  const [slug = ''] = slugs;
  address(`articles/${slug}.md`, '/2022/07/post/');
  writeFileSync(path.join(folder, 'redirects/a.csv'), 'from,to\n/old,/2022/07/post/\n');
  expect(readContent(folder, { articles: new Set(slugs) }).redirects.get('/old')).toBe('/2022/07/post/');
});

it.each([
  ['/roi-calculator/', 'pages/roi-calculator.yaml'],
  ['/blog', 'the site responds at /blog itself'],
  ['/console/x', 'the site responds at /console/x itself'],
  ['/blog/topic/crm', 'the site responds at /blog/topic/crm itself'],
  ['/go/highlevel', 'the site responds at /go/highlevel itself'],
  ['/former/', 'redirects/a.csv, line 2'],
  ['/alias', 'alias'],
])('keeps an article at its default address that wants %s of the site', (wanted, reason) => {
  const [slug = ''] = slugs;
  writeFileSync(path.join(folder, 'redirects/a.csv'), 'from,to\n/former,/blog\n');
  const site = path.join(folder, 'site.yaml');
  const text = readFileSync(site, 'utf8');
  writeFileSync(
    site,
    /^aliases:$/m.test(text)
      ? text.replace(/^aliases:$/m, 'aliases:\n  /alias: /blog')
      : text.replace(/^aliases:.*$/m, 'aliases: { /alias: /blog }'),
  );
  address(`articles/${slug}.md`, wanted);
  expect(read()).toEqual({
    addresses: {},
    clashes: [
      {
        file: `articles/${slug}.md`,
        field: 'address',
        reason: expect.stringMatching(new RegExp(`${reason}.*; it is at /blog/${slug} instead$`)),
      },
    ],
  });
});

it('leaves an address that two articles want, or a default one, to the first', () => {
  const files = slugs.slice(0, 3).map((slug) => {
    const text = readFileSync(path.join(folder, `articles/${slug}.md`), 'utf8');
    return { slug, at: /publishedAt: (\S+)/.exec(text)?.[1] ?? '' };
  });
  const [first, second, third] = files.sort((one, other) => (one.at < other.at ? -1 : 1));
  address(`articles/${first?.slug}.md`, '/wanted');
  address(`articles/${second?.slug}.md`, '/wanted/');
  address(`articles/${third?.slug}.md`, `/blog/${second?.slug}`);
  expect(read()).toEqual({
    addresses: { [`/blog/${first?.slug}`]: '/wanted' },
    clashes: expect.arrayContaining([
      expect.objectContaining({
        file: `articles/${second?.slug}.md`,
        reason: expect.stringContaining(`articles/${first?.slug}.md`),
      }),
      expect.objectContaining({
        file: `articles/${third?.slug}.md`,
        reason: expect.stringContaining(`articles/${second?.slug}.md`),
      }),
    ]),
  });
});

it('refuses an edit that names an address of the site, and not one that finds it there', () => {
  const [slug = ''] = slugs;
  const file = `articles/${slug}.md`;
  const before = readFileSync(path.join(folder, file), 'utf8');
  const files = new ContentFiles(folder, () => NO_IMAGES);
  const check = (text: string) =>
    files
      .check(file, text, true)
      .filter(({ field }) => field === 'address')
      .map(({ reason }) => reason);
  const clash = before.replace(/^title:/m, 'address: /roi-calculator\ntitle:');
  expect(check(clash)).toEqual([expect.stringContaining('pages/roi-calculator.yaml')]);
  expect(check(before.replace(/^title:/m, 'address: /free\ntitle:'))).toEqual([]);
  writeFileSync(path.join(folder, file), clash);
  expect(check(`${clash}\nMore.`)).toEqual([]);
});

it('gives the address of a draft to a redirect', () => {
  const [slug = ''] = slugs;
  address(`articles/${slug}.md`, '/former', 'draft: true\n');
  writeFileSync(path.join(folder, 'redirects/a.csv'), 'from,to\n/former,/blog\n');
  expect(read()).toEqual({ addresses: {}, clashes: [] });
});
