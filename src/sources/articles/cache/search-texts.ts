import type { Article, ArticleSummary } from '../../../core/articles/article.ts';
import { buildSummary, isArticle } from '../../../stores/article-copies.ts';
import { type BodyText, type ChangedArticle, MAX_TEXT_LENGTH } from '../article-finder.ts';
import { extractText } from '../html/html-text.ts';
import { createTimeSlice } from '../time-slice.ts';

/** Extracts what is searched of a body; empty without an article. */
export function buildSearchText(article: Article | null): string {
  return extractText(article?.content ?? '', MAX_TEXT_LENGTH);
}

/** Extracts the texts of articles, with pauses for other requests. */
export async function buildSearchTexts(articles: readonly Article[]): Promise<readonly BodyText[]> {
  const changes = await buildChanges(articles);
  return changes.map(({ summary, text }) => ({ slug: summary.slug, text: text ?? '' }));
}

/** Builds what the search has to know of written articles and summaries, with pauses for other requests. */
export async function buildChanges(
  items: readonly (ArticleSummary | Article)[],
): Promise<readonly ChangedArticle[]> {
  const pause = createTimeSlice();
  const changes: ChangedArticle[] = [];
  for (const item of items) {
    changes.push({ summary: buildSummary(item), text: isArticle(item) ? buildSearchText(item) : null });
    await pause();
  }
  return changes;
}
