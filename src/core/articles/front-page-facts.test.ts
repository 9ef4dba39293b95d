import { expect, it } from 'vitest';
import type { ArticleSummary } from './article.ts';
import { buildProof } from './related-articles.ts';

const at = (updatedAt: string) => ({ updatedAt }) as ArticleSummary;

it('begins with the facts of the site, counts guides and names the month of the last change', () => {
  const articles = [at('2026-10-31T23:00:00.000Z'), at('2026-11-02T00:00:00.000Z')];
  expect(buildProof(articles, ['4 platforms compared'])).toEqual([
    '4 platforms compared',
    '2 guides',
    'Last updated November 2026',
  ]);
});

it('leaves out what it cannot show', () => expect(buildProof([], [])).toEqual([]));
