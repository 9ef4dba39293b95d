import { Piece } from '../../content-files/edit/piece.ts';
import { isOfKind, nameOfFile } from '../../content-files/kinds.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { formatLongDate } from '../../core/articles/article-copy.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { Content } from '../../core/pages/content.ts';
import { parsePrice } from '../../core/products/price.ts';
import type { Source } from '../../core/products/product.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { describeExcess, MAX_BYTES } from './images.ts';
import { readUndo, saveTexts } from './line-changes.ts';
import { buildHow, buildReading } from './prices.ts';
import { findFolderProblem } from './read-file.ts';
import { readWrittenFiles } from './written-files.ts';

export const LIVE_PAGES_VIEW = 'live-pages';

/** Something that a page says, as its form asks for it. */
interface Figure {
  /** The product's or claim's key and the path in its file, with spaces between: `kit facts free-sends`. */
  readonly id: string;
  readonly label: string;
  /** What we say: an amount as typed. */
  readonly says: string;
  /** Currency of an amount of money; undefined: a text. */
  readonly currency?: string | undefined;
  /** Whether it is a price, and no amount with up to six decimals. */
  readonly isPrice?: boolean;
}

/** A page of another site that figures rest on and that nobody has opened. */
export interface LivePage {
  readonly href: string;
  readonly title: string;
  /** The newest day on which it was read. */
  readonly checked: string;
  readonly figures: readonly Figure[];
}

const isUnopened = ({ read }: Source) => read === 'transcribed' || read === 'copied';

/**
 * Lists the pages that nobody has opened and that carry a price, another amount or a term that claims are compared with:
 * those with the most prices first, then those with the most figures.
 */
export function listLivePages({ products, claims }: Pick<Content, 'products' | 'claims'>): LivePage[] {
  const pages = new Map<string, { title: string; checked: string; figures: Figure[] }>();
  const open = (href: string, title: string, checked: string) => {
    const page = pages.get(href) ?? { title, checked, figures: [] };
    page.checked = checked > page.checked ? checked : page.checked;
    pages.set(href, page);
    return page.figures;
  };
  for (const { key: product, name, sources, offers, facts } of products.values())
    for (const source of sources.filter(isUnopened)) {
      const figures = open(source.href, source.title, source.checked);
      const isOn = (one: { readonly source?: Source | undefined }) => one.source?.key === source.key;
      for (const { key, name: plan, amount, currency } of offers.filter(isOn)) {
        const says = formatDecimalAmount(amount, currency);
        const label = `${name}, ${plan}`;
        figures.push({ id: `${product} offers ${key} price`, label, says, currency, isPrice: true });
      }
      const all = [
        ...facts.map((fact) => ({ fact, at: 'facts', of: name })),
        ...offers.flatMap((offer) =>
          offer.facts.map((fact) => ({ fact, at: `offers ${offer.key} facts`, of: offer.name })),
        ),
      ];
      for (const { fact, at, of } of all.filter((one) => isOn(one.fact)))
        figures.push({
          id: `${product} ${at} ${fact.key} ${fact.micros === undefined ? 'value' : 'amount'}`,
          label: `${of}: ${fact.label}${fact.per === undefined ? '' : `, per ${fact.per}`}`,
          says: fact.micros === undefined ? (fact.value ?? '') : String(fact.micros / 1e6),
          currency: fact.micros === undefined ? undefined : fact.currency,
        });
    }
  const facts = [...claims.values()].flatMap(({ fact, ...claim }) => (fact ? [{ fact, ...claim }] : []));
  for (const { fact } of facts) if (fact.page) open(fact.page.source, fact.page.source, fact.checked);
  const terms = new Set(facts.map(({ fact }) => fact.page?.source));
  for (const { key, figure, wording, fact } of facts) {
    const { page = fact } = fact;
    const label = `Fact beside “${figure}”, ${wording} (empty: the page says “${figure}”)`;
    pages.get(page.source)?.figures.push({ id: `${key} fact text`, label, says: page.text });
  }
  const count = ({ figures }: LivePage) => figures.filter(({ isPrice }) => isPrice).length;
  return [...pages]
    .map(([href, page]) => ({ href, ...page }))
    .filter(({ href, figures }) => terms.has(href) || figures.some(({ currency }) => currency !== undefined))
    .sort((one, other) => count(other) - count(one) || other.figures.length - one.figures.length);
}

/** What changes when somebody answers the same form twice, or when the content was edited meanwhile. */
const hashPage = ({ href, figures, checked }: LivePage) =>
  hashText(JSON.stringify([href, checked, figures.map(({ id, says }) => [id, says])]));

const buildLocation = (extra: Readonly<Record<string, string>> = {}) =>
  buildConsoleAddress('content', {}, { rest: [LIVE_PAGES_VIEW], extra });

/** Reads the pages to open; `page` in the address is the one that is asked about, else the first. */
export async function readLivePages(site: ConsoleSite, request: ViewRequest) {
  const pages = listLivePages(site.content.read());
  const { parameters } = request;
  const page = pages.find(({ href }) => href === parameters.get('page')) ?? pages[0] ?? null;
  const typed: Readonly<Record<string, unknown>> = Object(parseJson(parameters.get('typed') ?? ''));
  return {
    kind: 'live-pages' as const,
    pages: pages.map(({ href, title }) => ({ href, title, at: buildLocation({ page: href }) })),
    page: page && {
      ...page,
      state: hashPage(page),
      figures: page.figures.map((figure) => ({ ...figure, typed: String(typed[figure.id] ?? figure.says) })),
    },
    /** Whether a picture of the page can be stored. */
    takesPictures: site.platform.content.imageStore !== null,
    today: getLocalDay(site.clock.now(), site.settings.TIME_ZONE),
    undo: await readUndo(site, request),
    readOnly: await findFolderProblem(site),
  };
}

/** Parses an amount that was typed; null when it is not an amount. */
function parseAmount(text: string, currency: string, isPrice = false): number | null {
  const price = isPrice ? parsePrice(text, currency) : null;
  if (price !== null) return Number(formatDecimalAmount(price, currency));
  return !isPrice && /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : null;
}

/** What somebody found on a page: `says` as the figures in `id`. */
export interface LiveAnswer {
  readonly page: string;
  readonly state: string;
  readonly day: string;
  readonly id: readonly string[];
  readonly says: readonly string[];
  /** A picture of the page, if wanted. */
  readonly file: File | null;
}

/** Saves what a page says, in every file that rests on it: its sources become opened on that day. All of it, or nothing. */
export async function saveLivePage(
  site: ConsoleSite,
  { page: href, state, day, id, says, file: picture }: LiveAnswer,
  { viewer }: ViewRequest,
): Promise<ActionOutcome> {
  const content = site.content.read();
  const page = listLivePages(content).find((one) => one.href === href);
  const sent = new Map(id.map((key, index) => [key, (says[index] ?? '').trim()]));
  const changed = new Map(
    page?.figures.flatMap((figure) => {
      const text = sent.get(figure.id);
      return text === undefined || text === figure.says ? [] : [[figure.id, { ...figure, text }] as const];
    }),
  );
  const typed = JSON.stringify(Object.fromEntries([...changed].map(([key, { text }]) => [key, text])));
  const refuse = (problem: string) =>
    buildFailure(buildLocation({ page: href, typed }), `Nothing was saved. ${problem}`);
  if (page === undefined || hashPage(page) !== state)
    return refuse('The page was answered, or what we say was changed meanwhile. Compare again.');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    return refuse('Write the day on which you opened it.');
  if (day > getLocalDay(site.clock.now(), site.settings.TIME_ZONE)) return refuse(`${day} is in the future.`);
  if (day < page.checked)
    return refuse(`It was read on ${formatLongDate(page.checked)} already, after ${day}.`);
  const values = new Map<string, unknown>();
  for (const { id: key, label, text, currency, isPrice } of changed.values()) {
    const value = currency === undefined ? text : parseAmount(text, currency, isPrice);
    if (value === null || (value === '' && !key.endsWith(' fact text')))
      return refuse(
        `${label}: “${text}” is no ${currency === undefined ? 'text' : `amount of ${currency}`}.`,
      );
    values.set(key, value);
  }
  const image = await addPicture(site, picture, `${URL.parse(href)?.hostname} ${page.title} ${day}`);
  if (image !== null && 'problem' in image) return refuse(image.problem);
  const texts = new Map<string, string>();
  for (const { file, text } of readWrittenFiles(site)) {
    if (!isOfKind(file, 'product', 'claims')) continue;
    const piece = new Piece(file, text);
    const write = isOfKind(file, 'product') ? planProduct : planClaims;
    const edited = piece.set(write(content, piece, { href, day, values, image }));
    if ('problem' in edited) return refuse(`content/${file}: ${edited.problem}`);
    if (edited.text !== text) texts.set(file, edited.text);
  }
  const message =
    changed.size === 0 ? `${page.title}: as it says.` : `${page.title}: ${changed.size} corrected.`;
  const saved = await saveTexts(site, texts, { message, location: buildLocation(), viewer });
  if (!saved.isError) return saved;
  image?.remove();
  return 'location' in saved ? { ...saved, ...refuse(saved.message) } : saved;
}

/** Stores a picture of a page; null without one. */
async function addPicture(site: ConsoleSite, picture: File | null, name: string) {
  const store = site.platform.content.imageStore;
  if (picture === null || picture.size === 0) return null;
  if (store === null) return { problem: 'Pictures are part of the build of this site.' };
  if (picture.size > MAX_BYTES) return { problem: describeExcess(picture.size) };
  const added = await store.add(picture, { folder: '', name: buildSlug(name), isNumbered: true });
  if ('problem' in added) return { problem: added.problem.replace(/ Nothing was changed\.$/, '') };
  const { version = '' } = store.list().find(({ path }) => path === added.path) ?? {};
  return { path: added.path, remove: () => store.remove(added.path, version) };
}

interface Found {
  readonly href: string;
  readonly day: string;
  /** What has changed, by the id of the figure. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Path of a picture of it, below `content/images/`. */
  readonly image?: { readonly path: string } | null;
}

/** Marks the sources of a product as opened. A former price keeps how it was read. */
function planProduct({ products }: Content, piece: Piece, found: Found) {
  const { href, day, values, image } = found;
  const name = nameOfFile(piece.file);
  const product = products.get(name);
  const read = product?.sources.filter((source) => source.href === href && isUnopened(source)) ?? [];
  const next = structuredClone(Object(piece.values));
  for (const source of read) {
    for (const offer of product?.offers ?? []) {
      const written = Object(next.offers?.[offer.key]);
      for (const former of written.history ?? [])
        if (former.source === source.key && former.read === undefined && former.via === undefined)
          Object.assign(former, buildHow(source));
      const price = values.get(`${name} offers ${offer.key} price`);
      if (price === undefined || offer.source?.key !== source.key || ['', day].includes(source.checked))
        continue;
      written.history = [...(written.history ?? []), buildReading(offer, source)];
    }
    const { via: _, check: __, ...rest } = Object(next.sources?.[source.key]);
    const alt = `${source.title}, as it was on ${formatLongDate(day)}`;
    const shown = image ? { image: { src: `../images/${image.path}`, alt } } : {};
    const opened = { ...rest, checked: day, read: 'opened', ...shown };
    next.sources = { ...next.sources, [source.key]: opened };
  }
  for (const [id, value] of read.length === 0 ? [] : values) {
    const [key, ...path] = id.split(' ');
    const last = path.pop() ?? '';
    if (key === name && last !== 'text')
      path.reduce((inner, part) => (inner[part] ??= {}), next)[last] = value;
  }
  return next;
}

/** Gives facts of claims the page as their source. One whose text was emptied goes: the page says what the claim does. */
function planClaims({ claims }: Content, piece: Piece, { href, day, values }: Found) {
  const next = structuredClone(Object(piece.values));
  for (const [key, { fact }] of claims) {
    const { page } = fact ?? {};
    if (!(key in next) || fact === undefined || (page ?? fact).source !== href) continue;
    const text = values.get(`${key} fact text`) ?? page?.text;
    const { page: _, ...rest } = next[key].fact;
    next[key] =
      text === ''
        ? { ...next[key], fact: undefined, evidence: href, checked: day }
        : {
            ...next[key],
            fact: { ...rest, ...(text !== undefined && { text }), source: href, checked: day },
          };
  }
  return next;
}
