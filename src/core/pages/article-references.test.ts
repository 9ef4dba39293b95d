import { expect, it } from 'vitest';
import { listArticleReferences } from './article-references.ts';

it('lists the links to articles in texts, lists and maps, with their place', () => {
  const content = new Map([
    [
      '/page',
      { sections: [{ href: '/blog/a?x=1#part' }, { text: 'Read [this](/blog/b), then /blog/topic/c.' }] },
    ],
    ['/other', { href: 'https://x.example/blog/d', count: 3, nothing: null, path: '/blog' }],
  ]);
  expect(listArticleReferences(content, '')).toEqual([
    { place: '/page sections 0 href', path: '/blog/a' },
    { place: '/page sections 1 text', path: '/blog/b' },
    { place: '/page sections 1 text', path: '/blog/topic/c' },
  ]);
});
