import { z } from 'zod';
import { readValues } from '../../content-files/edit/plan-state.ts';
import { editYaml, type YamlEdit } from '../../content-files/edit-yaml.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { formatPrice, getAgeDays, parsePrice } from '../../core/products/price.ts';
import { productSchema } from '../../core/products/product.schema.ts';
import type { Offer, Product, Source } from '../../core/products/product.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { readUndo, saveTexts } from './line-changes.ts';
import { findFolderProblem } from './read-file.ts';
import { listPagesUsing, readRisk } from './updates.ts';
import { openContentFiles, readWrittenFiles } from './written-files.ts';

export const PRICES_VIEW = 'prices';
const LOCATION = buildConsoleAddress('content', {}, { rest: [PRICES_VIEW] });
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

/** A price of the sheet. */
export type PriceRow = Awaited<ReturnType<typeof readPrices>>['rows'][number];

/** Reads the prices of all products: too old ones first, those with the most money before others. */
export async function readPrices(site: ConsoleSite, request: ViewRequest) {
  const { clock, settings } = site;
  const now = clock.now();
  const today = getLocalDay(now, settings.TIME_ZONE);
  const { products, partners } = site.content.read();
  const written = readWrittenFiles(site);
  const paths = new Map(listSitePages(site).map(({ file, path }) => [file, path]));
  const files = openContentFiles(site);
  const { rank, currency } = await readRisk(site);
  const all = [...products.values()].flatMap((product) => {
    const file = `products/${product.key}.yaml`;
    const read = files.read(file);
    const pages = listPagesUsing(file, written, paths);
    return product.offers.map((offer) => ({
      ...describeOffer(product, offer, now),
      file,
      pages,
      hash: 'hash' in read ? read.hash : '',
      partner: null,
      shop: partners.get(offer.partner)?.name ?? offer.partner,
      href: offer.source?.href ?? partners.get(offer.partner)?.destinations.get(offer.destination) ?? '',
    }));
  });
  const by = request.parameters.get('by') ?? '';
  const ranked = rank(all);
  const rows =
    by === 'product' || by === 'shop'
      ? ranked.toSorted((one, other) => (one[by] < other[by] ? -1 : Number(one[by] > other[by])))
      : GROUPS.flatMap((group) => ranked.filter((row) => row.group === group));
  return {
    kind: 'prices' as const,
    rows,
    currency,
    today,
    by,
    shops: new Set(all.map(({ shop }) => shop)).size,
    undo: await readUndo(site, request),
    /** Why nothing can be changed here; null when it can. */
    readOnly: await findFolderProblem(site),
  };
}

/** How old the price of a row is, in the order of the sheet. */
export const GROUPS = ['old', 'soon', 'fresh'] as const;

function describeOffer({ key, name, maxAgeDays }: Product, offer: Offer, now: number) {
  const { source, amount, currency, history } = offer;
  const age = source === undefined || source.checked === '' ? null : getAgeDays(source.checked, now);
  const group: (typeof GROUPS)[number] =
    age === null || age > maxAgeDays ? 'old' : age > maxAgeDays - SOON_DAYS ? 'soon' : 'fresh';
  const last = history.findLast((reading) => reading.amount !== amount);
  return {
    key: `${key}.${offer.key}`,
    product: name,
    offer: offer.name,
    currency,
    age,
    maxAgeDays,
    group,
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
): Promise<ActionOutcome> {
  const refuse = (problem: string) => buildFailure(LOCATION, `No price was saved. ${problem}`);
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
  const message = changes.length === 1 ? '1 price saved.' : `${changes.length} prices saved.`;
  return saveTexts(site, texts, { message, location: LOCATION, viewer: request.viewer }, hashes);
}

const SOURCE_ORDER = ['title', 'href', 'checked', 'via', 'read', 'check'];
export const OFFER_ORDER =
  'name partner destination price billed per terms currency country audience source history facts volume'.split(
    ' ',
  );

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
  const values = readValues(file, text);
  const { data: product } = productSchema.safeParse(values);
  if (product === undefined) return { problem: `content/${file} is wrong: correct it first.` };
  const edits: YamlEdit[] = [];
  const set = (path: readonly (string | number)[], value: unknown, order: readonly string[] = []) =>
    edits.push({ kind: 'set', path, value, order });
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
    const at = ['offers', offer.key];
    if (amount !== offer.amount || old === undefined)
      set([...at, 'price'], Number(formatDecimalAmount(amount, offer.currency)), OFFER_ORDER);
    if (old !== undefined && amount !== offer.amount && old.checked < change.day && old.checked !== '') {
      const reading = buildReading(offer, old);
      if (offer.history.length === 0) set([...at, 'history'], [reading], OFFER_ORDER);
      else edits.push({ kind: 'insert', path: [...at, 'history', offer.history.length], value: reading });
    }
    const read = { read: change.read, via: change.via };
    const target = { title: base.title, href: base.href, checked: change.day, ...buildHow(read) };
    const isOwn = old !== undefined && !isShared(values, product, old, changes, change);
    const key = isOwn ? old.key : findFreeKey(sources, base.key, { ...target, ...read });
    if (key !== old?.key) set([...at, 'source'], key, OFFER_ORDER);
    if (!sources.has(key)) set(['sources', key], target);
    else if (isOwn) {
      set(['sources', key, 'checked'], change.day, SOURCE_ORDER);
      const how: Readonly<Record<string, unknown>> = buildHow(read);
      const before = Object(Object(values?.['sources'])[key]);
      for (const name of ['via', 'read', 'check'])
        if (how[name] !== undefined) set(['sources', key, name], how[name], SOURCE_ORDER);
        else if (name in before) edits.push({ kind: 'remove', path: ['sources', key, name] });
    }
    sources.set(key, { ...base, key, checked: change.day, ...read });
  }
  const unique = edits.filter((edit, index) => edits.findIndex((one) => isSameEdit(one, edit)) === index);
  const edited = editYaml(text, unique);
  return 'problem' in edited ? { problem: `content/${file} ${edited.problem}.` } : edited;
}

const isSameEdit = (one: YamlEdit, other: YamlEdit) =>
  one.kind === other.kind && one.path.join('.') === other.path.join('.');

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
