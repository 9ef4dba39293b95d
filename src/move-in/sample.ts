import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ContentJournal } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { listContentFiles, locateSource, readShippedHashes } from '../content-files/site-folder.ts';
import type { Look } from '../core/pages/brand/brand.schema.ts';
import type { Product } from '../core/products/product.ts';
import { MoveInError } from './former-item.ts';

const TEMPLATE = 'commands/new/site-template';
const SITE = 'site.yaml';
const EXAMPLE = 'example';

const MISSING = new MoveInError(
  `src/${TEMPLATE} is missing beside the program, so that the sample cannot be told apart.`,
);

/** What becomes of the sample that a site ships with when another one moves in. */
export interface SamplePlan {
  /** Files of the sample that are as they shipped, below the content folder: they are removed, or written anew. */
  readonly shipped: ReadonlySet<string>;
  /** Files of the sample that were edited: they stay. */
  readonly edited: readonly string[];
  /**
   * The files of a site without products and partners, whose assessment names the partner of this key; null: none yet. A site that has a name keeps it, unless `kind` is chosen too.
   */
  readonly build: (partner: string | null, site: NamedSite, day: string) => ReadonlyMap<string, string>;
}

/** What an empty site begins with, as far as it was chosen. */
export interface NamedSite {
  readonly name: string;
  /** What it is about, on one line. */
  readonly about?: string;
  /** What new products are, and in what their prices are. */
  readonly kind?: Product['kind'] | undefined;
  readonly currency?: string;
  readonly look?: Look;
}

/** Fills in the marks of a file of the template, whose texts are in double quotes, which escape like JSON. */
export function fillTemplate(text: string, site: NamedSite, day: string): string {
  const { name, about = 'Say here what the site helps with', kind = 'physical' } = site;
  const { currency = 'USD', look = 'signpost' } = site;
  const billed = kind === 'software' ? 'monthly' : 'once';
  const marks = { name, about, kind, currency, look, billed, day, year: day.slice(0, 4) };
  return text.replace(
    /\{\{(name|about|kind|currency|look|billed|day|year)\}\}/g,
    (_, mark: keyof typeof marks) => JSON.stringify(marks[mark]).slice(1, -1),
  );
}

/**
 * Puts an empty site in the place of the sample. Returns the files that have changed. Throws `MoveInError` when the content is
 * the operator's own already, and `JournalError` when it cannot be written.
 */
export function startEmpty(
  contentDir: string,
  journal: ContentJournal,
  site: NamedSite,
  day: string,
): readonly string[] {
  const sample = findSample(contentDir);
  if (sample === null || sample.edited.length > 0)
    throw new MoveInError('This site has content of its own, so nothing was changed.');
  const next = sample.build(null, site, day);
  const staged = journal.begin();
  try {
    const gone = [...sample.shipped].filter((file) => !next.has(file));
    for (const file of gone) staged.add(file, null);
    for (const [file, text] of next) staged.add(file, text);
    staged.commit(() => null);
    return [...gone, ...next.keys()];
  } finally {
    staged.discard();
  }
}

/**
 * Finds the sample in a content folder: what ships with the program, or what `signpost new site` writes. Null when there is
 * none, or its `site.yaml` was edited: then the site is somebody's own. Throws `MoveInError` when the list is missing.
 */
export function findSample(contentDir: string): SamplePlan | null {
  if (!existsSync(path.join(contentDir, SITE))) return null;
  const read = (file: string) => readFileSync(path.join(contentDir, file));
  const known = readShippedHashes();
  const isShipped = (file: string) => known.get(file) === hash('sha256', read(file), 'hex');
  const template = locateSource(TEMPLATE);
  if (template === null) throw MISSING;
  const site = parseYaml(read(SITE).toString());
  const { name = '', tagline: about = '' } = 'value' in site ? Object(site.value) : {};
  const own = { name: String(name), about: String(about) };
  const isMade = (file: string) => {
    const source = path.join(template, file);
    if (!existsSync(source)) return false;
    if (!/\.(?:yaml|md)$/.test(file)) return readFileSync(source).equals(read(file));
    const text = readFileSync(source, 'utf8');
    const present = level(read(file).toString(), own);
    return [text, removeExample(file, text, EXAMPLE)].some((one) => level(one, own) === present);
  };
  const hasShipped = isShipped(SITE);
  if (!hasShipped && !isMade(SITE)) return null;
  const isSample = hasShipped ? isShipped : isMade;
  const present = listContentFiles(contentDir);
  const shipped = new Set(present.filter(isSample));
  const names = hasShipped ? new Set(known.keys()) : new Set(listContentFiles(template));
  return {
    shipped,
    edited: present.filter((file) => names.has(file) && !shipped.has(file)),
    build(partner, given, day) {
      const files = buildEmptySite(
        template,
        partner,
        hasShipped || given.kind !== undefined ? given : own,
        day,
      );
      return new Map(
        [...files].flatMap(([file, data]) => {
          const isThere = present.includes(file);
          if (isThere ? !shipped.has(file) : !hasShipped) return [];
          // What an earlier import made keeps its day.
          const isSame =
            isThere &&
            given.kind === undefined &&
            level(data.toString(), own) === level(read(file).toString(), own);
          return [[file, isSame ? read(file).toString() : data] as const];
        }),
      );
    },
  };
}

/** A text without what is filled in when a site is made. */
const level = (text: string, { name, about }: Readonly<Record<'name' | 'about', string>>) =>
  text
    .replace(/^imageHosts:.*\n(?: +.*\n)*/m, '')
    .replaceAll(JSON.stringify(about).slice(1, -1) || '{{about}}', '{{about}}')
    .replaceAll(JSON.stringify(name).slice(1, -1) || '{{name}}', '{{name}}')
    .replace(/\bcurrency: [A-Z]{3}\b/g, 'currency: {{currency}}')
    .replace(/^look: .*$/m, 'look: {{look}}')
    .replace(/\b20\d\d-\d\d-\d\d\b|\{\{(?:day|year)\}\}|\b20\d\d\b/g, '{{day}}')
    .replace(/\b(?:physical|software)\b|\{\{kind\}\}/g, '{{kind}}')
    .replace(/\b(?:once|monthly)\b|\{\{billed\}\}/g, '{{billed}}');

/** Builds the files of a site without products and articles, whose assessment names `partner` or the placeholder. */
export function buildEmptySite(
  template: string,
  partner: string | null,
  site: NamedSite,
  day: string,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const file of listContentFiles(template)) {
    if (/example|how-we-choose/.test(file)) continue;
    const source = readFileSync(path.join(template, file), 'utf8');
    files.set(file, fillTemplate(removeExample(file, source, partner ?? EXAMPLE), site, day));
  }
  return files;
}

/** Takes the example product, the first article and what leads to their placeholders out of a file of the template. */
function removeExample(file: string, text: string, partner: string): string {
  if (file === SITE)
    return text
      .replace(/^ *- \{[^}\n]*\/(?:example-product|feature-comparison|assessment)[ }][^\n]*\n/gm, '')
      .replace(/^ {2}- title: Decide\n {4}links:\n/m, '')
      .replace(/(\/blog \}\n)(?=footer:)/, `$1  ${PAID}\n`)
      .replace(/( {2}entryPoints:\n)(?: {4}.*\n)+/, `$1${ENTRY_POINTS}`)
      .replaceAll(/(alternative: )\{.*\}/g, '$1{ label: How we are paid, href: /affiliate-disclosure }')
      .replace(/(badge: Start here\n {4}items:)[\s\S]*/, '$1 []\n');
  if (file === 'assessment.yaml')
    return `draft: true\n${text}`
      .replace(/'[^'\n]*\{product:[^'\n]*'/g, 'Say here what it costs.')
      .replace(/^( +platform: )Example Product (\w+)$/gm, '$1Say here which product ($2)')
      .replace(/^( +partner: ).*$/gm, `$1${partner}`);
  if (file === 'pages/feature-comparison.yaml')
    return text
      .replace(/^kicker: /m, 'draft: true\nkicker: ')
      .replace(/^.*\{product:.*\n/gm, '')
      .replaceAll(
        '{ label: Take the assessment, href: /assessment }',
        '{ label: Read the articles, href: /blog }',
      )
      .replace(
        'Four questions lead to one recommendation with its reasons.',
        'Say here what helps to decide.',
      )
      .replaceAll('Example Product', 'Say here which product');
  // The assessment is a draft.
  if (file === 'pages/terms.yaml')
    return text
      .replace('articles, comparisons, and an assessment', 'articles and comparisons')
      .replace(/ {6}## The assessment\n[\s\S]*?(?=^ {6}## )/m, '');
  return text;
}

const PAID = '- { label: How we are paid, href: /affiliate-disclosure }';
/** Of a site without a comparison: pages that are true of it from the start. */
const ENTRY_POINTS = `    - label: Read the articles
      text: The newest first
      href: /blog
    - label: How we are paid
      text: What a link earns, and what it does not change
      href: /affiliate-disclosure
    - label: Ask or correct us
      text: A person answers
      href: /contact
`;
