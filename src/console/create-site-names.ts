import type { Content } from '../core/pages/content.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../core/paths.ts';
import type { Articles } from '../server/articles/articles.ts';
import type { SiteNames } from './figures/names.ts';

/** Creates what names the site's pages, partners, topics and answers as the content calls them at the moment. */
export function createSiteNames(
  content: Pick<Content, 'pages' | 'partners' | 'assessment'>,
  articles: Pick<Articles, 'getSummaries'>,
): () => SiteNames {
  return () => ({
    pages: new Map([
      ...[...content.pages].map(([path, { title }]) => [path, title] as const),
      [HOME_PATH, 'Front page'],
      [BLOG_PATH, 'Blog'],
      [ASSESSMENT_PATH, 'Assessment'],
      ...articles.getSummaries().map(({ slug, title }) => [buildArticlePath(slug), title] as const),
    ]),
    partners: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    topics: new Map(
      [...content.pages.values()]
        .flatMap(({ sections }) => sections)
        .flatMap((section) => (section.type === 'contact-form' ? section.topics : []))
        .map(({ key, label }) => [key, label]),
    ),
    questions: content.assessment.questions.map(({ field, title, options }) => ({
      field,
      title,
      options: options.map(({ code, label }) => ({ code: code ?? 'unknown', label })),
    })),
  });
}
