import type { ArticleSummary } from './article.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Facts for the front page: those that the site states, the number of guides, and the month of the last change. */
export function buildProof(articles: readonly ArticleSummary[], facts: readonly string[]): readonly string[] {
  const latest =
    articles
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '';
  return [
    ...facts,
    ...(articles.length > 1 ? [`${articles.length} guides`] : []),
    ...(latest === '' ? [] : [`Last updated ${MONTH.format(new Date(latest))}`]),
  ];
}
