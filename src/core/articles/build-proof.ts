import type { ArticleSummary } from './article.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** True facts about the site for its front page: platforms, guides, and the month of the last change. */
export function buildProof(articles: readonly ArticleSummary[], platforms: number): readonly string[] {
  const latest =
    articles
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '';
  return [
    ...(platforms > 1 ? [`${platforms} platforms compared`] : []),
    ...(articles.length > 1 ? [`${articles.length} guides`] : []),
    ...(latest === '' ? [] : [`Last updated ${MONTH.format(new Date(latest))}`]),
  ];
}
