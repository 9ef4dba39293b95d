import { describe, expect, it } from 'vitest';
import { hideSecrets, nameContentFiles, parseAddress, parseConsolePath, parsePath } from './paths.ts';

describe('parsePath', () => {
  it.each(['/', '/blog', '/blog/crm-basics', '/_astro/x.B4.js', '/a%20b', '/%E6%97%A5'])('takes %s', (path) =>
    expect(parsePath(path)).toBe(path),
  );

  it.each([
    ['/%62log', '/blog'],
    ['/blog/%63%72m-basics', '/blog/crm-basics'],
    ['/%7euser%2Dname%5f%2e', '/~user-name_.'],
    ['/%e6%97%a5', '/%E6%97%A5'],
    ['/a%2fb', '/a%2Fb'],
    ['/%2562log', '/%2562log'],
  ])('writes %s as %s', (raw, path) => expect(parsePath(raw)).toBe(path));

  it.each([
    'blog',
    '//evil.example',
    '/\\evil.example',
    '/a//b',
    '/a/../b',
    '/%2e%2e/b',
    '/a%2f%2fb',
    '/a%00',
    '/a%0d%0aSet-Cookie:x',
    '/%E0%A4%A',
    '/a%5cb',
    `/${'a'.repeat(1024)}`,
    'http://evil.example/',
  ])('refuses %s', (path) => expect(parsePath(path)).toBeNull());
});

describe('hideSecrets', () => {
  const token = 'k'.repeat(43);

  it.each([
    [`/api/postbacks/highlevel/${token}`, '/api/postbacks/…'],
    [`/console/setup/${token}`, '/console/setup/…'],
    [`/console/share/${token}.csv`, '/console/share/…'],
    [`/CONSOLE/Share/${token}`, '/console/share/…'],
    [`/console/%73%68are/${token}`, '/console/share/…'],
    [`/console%2fshare%2F${token}`, '/console/share/…'],
    [`//console///setup//${token}`, '/console/setup/…'],
  ])('hides the token of %s', (path, shown) => expect(hideSecrets(path)).toBe(shown));

  it.each(['/', '/console', '/console/pages', '/console/settings', '/blog/setup', '/%E0%A4%A'])(
    'leaves %s as it is',
    (path) => expect(hideSecrets(path)).toBe(path),
  );
});

describe('parseConsolePath', () => {
  it.each([
    ['/console', []],
    ['/console/pages', ['pages']],
    ['/console/commissions/highlevel/a%2Fb', ['commissions', 'highlevel', 'a/b']],
  ])('splits %s', (path, parts) => expect(parseConsolePath(path)).toEqual(parts));

  it.each(['/', '/consoles', '/blog', '/console/', '/console//pages', '/console/../x', '/console/%70ages'])(
    'knows nothing of %s',
    (path) => expect(parseConsolePath(path)).toBeNull(),
  );
});

describe('parseAddress', () => {
  it.each([
    ['/2022/07/post-2/', '/2022/07/post-2/'],
    [' /größe', '/gr%C3%B6%C3%9Fe'],
    ['/gr%c3%b6%c3%9fe/', '/gr%C3%B6%C3%9Fe/'],
    ['/gro\u0308\u00dfe', '/gr%C3%B6%C3%9Fe'],
    ['/日本/Post.html', '/%E6%97%A5%E6%9C%AC/Post.html'],
    ['/a b@c', '/a%20b@c'],
    [`/${'a'.repeat(511)}`, `/${'a'.repeat(511)}`],
  ])('writes %s as links have it', (text, address) => expect(parseAddress(text)).toBe(address));

  it.each([
    '',
    '/',
    'post',
    '//post',
    '/a//b',
    '/a/../b',
    '/./a',
    '/a?p=1',
    '/a#b',
    '/a%2fb',
    '/a%3Fb',
    '/50%',
    '/50%25',
    '/a\\b',
    '/a\nb',
    '/_image',
    'https://a.example/b',
    `/${'a'.repeat(512)}`,
    `/${'ö'.repeat(200)}`,
  ])('refuses %s', (text) => expect(parseAddress(text)).toBeNull());
});

it('names content files as they are called on the machine, once, and nothing else', () => {
  const text = 'content: content/site.yaml:3 and (content/a.md), /content/x, my/content/b.yaml, content/ was';
  const named =
    'content: my/content/site.yaml:3 and (my/content/a.md), /content/x, my/content/b.yaml, content/ was';
  for (const folder of ['./my/content', 'my/content/'])
    expect(nameContentFiles(nameContentFiles(text, folder), folder)).toBe(named);
  expect(nameContentFiles(text)).toBe(text);
  expect(nameContentFiles('content/a', '/srv/$1')).toBe('/srv/$1/a');
});
