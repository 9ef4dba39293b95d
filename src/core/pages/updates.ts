import { describeUnit, formatPrice } from '../products/price.ts';
import { listReadings, type Offer, type Product } from '../products/product.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import { type Figures, listNames, listTexts } from './claims/placeholders.ts';
import { resolveName } from './claims/statements.ts';

/** One row of the log of a page or an article. */
export interface Update {
  /** `2026-11-21` */
  readonly date: string;
  /** What changed, in one sentence. */
  readonly text: string;
  /** Whether it corrects what was wrong before. */
  readonly corrected?: boolean | undefined;
}

/** The changes of prices by the names of the figures that show them, and by the keys of products. */
export type PriceChanges = ReadonlyMap<string, readonly Update[]>;

/** Finds the changes of prices that figures and products show. Empty while every price has one amount. */
export function findPriceChanges(
  figures: Figures,
  content: { readonly savings: SavingsSettings; readonly products: ReadonlyMap<string, Product> },
): PriceChanges {
  const products = [...content.products.values()];
  const changes = new Map(
    products.flatMap((product) =>
      product.offers.map((offer) => [`product:${product.key}.${offer.key}`, listChanges(product, offer)]),
    ),
  );
  if ([...changes.values()].every((rows) => rows.length === 0)) return new Map();
  return new Map([
    ...products.map(({ key, offers }): [string, Update[]] => [
      key,
      offers.flatMap((offer) => changes.get(`product:${key}.${offer.key}`) ?? []),
    ]),
    ...[...figures.keys()].map((name): [string, Update[]] => [
      name,
      resolveName(name, content).flatMap((offer) => changes.get(offer) ?? []),
    ]),
  ]);
}

function listChanges({ name }: Product, offer: Offer): Update[] {
  const unit = describeUnit(offer);
  return listReadings(offer).flatMap(({ amount, source }, index, all) => {
    const before = all[index - 1]?.amount ?? amount;
    if (before === amount) return [];
    const [now, then] = [amount, before].map((one) => formatPrice(one, offer.currency));
    return {
      date: source.checked,
      text: `${name} ${offer.name}: ${now}${unit && ` ${unit}`}, before ${then}.`,
    };
  });
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

/** The figures that a content value names, and the products of its sections and shortcodes. */
function listUsed(content: unknown): readonly string[] {
  const split = (list: string) => list.split(',').map((key) => key.trim());
  return listTexts(content).flatMap(({ text, path }) => [
    ...listNames(text),
    ...[...text.matchAll(FIELD)].flatMap(([, list = '']) => split(list)),
    ...(path.slice(-2).some((key) => key === 'product' || key === 'products') ? split(text) : []),
  ]);
}
