import type { Author } from '../articles/author.schema.ts';
import type { Assessment } from '../assessment/assessment.schema.ts';
import type { Networks } from '../commissions/networks/network.schema.ts';
import type { Beside } from '../outbound/beside.schema.ts';
import type { Partner } from '../outbound/partner.ts';
import type { Product } from '../products/product.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import type { Addresses } from './addresses.ts';
import type { Brand } from './brand/brand.schema.ts';
import type { Claim } from './claims/claim.schema.ts';
import type { AgedFigures, Figures, TextPath } from './claims/placeholders.ts';
import type { ImageCatalog } from './images/content-image.ts';
import type { Page } from './page.schema.ts';
import type { Redirects } from './redirects/redirects.ts';
import type { SiteDetails } from './site.schema.ts';

/** Everything operators edit apart from articles, parsed and cross-checked. */
export interface Content {
  readonly site: SiteDetails;
  readonly partners: ReadonlyMap<string, Partner>;
  /** The sites beside this one whose visits are counted here. */
  readonly beside: Beside;
  /** How the networks of partners report, by name: those that ship, and those of the folder. */
  readonly networks: Networks;
  /** Who signs articles and reviews, by key. */
  readonly authors: ReadonlyMap<string, Author>;
  /** How the site looks. */
  readonly brand: Brand;
  readonly claims: ReadonlyMap<string, Claim>;
  /** Everything that pages say of a product, by key; drafts are left out. */
  readonly products: ReadonlyMap<string, Product>;
  /** The plans of one product, the stack and the calculators. */
  readonly savings: SavingsSettings;
  /** Every figure that copy may name, as visitors see it: `see price` for a price that is too old. */
  readonly figures: Figures;
  readonly aged: AgedFigures;
  /** With the figures in their places. */
  readonly assessment: Assessment;
  /** The images that pages and articles may refer to. */
  readonly images: ImageCatalog;
  /** Landing pages by path, for example `/template`. */
  readonly pages: ReadonlyMap<string, Page>;
  /** Addresses that pages and articles have of their own. */
  readonly addresses: Addresses;
  /** Why pieces do not have the address that their files name. */
  readonly addressClashes: readonly ContentProblem[];
  /** Where the addresses of a former site lead. */
  readonly redirects: Redirects;
}

/** One thing wrong with a content file, in the operator's terms. */
export interface ContentProblem {
  /** Path below the content folder, for example `pages/template.yaml`. */
  readonly file: string;
  /** The line where it is known, and the field in words, with list positions from 1; empty for the file itself. */
  readonly field: string;
  readonly reason: string;
  /** The way to the field, where its line is not known yet. */
  readonly path?: TextPath;
}

/** More are not read by anyone before the first ones are corrected. */
const MAX_PROBLEMS = 100;

/**
 * What is wrong with each file once, and the first hundred of it: a file can be wrong in as many places as it has
 * characters.
 */
export function boundProblems<Problem extends Omit<ContentProblem, 'file'> & { readonly file?: string }>(
  problems: readonly Problem[],
): Problem[] {
  const known = new Map<string | undefined, Set<string>>();
  return problems.filter(({ file, field, reason }) => {
    const found = known.get(file) ?? new Set();
    known.set(file, found);
    const { size } = found;
    if (size < MAX_PROBLEMS) found.add(`${field}\n${reason}`);
    return found.size > size;
  });
}

/** Everything that is wrong with the content, at once. Thrown when content is read. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[];
  constructor(problems: readonly ContentProblem[]) {
    super(
      [
        `[content] ${problems.length} problem${problems.length === 1 ? '' : 's'}:`,
        ...problems.map(formatProblem),
      ].join('\n'),
    );
    this.name = 'ContentError';
    this.problems = problems;
  }
}

function formatProblem({ file, field, reason }: ContentProblem): string {
  return `  content/${file}${field === '' ? '' : `, ${field}`}: ${reason}`;
}

/**
 * Describes the way to a field in words, such as `section 4 (faq), item 2, field answer`: positions from 1, list entries
 * with the type that they say they are. Empty for the file itself.
 */
export function describeField(raw: unknown, at: TextPath): string {
  const steps: string[] = [];
  let names: string[] = [];
  let value: unknown = raw;
  for (const part of at) {
    value = getMember(value, part);
    if (typeof part === 'string') {
      names.push(part);
      continue;
    }
    const list = names.pop();
    if (names.length > 0) steps.push(names.join('.'));
    names = [];
    const type = getMember(value, 'type');
    steps.push(`${nameEntry(list)} ${part + 1}${typeof type === 'string' ? ` (${type})` : ''}`);
  }
  return [...steps, ...(names.length > 0 ? [`field ${names.join('.')}`] : [])].join(', ');
}

const getMember = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** What one entry of a list is called: an `item` of `items`. */
function nameEntry(list: string | undefined): string {
  if (list === undefined) return 'entry';
  if (list.endsWith('ies')) return `${list.slice(0, -3)}y`;
  return /[^su]s$/.test(list) ? list.slice(0, -1) : `${list}, entry`;
}
