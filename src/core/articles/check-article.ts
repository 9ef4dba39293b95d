import { buildArticlePath } from '../paths.ts';
import type { Article } from './article.ts';
import { buildFragment } from './article-link.ts';
import { buildSourceId, hasFigures } from './citations.ts';
import { countWords } from './reading-time.ts';

/** What a body refers to and consists of before it is sanitized. */
export interface InspectedBody {
  readonly images: readonly {
    readonly src: string;
    /** null: the attribute is missing; empty: the image is decorative. */
    readonly alt: string | null;
    readonly isSized: boolean;
  }[];
  readonly links: readonly string[];
  /** Addresses of frames, objects and embedded files; empty for one without. */
  readonly frames: readonly string[];
  /** Names of all elements, in lower case. */
  readonly elements: readonly string[];
}

export interface ArticleCheck {
  readonly article: Article;
  /** The words of the body. */
  readonly text: string;
  /** The body as readers see it. */
  readonly html: string;
  readonly body: InspectedBody;
  /** Names of the site's topics; null: the categories of another system are topics as well. */
  readonly topics: readonly string[] | null;
  /** Origin of the site; links to it are internal. */
  readonly siteOrigin: string;
  /** Whether the site has a page at a path. */
  isPath(path: string): boolean;
  /** Name of the partner to which an address leads without the redirect; null for every other one. */
  findPartner(address: string): string | null;
  /** Says why the image policy does not allow an address; null: it does. */
  findImageProblem(src: string): string | null;
}

const MAX_TITLE_LENGTH = 70;
const MAX_DESCRIPTION_LENGTH = 160;
const MIN_WORDS = 100;
/** Elements that are removed with their content, because they would run, or show nothing without scripts or styles. */
export const REMOVED_ELEMENTS = [
  'script',
  'style',
  'title',
  'head',
  'template',
  'noembed',
  'noframes',
  'plaintext',
  'xmp',
  'svg',
  'math',
  'applet',
  'canvas',
  'frameset',
  'portal',
  'form',
  'input',
  'textarea',
  'select',
  'option',
  'datalist',
  'button',
  'marquee',
];

/** Finds what an editor should fix about an article, as one sentence each. */
export function checkArticle(check: ArticleCheck): readonly string[] {
  return [
    ...checkFields(check),
    ...checkImages(check),
    ...findLinkProblems(check),
    ...checkText(check),
    ...checkEvidence(check),
  ];
}

function checkFields({ article, topics }: ArticleCheck): string[] {
  const { excerpt, seoTitle, seoDescription, title, categories, author, featuredImage } = article;
  const [topic] = categories;
  const documentTitle = seoTitle || title;
  return pick([
    [excerpt === '', 'the excerpt is missing'],
    [seoDescription === '', 'the description for search engines is missing'],
    [
      seoDescription.length > MAX_DESCRIPTION_LENGTH,
      `the description for search engines has ${seoDescription.length} characters; results cut it after ${MAX_DESCRIPTION_LENGTH}`,
    ],
    [
      documentTitle.length > MAX_TITLE_LENGTH,
      `the title has ${documentTitle.length} characters; results cut it after ${MAX_TITLE_LENGTH}`,
    ],
    [categories.length === 0, 'it has no category and therefore no topic'],
    [
      topic !== undefined && topics !== null && !topics.includes(topic),
      `the first category "${topic}" is not a topic of content/site.yaml (${topics?.join(', ')})`,
    ],
    [author === '', 'the author is missing'],
    [
      featuredImage === null,
      'it has no featured image, or the image is on a host that imageHosts of content/site.yaml does not list',
    ],
    [featuredImage?.alt === '', 'the featured image has no alternative text'],
  ]);
}

function checkImages({ body, findImageProblem }: ArticleCheck): string[] {
  return body.images.flatMap(({ src, alt, isSized }) => {
    const problem = findImageProblem(src);
    return pick([
      [alt === null, `the image ${src} has no alternative text`],
      [problem !== null, `the image ${src} is not shown: ${problem}`],
      [!isSized, `the image ${src} has no width and height`],
    ]);
  });
}

/** Finds links that lead nowhere, are not https, or lead to a partner without a disclosure, as one sentence each. */
export function findLinkProblems(check: ArticleCheck): string[] {
  const { article, body, html, siteOrigin, isPath, findPartner } = check;
  const ids = new Set([...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
  for (const index of article.evidence?.sources.keys() ?? []) ids.add(buildSourceId(index + 1));
  return [...new Set(body.links)].flatMap((href) => {
    if (href.startsWith('#')) {
      return pick([[!ids.has(buildFragment(href.slice(1))), `the link ${href} points to no heading`]]);
    }
    if (!URL.canParse(href, siteOrigin)) return [`the link ${href} is not a valid address`];
    const url = new URL(href, siteOrigin + buildArticlePath(article));
    const partner = findPartner(url.href);
    return pick([
      [
        partner !== null,
        `the link ${href} leads to ${partner} and is neither marked as paid nor disclosed: link to /go/ instead`,
      ],
      [
        url.origin === siteOrigin && !isPath(url.pathname + url.search),
        `the link ${href} points to no page of the site`,
      ],
      [url.protocol === 'http:' && url.origin !== siteOrigin, `the link ${href} is not https`],
    ]);
  });
}

function checkText({ text, body }: ArticleCheck): string[] {
  const words = countWords(text);
  const removed = REMOVED_ELEMENTS.filter((name) => body.elements.includes(name));
  const frames = body.frames.filter((address) => !/^(?:https?:)?\/\//i.test(address));
  return pick([
    [words < MIN_WORDS, `the text has only ${words} words`],
    [removed.length > 0, `these elements are removed: ${removed.join(', ')}`],
    [frames.length > 0, `frames without a whole address are removed: ${frames.join(', ') || 'srcdoc'}`],
    [body.elements.includes('h1'), 'the text has a first-level heading, which only the title should be'],
  ]);
}

/** The editors of other systems have no fields for sources. */
function checkEvidence({ article, topics, text }: ArticleCheck): string[] {
  const isFile = topics !== null;
  const isUnsourced = (article.evidence?.sources ?? []).length === 0;
  return pick([
    [isFile && isUnsourced && hasFigures(text), 'it states amounts or percentages and names no sources'],
  ]);
}

function pick(problems: readonly (readonly [isFound: boolean, sentence: string])[]): string[] {
  return problems.filter(([isFound]) => isFound).map(([, sentence]) => sentence);
}
