import { z } from 'zod';
import { Piece } from '../../content-files/edit/piece.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { formatPrice, getAgeDays, parsePrice } from '../../core/products/price.ts';
import { productSchema } from '../../core/products/product.schema.ts';
import type { Offer, Product, Source } from '../../core/products/product.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { type Column, column } from '../reports/columns.ts';
import { formatCount } from '../reports/format.ts';
import { readListTable } from '../reports/list.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { readUndo, saveTexts } from './line-changes.ts';
import { findFolderProblem } from './read-file.ts';
import { listPagesUsing } from './updates.ts';
import { findOnce, openContentFiles, readWrittenFiles } from './written-files.ts';

export const PRICES_VIEW = 'prices';
/** A price that will be too old within so many days is soon so. */
const SOON_DAYS = 30;
/** *Opened by us* can be chosen for so long after the shop was opened from its row. */
const OPENED_MS = 3_600_000;

/** How the price of a row was read, as its choice names it. */
export const READ_NAMES: Readonly<Record<Source['read'], string>> = {
  opened: 'Opened by us',
  stated: 'Stated by us',
  transcribed: 'Transcribed by',
  copied: 'From',
};

/** A price of the list. */
export type PriceListing = ReturnType<typeof listPrices>[number];

/** Whether a price is too old, is so soon, or is neither. */
const PRICE_STATES = { old: 'Too old', soon: 'Soon too old', fresh: 'Fresh' } as const;

export const PRICE_COLUMNS: readonly Column<PriceListing>[] = [
  column('product', 'Product', ({ product }) => product),
  column('plan', 'Plan', ({ offer }) => offer),
  column('shop', 'Shop', ({ shop }) => shop),
  column('price', 'Price', ({ amount }) => amount, { isNumeric: true }),
  column('was', 'Was', ({ was }) => was?.price ?? null, { isNumeric: true, sort: null }),
  column('checked', 'Checked', ({ checked }) => checked),
  column('source', 'Source', ({ source }) => source, { onPhone: 'hidden' }),
];

/** Reads the prices of all products, those that were checked longest ago first. */
export async function readPrices(site: ConsoleSite, request: ViewRequest) {
  const { clock, settings } = site;
  const all = listPrices(site);
  return {
    kind: 'prices' as const,
    list: readListTable(all, PRICE_COLUMNS, request, {
      usual: { column: 'checked', isDescending: false },
      title: ({ product }) => product,
      words: ({ offer, shop, source }) => [offer, shop, source].join(' '),
      filter: {
        name: 'state',
        label: 'All prices',
        options: Object.entries(PRICE_STATES),
        has: ({ state }, value) => state === value,
      },
    }),
    old: all.filter(({ state }) => state === 'old').length,
    all: all.length,
    limits: [...new Set(all.map(({ maxAgeDays }) => maxAgeDays))],
    today: getLocalDay(clock.now(), settings.TIME_ZONE),
    shops: new Set(all.map(({ shop }) => shop)).size,
    undo: await readUndo(site, request),
    /** Why nothing can be changed here; null when it can. */
    readOnly: await findFolderProblem(site),
  };
}

const nameProduct = (key: string) => `products/${key}.yaml`;

function listPrices(site: ConsoleSite) {
  const now = site.clock.now();
  const { products, partners } = site.content.read();
  const uses = findOnce(site, 'uses of products', () => {
    const written = readWrittenFiles(site);
    const paths = new Map(listSitePages(site).map(({ file, path }) => [file, path]));
    return new Map(
      [...products.keys()].map((key) => [key, listPagesUsing(nameProduct(key), written, paths)]),
    );
  });
  const files = openContentFiles(site);
  return [...products.values()].flatMap((product) => {
    const file = nameProduct(product.key);
    const read = files.read(file);
    const pages = uses.get(product.key) ?? [];
    return product.offers.map((offer) => ({
      ...describeOffer(product, offer, now),
      file,
      pages,
      hash: 'hash' in read ? read.hash : '',
      shop: partners.get(offer.partner)?.name ?? offer.partner,
      href: offer.source?.href ?? partners.get(offer.partner)?.destinations.get(offer.destination) ?? '',
    }));
  });
}

function describeOffer({ key, name, maxAgeDays }: Product, offer: Offer, now: number) {
  const { source, amount, currency, history } = offer;
  const age = source === undefined || source.checked === '' ? null : getAgeDays(source.checked, now);
  const state: keyof typeof PRICE_STATES =
    age === null || age > maxAgeDays ? 'old' : age > maxAgeDays - SOON_DAYS ? 'soon' : 'fresh';
  const last = history.findLast((reading) => reading.amount !== amount);
  return {
    key: `${key}.${offer.key}`,
    product: name,
    offer: offer.name,
    currency,
    age,
    maxAgeDays,
    state,
    amount: source === undefined ? null : amount,
    price: source === undefined ? '' : formatPrice(amount, currency),
    was: last === undefined ? null : { price: formatPrice(last.amount, currency), day: last.source.checked },
    checked: source?.checked ?? '',
    read: source?.read ?? 'stated',
    via: source?.via ?? '',
    source: source?.title ?? '',
  };
}

/** Remembers that the shop of a row was opened from it in this session. */
export async function openShop(
  site: ConsoleSite,
  offer: string,
  { sessionId = '' }: ViewRequest,
): Promise<Response> {
  const now = site.clock.now();
  const opened = {
    kind: 'shop',
    key: `${sessionId} ${offer}`,
    value: '',
    expiresAt: now + OPENED_MS,
  } as const;
  if (sessionId !== '') await site.operators.temporaryValues.put(opened, { now, max: 10_000 });
  return new Response(null, { status: 204 });
}

const changeSchema = z.array(
  z.object({
    key: z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/),
    price: z.string().max(40),
    day: z.iso.date(),
    read: z.enum(['opened', 'stated', 'transcribed', 'copied']),
    via: z.string().trim().max(200),
    hash: z.string().max(100),
  }),
);
type PriceChange = z.infer<typeof changeSchema>[number];

/** Saves the rows of the sheet that were changed, all of them or none. */
export async function savePrices(
  site: ConsoleSite,
  sent: string,
  request: ViewRequest,
  location: string,
): Promise<ActionOutcome> {
  const refuse = (problem: string) => buildFailure(location, `No price was saved. ${problem}`);
  const { data: changes = [] } = changeSchema.safeParse(parseJson(sent));
  if (changes.length === 0) return refuse('What was sent is not complete.');
  const now = site.clock.now();
  const today = getLocalDay(now, site.settings.TIME_ZONE);
  for (const { key, read, day } of changes) {
    if (day > today) return refuse(`${key}: ${day} is in the future.`);
    if (read !== 'opened') continue;
    const opened = await site.operators.temporaryValues.read(
      'shop',
      `${request.sessionId ?? ''} ${key}`,
      now,
    );
    if (opened === null || day !== today)
      return refuse(`${key}: open the shop from its row first, then it can be “opened by us” today.`);
  }
  const texts = new Map<string, string>();
  const hashes = new Map<string, string>();
  for (const [product, list] of Map.groupBy(changes, ({ key }) => key.split('.')[0] ?? '')) {
    const file = `products/${product}.yaml`;
    const found = openContentFiles(site).read(file);
    if ('problem' in found) return refuse(`content/${file} ${found.problem}.`);
    const planned = planPrices(site, file, found.text, list);
    if ('problem' in planned) return refuse(planned.problem);
    texts.set(file, planned.text);
    hashes.set(file, list.find(({ hash }) => hash !== found.hash)?.hash ?? found.hash);
  }
  const message = `${formatCount(changes.length, 'price')} saved.`;
  return saveTexts(site, texts, { message, location, viewer: request.viewer }, hashes);
}

/** How a source was read, as its fields say it: `transcribed` is left out. */
export const buildHow = ({
  read,
  via,
}: {
  readonly read: Source['read'];
  readonly via?: string | undefined;
}) => ({
  ...(read === 'transcribed' || read === 'copied' ? { via } : {}),
  ...(read === 'transcribed' ? {} : { read }),
});

/** The present price of an offer as a former one. */
export const buildReading = ({ amount, currency }: Offer, source: Source) => ({
  amount: Number(formatDecimalAmount(amount, currency)),
  from: source.checked,
  ...(source.via !== undefined && { via: source.via }),
  read: source.read,
  source: source.key,
});

/** Edits the file of a product: only the bytes of prices, their sources and former prices change. */
function planPrices(site: ConsoleSite, file: string, text: string, changes: readonly PriceChange[]) {
  const piece = new Piece(file, text);
  const { values } = piece;
  const { data: product } = productSchema.safeParse(values);
  if (product === undefined) return { problem: `content/${file} is wrong: correct it first.` };
  const next = structuredClone(Object(values));
  const sources = new Map(product.sources.map((source) => [source.key, source]));
  for (const change of changes) {
    const offer = product.offers.find(({ key }) => key === change.key.split('.')[1]);
    const amount = offer && parsePrice(change.price, offer.currency);
    if (offer === undefined || amount === undefined)
      return { problem: `There is no price ${change.key} any more.` };
    if (amount === null)
      return { problem: `${change.key}: “${change.price}” is no amount of ${offer.currency}.` };
    const { source: old } = offer;
    const earliest = old?.checked ?? offer.history.at(-1)?.source.checked ?? '';
    if (change.day < earliest)
      return { problem: `${change.key}: its price was read after ${change.day} already.` };
    if (/^(transcribed|copied)$/.test(change.read) === (change.via === ''))
      return { problem: `${change.key}: say who transcribed it, or which copy was read.` };
    const base = old ?? buildFirstSource(site, offer);
    if (base === null)
      return { problem: `${change.key}: its shop has no https address. Add a source in the form.` };
    const written = next.offers[offer.key];
    if (amount !== offer.amount || old === undefined)
      written.price = Number(formatDecimalAmount(amount, offer.currency));
    if (old !== undefined && amount !== offer.amount && old.checked < change.day && old.checked !== '')
      written.history = [...(written.history ?? []), buildReading(offer, old)];
    const read = { read: change.read, via: change.via };
    const target = { title: base.title, href: base.href, checked: change.day, ...buildHow(read) };
    const isOwn = old !== undefined && !isShared(values, product, old, changes, change);
    const key = isOwn ? old.key : findFreeKey(sources, base.key, { ...target, ...read });
    if (key !== old?.key) written.source = key;
    if (!sources.has(key)) next.sources = { ...next.sources, [key]: target };
    else if (isOwn) {
      const { via: _, read: __, check: ___, ...rest } = next.sources[key];
      next.sources[key] = { ...rest, checked: change.day, ...buildHow(read) };
    }
    sources.set(key, { ...base, key, checked: change.day, ...read });
  }
  const edited = piece.set(next);
  return 'problem' in edited ? { problem: `content/${file}: ${edited.problem}` } : edited;
}

/** A source for a price that has none: the page of the shop. */
function buildFirstSource(site: ConsoleSite, { partner, destination }: Offer) {
  const shop = site.content.read().partners.get(partner);
  const href = shop?.destinations.get(destination) ?? '';
  return shop !== undefined && href.startsWith('https:')
    ? { key: destination, title: `${shop.name}, ${destination.replaceAll('-', ' ')}`, href }
    : null;
}

/**
 * Whether something else rests on the source of a price: a figure that nobody has read again, a price that is changed in
 * another way, or a former price that was read as the source was.
 */
function isShared(
  values: Readonly<Record<string, unknown>> | null,
  product: Pick<Product, 'offers' | 'facts' | 'coupons' | 'criteria'>,
  { key, read, via = '' }: Source,
  changes: readonly PriceChange[],
  own: PriceChange,
): boolean {
  const [name = ''] = own.key.split('.');
  const isNamed = (source: { readonly key: string } | undefined) => source?.key === key;
  const isReadAlike = (offer: Offer) =>
    changes.some(
      (one) =>
        one.key === `${name}.${offer.key}` &&
        one.day === own.day &&
        one.read === own.read &&
        one.via === own.via,
    );
  const isSameHow = read === own.read && via === own.via;
  return (
    product.offers.some(
      (offer) =>
        (isNamed(offer.source) && !isReadAlike(offer)) ||
        offer.facts.some(({ source }) => isNamed(source)) ||
        (!isSameHow &&
          offer.history.some(({ source }, index) => {
            const written = Object(Object(Object(values?.['offers'])[offer.key])['history']?.[index]);
            return isNamed(source) && written.read === undefined && written.via === undefined;
          })),
    ) ||
    [...product.facts, ...product.coupons].some(({ source }) => isNamed(source)) ||
    Object.values(product.criteria).some((answers) =>
      Object.values(answers).some(({ source }) => source === key),
    )
  );
}

/** The key of a source that was read in one way on one day: one that is there, or a new one named after the day. */
function findFreeKey(
  sources: ReadonlyMap<string, Source>,
  base: string,
  wanted: {
    readonly href: string;
    readonly checked: string;
    readonly read: Source['read'];
    readonly via: string;
  },
): string {
  const plain = base.replace(/-\d{4}-\d{2}-\d{2}(-\d+)?$/, '');
  for (let number = 1; ; number += 1) {
    const key = `${plain}-${wanted.checked}${number === 1 ? '' : `-${number}`}`;
    const known = sources.get(key);
    if (known === undefined) return key;
    const isSame = (['href', 'checked', 'read'] as const).every((name) => known[name] === wanted[name]);
    if (isSame && (known.via ?? '') === wanted.via) return key;
  }
}
