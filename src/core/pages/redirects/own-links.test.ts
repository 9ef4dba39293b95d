import { expect, it } from 'vitest';
import { createLinkSearch } from './own-links.ts';

const build = (from: string, to: string) =>
  createLinkSearch(
    { path: from, key: from.slice(from.lastIndexOf('/') + 1) },
    { path: to, key: to.slice(to.lastIndexOf('/') + 1) },
    'https://site.example',
  );

it.each([
  ['/old', '/new'],
  ['/old/', '/new'],
  ['/old?topic=a#b', '/new?topic=a#b'],
  ['https://site.example/old#b', '/new#b'],
  ['See [it](/old) and [again](/old/#part "t").', 'See [it](/new) and [again](/new#part "t").'],
  ['<a href="/old">x</a> <a href=\'https://site.example/old?a=1\'>y</a>', null],
  ['[x]: /old\n[y]: </old>', '[x]: /new\n[y]: </new>'],
])('rewrites the links of %j', (text, wanted) => {
  const rewritten = build('/old', '/new').rewrite(text);
  expect(rewritten).toBe(wanted ?? '<a href="/new">x</a> <a href=\'/new?a=1\'>y</a>');
});

it.each([
  '/older',
  '/old/below',
  '/blog/old',
  'https://other.example/old',
  '[x](/old-one) [y](/old.png) [z](https://other.example/old)',
  'The path /old in a sentence, and `/old` in code',
  '/old is a path',
])('finds no link in %j', (text) => expect(build('/old', '/new').rewrite(text)).toBe(text));

it('finds fields that lead to an address, name its piece, or are aliases, by their paths', () => {
  const content = {
    aliases: { '/x': '/blog/old' },
    sections: [{ slugs: ['other', 'old'], href: '/blog/old', title: 'old' }],
  };
  expect(build('/blog/old', '/blog/new').find(content)).toEqual([
    { kind: 'alias', path: ['aliases', '/x'], rewritten: '/blog/new' },
    { kind: 'name', path: ['sections', 0, 'slugs', 1], rewritten: 'new' },
    { kind: 'link', path: ['sections', 0, 'href'], rewritten: '/blog/new' },
  ]);
  const author = { author: 'old', name: 'old', reviews: [{ by: 'old' }] };
  expect(build('/authors/old', '/authors/new').find(author)).toMatchObject([
    { kind: 'name', path: ['author'] },
    { kind: 'name', path: ['reviews', 0, 'by'] },
  ]);
  expect(build('/old', '/new').listLines('a\n[b](/old)\nc')).toEqual([2]);
});
