import type { Article } from './article.ts';
import { buildFragment } from './article-link.ts';
import { countWords } from './reading-time.ts';

/** What a body refers to, before anything was taken out of it. */
export interface InspectedBody {
  readonly images: readonly {
    readonly src: string;
    /** null: the attribute is missing; empty: the picture only decorates. */
    readonly alt: string | null;
    readonly isSized: boolean;
  }[];
  readonly links: readonly string[];
  /** Names of all elements, lower case. */
  readonly elements: readonly string[];
}

/** What the check of an article is made from. */
export interface ArticleCheck {
  readonly article: Article;
  /** The body as readers get it. */
  readonly text: string;
  readonly html: string;
  readonly body: InspectedBody;
  /** Origin of the site; links to it are internal. */
  readonly siteOrigin: string;
  /** Whether a path of the site leads to a page. */
  isPath(path: string): boolean;
  /** Whether a picture would be shown. */
  isShown(src: string): boolean;
}

const TITLE_MAX = 70;
const DESCRIPTION_MAX = 160;
const WORDS_MIN = 100;
const REMOVED = ['script', 'style', 'form', 'input', 'object', 'embed', 'svg', 'video', 'audio'];

/** Finds what an editor would want to mend about an article; one sentence each. */
export function checkArticle(check: ArticleCheck): readonly string[] {
  return [...checkFields(check), ...checkPictures(check), ...checkLinks(check), ...checkText(check)];
}

function checkFields({ article }: ArticleCheck): string[] {
  const { excerpt, seoTitle, seoDescription, title, categories, author, featuredImage } = article;
  const documentTitle = seoTitle || title;
  return pick([
    [excerpt === '', 'the excerpt is missing'],
    [seoDescription === '', 'the description for search engines is missing'],
    [
      seoDescription.length > DESCRIPTION_MAX,
      `the description for search engines has ${seoDescription.length} characters; results cut it after ${DESCRIPTION_MAX}`,
    ],
    [
      documentTitle.length > TITLE_MAX,
      `the title has ${documentTitle.length} characters; results cut it after ${TITLE_MAX}`,
    ],
    [categories.length === 0, 'there is no category, so it belongs to no topic'],
    [author === '', 'the author is missing'],
    [
      featuredImage === null,
      'there is no featured picture, or it is on a host that ARTICLE_IMAGE_HOSTS does not list',
    ],
    [featuredImage?.alt === '', 'the featured picture has no alternative text'],
  ]);
}

function checkPictures({ body, isShown }: ArticleCheck): string[] {
  return body.images.flatMap(({ src, alt, isSized }) =>
    pick([
      [alt === null, `the picture ${src} has no alternative text`],
      [!isShown(src), `the picture ${src} is not shown: its host is not listed in ARTICLE_IMAGE_HOSTS`],
      [!isSized, `the picture ${src} has no width and height`],
    ]),
  );
}

function checkLinks({ body, html, siteOrigin, isPath }: ArticleCheck): string[] {
  const ids = new Set([...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
  return [...new Set(body.links)].flatMap((href) => {
    if (href.startsWith('#')) {
      return pick([[!ids.has(buildFragment(href.slice(1))), `the link ${href} leads to no heading`]]);
    }
    if (!URL.canParse(href, siteOrigin)) return [`the link ${href} is no address`];
    const url = new URL(href, `${siteOrigin}/blog/`);
    return pick([
      [url.origin === siteOrigin && !isPath(url.pathname + url.search), `the link ${href} leads to no page`],
      [url.protocol === 'http:' && url.origin !== siteOrigin, `the link ${href} is not https`],
    ]);
  });
}

function checkText({ text, body }: ArticleCheck): string[] {
  const words = countWords(text);
  const removed = REMOVED.filter((name) => body.elements.includes(name));
  return pick([
    [words < WORDS_MIN, `the text has ${words} words`],
    [removed.length > 0, `readers do not get these elements: ${removed.join(', ')}`],
    [body.elements.includes('h1'), 'the text has a first-level heading; the title is the page’s only one'],
  ]);
}

function pick(found: readonly (readonly [is: boolean, sentence: string])[]): string[] {
  return found.filter(([is]) => is).map(([, sentence]) => sentence);
}
