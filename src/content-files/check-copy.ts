import path from 'node:path';
import { hasPlaceholderCode } from '../core/outbound/partner.ts';
import { findClaimantFaults } from '../core/pages/claims/claimant-rules.ts';
import {
  type CopyFault,
  type CopyScope,
  countHedging,
  findCopyFaults,
} from '../core/pages/claims/copy-rules.ts';
import { listTexts, type TextPath } from '../core/pages/claims/placeholders.ts';
import { findLooseAmounts } from '../core/pages/claims/price-rules.ts';
import {
  findMisquote,
  findMissingNumbers,
  type QuotationFault,
} from '../core/pages/claims/quotation-rules.ts';
import { type Content, describeField } from '../core/pages/content.ts';
import { listUsingFiles } from '../core/pages/content-uses.ts';
import { findProductOf } from '../core/products/product.ts';
import { parseArticleFile } from './articles/article-file.ts';
import { ParsedFiles } from './content-folder.ts';
import { findKind, isOfKind } from './kinds.ts';
import { parseYaml } from './parse-yaml.ts';
import { readNames, readTextFile } from './read-text-file.ts';

/** Something in the copy of a file that has to be rewritten. */
export interface CopyFinding {
  readonly kind: CopyFault['kind'] | 'amount' | 'claimant' | 'offer' | 'quotation' | 'review' | 'rule';
  /** `content/pages/help.yaml:12`, without the line where it is not known. */
  readonly file: string;
  readonly text: string;
  /** true: a rule that keeps a piece from being published. */
  readonly isError?: boolean;
}

const SHOWN_FOLDERS = ['articles', 'pages'];

type Parse = () => ReturnType<ParsedFiles['read']>;

/** Finds amounts of money next to the name of a product that no figure of the content has and no label explains. */
export function checkAmounts(root: string, content: Content, parsed = new ParsedFiles(root)): CopyFinding[] {
  return checkTexts(root, SHOWN_FOLDERS, (file, text) =>
    checkAmountText(file, text, content, () => parsed.read(file)),
  );
}

/** As `checkAmounts`, for the text of one file. `file`: below the content folder. */
export function checkAmountText(
  file: string,
  text: string,
  { products, aged }: Content,
  parse: Parse = () => parseYaml(text),
): CopyFinding[] {
  if (/^draft: true$/m.test(text)) return [];
  const names = [...products.values()].map(({ name }) => name);
  const known = new Set(
    [...aged.listed.values()].flatMap((figure) => figure.match(/[$€£]\d[\d,]*(?:\.\d+)?/g) ?? []),
  );
  return listCopy(file, text, parse).flatMap(({ text: copy, findLine }) =>
    findLooseAmounts(copy, names, known).map(
      ({ amount, product, line }): CopyFinding => ({
        kind: 'amount',
        file: `content/${file}:${findLine() + line - 1}`,
        text: `"${amount}" next to ${product}: name a figure of a product or a claim, cite a source, or call it an example`,
      }),
    ),
  );
}

/**
 * Finds pull quotes that are not in the article or page that they name, and numbers of an article's excerpt, description or
 * *In short*, or of a page's description, that are not in its text.
 */
export function checkQuotations(root: string): CopyFinding[] {
  return checkTexts(root, SHOWN_FOLDERS, (file, text) => checkQuotationText(root, file, text));
}

/** As `checkQuotations`, for the text of one file. `file`: below the content folder. */
export function checkQuotationText(root: string, file: string, text: string): CopyFinding[] {
  const buildFinding = (field: string, { found, there }: QuotationFault, of: string): CopyFinding => ({
    kind: 'quotation',
    file: `content/${file}`,
    text: `${field}: "${found}" is not in ${of}${there === '' ? '' : `, whose nearest words are: "${there}"`}`,
  });
  const check = (field: string, summary: string | undefined, source: string) =>
    findMissingNumbers(summary ?? '', source).map((fault) => buildFinding(field, fault, 'its text'));
  if (file.endsWith('.md')) {
    const read = parseArticleFile(path.basename(file), text);
    if ('problems' in read) return [];
    const { front, markdown } = read.file;
    const { excerpt, seoDescription, short = [] } = front;
    return [
      ...check('excerpt', excerpt, markdown),
      ...check('seoDescription', seoDescription, markdown),
      ...short.flatMap((line, index) => check(`short ${index + 1}`, line, markdown)),
    ];
  }
  const parsed = parseYaml(text);
  const page = Object('value' in parsed ? parsed.value : null);
  const sections = readSections(text);
  const shown = listTexts(sections).map((one) => one.text);
  return [
    ...check(
      'description',
      typeof page.description === 'string' ? page.description : undefined,
      shown.join('\n'),
    ),
    ...sections.flatMap((section, index): CopyFinding[] => {
      const { type, text: quote, source } = Object(section);
      if (type !== 'quote' || typeof quote !== 'string') return [];
      const quoted = readQuoted(root, String(Object(source).href));
      const fault = quoted === null ? null : findMisquote(quote, quoted);
      return fault === null ? [] : [buildFinding(`section ${index + 1}, text`, fault, String(source.href))];
    }),
  ];
}

/** Finds pages that are called a review, or carry stars, although no test with a picture of it is behind them. */
export function checkReviews(root: string, content: Content): CopyFinding[] {
  return checkTexts(root, ['pages'], (file, text) => checkReviewText(file, text, content));
}

/** A title or a heading that calls its page a review; not the verb, nor customers' reviews as a subject. */
const REVIEW = /\breviews?\b(?!\s+(?:the|your|each|every|it|requests?)\b)/i;
const REVIEW_HEADING = /^#{2,}.*\breviews?\b/im;
const TITLES: ReadonlySet<unknown> = new Set(['title', 'kicker', 'brand']);

/** As `checkReviews`, for the text of one file. `file`: below the content folder. */
export function checkReviewText(file: string, text: string, { site, products }: Content): CopyFinding[] {
  const parsed = parseYaml(text);
  const page = Object('value' in parsed ? parsed.value : null);
  const [, path] = /^pages(\/.+)\.yaml$/.exec(file) ?? [];
  if (path === undefined || page.draft === true || site.untestedRatings.includes(path)) return [];
  const sections = readSections(text);
  const about = findProductOf(products, Object(page.cta).partner ?? site.promotedPartner);
  const shown = [about, ...sections.map(({ product }) => products.get(String(product)))];
  if (shown.some((one) => one?.tested?.evidence.some(({ image }) => image !== undefined))) return [];
  const isNaming = (words: string, at: TextPath) =>
    at.at(-1) === 'body' ? REVIEW_HEADING.test(words) : TITLES.has(at.at(-1)) && REVIEW.test(words);
  const paths: TextPath[] = [
    ...listTexts(page).flatMap((one) =>
      one.path.length <= 3 && isNaming(one.text, one.path) ? [one.path] : [],
    ),
    ...sections.flatMap((section, index) => (hasUntestedStars(section) ? [['sections', index]] : [])),
  ];
  const reason = 'a review and stars need a product with `tested` and an image in its evidence';
  return paths.map((at) => ({
    kind: 'review',
    file: `content/${file}`,
    text: `${describeField(page, at)}: ${reason}`,
  }));
}

/** Scores of the site's own, and stars of customers who do not exist. */
function hasUntestedStars({ type, figure, items }: Section): boolean {
  if (type === 'testimonials')
    return (
      Array.isArray(items) && items.some(({ rating, sample }) => rating !== undefined && sample === true)
    );
  return type === 'ratings' || (type === 'hero' && Object(figure).kind === 'rating');
}

/** A verdict for none of the platforms. */
const FOR_NONE = /\bfor [^.!?]+, neither\./i;

/** Finds articles whose offer is for a partner that their text never names, or whose verdict is *neither*. */
export function checkOffers(root: string, { partners }: Content): CopyFinding[] {
  return checkTexts(root, ['articles'], (file, text) => {
    const read = parseArticleFile(path.basename(file), text);
    if ('problems' in read) return [];
    const { front, markdown } = read.file;
    const partner = partners.get(front.partner ?? '');
    const problem =
      partner === undefined || front.draft
        ? null
        : FOR_NONE.test(markdown)
          ? `its verdict is "neither", so its offer for ${partner.name} does not fit: write partner: none`
          : markdown.toLowerCase().includes(partner.name.toLowerCase())
            ? null
            : `its offer is for ${partner.name}, which its text never names: name another partner, or none`;
    return problem === null ? [] : [{ kind: 'offer', file: `content/${file}`, text: problem }];
  });
}

/** Finds sentences of pages and settings that give a claim to someone who has not made it. */
export function checkClaimants(root: string, content: Content): CopyFinding[] {
  return checkTexts(root, ['', 'articles', 'pages'], (file, text) => {
    const parsed = file.endsWith('.md') ? { value: { body: text } } : parseYaml(text);
    if (!('value' in parsed)) return [];
    const { sections, ...rest } = Object(parsed.value);
    const parts = Array.isArray(sections)
      ? sections.map((value, index) => ({ value, at: ['sections', index] }))
      : [];
    return [...parts, { value: rest, at: [] }].flatMap(({ value, at }) =>
      findClaimantFaults(value, content).map(
        ({ path: field, found }): CopyFinding => ({
          kind: 'claimant',
          file: `content/${file}`,
          text: `${describeField(parsed.value, [...at, ...field])}: gives a claim to "${found}", whose it is not by its \`claimedBy\``,
        }),
      ),
    );
  });
}

/** The text of the article or page at a path; null for a file that is missing, which other checks report. */
function readQuoted(root: string, href: string): string | null {
  const [, slug] = /^\/blog\/([a-z0-9-]+)$/.exec(href) ?? [];
  const read = readTextFile(root, slug === undefined ? `pages${href}.yaml` : `articles/${slug}.md`);
  if ('problem' in read) return null;
  if (slug !== undefined) return read.text;
  const parsed = parseYaml(read.text);
  return 'value' in parsed
    ? listTexts(parsed.value)
        .map((one) => one.text)
        .join('\n')
    : null;
}

/** The texts of a file with their first lines. The head of an article is not copy: it has the sources. */
function listCopy(
  name: string,
  text: string,
  parse: Parse,
): readonly { readonly text: string; readonly findLine: () => number }[] {
  if (name.endsWith('.md')) {
    const front = /^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? '';
    return [{ text: text.slice(front.length), findLine: () => front.split('\n').length }];
  }
  const parsed = parse();
  if (!('value' in parsed)) return [];
  return listTexts(parsed.value).map((one) => ({
    text: one.text,
    findLine: () => parsed.findLine(one.path) ?? 1,
  }));
}

const FOLDERS = ['', 'articles', 'authors', 'claims', 'pages', 'products'];

/** Sections that look like rows under hairlines; two of them in a row look like one list. */
const isRows = ({ type, variant, folded }: Section) =>
  folded !== true && (type === 'outcomes' || type === 'ratings' || (type === 'cards' && variant === 'rows'));

interface Section {
  readonly type?: unknown;
  readonly variant?: unknown;
  readonly folded?: unknown;
  readonly figure?: unknown;
  readonly items?: unknown;
  readonly product?: unknown;
}

/** Checks the copy of every content file of a folder. */
export function checkCopy(root: string, scope: CopyScope = 'all'): CopyFinding[] {
  return checkTexts(root, FOLDERS, (file, text) => checkCopyText(file, text, scope));
}

/** As `checkCopy`, for the text of one file. `file`: below the content folder. */
export function checkCopyText(file: string, text: string, scope: CopyScope = 'all'): CopyFinding[] {
  const name = `content/${file}`;
  return [
    ...findCopyFaults(text, scope).map(({ kind, line, found, advice }) => ({
      kind,
      file: `${name}:${line}`,
      text: `"${found}": ${advice}`,
    })),
    ...(scope === 'all' && isOfKind(file, 'page') ? findRepeatedRows(text, name) : []),
    ...(scope === 'all' ? findHedging(file, text) : []),
  ];
}

/** Finds partners whose code is a placeholder although a file that visitors see leads to them. */
export function checkCodes(root: string, { partners }: Content): CopyFinding[] {
  return [...partners.values()]
    .filter(hasPlaceholderCode)
    .flatMap(({ key, name, affiliate }): CopyFinding[] => {
      const using: string[] = [];
      checkTexts(root, FOLDERS, (file, text) => {
        if (!/^draft: true$/m.test(text)) using.push(...listUsingFiles('partner', key, [{ file, text }]));
        return [];
      });
      const [first] = using;
      if (first === undefined) return [];
      const more = using.length === 1 ? '' : ` and ${using.length - 1} more`;
      const text = `affiliate, value: "${affiliate?.value}" is a placeholder, so links of ${first}${more} to ${name} earn nothing`;
      return [{ kind: 'placeholder', file: `content/partners/${key}.yaml`, text }];
    });
}

function checkTexts(
  root: string,
  folders: readonly string[],
  check: (file: string, text: string) => CopyFinding[],
): CopyFinding[] {
  return folders.flatMap((folder) => {
    const full = path.join(root, folder);
    const names = readNames(full).names.filter((name) => /\.(md|yaml)$/.test(name));
    return names.flatMap((name) => {
      const read = readTextFile(root, path.join(folder, name));
      // The content check reports a file that cannot be read.
      return 'problem' in read ? [] : check(path.posix.join(folder, name), read.text);
    });
  });
}

/** The most of a page's and of an article's words that may be in sentences that hedge, in percent. */
const MAX_HEDGING = { page: 8, article: 4 };
/** Fields that are not read as copy. */
const NOT_READ =
  /^(?:href|src|id|type|kind|variant|background|spacing|layout|partner|partnerLink|source|to|calculator|alt)$/;

function findHedging(file: string, text: string): CopyFinding[] {
  const key = findKind(file)?.key;
  if (key !== 'page' && key !== 'article') return [];
  const texts =
    key === 'page'
      ? listTexts(readSections(text)).filter(({ path: [...at] }) => !NOT_READ.test(String(at.at(-1))))
      : listCopy(file, text, () => parseYaml(text));
  const { words, hedged } = countHedging(texts.map((one) => one.text));
  const percent = (100 * hedged) / words;
  if (!(percent > MAX_HEDGING[key])) return [];
  const advice = `of its words hedge, at most ${MAX_HEDGING[key]}% may: say what is so, and once how it was read`;
  return [{ kind: 'style', file: `content/${file}`, text: `${percent.toFixed(1)}% ${advice}` }];
}

function findRepeatedRows(text: string, file: string): CopyFinding[] {
  const sections = readSections(text);
  return sections.flatMap((section, index) => {
    const before = sections[index - 1];
    if (before === undefined || !isRows(before) || !isRows(section)) return [];
    const advice = 'looks like the section before it, change its type or variant';
    return [{ kind: 'style', file, text: `section ${index + 1} ${advice}` }];
  });
}

/** The sections of a page; none when the file is invalid, which the content check reports. */
function readSections(text: string): readonly Section[] {
  const parsed = parseYaml(text);
  const { sections } = Object('value' in parsed ? parsed.value : null);
  return Array.isArray(sections) ? sections.map((section) => Object(section)) : [];
}
