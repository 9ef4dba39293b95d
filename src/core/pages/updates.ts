import { describeUnit, formatPrice } from '../products/price.ts';
import { listReadings, type Product } from '../products/product.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import { type Figures, listNames, listTexts } from './claims/placeholders.ts';

/** One row of the log of a page or an article. */
export interface Update {
  /** `2026-11-21` */
  readonly date: string;
  /** What changed, in one sentence. */
  readonly text: string;
  /** Whether it corrects what was wrong before. */
  readonly corrected?: boolean | undefined;
}

/** The changes of prices by the names of figures that show them; a product by its own name, `product:kit`. */
export type PriceChanges = ReadonlyMap<string, readonly Update[]>;

/** Finds which changes of prices each figure shows. Empty while no product has a reading with another amount. */
export function findPriceChanges(
  figures: Figures,
  {
    savings,
    products,
  }: { readonly savings: SavingsSettings; readonly products: ReadonlyMap<string, Product> },
): PriceChanges {
  const changes = new Map(
    [...products].flatMap(([key, product]) => {
      const rows = product.offers.flatMap((offer) =>
        listReadings(offer).flatMap(({ amount, source }, index, all) => {
          const before = all[index - 1];
          if (before === undefined || before.amount === amount) return [];
          const unit = describeUnit(offer);
          const [now, then] = [amount, before.amount].map((one) => formatPrice(one, offer.currency));
          const text = `${product.name} ${offer.name}: ${now}${unit && ` ${unit}`}, before ${then}.`;
          return { date: source.checked, text };
        }),
      );
      return rows.length === 0 ? [] : [[key, rows] as const];
    }),
  );
  if (changes.size === 0) return changes;
  return new Map(
    [...figures.keys()].flatMap((name) => {
      const rows = listProducts(name, savings).flatMap((key) => changes.get(key) ?? []);
      return rows.length === 0 ? [] : [[name, rows] as const];
    }),
  );
}

/** The keys of the products whose prices or facts a figure shows. */
function listProducts(figure: string, { totals, product }: SavingsSettings): readonly string[] {
  const [group = '', key = ''] = figure.split(':');
  if (group === 'product') return [key.split('.', 1)[0] ?? ''];
  const lines = group === 'total' ? (totals[key.replace(/\.\w+$/, '')]?.lines ?? []) : [];
  if (group === 'total') return lines.flatMap((line) => line.figure?.split('.', 1) ?? []);
  return ['price', 'stack'].includes(group) && product !== undefined ? [product.key] : [];
}

/**
 * Builds the log of a page or an article as it is written, newest first: its own rows, and the changes of the prices that it
 * shows. `published`: day of the first publication, when it is known.
 */
export function buildLog(
  updates: readonly Update[],
  content: unknown,
  changes: PriceChanges,
  published?: string,
): readonly Update[] {
  const used = changes.size === 0 ? [] : listUsed(content).flatMap((name) => changes.get(name) ?? []);
  const first = published === undefined ? [] : [{ date: published, text: 'First published.' }];
  const rows = [...updates, ...new Set(used), ...first];
  return rows.toSorted((one, other) => other.date.localeCompare(one.date));
}

const FIELD = /\bproducts?="([^"]*)"/g;

/** The figures that a content value names, and as `product:kit` the products of its sections and shortcodes. */
function listUsed(content: unknown): readonly string[] {
  const keys = (list: string) => list.split(',').map((key) => `product:${key.trim()}`);
  return listTexts(content).flatMap(({ text, path }) => [
    ...listNames(text),
    ...[...text.matchAll(FIELD)].flatMap(([, list = '']) => keys(list)),
    ...(path.slice(-2).some((key) => key === 'product' || key === 'products') ? keys(text) : []),
  ]);
}
