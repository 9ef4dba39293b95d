import type { ClickCounts } from '../commissions/credit/commission-report.ts';
import type { MoneySum } from '../commissions/exchange-rates.ts';
import type { Claim } from '../pages/claims/claim.schema.ts';
import { formatPrice } from '../products/price.ts';
import type { Product } from '../products/product.ts';
import { type LinkRecord, needsOperator } from './link-state.ts';
import { listPrices } from './page-expectation.ts';
import type { Partner } from './partner.ts';
import { describeUnchecked, isCheckable, parseDestination, type WatchedLink } from './watched-links.ts';

/** Something on the site that is not right any more, with where it is shown. */
export interface ContentUpdate {
  readonly key: string;
  /** `unchecked`: a link that no check follows. */
  readonly kind: 'link' | 'price' | 'copy' | 'claim' | 'launch' | 'unchecked';
  readonly text: string;
  /** Path below the content folder; empty when no one file is meant. */
  readonly file: string;
  /** The field of the file, such as `offers.creator`; left out: no one field is meant. */
  readonly at?: string | undefined;
  /** The line of the file from 1, where the field is not known. */
  readonly line?: number | undefined;
  /** What it consists of, a line each. */
  readonly details?: readonly string[] | undefined;
  /** The address that was checked; empty for a claim. */
  readonly url: string;
  /** Its partner, whose clicks depend on it; null: those of `pages` do. */
  readonly partner: string | null;
  /** Paths of the pages that show it. */
  readonly pages: readonly string[];
}

/** What costs money now comes before what may be wrong. */
const KINDS: readonly ContentUpdate['kind'][] = ['link', 'price', 'copy', 'claim', 'launch', 'unchecked'];

const rankKind = ({ kind = 'link' }: RankedUpdate) => KINDS.indexOf(kind);

/** What of an update decides its place: `key` is the last. */
export interface RankedUpdate {
  readonly key: string;
  readonly kind?: ContentUpdate['kind'];
  readonly partner: string | null;
  readonly pages: readonly string[];
}

/** Money of one currency, of clicks on a page that led to a partner. */
interface ClickMoney extends MoneySum {
  readonly partner: string;
  readonly path: { readonly page: string } | null;
}

/**
 * Orders updates by the money of the clicks that depend on them; of equal money by clicks and kind. The money and the clicks
 * are those of one period.
 */
export function rankUpdates<T extends RankedUpdate>(
  updates: readonly T[],
  money: readonly ClickMoney[],
  clicks: { readonly pages: ClickCounts; readonly partners: ClickCounts },
) {
  const sumBy = (getKey: (sum: ClickMoney) => string) => {
    const sums = new Map<string, number>();
    for (const sum of money) {
      const booked = sum.status === 'unknown' ? 0 : sum.amount;
      sums.set(getKey(sum), (sums.get(getKey(sum)) ?? 0) + booked);
    }
    return sums;
  };
  const pages = sumBy(({ path }) => path?.page ?? '');
  const partners = sumBy(({ partner }) => partner);
  const add = (keys: readonly string[], counts: ReadonlyMap<string, number>) =>
    keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  return updates
    .map((update) => {
      const { partner } = update;
      const keys = partner === null ? [...new Set(update.pages)] : [partner];
      return {
        ...update,
        clicks: add(keys, partner === null ? clicks.pages : clicks.partners),
        amount: add(keys, partner === null ? pages : partners),
      };
    })
    .sort(
      (one, other) =>
        other.amount - one.amount ||
        other.clicks - one.clicks ||
        rankKind(one) - rankKind(other) ||
        (one.key < other.key ? -1 : 1),
    );
}

/** A link with what is known of it; null before its first check. */
export interface KnownLink {
  readonly link: WatchedLink;
  readonly record: LinkRecord | null;
}

/** Products and claims, which state prices. */
interface StatingContent {
  readonly products: ReadonlyMap<string, Product>;
  readonly claims: ReadonlyMap<string, Claim>;
}

/** Lists links that are broken or have changed or cannot be checked, and prices that a page states otherwise or no longer. */
export function listLinkUpdates(
  known: readonly KnownLink[],
  content: StatingContent & { readonly partners: ReadonlyMap<string, Partner> },
): ContentUpdate[] {
  return known.flatMap(({ link, record }): ContentUpdate[] => {
    const { partner, pages, url, destinations } = link;
    const base = { url, partner, pages };
    if (!isCheckable(link)) {
      const text = `${url}: ${describeUnchecked(link)}`;
      return [{ ...base, key: `unchecked:${url}`, kind: 'unchecked', text, file: '' }];
    }
    if (record === null) return [];
    const isConfirmed = needsOperator(record);
    const name = partner === null ? url : describeLink(content.partners.get(partner)?.name ?? partner, link);
    const place =
      partner === null
        ? { file: '' }
        : { file: `partners/${partner}.yaml`, at: parseDestination(destinations[0] ?? '').at };
    const fault: ContentUpdate[] = isConfirmed
      ? [{ ...base, key: `link:${url}`, kind: 'link', text: `${name}: ${record.reason}`, ...place }]
      : [];
    const prices = (record.evidence?.offer.prices ?? []).flatMap(({ equals, amount, currency }) => {
      const stated = findStatedPrice(equals, content);
      if (stated === null || (amount === null && !isConfirmed)) return [];
      if (currency !== stated.currency || amount === stated.amount) return [];
      const here = formatPrice(stated.amount, currency);
      const states =
        amount === null
          ? `shows no price, this site says ${here}`
          : `says ${formatPrice(amount, currency)}, this site ${here}`;
      const text = `${stated.name}: its page ${states}`;
      return [
        { ...base, key: `price:${equals}`, kind: 'price' as const, text, file: stated.file, at: stated.at },
      ];
    });
    return [...fault, ...prices];
  });
}

function describeLink(partner: string, { destinations }: WatchedLink): string {
  const names = destinations.map((name) => {
    const { page, region } = parseDestination(name);
    return page.replaceAll('-', ' ') + (region === undefined ? '' : ` in ${region}`);
  });
  return `Link to ${partner} (${names.join(', ')})`;
}

/** Finds the price that `product:kit.creator` or `claim:competing-price` names; null when nothing states one. */
export function findStatedPrice(equals: string, { products, claims }: StatingContent) {
  const [kind, name = ''] = equals.split(':', 2);
  if (kind === 'claim') {
    const [price] = listPrices(claims.get(name)?.figure ?? '');
    return price === undefined ? null : { ...price, name: `Claim ${name}`, file: 'claims/', at: name };
  }
  const [key = '', offerKey] = name.split('.', 2);
  const product = products.get(key);
  const offer = product?.offers.find((one) => one.key === offerKey);
  if (product === undefined || offer?.source === undefined) return null;
  const place = { file: `products/${key}.yaml`, at: `offers.${offer.key}` };
  return { ...offer, ...place, name: `${product.name} ${offer.name}` };
}

/** Lists the checks that products and claims name as their evidence. */
export function listNamedChecks({ products, claims }: StatingContent) {
  return [
    ...[...products].flatMap(([name, { sources }]) =>
      sources.flatMap(({ key, check: id }) =>
        id === undefined ? [] : [{ id, file: `products/${name}.yaml`, field: `sources.${key}.check` }],
      ),
    ),
    ...[...claims].flatMap(([key, { check: id }]) =>
      id === undefined ? [] : [{ id, file: 'claims/', field: `${key}.check` }],
    ),
  ];
}
