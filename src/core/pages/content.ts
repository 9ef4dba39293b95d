import type { Author } from '../articles/author.schema.ts';
import type { Assessment } from '../assessment/assessment.schema.ts';
import type { Partner } from '../outbound/partner.ts';
import type { Plans } from '../savings/plans.schema.ts';
import type { Brand } from './brand/brand.schema.ts';
import type { Claim } from './claim.schema.ts';
import type { ImageCatalog } from './content-image.ts';
import type { Figures, TextPath } from './figures.ts';
import type { Page } from './page.schema.ts';
import type { SiteDetails } from './site.schema.ts';

/** Everything operators edit apart from articles, parsed and cross-checked. */
export interface Content {
  readonly site: SiteDetails;
  readonly partners: ReadonlyMap<string, Partner>;
  /** Who signs articles and reviews, by key. */
  readonly authors: ReadonlyMap<string, Author>;
  /** How the site looks. */
  readonly brand: Brand;
  readonly claims: ReadonlyMap<string, Claim>;
  readonly plans: Plans;
  /** Every figure that copy may name. */
  readonly figures: Figures;
  /** With the figures in their places. */
  readonly assessment: Assessment;
  /** The images that pages and articles may refer to. */
  readonly images: ImageCatalog;
  /** Landing pages by path, for example `/template`. */
  readonly pages: ReadonlyMap<string, Page>;
}

/** One thing wrong with a content file, in the operator's terms. */
export interface ContentProblem {
  /** Path below the content folder, for example `pages/template.yaml`. */
  readonly file: string;
  /** Field, dotted, with list positions from 1; empty for the file itself. */
  readonly field: string;
  readonly reason: string;
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

/** `sections.4 (faq).items.2.answer`: positions from 1, list entries with the type that they say they are. */
export function describeField(raw: unknown, at: TextPath): string {
  let value: unknown = raw;
  return at
    .map((part) => {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
      if (typeof part === 'string') return part;
      const type = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
      return typeof type === 'string' ? `${part + 1} (${type})` : `${part + 1}`;
    })
    .join('.');
}
