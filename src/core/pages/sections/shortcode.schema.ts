import { findProductFaults, isProductSection } from '../../products/compare.ts';
import type { Product } from '../../products/product.ts';
import { describeIssue } from '../../text/describe-issue.schema.ts';
import { type PageSection, sectionSchema } from './section.schema.ts';

/** A shortcode as it is written. */
interface Shortcode {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

const LISTS: ReadonlySet<string> = new Set(['roundup', 'picks-table']);

/**
 * Parses a shortcode into the section that it stands for. `products` is a list with commas; a picks table takes reason
 * and limit from the products. Returns a sentence when it is invalid.
 */
export function parseShortcode(
  { type, fields }: Shortcode,
  products: ReadonlyMap<string, Product>,
): PageSection | string {
  const { products: list, scores, ...rest } = fields;
  const keys = list?.split(',').map((key) => key.trim());
  const result = sectionSchema.safeParse(
    {
      type,
      ...rest,
      ...(scores !== undefined && { scores: scores === 'yes' }),
      ...(keys !== undefined && (LISTS.has(type) ? { items: keys.map(buildItem) } : { products: keys })),
    },
    { error: describeIssue },
  );
  if (!result.success) {
    const [issue] = result.error.issues;
    return `{{${type}}}: ${issue?.path.join('.')} ${issue?.message}`;
  }
  const section = result.data;
  const [fault] = isProductSection(section) ? findProductFaults(section, products) : [];
  return fault === undefined ? section : `{{${type}}}: ${fault.reason}`;

  function buildItem(key: string) {
    if (type === 'roundup') return { product: key };
    const product = products.get(key);
    return {
      product: key,
      bestFor: product?.for[0] ?? key,
      why: product?.verdict ?? key,
      limit: product?.cons[0] ?? key,
    };
  }
}
