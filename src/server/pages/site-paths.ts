import type { ArticleSummary } from '../../core/articles/article.ts';
import { buildGroups } from '../../core/articles/article-groups.ts';
import { listPartnerPaths } from '../../core/outbound/partner-paths.ts';
import type { Content } from '../../core/pages/content.ts';
import {
  ASSESSMENT_PATH,
  AUDIT_SHEET_PATH,
  BLOG_PATH,
  buildArticlePath,
  buildAuthorPath,
  buildGroupPath,
  HOME_PATH,
  JSON_FEED_PATH,
  RSS_PATH,
  TRIAL_PLAN_PATH,
} from '../../core/paths.ts';

/** Collects every path that leads somewhere on the site. */
export function collectPaths(content: Content, articles: readonly ArticleSummary[]): ReadonlySet<string> {
  return new Set([
    HOME_PATH,
    BLOG_PATH,
    ASSESSMENT_PATH,
    RSS_PATH,
    JSON_FEED_PATH,
    ...content.pages.keys(),
    ...[...content.authors.keys()].map(buildAuthorPath),
    AUDIT_SHEET_PATH,
    TRIAL_PLAN_PATH,
    ...Object.keys(content.site.aliases),
    ...listPartnerPaths(content.partners),
    ...articles.map(({ slug }) => buildArticlePath(slug)),
    ...buildGroups(articles, 'topic').map(({ slug }) => buildGroupPath('topic', slug)),
    ...buildGroups(articles, 'tag').map(({ slug }) => buildGroupPath('tag', slug)),
  ]);
}
