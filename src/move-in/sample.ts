import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { listContentFiles, locateSource, readShippedHashes } from '../content-files/site-folder.ts';
import { MoveInError } from './former-item.ts';

const TEMPLATE = 'commands/new/site-template';
const SITE = 'site.yaml';
const EXAMPLE = 'example';

const MISSING = (name: string) =>
  new MoveInError(`src/${name} is missing beside the program, so that the sample cannot be told apart.`);

/** What becomes of the sample that a site ships with when another one moves in. */
export interface SamplePlan {
  /** Files of the sample that are as they shipped, below the content folder: they are removed, or written anew. */
  readonly shipped: ReadonlySet<string>;
  /** Files of the sample that were edited: they stay. */
  readonly edited: readonly string[];
  /**
   * The files of a site without products, which promotes the partner of this key; null: the placeholder, which is the only
   * partner then. `name` is that of the site, unless it has one.
   */
  readonly build: (partner: string | null, name: string, day: string) => ReadonlyMap<string, string>;
}

/**
 * Finds the sample in a content folder: what ships with the program, or what `npm run new -- site` writes. Null when there is
 * none, or its `site.yaml` was edited: then the site is somebody's own. Throws `MoveInError` when the list is missing.
 */
export function findSample(contentDir: string): SamplePlan | null {
  if (!existsSync(path.join(contentDir, SITE))) return null;
  const read = (file: string) => readFileSync(path.join(contentDir, file));
  const known = readShippedHashes();
  if (known === null) throw MISSING('move-in/shipped-content.txt');
  const isShipped = (file: string) => known.get(file) === hash('sha256', read(file), 'hex');
  const template = locateSource(TEMPLATE);
  if (template === null) throw MISSING(TEMPLATE);
  const site = parseYaml(read(SITE).toString());
  const name = 'value' in site ? String(Object(site.value).name) : '';
  const isMade = (file: string) => {
    const source = path.join(template, file);
    if (!existsSync(source)) return false;
    if (!/\.(?:yaml|md)$/.test(file)) return readFileSync(source).equals(read(file));
    const text = readFileSync(source, 'utf8');
    const own = level(read(file).toString(), name);
    return [text, removeExample(file, text, EXAMPLE)].some((one) => level(one, name) === own);
  };
  const hasShipped = isShipped(SITE);
  if (!hasShipped && !isMade(SITE)) return null;
  const isSample = hasShipped ? isShipped : isMade;
  const present = listContentFiles(contentDir);
  const shipped = new Set(present.filter(isSample));
  const names = hasShipped ? known : new Set(listContentFiles(template));
  return {
    shipped,
    edited: present.filter((file) => names.has(file) && !shipped.has(file)),
    build(partner, host, day) {
      const files = buildEmptySite(template, { partner, name: hasShipped ? host : name, day });
      return new Map(
        [...files].flatMap(([file, data]) => {
          const isThere = present.includes(file);
          if (isThere ? !shipped.has(file) : !hasShipped) return [];
          // What an earlier import made keeps its day.
          const isSame = isThere && level(data.toString(), name) === level(read(file).toString(), name);
          return [[file, isSame ? read(file).toString() : data] as const];
        }),
      );
    },
  };
}

/** A text without what is filled in when a site is made. */
const level = (text: string, name: string) =>
  text
    .replace(/^imageHosts:.*\n(?: +.*\n)*/m, '')
    .replaceAll(JSON.stringify(name).slice(1, -1), '{{name}}')
    .replace(/\b20\d\d-\d\d-\d\d\b|\{\{(?:day|year)\}\}|\b20\d\d\b/g, '{{day}}')
    .replace(/\b(?:physical|software)\b|\{\{kind\}\}/g, '{{kind}}')
    .replace(/\b(?:once|monthly)\b|\{\{billed\}\}/g, '{{billed}}');

function buildEmptySite(
  template: string,
  { partner, name, day }: { readonly partner: string | null; readonly name: string; readonly day: string },
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const marks = { name, day, year: day.slice(0, 4), kind: 'physical', billed: 'once' };
  for (const file of listContentFiles(template)) {
    const isExample =
      file === 'partners/example.yaml' ? partner !== null : /example|how-we-choose/.test(file);
    if (isExample) continue;
    const source = readFileSync(path.join(template, file), 'utf8');
    const text = removeExample(file, source, partner ?? EXAMPLE).replace(
      /\{\{(name|day|year|kind|billed)\}\}/g,
      (_, mark: keyof typeof marks) => JSON.stringify(marks[mark]).slice(1, -1),
    );
    files.set(file, text);
  }
  return files;
}

/** Takes the example product, its page and the first article out of a file of the template. */
function removeExample(file: string, text: string, partner: string): string {
  if (file === SITE)
    return text
      .replace(/^ *- \{[^}\n]*\/example-product[^}\n]*\}\n/gm, '')
      .replace(
        /( {4}- label: )Read the review\n.*\n.*\n/,
        '$1Read the articles\n      text: The newest first\n      href: /blog\n',
      )
      .replaceAll(
        '{ label: Read the review, href: /example-product }',
        '{ label: Take the assessment, href: /assessment }',
      )
      .replace(/(badge: Start here\n {4}items:)[\s\S]*/, '$1 []\n')
      .replace(/^promotedPartner: .*$/m, `promotedPartner: ${partner}`);
  if (file === 'assessment.yaml')
    return text
      .replace(/'[^'\n]*\{product:[^'\n]*'/g, 'Say here what it costs.')
      .replace(/^( +platform: )Example Product (\w+)$/gm, '$1Say here which product ($2)')
      .replace(/^( +partner: ).*$/gm, `$1${partner}`);
  if (file === 'pages/feature-comparison.yaml')
    return text.replace(/^.*\{product:.*\n/gm, '').replaceAll('Example Product', 'Say here which product');
  return text;
}
