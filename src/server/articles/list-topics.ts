import type { ArticleSummary } from '../../core/articles/article.ts';
import { buildGroups } from '../../core/articles/article-groups.ts';
import type { Site } from '../../core/pages/site.schema.ts';
import { buildSlug } from '../../core/text/slug.ts';

type Topics = Site['blog']['topics'];

const MAX_TOPICS = 8;

/**
 * Lists the topics to browse: those of the site's settings, as far as they have articles. When one of them has none,
 * the articles come from another system, whose own categories follow, largest first.
 */
export function listTopics(articles: readonly ArticleSummary[], topics: Topics): Topics {
  const groups = buildGroups(articles, 'topic');
  const used = topics.filter(({ name }) => groups.some(({ slug }) => slug === buildSlug(name)));
  if (used.length === topics.length) return topics;
  const others = groups
    .filter(({ slug }) => !used.some(({ name }) => buildSlug(name) === slug))
    .map(({ name, articles: { length } }) => ({
      name,
      description: length === 1 ? '1 article' : `${length} articles`,
    }));
  return [...used, ...others].slice(0, MAX_TOPICS);
}
