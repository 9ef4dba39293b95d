import { expect, it } from 'vitest';
import { listArticleReferences } from './check-references.ts';

it('lists the links to articles in texts and lists, with their place', () => {
  const content = {
    sections: [
      { href: '/blog/a?x=1#part' },
      { type: 'prose', body: 'Read [this](/blog/b), then /blog/topic/c.' },
      { href: 'https://x.example/blog/d', count: 3, nothing: null, path: '/blog' },
    ],
  };
  expect(listArticleReferences(content, '/page')).toEqual([
    { place: '/page sections.1.href', path: '/blog/a' },
    { place: '/page sections.2 (prose).body', path: '/blog/b' },
    { place: '/page sections.2 (prose).body', path: '/blog/topic/c' },
  ]);
});
