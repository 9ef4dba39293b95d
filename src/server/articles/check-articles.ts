import path from 'node:path';
import { ArticleFolder } from '../../content-files/articles/article-folder.ts';
import { openArticleFolder } from '../../content-files/articles/read-article-files.ts';
import type { Article, ArticleSummary } from '../../core/articles/article.ts';
import { buildGroups } from '../../core/articles/article-groups.ts';
import { findImageProblem } from '../../core/articles/article-image-address.ts';
import { isHostOf } from '../../core/articles/article-link.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { type ArticleCheck, checkArticle, findLinkProblems } from '../../core/articles/check-article.ts';
import type { SkippedArticle } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import { findPartnerOfAddress, listPartnerPaths } from '../../core/outbound/partner.ts';
import { listArticleReferences } from '../../core/pages/check-references.ts';
import type { Content } from '../../core/pages/content.ts';
import {
  ASSESSMENT_PATH,
  ATOM_PATH,
  BLOG_PATH,
  buildArticlePath,
  buildAuthorPath,
  buildDefaultPath,
  buildGroupPath,
  HOME_PATH,
  JSON_FEED_PATH,
  RSS_PATH,
  trimAddress,
} from '../../core/paths.ts';
import type { ProcessBody } from '../../sources/articles/article-mapper.ts';
import { extractText, inspectHtml } from '../../sources/articles/html/html-text.ts';
import { createBodyPreparer, renderBody } from '../../sources/articles/html/prepare-body.ts';
import { guardedGet } from '../../sources/http/guarded-http.ts';
import { isArticle } from '../../stores/article-copies.ts';
import type { Settings } from '../settings.ts';
import { createPolicyReader, createUpstreamSource } from './article-sources.ts';

const PER_PAGE = 50;

/**
 * Reads every article of the chosen source, drafts of files included, and checks it. Rejects with `ArticleSourceError`
 * when the source fails, with `ArticleFilesError` when an article file is invalid.
 */
export async function checkArticles(settings: Settings, content: Content, clock: Clock) {
  const skipped: SkippedArticle[] = [];
  const articles = await readArticles(settings, content, clock, skipped);
  const policy = createPolicyReader(settings, () => content)();
  const prepare = createBodyPreparer(policy);
  const paths = collectPaths(content, articles);
  const isAllowedImage = (src: string) => findImageProblem(src, policy) === null;
  const checked = articles.map((article) => {
    const body = inspectHtml(article.content);
    const { content: html, text } = prepare({ format: 'html', source: article.content });
    const check: ArticleCheck = {
      article,
      body,
      html,
      text,
      findImageProblem: (src) => findImageProblem(src, policy),
      topics: settings.ARTICLE_SOURCE === 'files' ? content.site.blog.topics.map(({ name }) => name) : null,
      siteOrigin: settings.siteUrl,
      isPath: (address) => paths.has(address.split('?')[0] ?? ''),
      findPartner: (address) => findUnmarkedPartner(address, content),
    };
    const images = [article.featuredImage?.src ?? '', ...body.images.map(({ src }) => src)];
    return {
      slug: article.slug,
      problems: checkArticle(check),
      /** Those of the problems that are about links. */
      links: findLinkProblems(check),
      images: images.filter(isAllowedImage),
    };
  });
  const missing = [
    ...[...content.pages].flatMap(([path, page]) => listArticleReferences(page, path)),
    ...listArticleReferences(content.site, 'site.yaml'),
  ].filter(({ path: address }) => !paths.has(address));
  return { checked, skipped, missing };
}

/** The name of the partner behind an address that articles do not turn into a link through the redirect; null without one. */
function findUnmarkedPartner(address: string, { partners }: Content): string | null {
  const partner = findPartnerOfAddress(address, partners);
  return partner === null || isHostOf(new URL(address).hostname, partner.site) ? null : partner.name;
}

/** Bodies are checked as the source has them, before anything is removed. */
const renderOnly: ProcessBody = async (body) => {
  const html = renderBody(body);
  return { content: html, contents: [], splitAt: html.length, text: extractText(html) };
};

async function readArticles(
  settings: Settings,
  content: Content,
  clock: Clock,
  skipped: SkippedArticle[],
): Promise<Article[]> {
  const { ARTICLE_SOURCE: name } = settings;
  if (name !== 'files') {
    const onSkipped = (article: SkippedArticle) => skipped.push(article);
    return readAll(
      createUpstreamSource(name, settings, content, {
        get: guardedGet,
        clock,
        processBody: renderOnly,
        onSkipped,
      }),
      onSkipped,
    );
  }
  const folder = new ArticleFolder({
    files: openArticleFolder(path.join(settings.CONTENT_DIR, 'articles')),
    defaultAuthor: content.site.author,
    partners: content.partners,
    authors: content.authors,
    figures: content.figures,
    aged: content.aged,
    products: content.products,
    readImages: () => content.images,
    processBody: renderOnly,
  });
  return Promise.all(folder.getFiles().map((file) => folder.renderArticle(file)));
}

/** An article that cannot be read does not end the check; a list that cannot be read does. */
async function readAll(
  source: ArticleSource,
  onSkipped: (skipped: SkippedArticle) => void,
): Promise<Article[]> {
  const articles: Article[] = [];
  for (let page = 1; ; page++) {
    const found = await source.list({ page, limit: PER_PAGE });
    for (const item of found.articles) {
      const article = isArticle(item) ? item : await readOne(source, item, onSkipped);
      if (article) articles.push(article);
    }
    if (!found.hasMore) return articles;
  }
}

async function readOne(
  source: ArticleSource,
  summary: ArticleSummary,
  onSkipped: (skipped: SkippedArticle) => void,
): Promise<Article | null> {
  try {
    return await source.get(summary.slug);
  } catch (error) {
    if (!(error instanceof ArticleSourceError)) throw error;
    onSkipped({ ...summary, reason: `cannot be read: ${error.message}` });
    return null;
  }
}

/** Collects every path that leads somewhere on the site. */
function collectPaths(content: Content, articles: readonly ArticleSummary[]): ReadonlySet<string> {
  return new Set([
    HOME_PATH,
    BLOG_PATH,
    ...(content.assessment.draft ? [] : [ASSESSMENT_PATH]),
    RSS_PATH,
    ATOM_PATH,
    JSON_FEED_PATH,
    ...content.pages.keys(),
    ...[...content.authors.keys()].map(buildAuthorPath),
    ...Object.keys(content.site.aliases),
    ...content.redirects.keys(),
    ...listPartnerPaths(content.partners),
    ...articles.flatMap((article) => [
      buildDefaultPath(article.slug),
      trimAddress(buildArticlePath(article)),
    ]),
    ...buildGroups(articles, 'topic').map(({ slug }) => buildGroupPath('topic', slug)),
    ...buildGroups(articles, 'tag').map(({ slug }) => buildGroupPath('tag', slug)),
  ]);
}
