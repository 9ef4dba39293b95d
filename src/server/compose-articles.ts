import path from 'node:path';
import { createFilesSource } from '../adapters/articles/files-source.ts';
import { createSanitiser } from '../adapters/articles/sanitise.ts';
import type { ArticleSource } from '../core/articles/article-source.ts';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import type { Config } from './config.ts';

/** What articles are made from. */
export interface ArticlesOptions {
  readonly config: Config;
  readonly content: Content;
  readonly clock: Clock;
  /** true: show an edited article at once (development). */
  readonly reload?: boolean;
}

/** Creates the chosen article source. Throws `ArticleFilesError` when an article file is wrong. */
export function createArticles({ config, content, clock, reload = false }: ArticlesOptions): ArticleSource {
  return createFilesSource({
    dir: path.join(config.CONTENT_DIR, 'articles'),
    clock,
    reload,
    author: content.site.author,
    partners: [...content.partners.keys()],
    sanitise: createSanitiser({
      siteOrigin: config.siteUrl,
      partners: [...content.partners.values()],
      articleHosts: [],
      imageHosts: config.ARTICLE_IMAGE_HOSTS,
      nofollow: false,
    }),
  });
}
