import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSmallContent } from '../../test/support/create-folder.ts';
import { ContentError } from '../core/pages/content.ts';
import { listArticleSlugs } from './articles/read-article-files.ts';
import { readContent } from './read-content.ts';

let folder: string;
let slugs: ReadonlySet<string>;
let slug: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-redirects-'));
  createSmallContent(folder, {
    // Its destinations are at the end.
    'partners/example.yaml': (text) =>
      `${text}  trial: https://www.example.com/trial\ntrialPath: /example-trial\n`,
  });
  mkdirSync(path.join(folder, 'redirects'));
  slugs = new Set(listArticleSlugs(path.join(folder, 'articles')));
  slug = [...slugs][0] ?? '';
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(csv: string) {
  writeFileSync(path.join(folder, 'redirects/old.csv'), csv);
  return readContent(folder, { articles: slugs });
}

function findProblems(csv: string): readonly string[] {
  try {
    read(csv);
  } catch (error) {
    if (error instanceof ContentError)
      return error.problems.map(({ field, reason }) => `${field}: ${reason}`);
    throw error;
  }
  return [];
}

it.each([
  ['CRLF, then LF', '\r\n', '\n'],
  ['LF, then CRLF', '\n', '\r\n'],
  ['CR, then LF', '\r', '\n'],
])('reads every line of a file with %s, and names a wrong one by its number', (_, first, other) => {
  const text = `from,to${first}/one,/blog${other}"/t\r\nwo",/blog${other}/three,blog${other}/four,/blog${other}`;
  expect(findProblems(text)).toEqual([
    expect.stringMatching(/^line 4: from must be a path/),
    expect.stringMatching(/^line 5: to must be a path/),
  ]);
  expect([...read(text.replace('three,', 'three,/').replace('t\r\n', 't')).redirects.keys()]).toEqual([
    '/one',
    '/two',
    '/three',
    '/four',
  ]);
});

it('reads former addresses in the spelling that requests are looked up in', () => {
  const lines = [
    `/?p=7,/blog/${slug}`,
    `/2019/05/Тест/,/blog/${slug}#part`,
    `/%d1%82/feed/,/rss.xml`,
    '/blog/2019/old-post/,/blog',
    '/authors/former,/blog/topic/crm',
    '/recommends/shop/,https://shop.example/?tag=me-20&path=%2Fa',
    `"/with,comma",/blog/${slug}`,
    '/go/former-partner,/go/example?page=trial',
  ];
  expect(Object.fromEntries(read(`\uFEFFfrom,to\r\n${lines.join('\r\n')}\r\n`).redirects)).toEqual({
    '/?p=7': `/blog/${slug}`,
    '/2019/05/%D0%A2%D0%B5%D1%81%D1%82': `/blog/${slug}#part`,
    '/%D1%82/feed': '/rss.xml',
    '/blog/2019/old-post': '/blog',
    '/authors/former': '/blog/topic/crm',
    '/recommends/shop': 'https://shop.example/?tag=me-20&path=%2Fa',
    '/with,comma': `/blog/${slug}`,
    '/go/former-partner': '/go/example?page=trial',
  });
});

it.each([
  ['/old,/nowhere', 'line 2: /old leads to /nowhere, which does not exist'],
  ['/go/example,/blog', 'line 2: /go/example leads to a partner of this site'],
  ['/example-trial,/blog', 'line 2: /example-trial leads to a partner of this site'],
  ['/contact,/blog', 'line 2: /contact is a page of this site'],
  ['/console/x,/blog', 'line 2: the site responds at /console/x itself'],
  ['/blog/topic/x,/blog', 'line 2: the site responds at /blog/topic/x itself'],
  ['/api/x,/blog', 'line 2: the site responds at /api/x itself'],
  ['/a,/blog\n/a/,/blog', 'line 3: /a is in redirects/old.csv, line 2, already'],
  ['/a,/b\n/b,/blog', 'line 2: /a leads to /b, which is a redirect itself'],
  ['/,/blog', 'line 2: from must be a path, alone or with parameters such as /?p=12; it is "/"'],
  ['//evil.example,/blog', 'it is "//evil.example"'],
  ['/a?=1,/blog', 'it is "/a?=1"'],
  ['/a?c=2&b=1,/blog\n/a/?b=1&c=2,/blog', 'line 3: /a?b=1&c=2 is in redirects/old.csv, line 2, already'],
  ['/a/../b,/blog', 'it is "/a/../b"'],
  ['/a,//evil.example', 'line 2: to must be a path or a web address; it is "//evil.example"'],
  ['/a,javascript:alert(1)', 'it is "javascript:alert(1)"'],
  ['/a,https://user@shop.example/', 'it is "https://user@shop.example/"'],
  ['/a', 'line 2: must have two cells'],
  ['/old/*,/blog', 'from must be one address, and * stands for nothing: /old/*'],
  ['/a,"/b', 'is not CSV'],
])('refuses %j', (line, reason) => expect(findProblems(`from,to\n${line}\n`).join('\n')).toContain(reason));

it('refuses an article that is there, and a file without the names of its columns', () => {
  expect(findProblems(`from,to\n/blog/${slug},/blog\n`)).toEqual([
    `line 2: /blog/${slug} is a page of this site`,
  ]);
  expect(findProblems('/a,/blog\n')).toEqual(['line 1: must name the columns from,to']);
});
