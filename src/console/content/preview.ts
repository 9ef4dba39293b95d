import { buildFileSummary } from '../../content-files/articles/article-file.ts';
import { renderArticleFile } from '../../content-files/articles/article-folder.ts';
import type { CopyFinding } from '../../content-files/check-copy.ts';
import { splitMarkdown } from '../../content-files/edit-yaml.ts';
import type { Article } from '../../core/articles/article.ts';
import { buildReadingTime, countWords } from '../../core/articles/reading-time.ts';
import { isPartnerPath } from '../../core/outbound/partner.ts';
import { createLinkCheck } from '../../core/pages/check-references.ts';
import { areSamplesShown } from '../../core/pages/claims/claims.ts';
import type { Content, ContentProblem } from '../../core/pages/content.ts';
import { listHeadingIds } from '../../core/pages/page-outline.ts';
import { listTextTargets } from '../../core/pages/partner-link-check.ts';
import { isPublished, listShownSections } from '../../core/pages/shown-sections.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { buildScriptJson } from '../../core/seo/page-head.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import { createPolicyReader } from '../../server/articles/article-sources.ts';
import type { Articles } from '../../server/articles/articles.ts';
import type { ReadResponse } from '../../server/http/responses.ts';
import { hashInline } from '../../server/http/security-headers.ts';
import type { Platform } from '../../server/platform.ts';
import type { Site } from '../../server/site.ts';
import { slicePage } from '../../stores/article-copies.ts';
import { CONSOLE_HEADERS } from '../http.ts';
import { findPreviewPath } from './file-address.ts';

/** Renders a page of a site that differs from the running one, through Astro. */
export type RenderPreview = (site: Site, request: Request) => Promise<ReadResponse>;

/** What is said about a text while it is written. */
interface TextNote {
  /** `error`: the text cannot be saved like this. */
  readonly kind: 'error' | 'warning' | 'fact';
  /** A sentence without its period. */
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number | null;
}

/** What a preview tells the editor beside it. */
interface PreviewNotes {
  readonly isShown: boolean;
  readonly notes: readonly TextNote[];
  /** Positions of the sections that the page shows, in their order; empty for other pages. */
  readonly sections: readonly number[];
}

/** Shows texts of content files that are not saved as the pages that they would be. It stores nothing. */
export class ContentPreviews {
  readonly #site: Site;
  readonly #render: RenderPreview;
  #bodies: BodyProcessor | null = null;

  constructor(site: Site, render: RenderPreview) {
    this.#site = site;
    this.#render = render;
  }

  /**
   * Responds with the page of a file as it would be with a text, or with what has to be corrected before it is shown. For the
   * desk, which takes boxes out of it, its styles are data: the policy of the console reports those in the text of a page.
   */
  async respond(file: string, text: string, isForDesk = false): Promise<Response> {
    const path = findPreviewPath(file);
    const read = path === null ? null : await this.#read(file, text);
    if (path === null || read === null || !('site' in read)) {
      const notes = [...listProblems(file, read?.problems ?? []), ...this.#listCopyNotes(file, text)];
      return this.#send(buildProblemPage(notes), { isShown: false, notes, sections: [] });
    }
    const { site, isHidden } = read;
    const address = site.settings.siteUrl + path + (isHidden ? '?preview=1' : '');
    const { status, body } = await this.#render(site, new Request(address));
    if (status !== 200) {
      const notes = [
        { kind: 'error', text: `The page could not be shown (status ${status})`, line: null },
      ] as const;
      return this.#send(buildProblemPage(notes), { isShown: false, notes, sections: [] });
    }
    const html = body.toString();
    const notes = [
      ...listProblems(file, read.problems),
      ...listPageNotes(html, site.content.read()),
      ...this.#listCopyNotes(file, text),
    ];
    const shown = isForDesk
      ? html
          .replace(/<script\b[\s\S]*?<\/script>/g, '')
          .replace(/<style\b[^>]*>([\s\S]*?)<\/style>/g, '<template data-styles>$1</template>')
          .replace(/(<[a-z][^<>]*?) style="/g, '$1 data-style="')
      : html;
    return this.#send(shown, { isShown: true, notes, sections: listPositions(site, path) });
  }

  async close(): Promise<void> {
    await this.#bodies?.close();
  }

  #read(file: string, text: string) {
    return file.endsWith('.md') ? this.#readArticle(file, text) : this.#readYaml(file, text);
  }

  #readYaml(file: string, text: string) {
    const { settings, clock, platform } = this.#site;
    const { files } = platform.content;
    if (files === null) return null;
    const now = clock.now();
    const hasArticleFiles = settings.ARTICLE_SOURCE === 'files';
    const { content, problems, others } = files.readYaml(file, text, { hasArticleFiles, now });
    if (content === null) return { problems: problems.length > 0 ? problems : others };
    const path = findPreviewPath(file) ?? '';
    const page = content.pages.get(path);
    const isHidden =
      path === ASSESSMENT_PATH ? content.assessment.draft : page !== undefined && !isPublished(page, now);
    return { problems, isHidden, site: overlay(this.#site, content, null) };
  }

  async #readArticle(file: string, text: string) {
    const { platform, clock } = this.#site;
    const content = this.#site.content.read();
    const { files } = platform.content;
    if (files === null) return null;
    const images = platform.content.readImages();
    const read = files.readArticle(file, text, content);
    const problems = [...read.problems, ...read.images].map(({ field, reason }) => ({ file, field, reason }));
    const { file: parsed } = read;
    if (parsed === null) return { problems };
    const summary = buildFileSummary(parsed, content.site.author, images);
    const article = await renderArticleFile(parsed, summary, images, this.#openProcessor().process);
    const { draft, publishedAt } = parsed.front;
    const isHidden = draft || Date.parse(publishedAt) > clock.now();
    return { problems, isHidden, site: overlay(this.#site, { ...content }, article) };
  }

  #openProcessor(): BodyProcessor {
    const { settings, platform } = this.#site;
    this.#bodies ??= platform.createBodyProcessor(createPolicyReader(settings, this.#site.content.read));
    return this.#bodies;
  }

  #listCopyNotes(file: string, text: string): readonly TextNote[] {
    const { platform, settings, clock } = this.#site;
    const at = { siteUrl: settings.siteUrl, now: clock.now() };
    const content = this.#site.content.read();
    const { articles } = this.#site.content;
    const copy = platform.content.files?.findCopyFindings(file, text, content, at) ?? [];
    const slugs = articles.getSummaries().map(({ slug }) => slug);
    const links = file.endsWith('.md') ? listLinkNotes(text, content, new Set(slugs)) : [];
    return [...links, ...copy.map(buildCopyNote)];
  }

  #send(html: string, notes: PreviewNotes): Response {
    const inert = html
      .replace(/<script\b[\s\S]*?<\/script>/g, '')
      // Its links lead nowhere: a click would count as that of a visitor.
      .replace(/(<a\b[^<>]*?) href="(?!#)/g, '$1 href="#" data-href="');
    const added = `<script type="application/json" id="preview-notes">${buildScriptJson(notes)}</script><script>${SCRIPT}</script>`;
    const body = Buffer.from(inert.replace(/(<\/body>|$)/, () => `${added}</body>`));
    return new Response(body, {
      status: 200,
      headers: {
        ...CONSOLE_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(body.byteLength),
        ...this.#site.security.preview(body, SCRIPT_HASH),
      },
    });
  }
}

type BodyProcessor = ReturnType<Platform['createBodyProcessor']>;

/** The site with other content, and with `article` in place of that with the same slug. */
function overlay(site: Site, content: Content, article: Article | null): Site {
  const { articles } = site.content;
  const get = async (slug: string): Promise<Article | null> => {
    if (slug === article?.slug) return article;
    const summary = articles.getSummaries().find((one) => one.slug === slug);
    // Pages show no more of other articles than their summaries.
    return summary === undefined ? null : { ...summary, content: '', contents: [], splitAt: 0 };
  };
  const shown: Articles = {
    ...articles,
    get,
    preview: get,
    list: async (query) => slicePage(articles.getSummaries(), query),
    findMoved: async () => null,
  };
  return {
    ...site,
    content: { ...site.content, read: () => content, articles: shown },
    isPreviewToken: async () => true,
  };
}

function buildCopyNote({ file, text }: CopyFinding): TextNote {
  const [, line] = /:(\d+)$/.exec(file) ?? [];
  return { kind: 'warning', text, line: line === undefined ? null : Number(line) };
}

function listPositions(site: Site, path: string): readonly number[] {
  const { settings } = site;
  const content = site.content.read();
  const page = content.pages.get(path);
  if (page === undefined) return [];
  const { sections } = listShownSections(page, {
    samples: areSamplesShown(content.site.samples, settings.siteUrl),
    hasNewsletter: settings.NEWSLETTER_PROVIDER !== 'off',
  });
  const shown = new Set<unknown>(sections);
  // A navigation of sections is a copy with fewer items.
  return page.sections.flatMap((section, index) =>
    shown.has(section) || section.type === 'section-nav' ? [index] : [],
  );
}

const listProblems = (file: string, problems: readonly ContentProblem[]): readonly TextNote[] =>
  problems.map((problem) => {
    const [, line] = /^line (\d+)/.exec(problem.field) ?? [];
    const place = problem.file === file ? problem.field : `content/${problem.file}, ${problem.field}`;
    return {
      kind: 'error',
      text: [place, problem.reason].filter(Boolean).join(': '),
      line: line === undefined ? null : Number(line),
    };
  });

/** Links of an article to pages and headings that do not exist, and to partners by their address. */
function listLinkNotes(text: string, content: Content, articles: ReadonlySet<string>): readonly TextNote[] {
  const body = splitMarkdown(text)?.body ?? '';
  const first = text.slice(0, text.lastIndexOf(body)).split('\n').length;
  const anchors = new Set(listHeadingIds(body));
  const findFault = createLinkCheck({ ...content, articles });
  const hosts = new Map(
    [...content.partners.values()].map(({ key, site }) => [new URL(site).host.replace(/^www\./, ''), key]),
  );
  return body.split('\n').flatMap((line, index) =>
    listTextTargets(line).flatMap((target): TextNote[] => {
      const url = URL.canParse(target) ? new URL(target) : null;
      const partner = url === null ? undefined : hosts.get(url.host.replace(/^www\./, ''));
      const fault =
        partner === undefined
          ? findFault(target, anchors)
          : `leads to a partner by its address, so no click is counted: use /go/${partner}`;
      return fault === null ? [] : [{ kind: 'warning', text: `A link ${fault}`, line: first + index }];
    }),
  );
}

const TITLE_LENGTH = 60;
const DESCRIPTION_LENGTHS = [70, 160] as const;

/** What a rendered page says about itself: its length, its title and description, and whether it discloses its links. */
function listPageNotes(html: string, { partners }: Content): readonly TextNote[] {
  const fact = (text: string): TextNote => ({ kind: 'fact', text, line: null });
  const warn = (text: string): TextNote => ({ kind: 'warning', text, line: null });
  const main = /<main\b[^>]*>([\s\S]*?)<\/main>/.exec(html)?.[1] ?? '';
  const plain = decode(
    main.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' '),
  );
  const minutes = buildReadingTime(plain);
  const title = decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '');
  const description = decode(/<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '');
  const links = [...html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].filter(([, href = '']) =>
    isPartnerPath(decode(href).replace(/[?#].*/, ''), partners),
  );
  const disclosed = html.indexOf('data-disclosure');
  const isDisclosed = disclosed >= 0 && disclosed < (links[0]?.index ?? 0);
  const [min, max] = DESCRIPTION_LENGTHS;
  const isTitleLong = title.length > TITLE_LENGTH;
  const isLength = description.length >= min && description.length <= max;
  return [
    fact(
      `${countWords(plain)} words on the page, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} to read`,
    ),
    isTitleLong
      ? warn(`The title has ${title.length} characters; search results show about ${TITLE_LENGTH}`)
      : fact(`The title has ${title.length} characters`),
    isLength
      ? fact(`The description has ${description.length} characters`)
      : warn(`The description has ${description.length} characters; ${min} to ${max} fit search results`),
    links.length === 0
      ? fact('No links to partners, so no disclosure is needed')
      : isDisclosed
        ? fact(
            `${links.length === 1 ? '1 link' : `${links.length} links`} to partners, disclosed above the first`,
          )
        : warn('Links to partners without a disclosure above the first of them'),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

const decode = (text: string) => text.replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity);

function buildProblemPage(notes: readonly TextNote[]): string {
  const items = notes
    .filter(({ kind }) => kind === 'error')
    .map(({ text }) => `<li>${escapeHtml(text)}</li>`);
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No preview yet</title>
</head>
<body><main><h1>No preview yet</h1><p>The page is shown when this is corrected:</p>${list}</main></body>
</html>
`;
}

/**
 * The only script of a preview. Beside the editor it tells it what was found, and scrolls to the part that is edited; a click
 * on a section opens its form. Alone, in a tab, it does nothing.
 */
const SCRIPT = `(() => {
  if (parent === window) return;
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const notes = read('preview-notes');
  const main = document.querySelector('main');
  const parts = [...main.children].filter(({ tagName }) => !/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(tagName));
  const headings = [...document.querySelectorAll('.article-body :is(h2, h3, h4, h5, h6)')];
  const send = (message) => parent.postMessage({ preview: true, ...message }, '*');
  const find = ({ section, heading }) =>
    section === undefined ? headings[heading] : parts[notes.sections.indexOf(section)];
  // The frame is one stop of the keyboard, which scrolls it and shows its focus: the links lead nowhere.
  for (const stop of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'))
    stop.tabIndex = -1;
  document.body.tabIndex = 0;
  document.body.style.outline = 'none';
  let marked;
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if (typeof data.top === 'number') scrollTo({ top: data.top, behavior: 'instant' });
    const found = find(data);
    if (marked) marked.style.outline = '';
    marked = found;
    if (!found) return;
    found.style.outline = '3px solid #b26a00';
    found.style.outlineOffset = '-3px';
    // In Firefox, scrollIntoView scrolls the form around the frame too.
    const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    if (data.isScrolled) scrollBy({ top: found.getBoundingClientRect().top - padding });
  });
  addEventListener('scroll', () => send({ top: scrollY }), { passive: true });
  addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link) event.preventDefault();
    const part = parts.findIndex((one) => one.contains(event.target));
    const section = notes.sections[part];
    if (section !== undefined) send({ section });
  });
  send({ notes });
})();`;
const SCRIPT_HASH = hashInline(SCRIPT);
