import type { LinkPage } from '../../core/outbound/link-state.ts';
import type { StructuredOffer } from '../../core/outbound/page-expectation.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { collapseSpaces, isBlock, parseHtml } from '../articles/html/html-text.ts';

/** A page of another site: its words, its offers in JSON-LD, and where it refreshes to. */
export interface ReadLinkPage extends LinkPage {
  readonly offers: readonly StructuredOffer[];
  /** Null without a refresh to another address within a few seconds. */
  readonly refresh: string | null;
}

const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'title', 'svg']);
/** A page that goes on later is meant to be read. */
const MAX_REFRESH_SECONDS = 10;

/**
 * Reads a page of another site, up to where it nests more than a thousand elements. What only browsers without scripts see
 * does not count: readers have scripts.
 */
export function readLinkPage(html: string): ReadLinkPage {
  const page = { title: '', heading: '', text: '', language: '', refresh: null as string | null };
  const data: string[] = [];
  const open: string[] = [];
  let isData = false;
  let hidden = 0;
  let headings = 0;
  /** How many are open of the elements that text may be in at any depth. */
  const around = { svg: 0, h1: 0 };
  parseHtml(html, {
    onopentag(name, attributes) {
      open.push(name);
      if (HIDDEN.has(name)) hidden++;
      if (isBlock(name)) page.text += ' ';
      if (name === 'h1') headings++;
      if (name === 'h1' || name === 'svg') around[name]++;
      if (name === 'html') page.language = (attributes['lang'] ?? '').trim().slice(0, 20);
      isData = name === 'script' && /^application\/ld\+json\b/i.test(attributes['type']?.trim() ?? '');
      if (isData) data.push('');
      const isRefresh = name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh';
      if (isRefresh && hidden === 0) page.refresh ??= parseRefresh(attributes['content'] ?? '');
    },
    onclosetag(name) {
      open.pop();
      if (HIDDEN.has(name)) hidden--;
      if (name === 'h1' || name === 'svg') around[name]--;
      if (isBlock(name)) page.text += ' ';
      isData = false;
    },
    ontext(text) {
      const inside = open.at(-1);
      if (isData) data.push((data.pop() ?? '') + text);
      else if (inside === 'title' && around.svg === 0) page.title += text;
      if (hidden > 0) return;
      if (headings === 1 && around.h1 > 0) page.heading += text;
      page.text += text;
    },
  });
  return {
    title: collapseSpaces(page.title).slice(0, 300),
    heading: collapseSpaces(page.heading).slice(0, 300),
    text: collapseSpaces(page.text),
    language: page.language,
    refresh: page.refresh,
    offers: data.flatMap((text) => collectOffers(parseJson(text), '', 0)),
  };
}

function parseRefresh(content: string): string | null {
  const [, seconds = '', target = ''] =
    /^\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content) ?? [];
  return target === '' || Number(seconds) > MAX_REFRESH_SECONDS ? null : target.trim();
}

const MAX_DEPTH = 12;

/** Collects the offers of structured data, at any depth; an offer without a name has that of what it is part of. */
function collectOffers(value: unknown, name: string, depth: number): StructuredOffer[] {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((part) => collectOffers(part, name, depth + 1));
  const node: Record<string, unknown> = { ...value };
  const own = typeof node['name'] === 'string' ? node['name'] : name;
  const types = [node['@type']].flat().map(String);
  const isOffer = types.some((type) => /(^|\/)(Aggregate)?Offer$/.test(type));
  const inner = Object.values(node).flatMap((part) => collectOffers(part, own, depth + 1));
  return isOffer ? [...readOffer(node, own), ...inner] : inner;
}

function readOffer(node: Readonly<Record<string, unknown>>, name: string): StructuredOffer[] {
  const [specification] = [node['priceSpecification']].flat();
  const source: Record<string, unknown> = { ...Object(specification), ...node };
  const { price = source['lowPrice'], priceCurrency } = source;
  const isAmount = typeof price === 'number' || typeof price === 'string';
  if (!isAmount || typeof priceCurrency !== 'string') return [];
  return [
    { name: name.slice(0, 200), price: String(price).replace(/,(?=\d{3}\b)/g, ''), currency: priceCurrency },
  ];
}
