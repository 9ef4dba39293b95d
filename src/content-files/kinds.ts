import type { z } from 'zod';
import { authorFileSchema } from '../core/articles/author.schema.ts';
import { frontMatterSchema } from '../core/articles/front-matter.schema.ts';
import { assessmentSchema } from '../core/assessment/assessment.schema.ts';
import { besideSchema } from '../core/outbound/beside.schema.ts';
import { partnerSchema } from '../core/outbound/partner.schema.ts';
import { brandSchema } from '../core/pages/brand/brand.schema.ts';
import { claimFileSchema } from '../core/pages/claims/claim.schema.ts';
import { pageSchema } from '../core/pages/page.schema.ts';
import { siteSchema } from '../core/pages/site.schema.ts';
import {
  ASSESSMENT_PATH,
  buildAuthorPath,
  buildDefaultPath,
  buildPagePath,
  HOME_PATH,
} from '../core/paths.ts';
import { productSchema } from '../core/products/product.schema.ts';
import { calculatorsSchema } from '../core/savings/calculators.schema.ts';

export type KindKey =
  | 'article'
  | 'page'
  | 'partner'
  | 'product'
  | 'author'
  | 'claims'
  | 'network'
  | 'calculators'
  | 'assessment'
  | 'site'
  | 'brand'
  | 'beside'
  | 'images';

/** What the content files of one folder, or one file, are. */
export interface ContentKind {
  readonly key: KindKey;
  /** The folder with a slash, or the name of the file. */
  readonly at: string;
  /** As lists call it. */
  readonly label: string;
  /** What its values are validated with, also the order of its fields; null: it is edited as text. */
  readonly schema: z.ZodType | null;
  /** Builds the path at which a file is seen from its name; null: it has no page. */
  readonly buildPath: ((name: string) => string) | null;
  /** Whether a file can be a draft, or also appear at a time; null: visitors see what it has. */
  readonly states: 'draft' | 'time' | null;
  /** Whether publishing demands that the rules on what is claimed find nothing. */
  readonly isJudged: boolean;
  /** Whether its texts can name figures. */
  readonly namesFigures: boolean;
}

const build = (
  key: KindKey,
  at: string,
  label: string,
  schema: ContentKind['schema'],
  {
    buildPath = null,
    states = null,
    isJudged = false,
    namesFigures = false,
  }: Partial<Pick<ContentKind, 'buildPath' | 'states' | 'isJudged' | 'namesFigures'>> = {},
): ContentKind => ({ key, at, label, schema, buildPath, states, isJudged, namesFigures });

const JUDGED = { isJudged: true } as const;
const SHOWN = { isJudged: true, namesFigures: true } as const;

/** Every kind of content file, in the order of lists. */
export const CONTENT_KINDS: readonly ContentKind[] = [
  build('article', 'articles/', 'Article', frontMatterSchema, {
    ...SHOWN,
    buildPath: buildDefaultPath,
    states: 'time',
  }),
  build('page', 'pages/', 'Page', pageSchema, { ...SHOWN, buildPath: buildPagePath, states: 'time' }),
  build('partner', 'partners/', 'Partner', partnerSchema),
  build('product', 'products/', 'Product', productSchema, { ...SHOWN, states: 'draft' }),
  build('author', 'authors/', 'Author', authorFileSchema, { ...JUDGED, buildPath: buildAuthorPath }),
  build('claims', 'claims/', 'Claims', claimFileSchema, JUDGED),
  build('calculators', 'calculators.yaml', 'Calculators', calculatorsSchema, JUDGED),
  build('assessment', 'assessment.yaml', 'Assessment', assessmentSchema, {
    ...SHOWN,
    buildPath: () => ASSESSMENT_PATH,
    states: 'draft',
  }),
  build('site', 'site.yaml', 'Site', siteSchema, { ...SHOWN, buildPath: () => HOME_PATH }),
  build('brand', 'brand.yaml', 'Brand', brandSchema),
  build('beside', 'beside.yaml', 'Sites beside this one', besideSchema),
  build('images', 'images.yaml', 'Image descriptions', null),
  // A file of a network is read by its own rules, and lists name it last.
  build('network', 'networks/', 'Network', null),
];

const BY_PLACE: ReadonlyMap<string, ContentKind> = new Map(CONTENT_KINDS.map((kind) => [kind.at, kind]));

/** The kind of a file, by its path below the content folder; null for a file that the site does not read. */
export function findKind(file: string): ContentKind | null {
  const kind = BY_PLACE.get(file.replace(/(?<=\/)[^/]*$/, ''));
  return kind !== undefined && file === buildFilePath(kind, nameOfFile(file)) ? kind : null;
}

/** Whether a file is of a kind. */
export const isOfKind = (file: string, ...keys: readonly KindKey[]): boolean => {
  const found = findKind(file)?.key;
  return found !== undefined && keys.includes(found);
};

/** Whether there is a file for each piece of a kind. */
export const isFolder = ({ at }: Pick<ContentKind, 'at'>): boolean => at.endsWith('/');

/** The name of a file without its folder and ending, which is the key of what it has. */
export const nameOfFile = (file: string): string => file.replace(/^.*\//, '').replace(/\.(?:yaml|md)$/, '');

/** The key of a file of one kind; null for files of others. */
export const findKeyOf = (kind: KindKey, file: string): string | null =>
  isOfKind(file, kind) ? nameOfFile(file) : null;

/** The file of a piece by its key. */
export const buildFilePath = ({ key, at }: ContentKind, name: string): string =>
  isFolder({ at }) ? `${at}${name}.${key === 'article' ? 'md' : 'yaml'}` : at;

/** The path of the page that shows what a file changes; null for a file without one. */
export const findShownPath = (file: string): string | null =>
  isOfKind(file, 'brand') ? HOME_PATH : findPagePath(file);

/** The path of the page on which a file is seen; null for a file without one. */
export const findPagePath = (file: string): string | null =>
  findKind(file)?.buildPath?.(nameOfFile(file)) ?? null;
