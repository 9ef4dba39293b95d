import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findAuthor } from '../../core/articles/article.ts';
import type { FieldProblem } from '../../core/articles/front-matter.schema.ts';
import { listShortcodes } from '../../core/articles/shortcodes.ts';
import { NO_PARTNER } from '../../core/outbound/cta.ts';
import {
  type AgedFigures,
  describeAgedCharges,
  type Figures,
  fillFigures,
  listNames,
} from '../../core/pages/claims/placeholders.ts';
import { boundProblems } from '../../core/pages/content.ts';
import { findDraftPlaceholder } from '../../core/pages/drafts.ts';
import { findContentImage, type ImageCatalog } from '../../core/pages/images/content-image.ts';
import { parseShortcode } from '../../core/pages/sections/shortcode.schema.ts';
import { buildLog } from '../../core/pages/updates.ts';
import { type ImageProblem, placeImages, renderMarkdown } from '../../sources/articles/html/prepare-body.ts';
import { buildDashed } from '../read-pages.ts';
import { isBeingConverted, readNames, readTextFile } from '../read-text-file.ts';
import { type ArticleFile, packArticle, parseArticleFile } from './article-file.ts';
import type { ArticleFiles, ArticleReferences, InvalidFile, ReadFiles } from './article-folder.ts';

/** Markdown that can render to an image: its own form, and HTML. */
const MAY_HAVE_IMAGE = /!\[|<img/i;
const AUTHOR_KEY = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;

/** Thrown when article files are invalid; the message has one line for each file, field and reason. */
export class ArticleFilesError extends Error {
  override readonly name = 'ArticleFilesError';

  constructor(invalid: readonly InvalidFile[]) {
    const lines = invalid.flatMap(({ file, problems }) =>
      problems.map(({ field, reason }) => `  ${file}: ${field} ${reason}`),
    );
    const count = invalid.length === 1 ? '1 file is' : `${invalid.length} files are`;
    super(`[articles:files] ${count} invalid\n${lines.join('\n')}`);
  }
}

/** Reads every `*.md` of a folder. Throws one `ArticleFilesError` for all invalid files. */
export function readArticleFiles(dir: string, references: ArticleReferences): readonly ArticleFile[] {
  const { files, leftOut, warnings } = readFiles(dir, references, null);
  const invalid = [...leftOut, ...warnings].map(({ file, problems }) => ({
    file: path.join(dir, file),
    problems,
  }));
  if (invalid.length > 0) throw new ArticleFilesError(invalid);
  return files;
}

/** Lists the slugs of the article files of a folder, valid or not; none when there is no folder. */
export function listArticleSlugs(dir: string): string[] {
  return listFiles(dir).map((name) => name.slice(0, -'.md'.length));
}

/**
 * Reads a folder as it can be shown. A file that is wrong stays as it is `shown`, or is left out when nothing of it is; null:
 * at a start, when articles have no images that are not there.
 */
function readFiles(
  dir: string,
  references: ArticleReferences,
  shown: ReadonlyMap<string, ArticleFile> | null,
): ReadFiles & { readonly unread: readonly InvalidFile[] } {
  const files: ArticleFile[] = [];
  const waiting: InvalidFile[] = [];
  const leftOut: InvalidFile[] = [];
  const warnings: InvalidFile[] = [];
  const unread: InvalidFile[] = [];
  const refuse = (name: string, problems: readonly FieldProblem[]) => {
    const before = shown?.get(name.replace(/\.md$/, ''));
    if (before !== undefined) files.push(before);
    (before === undefined ? leftOut : waiting).push({ file: name, problems });
  };
  const { problem } = readNames(dir);
  if (problem !== undefined) {
    files.push(...(shown?.values() ?? []));
    (files.length > 0 ? waiting : leftOut).push({
      file: '',
      problems: [{ field: 'the folder', reason: problem }],
    });
  }
  for (const name of listMisnamed(dir))
    refuse(name, [{ field: 'the file', reason: 'is not read: its ending has to be .md' }]);
  for (const name of listFiles(dir)) {
    const source = readTextFile(dir, name);
    const read =
      'problem' in source
        ? { file: null, problems: [{ field: 'the file', reason: source.problem }], images: [], former: [] }
        : readArticleText(name, source.text, references);
    const { file: article, images } = read;
    const wrong = [...read.problems, ...images.filter(({ needsBuild }) => !needsBuild)];
    const missing = images.filter(({ needsBuild }) => needsBuild);
    // Until an image is there, a new version waits for it.
    const before = shown?.get(article?.slug ?? '');
    const isShown = before !== undefined && isDeepStrictEqual(before, article);
    const isWaiting = missing.length > 0 && shown !== null && !isShown;
    if (article === null || wrong.length > 0 || isWaiting)
      refuse(name, isWaiting ? [...wrong, ...missing] : wrong);
    else {
      // The texts of all files twice can be more memory than a small machine has.
      files.push(isShown ? before : packArticle(article));
      if (read.former.length > 0) unread.push({ file: name, problems: read.former });
      const problems = missing.filter(({ reason }) => !isBeingConverted(path.dirname(dir), reason));
      if (problems.length > 0) warnings.push({ file: name, problems });
    }
  }
  return { files, waiting, leftOut, warnings, unread };
}

/** Parses and checks the text of an article file. */
export function readArticleText(name: string, text: string, references: ArticleReferences) {
  const read = parseArticleFile(name, text);
  if ('problems' in read) return { file: null, problems: read.problems, images: [], former: [] };
  const unknown: FieldProblem[] = [];
  const { figures, aged, products } = references;
  const checked = fillArticle(read.file, aged?.listed ?? figures, unknown);
  const problems = boundProblems([
    ...unknown,
    ...checkReferences(checked, references),
    ...checkShortcodes(checked, products),
  ]);
  const shown = aged === undefined ? checked : showAged(read.file, checked, references, aged);
  const { updates, publishedAt } = shown.front;
  const log = buildLog(updates, read.file, aged?.changes ?? new Map(), publishedAt.slice(0, 10));
  const file = { ...shown, front: { ...shown.front, updates: [...log] } };
  const images = boundProblems(checkImages(file, references.images));
  return { file, problems, images, former: read.former };
}

/** Files that are meant to be read and would be ignored. */
function listMisnamed(dir: string): string[] {
  return readNames(dir).names.filter((name) => /\.(?:md|mdx|markdown)$/i.test(name) && !name.endsWith('.md'));
}

/** Git keeps no empty folder: a site without articles has none. */
function listFiles(dir: string): string[] {
  return readNames(dir).names.filter((name) => name.endsWith('.md'));
}

/** The files of a folder, read again with every call. */
export function openArticleFolder(dir: string): ArticleFiles {
  return {
    read: (references) => readArticleFiles(dir, references),
    readShown(references, shown) {
      const { unread, ...read } = readFiles(dir, references, shown);
      return { ...read, warnings: [...read.warnings, ...unread] };
    },
    listSlugs: () => listArticleSlugs(dir),
  };
}

/** Reports shortcodes that cannot be shown. */
function checkShortcodes({ markdown }: ArticleFile, products: ArticleReferences['products']): FieldProblem[] {
  if (products === undefined || !markdown.includes('{{')) return [];
  const shortcodes = listShortcodes(markdown);
  const problems = shortcodes.flatMap((shortcode) => {
    const parsed = parseShortcode(shortcode, products);
    return typeof parsed === 'string' ? [{ field: 'body', reason: parsed }] : [];
  });
  const isRepeated = shortcodes.filter(({ type }) => type === 'newsletter').length > 1;
  return isRepeated ? [...problems, { field: 'body', reason: 'has more than one {{newsletter}}' }] : problems;
}

/** What readers see of an article that is valid with the figures as listed, with a note on charges past their age. */
function showAged(
  written: ArticleFile,
  checked: ArticleFile,
  { figures, products }: ArticleReferences,
  aged: AgedFigures,
): ArticleFile {
  if (figures === undefined) return checked;
  const names = listNames(written.markdown);
  const isSame = names.every((name) => figures.get(name) === aged.listed.get(name));
  const filled = isSame ? checked : fillArticle(written, figures, []);
  // Where `see price` is too long for a shortcode, a dash stands for the price.
  const hasRoom = isSame || checkShortcodes(filled, products).length === 0;
  const shown = hasRoom ? filled : fillArticle(written, buildDashed(figures), []);
  const front = fillArticle(written, figures, []).front;
  return { ...shown, front, markdown: noteAgedCharges(written.markdown, shown.markdown, aged) };
}

/** Adds the day of the charges past their age at the end of each part of an article, from heading to heading. */
function noteAgedCharges(written: string, shown: string, aged: AgedFigures): string {
  const parts = splitAtHeadings(shown);
  const notes = describeAgedCharges(splitAtHeadings(written), aged);
  if (notes.length !== parts.length || notes.every((note) => note === '')) return shown;
  return parts
    .map((part, index) => (notes[index] ? `${part.trimEnd()}\n\n_${notes[index]}_\n\n` : part))
    .join('');
}

/** Splits Markdown before its headings, outside of code. */
function splitAtHeadings(markdown: string): readonly string[] {
  let isCode = false;
  const parts = [''];
  for (const line of markdown.split(/(?<=\n)/)) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) parts.push(line);
    else parts.push(parts.pop() + line);
  }
  return parts;
}

/** Puts the figures into an article; braces around other words stay as they are. */
function fillArticle(file: ArticleFile, figures: Figures | undefined, problems: FieldProblem[]): ArticleFile {
  if (figures === undefined) return file;
  const groups = new Set([...figures.keys()].map((name) => name.split(':', 1)[0]));
  const report = (name: string, field: string) => {
    if (groups.has(name.split(':', 1)[0])) problems.push({ field, reason: `nothing is called {${name}}` });
  };
  const { front, markdown } = file;
  return {
    ...file,
    front: fillFigures(front, figures, (name, path) => report(name, path.join('.'))),
    markdown: fillFigures(markdown, figures, (name) => report(name, 'body')),
  };
}

function checkReferences({ front, markdown }: ArticleFile, { partners, authors }: ArticleReferences) {
  const problems: FieldProblem[] = [];
  if (front.partner && front.partner !== NO_PARTNER && partners && !partners.has(front.partner)) {
    problems.push({
      field: 'partner',
      reason: `must be one of ${[...partners].join(', ')}, or ${NO_PARTNER}`,
    });
  }
  // A name may be that of a guest; only a key has no spaces and capitals.
  if (front.author && authors && AUTHOR_KEY.test(front.author) && !findAuthor(authors, front.author)) {
    problems.push({ field: 'author', reason: `names no author of the site: "${front.author}"` });
  }
  if (!front.draft) problems.push(...findPlaceholders(front, markdown));
  return problems;
}

function checkImages({ front, markdown }: ArticleFile, images: ImageCatalog): ImageProblem[] {
  const problems: ImageProblem[] = [];
  const featured = front.image && findContentImage(front.image.src, images);
  if (featured && 'problem' in featured) {
    const { problem: reason, needsBuild } = featured;
    problems.push({ field: 'image.src', reason, needsBuild, written: '' });
  }
  // Rendering takes milliseconds an article: at the start of a site with thousands, most have no image to check.
  if (MAY_HAVE_IMAGE.test(markdown)) problems.push(...placeImages(renderMarkdown(markdown), images).problems);
  return problems;
}

/** Reports the texts of a published article that `signpost new` wrote for the author to replace. */
function findPlaceholders({ excerpt, seoDescription }: ArticleFile['front'], body: string): FieldProblem[] {
  return Object.entries({ excerpt, seoDescription, body }).flatMap(([field, text]) => {
    const reason = findDraftPlaceholder(text ?? '');
    return reason === null ? [] : [{ field, reason }];
  });
}
