import { buildFileSummary } from '../../content-files/articles/article-file.ts';
import { renderArticleFile } from '../../content-files/articles/article-folder.ts';
import type { CopyFinding } from '../../content-files/check-copy.ts';
import type { Repair } from '../../content-files/content-folder.ts';
import { Piece } from '../../content-files/edit/piece.ts';
import { findFormSchema } from '../../content-files/edit/plan-form.ts';
import { splitMarkdown } from '../../content-files/edit-yaml.ts';
import { findShownPath, isOfKind } from '../../content-files/kinds.ts';
import type { Article } from '../../core/articles/article.ts';
import { buildReadingTime, countWords } from '../../core/articles/reading-time.ts';
import {
  buildField,
  type FieldPath,
  formatAt,
  listPresent,
  nameKey,
  setAt,
} from '../../core/console/form-fields.ts';
import { isPartnerPath } from '../../core/outbound/partner.ts';
import { buildBrandStyles } from '../../core/pages/brand/build-brand-styles.ts';
import { createLinkCheck } from '../../core/pages/check-references.ts';
import { areSamplesShown } from '../../core/pages/claims/claims.ts';
import type { Content, ContentProblem } from '../../core/pages/content.ts';
import { isDraftText } from '../../core/pages/drafts.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { listHeadingIds } from '../../core/pages/page-outline.ts';
import { listTextTargets } from '../../core/pages/partner-link-check.ts';
import { isPublished, listShownSections } from '../../core/pages/shown-sections.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { buildScriptJson } from '../../core/seo/page-head.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import { capitalize } from '../../core/text/words.ts';
import { createPolicyReader } from '../../server/articles/article-sources.ts';
import type { Articles } from '../../server/articles/articles.ts';
import type { ReadResponse } from '../../server/http/responses.ts';
import { hashInline } from '../../server/http/security-headers.ts';
import type { Platform } from '../../server/platform.ts';
import type { Site } from '../../server/site.ts';
import { slicePage } from '../../stores/article-copies.ts';
import { CONSOLE_HEADERS } from '../http.ts';
import { formatCount } from '../reports/format.ts';

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
  /** Those of them that cannot be drawn yet, with what is said in their place. */
  readonly places?: readonly Place[];
  /** All sections of the page by their names, and their texts: they are written where they are drawn. */
  readonly names?: readonly string[];
  readonly texts?: readonly PlacedText[];
}

/** A text of a section. `at`: the address of its field. */
interface PlacedText {
  readonly section: number;
  readonly at: string;
  /** As the file has it, or a line of it. */
  readonly value: string;
  /** What is drawn while nothing is written. */
  readonly placeholder?: string;
  /** The draft of the page has it for the writer to replace. */
  readonly isDraft?: boolean;
  /** It is of Markdown, whose paragraphs Enter divides. */
  readonly isProse?: boolean;
}

interface Place {
  readonly section: number;
  readonly text: string;
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
    const path = findShownPath(file);
    const read = path === null ? null : await this.#read(file, text);
    if (path === null || read === null || !('site' in read)) {
      const notes = [...listProblems(file, read?.problems ?? []), ...this.#listCopyNotes(file, text)];
      return this.#send(buildProblemPage(notes), { isShown: false, notes, sections: [] });
    }
    const { site, isHidden } = read;
    const { places = [], names = [], texts = [] } = 'places' in read ? read : {};
    const address = site.settings.siteUrl + path + (isHidden ? '?preview=1' : '');
    const { status, body } = await this.#render(site, new Request(address));
    if (status !== 200) {
      const notes = [
        { kind: 'error', text: `The page could not be shown (status ${status})`, line: null },
      ] as const;
      return this.#send(buildProblemPage(notes), { isShown: false, notes, sections: [] });
    }
    const marked = body.toString();
    const html = marked.replace(MARKS, '');
    const notes = [
      ...listProblems(file, read.problems),
      ...(isOfKind(file, 'brand')
        ? describeContrasts(site.content.read().brand)
        : listPageNotes(
            html,
            site.content.read(),
            new Set(read.problems.map((problem: ContentProblem) => problem.path?.[0])),
          )),
      ...this.#listCopyNotes(file, text),
    ];
    const shown = isForDesk
      ? html
          .replace(/<script\b[\s\S]*?<\/script>/g, '')
          .replace(/<style\b[^>]*>([\s\S]*?)<\/style>/g, '<template data-styles>$1</template>')
          .replace(/(<[a-z][^<>]*?) style="/g, '$1 data-style="')
      : marked.replace(TAGS_AND_MARKS, (part) =>
          part.length > 1 ? part.replace(MARKS, '') : `<wbr data-text="${part.charCodeAt(0) - FIRST_MARK}">`,
        );
    const sections = listPositions(site, path);
    return this.#send(shown, { isShown: true, notes, sections, places, names, texts });
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
    const written = isOfKind(file, 'page') ? readTexts(file, text) : null;
    const { names, texts } = written ?? NO_TEXTS;
    const places: Place[] = [];
    const readSaved = () => {
      const saved = files.read(file);
      return 'text' in saved ? (new Piece(file, saved.text).values ?? {}) : {};
    };
    const repair = written?.values
      ? createRepair(written.values, written.filled, readSaved, places)
      : undefined;
    const { content, problems, others } = files.readYaml(file, text, { hasArticleFiles, now, repair });
    if (content === null) return { problems: problems.length > 0 ? problems : others };
    const path = findShownPath(file) ?? '';
    const page = content.pages.get(path);
    const isHidden =
      path === ASSESSMENT_PATH ? content.assessment.draft : page !== undefined && !isPublished(page, now);
    const pages = new Map(content.pages);
    if (page !== undefined) pages.set(path, markTexts(page, texts, places));
    return {
      problems,
      isHidden,
      places,
      names,
      texts,
      site: overlay(this.#site, { ...content, pages }, null),
    };
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

/** Characters that no text has. One after a text of a preview says which one it is, and is an element of the page that is sent. */
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;
const TAGS_AND_MARKS = /<[^<>]*>|[\ue000-\uf8ff]/g;
const MAX_MARKS = 0xf8ff - FIRST_MARK;
/** Texts that pages do not show. */
const UNSHOWN = new Set(['id', 'to', 'source', 'event', 'key', 'origin', 'proof']);
/** A line of Markdown without what makes it a heading or an item. */
const LINE = /^(?:#{2,4} |[-*] |\d+\. )?(.+)$/;

const NO_TEXTS = { names: [], texts: [] };

/** The texts of a page's sections, and the page with the name of its field in place of each that is empty. */
function readTexts(file: string, text: string) {
  const piece = new Piece(file, text);
  const form = buildField(findFormSchema(file) ?? {}, piece.values ?? {}, []);
  const list = form.kind === 'group' ? form.fields.find(({ path }) => path[0] === 'sections') : undefined;
  const { values } = piece;
  if (list?.kind !== 'list') return { ...NO_TEXTS, values, filled: values ?? {} };
  let filled: unknown = values;
  const texts = list.items.flatMap((item, section) =>
    listPresent(item).flatMap((field): PlacedText[] => {
      const isText = (field.kind === 'text' || field.kind === 'lines') && field.names === null;
      if (!isText || field.options.length > 0 || UNSHOWN.has(String(field.path.at(-1)))) return [];
      const prose = /\bmarkdown\b/i.test(field.help) ? { isProse: true } : {};
      const build = (value: string, path: FieldPath): PlacedText[] => {
        const draft = isDraftText(value.trim()) ? { isDraft: true } : {};
        if (value.trim() !== '')
          return [{ section, at: formatAt(path), value: value.trim(), ...prose, ...draft }];
        if (!field.isRequired && !field.isPresent) return [];
        filled = setAt(filled, path, field.label);
        return [{ section, at: formatAt(path), value: '', placeholder: field.label, ...prose }];
      };
      if (field.kind === 'lines') {
        const lines = field.isPresent ? field.value.split('\n') : [];
        return lines.flatMap((line, index) => build(line, [...field.path, index]));
      }
      const lines = field.value.trim().split('\n');
      return lines.length < 2
        ? build(field.value, field.path)
        : lines.flatMap((line) => {
            const own = LINE.exec(line)?.[1]?.trim() ?? '';
            return own === '' ? [] : build(own, field.path);
          });
    }),
  );
  const names = list.items.map(({ label }) => label);
  return { names, texts, values, filled: Object(filled) };
}

type Values = NonNullable<Piece['values']>;

/** What is drawn of a page that has it neither now nor in its file. */
const UNTITLED: Values = {
  title: 'Title',
  description: 'What the page is about is said here, in 50 characters.',
};

/**
 * Draws a page with what is there: an empty text by the name of its field, what is wrong around the sections as it was saved,
 * and a section that lacks more as a place, which is added to `places`.
 */
function createRepair(values: Values, filled: Values, readSaved: () => Values, places: Place[]): Repair {
  let drawn = values;
  const known = [readSaved, () => UNTITLED];
  return (problems) => {
    if (drawn === values && filled !== values) {
      drawn = filled;
      return drawn;
    }
    const others = known.shift()?.();
    if (others === undefined) return undefined;
    for (const { path: [key, section] = [] } of problems) {
      if (typeof key !== 'string' || (key === 'sections' && typeof section !== 'number')) return undefined;
      if (key !== 'sections') drawn = Object(setAt(drawn, [key], others[key]));
    }
    const found = listPlaces(drawn, problems);
    for (const { section } of found)
      drawn = Object(setAt(drawn, ['sections', section], { type: 'prose', body: 'A place' }));
    places.push(...found);
    return drawn;
  };
}

/** Marks those texts of a page that are not found by their words: empty ones, and those that stand in a section twice. */
function markTexts(page: Page, texts: readonly PlacedText[], places: readonly Place[]): Page {
  const isTwice = ({ section, value }: PlacedText) =>
    texts.filter((one) => one.section === section && one.value === value).length > 1;
  return texts.slice(0, MAX_MARKS).reduce<Page>((marked, text, index) => {
    if (text.value !== '' && !isTwice(text)) return marked;
    const at = text.at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const before = at.reduce<unknown>((value, key) => Reflect.get(Object(value), key), marked);
    const isWhole = typeof before === 'string' && before === (text.value || text.placeholder);
    const isPlace = places.some((place) => place.section === text.section);
    return !isWhole || isPlace
      ? marked
      : Object(setAt(marked, at, before + String.fromCharCode(FIRST_MARK + index)));
  }, page);
}

/** The sections of a page in which something is wrong, and what is said in their place. */
function listPlaces({ sections }: Values, problems: readonly ContentProblem[]): readonly Place[] {
  const found = Map.groupBy(problems, ({ path }) => (path?.[0] === 'sections' ? path[1] : undefined));
  return [...found].flatMap(([section, own]): Place[] => {
    if (typeof section !== 'number' || !Array.isArray(sections)) return [];
    const keys = own.map(({ path = [] }) => String(path.findLast((key) => typeof key === 'string')));
    const names = new Set(keys.map((key) => nameKey(key).toLowerCase()));
    return [
      { section, text: `${nameKey(String(sections[section]?.type))}: fill in ${[...names].join(', ')}` },
    ];
  });
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
  const isDrawn = (section: (typeof page.sections)[number]) =>
    shown.has(section) || section.type === 'section-nav';
  return page.sections.flatMap((one, index) => (isDrawn(one) ? [index] : []));
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

/**
 * What a rendered page says about itself: its length, its title and description unless they are wrong, and whether it discloses
 * its links.
 */
function listPageNotes(
  html: string,
  { partners }: Content,
  wrong: ReadonlySet<unknown>,
): readonly TextNote[] {
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
    fact(`${formatCount(countWords(plain), 'word')} on the page, ${formatCount(minutes, 'minute')} to read`),
    ...(wrong.has('title')
      ? []
      : [
          isTitleLong
            ? warn(`The title has ${title.length} characters; search results show about ${TITLE_LENGTH}`)
            : fact(`The title has ${title.length} characters`),
        ]),
    ...(wrong.has('description')
      ? []
      : [
          isLength
            ? fact(`The description has ${description.length} characters`)
            : warn(
                `The description has ${description.length} characters; ${min} to ${max} fit search results`,
              ),
        ]),
    links.length === 0
      ? fact('No links to partners, so no disclosure is needed')
      : isDisclosed
        ? fact(`${formatCount(links.length, 'link')} to partners, disclosed above the first`)
        : warn('Links to partners without a disclosure above the first of them'),
  ];
}

/** What the colors of a brand are like to read; empty for colors that are shipped. */
const describeContrasts = (brand: Content['brand']): readonly TextNote[] =>
  buildBrandStyles(brand).contrasts.map(({ field, ratio, what, isEnough }) => ({
    kind: isEnough ? 'fact' : 'warning',
    text: `${capitalize(field.replace('colors.', ''))} ${what}: ${ratio.toFixed(1)}:1, ${isEnough ? 'readable' : 'too little, text needs 4.5:1'}`,
    line: null,
  }));

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
 * The only script of a preview. Beside the editor it tells it what was found, and scrolls to the part that is edited. A page is
 * the desk of its sections: each is chosen by a click or by key, has its tools, and its texts are written in place. Alone, in a
 * tab, it does nothing.
 */
const SCRIPT = `(() => {
  if (parent === window) return;
  const notes = JSON.parse(document.getElementById('preview-notes').textContent);
  const main = document.querySelector('main');
  const parts = [...main.children].filter(({ tagName }) => !/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(tagName));
  const headings = [...document.querySelectorAll('.article-body :is(h2, h3, h4, h5, h6)')];
  const { sections, names = [], texts = [] } = notes;
  const make = (name, attributes, text = '') => {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    made.textContent = text;
    return made;
  };
  // What cannot be drawn yet is a place.
  for (const { section, text } of notes.places ?? []) {
    const place = parts[sections.indexOf(section)];
    place.textContent = text;
    place.style.cssText = 'margin:1rem;padding:3rem 1rem;border:2px dashed #b26a00;text-align:center';
  }
  const send = (message) => parent.postMessage({ preview: true, ...message }, '*');
  // The links lead nowhere, and a page is one stop of the keyboard, which scrolls it and shows its focus.
  for (const stop of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'))
    stop.tabIndex = -1;
  document.body.style.outline = 'none';
  if (names.length === 0) document.body.tabIndex = 0;
  let marked;
  let chosen = -1;
  // What was moved is drawn anew: until then, only keys are taken.
  let isOld = false;
  const mark = (part) => {
    if (marked) marked.style.outline = '';
    marked = part;
    if (!part) return;
    part.style.outline = '3px solid #b26a00';
    part.style.outlineOffset = '-3px';
  };

  // Texts that are fields: those that the server has marked, and those that stand in their section once.
  const offer = (element, index) => {
    const { value, placeholder, isDraft } = texts[index];
    if (element.closest('button, [data-field]') || element.textContent.trim() !== (value || placeholder)) return;
    element.dataset.field = index;
    element.setAttribute('contenteditable', 'plaintext-only');
    element.tabIndex = -1;
    if (!value || isDraft) element.style.opacity = 0.6;
  };
  for (const found of document.querySelectorAll('wbr[data-text]')) {
    const { parentElement } = found;
    found.remove();
    parentElement.normalize();
    offer(parentElement, found.dataset.text);
  }
  sections.forEach((section, at) => {
    const words = new Map();
    for (const one of parts[at]?.querySelectorAll('*') ?? []) {
      const word = one.textContent.trim();
      const others = words.get(word) ?? [];
      words.set(word, [...others.filter((other) => !other.contains(one)), one]);
    }
    texts.forEach(({ section: own, value }, index) => {
      const found = own === section && value ? (words.get(value) ?? []) : [];
      if (found.length === 1 && texts.filter((one) => one.section === own && one.value === value).length === 1)
        offer(found[0], index);
    });
  });

  // The tools of the section that is chosen, and where one can be added.
  const host = make('div', { role: 'region', 'aria-label': 'Tools of the sections' });
  host.style.cssText = 'position: absolute; inset: 0 0 auto; z-index: 2147483647';
  const root = host.attachShadow({ mode: 'open' });
  // The header of the page stays in view.
  const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    div, button { font: 600 15px/1.2 system-ui, sans-serif; }
    button { min-width: 44px; min-height: 44px; padding: 0 10px; border: 0; border-radius: 6px; background: none; color: #fff; cursor: pointer; }
    button:hover { background: #444; }
    button:focus-visible { outline: 3px solid #fff; outline-offset: -4px; }
    .bar { position: fixed; z-index: 9; display: flex; border-radius: 8px; background: #1d1d1d; box-shadow: 0 2px 12px #0006; }
    .bar > span { align-self: center; padding: 8px; color: #fff; cursor: grab; touch-action: none; }
    .add { position: absolute; z-index: 8; left: calc(50% - 22px); border-radius: 22px; background: #1d1d1d; opacity: .35; font-size: 22px; }
    .add:is(:hover, :focus-visible, [data-near]) { opacity: 1; }
    .add:focus-visible { outline: 3px solid #b26a00; outline-offset: 2px; }
    hr { position: absolute; z-index: 9; left: 0; right: 0; margin: 0; border: 3px solid #b26a00; }
    [hidden] { display: none; }
    @media (max-width: 640px) {
      .bar { right: 4px !important; left: 4px; }
      .bar > span { display: none; }
      .bar button { flex: auto; min-width: 0; padding: 0 2px; font-size: 14px; }
      /* In the margin, smaller than what is tapped, and only where a section is chosen: it covers no words. */
      .add { left: auto; right: 0; padding: 8px; background-clip: content-box; }
      .add:not([data-near], :focus-visible) { display: none; }
    }
    @media (forced-colors: active) { button, .bar { border: 1px solid; } }
  \`);
  root.adoptedStyleSheets = [sheet];
  const bar = make('div', { role: 'toolbar', class: 'bar', hidden: '' });
  const grip = make('span', { 'aria-hidden': 'true', title: 'Drag' }, '\\u283f');
  const line = make('hr', { hidden: '' });
  bar.append(grip);
  const act = (kind, more) => {
    send({ act: kind, ...more });
    if (kind !== 'open') isOld = true;
  };
  const add = (at) => send({ act: 'add', at });
  const kinds = [['open', 'Settings'], ['add', 'Add', 'Add a section below'], ['up', 'Up', 'Move up'], ['down', 'Down', 'Move down'], ['copy', 'Duplicate'], ['remove', 'Remove']];
  const tools = kinds.map(([kind, name, label = name], index) => {
    const button = make('button', { type: 'button', 'data-act': kind, 'aria-label': label, tabindex: index === 0 ? 0 : -1 }, name);
    button.addEventListener('click', () => (kind === 'add' ? add(chosen + 1) : act(kind)));
    return button;
  });
  bar.append(...tools);
  // One stop of the keyboard.
  bar.addEventListener('keydown', (event) => {
    const usable = tools.filter(({ disabled }) => !disabled);
    const now = usable.indexOf(event.target);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    for (const tool of tools) tool.tabIndex = -1;
    const next = usable.at(to % usable.length);
    next.tabIndex = 0;
    next.focus();
  });
  const adds = names.length === 0 ? [] : [...sections, null].map((section, at) => {
    const name = section === null ? 'Add a section at the end' : 'Add a section above ' + names[section];
    const button = make('button', { type: 'button', class: 'add', 'aria-label': name, title: name, tabindex: '-1' }, '+');
    button.addEventListener('click', () => add(section ?? (sections.at(-1) ?? -1) + 1));
    return button;
  });
  root.append(bar, ...adds, line);
  document.body.append(host);
  const measure = (at) => {
    const { top = 0, bottom = 0 } = (parts[at] ?? parts[sections.length - 1])?.getBoundingClientRect() ?? {};
    return scrollY + (at < sections.length ? top : bottom);
  };
  const place = () => {
    adds.forEach((button, at) => {
      button.style.top = Math.max(2, measure(at) - 22) + 'px';
    });
    const at = sections.indexOf(chosen);
    bar.hidden = at < 0;
    if (at < 0) return;
    const { top, bottom, right } = parts[at].getBoundingClientRect();
    // On phones, it is as wide as the page and stands above the section, on the header rather than on the words.
    const [above, least] = innerWidth > 640 ? [6, padding + 6] : [-50, 6];
    bar.style.top = Math.max(least, Math.min(top + above, innerHeight - 56)) + 'px';
    bar.style.right = Math.max(6, document.documentElement.clientWidth - right + 6) + 'px';
    bar.style.visibility = bottom < 60 || top > innerHeight - 60 ? 'hidden' : '';
  };
  const choose = (section) => {
    chosen = section;
    const own = sections.indexOf(section);
    mark(parts[own]);
    sections.forEach((_, at) => {
      parts[at].tabIndex = at === Math.max(0, own) ? 0 : -1;
    });
    // What is written in is a stop by itself.
    for (const text of document.querySelectorAll('[data-field]'))
      if (parts[own]?.contains(text)) text.removeAttribute('tabindex');
      else text.tabIndex = -1;
    adds.forEach((button, at) => {
      const isNear = own >= 0 && (at === own || at === own + 1);
      button.toggleAttribute('data-near', isNear);
    });
    // What is folded is written too.
    for (const fold of parts[own]?.querySelectorAll('details') ?? []) {
      fold.removeAttribute('name');
      fold.open = true;
    }
    bar.setAttribute('aria-label', 'Tools of ' + names[section]);
    for (const [kind, end] of [['up', 0], ['down', names.length - 1]])
      bar.querySelector('[data-act=' + kind + ']').disabled = section === end;
    bar.querySelector('[data-act=remove]').disabled = names.length === 1;
    place();
  };
  if (names.length > 0) {
    sections.forEach((section, at) => {
      parts[at].setAttribute('role', 'group');
      parts[at].setAttribute('aria-label', 'Section ' + names[section]);
    });
    choose(-1);
    new ResizeObserver(place).observe(main);
    document.addEventListener('focusin', ({ target }) => {
      const section = sections[parts.findIndex((one) => one.contains(target))];
      if (isOld || section === undefined || section === chosen) return;
      choose(section);
      send({ section });
    });
    // What is there to be replaced is selected as a whole, by a click too.
    for (const kind of ['focusin', 'click'])
      document.addEventListener(kind, ({ target }) => {
        if (target.style.opacity === '0.6') getSelection().selectAllChildren(target);
      });
    grip.addEventListener('pointerdown', (down) => {
      grip.setPointerCapture(down.pointerId);
      let to = -1;
      const move = ({ clientY }) => {
        if (clientY < 50 || clientY > innerHeight - 50) scrollBy(0, clientY < 50 ? -24 : 24);
        const all = adds.map((_, at) => Math.abs(measure(at) - scrollY - clientY));
        to = all.indexOf(Math.min(...all));
        line.hidden = false;
        line.style.top = measure(to) - 3 + 'px';
      };
      grip.addEventListener('pointermove', move);
      grip.addEventListener('lostpointercapture', () => {
        grip.removeEventListener('pointermove', move);
        line.hidden = true;
        if (to >= 0) act('move', { at: sections[to] ?? (sections.at(-1) ?? -1) + 1 });
      }, { once: true });
    });
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if (typeof data.top === 'number') scrollTo({ top: data.top, behavior: 'instant' });
    const part = data.section === undefined ? headings[data.heading] : parts[sections.indexOf(data.section)];
    if (names.length > 0) choose(part ? data.section : -1);
    else mark(part);
    if (!part) return;
    // In Firefox, scrollIntoView scrolls the form around the frame too.
    const { top, bottom } = part.getBoundingClientRect();
    if (data.isScrolled && !(data.isFocused && top >= 0 && bottom <= innerHeight)) scrollBy({ top: top - padding, behavior: 'instant' });
    if (data.isFocused) part.focus({ preventScroll: true });
  });
  let isFirst = true;
  let written;
  const write = (target) => {
    const index = target.dataset.field;
    if (isOld || index === undefined) return;
    target.style.opacity = '';
    const parts = [...document.querySelectorAll('[data-field="' + index + '"]')].map((part) => part.textContent.replace(/\\s+/g, ' ').trim());
    written = { index, text: parts.filter(Boolean).join('\\n\\n') };
    const { at, value } = texts[index];
    send({ at, value, text: written.text, isFirst });
    isFirst = false;
  };
  addEventListener('input', ({ target }) => write(target));
  addEventListener('focusin', ({ target }) => target.isContentEditable && send({ isBegun: true }));
  addEventListener('focusout', ({ relatedTarget }) => {
    // What is written there next is in place of this.
    if (written) texts[written.index].value = written.text;
    written = undefined;
    isFirst = true;
    if (!relatedTarget?.isContentEditable) send({ isDone: true });
  });
  // The words behind the caret are a paragraph of their own.
  const divide = (text) => {
    const next = text.cloneNode();
    const behind = getSelection().getRangeAt(0);
    behind.deleteContents();
    behind.setEndAfter(text.lastChild ?? text);
    next.append(behind.extractContents().textContent);
    text.after(next);
    write(text);
    next.focus();
  };
  addEventListener('keydown', (event) => {
    const { target, key, altKey, isComposing } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = key.toLowerCase();
    const own = parts[sections.indexOf(chosen)];
    const isText = target.isContentEditable;
    const go = (step) => {
      const at = parts.indexOf(target) + step;
      if (sections[at] !== undefined) parts[at].focus();
    };
    const isPart = names.length > 0 && (target === own || (isOld && target !== host));
    const keys = {
      's': isCommand && (() => send({ isSaved: true })),
      'z': isCommand && (() => act(event.shiftKey ? 'redo' : 'undo')),
      'y': isCommand && (() => act('redo')),
      'd': isCommand && isPart && (() => act('copy')),
      'enter': !isComposing && (isText && texts[target.dataset.field].isProse && target.tagName === 'P' && !target.closest('li, blockquote') ? () => divide(target) : isText ? () => (own ?? document.body).focus({ preventScroll: true }) : isPart && (() => act('open'))),
      'escape': isText && (() => (own ?? document.body).focus({ preventScroll: true })),
      'arrowup': altKey ? () => act('up') : isPart && (() => go(-1)),
      'arrowdown': altKey ? () => act('down') : isPart && (() => go(1)),
      '/': isPart && (() => add(chosen + 1)),
      'delete': isPart && names.length > 1 && (() => act('remove')),
    };
    const does = Object.hasOwn(keys, letter) && (names.length > 0 || letter === 's') && keys[letter];
    if (!does) return;
    event.preventDefault();
    does();
  });
  addEventListener('scroll', () => {
    send({ top: scrollY });
    place();
  }, { passive: true });
  addEventListener('resize', place);
  addEventListener('click', (event) => {
    const { target } = event;
    // A fold is opened beside its words, which are written in.
    if (target.closest('a') || (target.closest('summary') && document.activeElement.isContentEditable)) event.preventDefault();
    if (target.isContentEditable || isOld) return;
    const at = parts.findIndex((one) => one.contains(target));
    if (names.length > 0 && sections[at] !== undefined) parts[at].focus({ preventScroll: true });
  });
  send({ notes });
})();`;
const SCRIPT_HASH = hashInline(SCRIPT);
