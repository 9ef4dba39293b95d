import path from 'node:path';
import { createFilesFolder } from '../adapters/articles/files-folder.ts';
import { inspectHtml } from '../adapters/articles/inspect-html.ts';
import type { Article } from '../core/articles/article.ts';
import { buildImageAddress } from '../core/articles/article-image-address.ts';
import type { ArticleSource } from '../core/articles/article-source.ts';
import { checkArticle } from '../core/articles/check-article.ts';
import { readText } from '../core/articles/html-tags.ts';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import { createSiteSanitiser, createUpstreamSource } from './compose-upstream.ts';
import type { Config } from './config.ts';
import { readImageHosts } from './image-hosts.ts';
import { collectPaths } from './site-paths.ts';

/** One article and what is wrong with it. */
export interface CheckedArticle {
  readonly slug: string;
  readonly problems: readonly string[];
  /** Pictures that readers load with it. */
  readonly pictures: readonly string[];
}

const PER_CALL = 50;

/**
 * Reads every article of the chosen source, drafts of files included, and checks it.
 * Rejects as the source does; throws `ArticleFilesError` when a file cannot be read as an article.
 */
export async function checkArticles(
  config: Config,
  content: Content,
  clock: Clock,
): Promise<{ readonly checked: readonly CheckedArticle[]; readonly dropped: readonly string[] }> {
  const dropped: string[] = [];
  const articles =
    config.ARTICLE_SOURCE === 'files'
      ? readFiles(config, content)
      : await readAll(
          createUpstreamSource(config, content, {
            clock,
            sanitise: raw,
            onDropped: (reason) => dropped.push(reason),
          }),
        );
  const sanitise = createSiteSanitiser(config, content);
  const paths = collectPaths(content, articles);
  const policy = { siteOrigin: config.siteUrl, imageHosts: readImageHosts(config) };
  const checked = articles.map((article) => {
    const html = sanitise(article.content);
    const body = inspectHtml(article.content);
    const isShown = (src: string) => buildImageAddress(src, policy) !== null;
    const problems = checkArticle({
      article,
      html,
      body,
      isShown,
      text: readText(html),
      siteOrigin: config.siteUrl,
      isPath: (address) => paths.has(address.split('?')[0] ?? ''),
    });
    const pictures = [article.featuredImage?.src ?? '', ...body.images.map(({ src }) => src)].filter(isShown);
    return { slug: article.slug, problems, pictures };
  });
  return { checked, dropped };
}

/** The check is about what the source has, before anything is taken out of it. */
const raw = (html: string) => html;

function readFiles(config: Config, content: Content): Article[] {
  const folder = createFilesFolder({
    dir: path.join(config.CONTENT_DIR, 'articles'),
    author: content.site.author,
    partners: [...content.partners.keys()],
    sanitise: raw,
  });
  return folder.entries().map(folder.render);
}

async function readAll(source: ArticleSource): Promise<Article[]> {
  const articles: Article[] = [];
  for (let page = 1; ; page++) {
    const found = await source.list({ page, limit: PER_CALL });
    for (const { slug } of found.articles) {
      const article = await source.get(slug);
      if (article) articles.push(article);
    }
    if (!found.hasMore) return articles;
  }
}
