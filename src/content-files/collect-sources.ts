import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { listMarkedClaims, listNames, listTexts } from '../core/pages/claims/placeholders.ts';
import { listNamedAmounts, type NamedAmount, trimZeros } from '../core/pages/claims/price-rules.ts';
import { listStatements, resolveName, type SourcedStatement } from '../core/pages/claims/statements.ts';
import type { Content } from '../core/pages/content.ts';
import { buildArticlePath } from '../core/paths.ts';
import { parseArticleFile } from './articles/article-file.ts';
import { collectClaimUses } from './collect-claim-uses.ts';
import { findPagePath, isOfKind } from './kinds.ts';
import { parseYaml } from './parse-yaml.ts';
import { readTextFile } from './read-text-file.ts';

/** A statement of the content, with the pages and articles that make it. */
export interface ListedStatement extends SourcedStatement {
  /** Paths such as `/roi-calculator`; files such as `site.yaml` for texts of several pages. In order, each once. */
  readonly uses: readonly string[];
}

type StatedContent = Pick<Content, 'claims' | 'partners' | 'products' | 'savings'>;

/** What one file of the content names. */
interface FileNames {
  /** Where its texts are shown. */
  readonly place: string;
  /** Names of figures, and keys of claims that lists have. */
  readonly names: readonly string[];
  /** Keys of products that sections and shortcodes show. */
  readonly products: readonly string[];
  /** Amounts next to the name of a product. */
  readonly amounts: readonly NamedAmount[];
  readonly links: readonly string[];
  readonly cited: readonly SourcedStatement[];
  /** Of an article: its Markdown. */
  readonly text: string;
}

/** Lists every external source, price, claim and rule of a content folder with its day and the pages that use it. */
export function collectSources(root: string, content: StatedContent): readonly ListedStatement[] {
  const { files } = collectClaimUses(root, content.claims);
  const stated = listStatements(content, files);
  const byName = new Map(stated.map((one) => [one.name, one]));
  const uses = new Map<string, Set<string>>();
  const use = (name: string, place: string): void => {
    const places = uses.get(name) ?? new Set();
    if (places.has(place)) return;
    uses.set(name, places.add(place));
    // A figure of a product can be a claim.
    for (const key of listMarkedClaims(byName.get(name)?.text)) use(`claim:${key}`, place);
  };
  const read = listFiles(root).map((file) => readNames(root, file, content));
  for (const { place, names, products, amounts, cited, text } of read) {
    for (const name of names.flatMap((one) => resolveName(one, content))) use(name, place);
    for (const one of stated) {
      const isNamed = amounts.some(
        ({ product, amount }) => one.subject === product && one.amount === trimZeros(amount),
      );
      // An article can write a price that it cites without the name of the product.
      const isCited = cited.some(({ source }) => source === one.source) && amountsOf(text).has(one.amount);
      if (isNamed || isCited) use(one.name, place);
    }
    for (const key of products) {
      for (const { key: offer } of content.products.get(key)?.offers ?? [])
        use(`product:${key}.${offer}`, place);
    }
  }
  const known = new Set([...stated, ...read.flatMap(({ cited }) => cited)].map(({ source }) => source));
  return [
    ...stated.map((one) => ({ ...one, text: stripMarks(one.text), uses: [...(uses.get(one.name) ?? [])] })),
    ...read.flatMap(({ place, cited }) => cited.map((one) => ({ ...one, uses: [place] }))),
    ...listLinks(
      read.map(({ place, links }) => ({ place, links: links.filter((link) => !known.has(link)) })),
    ),
  ];
}

const amountsOf = (text: string) => new Set(text.match(/[$€£]\d[\d,]*(?:\.\d+)?/g)?.map(trimZeros) ?? []);

const stripMarks = (text: string) => text.replace(/\[†\]\([^)]*\)/g, '');

/** Links to other sites that are not among the sources. */
function listLinks(
  read: readonly { readonly place: FileNames['place']; readonly links: FileNames['links'] }[],
): ListedStatement[] {
  const places = Map.groupBy(
    read.flatMap(({ place, links }) => [...new Set(links)].map((link) => ({ link, place }))),
    ({ link }) => link,
  );
  return [...places].map(([source, found]) => {
    const uses = found.map(({ place }) => place);
    return {
      kind: 'link',
      name: '',
      amount: '',
      subject: '',
      text: new URL(source).hostname,
      source,
      checked: '',
      file: '',
      uses,
    };
  });
}

const FOLDERS = ['', 'pages', 'articles'];

/** The files that readers see; of the outer folder those with copy. */
function listFiles(root: string): string[] {
  return FOLDERS.flatMap((folder) => {
    const full = path.join(root, folder);
    const names = existsSync(full) ? readdirSync(full) : [];
    return names
      .filter((name) => (folder === 'articles' ? name.endsWith('.md') : name.endsWith('.yaml')))
      .sort()
      .map((name) => path.posix.join(folder, name));
  });
}

const LINK = /https:\/\/[^\s<>()"'\]]+/g;
const findLinks = (text: string) => (text.match(LINK) ?? []).map((link) => link.replace(/[.,;:!?]+$/, ''));

const SHORTCODE = /\{\{[^}]*\bproducts?="([^"]*)"[^}]*\}\}/g;

function readNames(root: string, file: string, content: StatedContent): FileNames {
  const read = readTextFile(root, file);
  const empty = { names: [], products: [], amounts: [], links: [], cited: [], text: '' };
  // The check of the content reports a file that cannot be read.
  if ('problem' in read) return { place: file, ...empty };
  if (file.endsWith('.md')) return readArticleNames(file, read.text, content);
  const parsed = parseYaml(read.text);
  const place = findPlace(file);
  if (!('value' in parsed)) return { place, ...empty };
  const texts = listTexts(parsed.value);
  const claims = texts.flatMap(({ text }) => (content.claims.has(text) ? [`claim:${text}`] : []));
  return {
    place,
    names: [...texts.flatMap(({ text }) => listNames(text)), ...claims],
    products: texts.flatMap(({ text, path: field }) =>
      isProductField(field) && content.products.has(text) ? [text] : [],
    ),
    amounts: texts.flatMap(({ text }) => listNamedAmounts(text, listNamesOf(content))),
    links: texts.flatMap(({ text }) => findLinks(text)),
    cited: [],
    text: '',
  };
}

/** `product: kit`, `products: [kit, hubspot]`. */
const isProductField = (field: readonly (string | number)[]) =>
  field.at(-1) === 'product' || field.at(-2) === 'products';

const listNamesOf = ({ products }: StatedContent) => [...products.values()].map(({ name }) => name);

function readArticleNames(file: string, text: string, content: StatedContent): FileNames {
  const { products } = content;
  const parsed = parseArticleFile(path.basename(file), text);
  const front = 'file' in parsed ? parsed.file.front : undefined;
  const place = buildArticlePath({ slug: path.basename(file, '.md'), address: front?.address });
  const markdown = 'file' in parsed ? parsed.file.markdown : '';
  const cited = (front?.sources ?? []).map(
    ({ title, url, date, supports }): SourcedStatement => ({
      kind: 'source',
      name: '',
      subject: '',
      amount: '',
      file,
      text: `${title}: ${supports}`,
      source: url,
      checked: date,
    }),
  );
  const shown = [...text.matchAll(SHORTCODE)].flatMap(([, keys = '']) =>
    keys.split(',').map((key) => key.trim()),
  );
  return {
    place,
    names: listNames(text),
    products: shown.filter((key) => products.has(key)),
    amounts: listNamedAmounts(markdown, listNamesOf(content)),
    links: findLinks(markdown),
    cited,
    text: markdown,
  };
}

function findPlace(file: string): string {
  return (!isOfKind(file, 'site') && findPagePath(file)) || file;
}
