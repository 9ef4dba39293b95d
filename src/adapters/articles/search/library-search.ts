import { createHash } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ArticleCard, ArticlePage } from '../../../core/articles/article.ts';
import { buildResultExcerpt } from '../../../core/articles/marked-text.ts';
import type { SearchDocument } from './impacts.ts';
import { createSearchIndex } from './search-index.ts';

/** The words of an article's body, without markup. */
export interface BodyText {
  readonly slug: string;
  readonly text: string;
}

/** Where the articles are that can be searched. */
export interface LibrarySearchOptions {
  card(slug: string): ArticleCard | null;
  cards(): readonly ArticleCard[];
  /** Empty: there is none. */
  readBody(slug: string): Promise<string>;
  /** Bodies after `slug`, by slug; empty: there are no more. */
  readBodiesAfter(slug: string, count: number): Promise<readonly BodyText[]>;
}

/** The search over a library, kept in step with it. */
export interface LibrarySearch {
  /** Best first; each card says in `excerptParts` what matched. Waits up to a second for an index in the making. */
  find(query: { readonly text: string; readonly page: number; readonly limit: number }): Promise<ArticlePage>;
  /** The articles that share the most telling words with one; at most ten. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleCard[]>;
  /** Brings a new, changed or unchanged article into the index; null: its body is the one of before. */
  put(card: ArticleCard, text: string | null): Promise<void>;
  remove(slug: string): void;
  /** Resolves when everything that is in the library now is in the index. */
  readonly filled: Promise<void>;
}

/** Longest stretch of indexing between two chances for requests; ms. */
const SLICE_MS = 8;
const BATCH = 10;
/** Past this share of replaced documents the index is made anew; small ones do not matter. */
const MOST_WASTE = 0.5;
const MOST_SMALL = 100;
const PATIENCE_MS = 1_000;
const MOST_RELATED = 10;

/** What of an article is in the index. */
interface Print {
  readonly card: string;
  readonly text: string;
}

/** Creates the search and begins to fill its index in slices. */
export function createLibrarySearch(options: LibrarySearchOptions): LibrarySearch {
  /** What answers, and what is being filled: the same one but while a new one takes over. */
  let index = createSearchIndex();
  let target = index;
  let known = new Map<string, Print>();
  let isFilling = false;
  let isWhole = false;
  /** Found before, as long as the index stays as it is. */
  let related = new Map<string, readonly string[]>();
  const add = (card: ArticleCard, text: string): void => {
    const print = { card: hash(JSON.stringify(toDocument(card, ''))), text: hash(text) };
    const before = known.get(card.slug);
    if (before?.card === print.card && before.text === print.text) return;
    known.set(card.slug, print);
    related = new Map();
    target.add(toDocument(card, text));
  };
  const fill = async () => {
    const pause = createPause();
    let last = '';
    for (;;) {
      const batch = await options.readBodiesAfter(last, BATCH);
      for (const { slug, text } of batch) {
        last = slug;
        const card = options.card(slug);
        if (card) add(card, text);
        await pause();
      }
      if (batch.length === 0) break;
    }
    for (const card of options.cards()) {
      if (!known.has(card.slug)) add(card, '');
      await pause();
    }
  };
  const startFilling = async () => {
    isFilling = true;
    isWhole = true;
    try {
      await fill();
      index = target;
    } catch {
      // The library cannot be read right now; the next search tries again.
      isWhole = false;
    } finally {
      isFilling = false;
    }
  };
  const rebuild = () => {
    target = createSearchIndex();
    known = new Map();
    return startFilling();
  };
  let filling = startFilling();
  const findSimilar = async (card: ArticleCard) => {
    const before = related;
    const text = await options.readBody(card.slug);
    const slugs = index.findSimilar(toDocument(card, text), MOST_RELATED);
    if (before === related) related.set(card.slug, slugs);
    return slugs;
  };
  return {
    get filled() {
      return filling;
    },
    async find({ text, page, limit }) {
      if (!isWhole) filling = startFilling();
      if (isFilling && index === target)
        await Promise.race([filling, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
      const { slugs, hasMore, matches } = index.search({ text, page, limit });
      const isMatch = (word: string) => matches.has(word);
      const articles = await Promise.all(slugs.map((slug) => markCard(slug, isMatch, options)));
      return { articles: articles.filter((card) => card !== null), hasMore };
    },
    async findRelated(slug, limit) {
      const card = options.card(slug);
      if (!card) return [];
      const slugs = related.get(slug) ?? (await findSimilar(card));
      return slugs.slice(0, limit).flatMap((other) => options.card(other) ?? []);
    },
    async put(card, text) {
      const isSame =
        text === null && known.get(card.slug)?.card === hash(JSON.stringify(toDocument(card, '')));
      if (isSame) return;
      add(card, text ?? (await options.readBody(card.slug)));
      if (index.waste > MOST_WASTE && index.size > MOST_SMALL && !isFilling) {
        // The old index answers meanwhile.
        filling = rebuild();
      }
    },
    remove(slug) {
      known.delete(slug);
      related = new Map();
      index.remove(slug);
      target.remove(slug);
    },
  };
}

async function markCard(
  slug: string,
  isMatch: (word: string) => boolean,
  options: LibrarySearchOptions,
): Promise<ArticleCard | null> {
  const card = options.card(slug);
  if (!card) return null;
  const short = buildResultExcerpt(card.excerpt, '', isMatch);
  if (short.some(({ match }) => match)) return { ...card, excerptParts: short };
  return { ...card, excerptParts: buildResultExcerpt(card.excerpt, await options.readBody(slug), isMatch) };
}

function toDocument(card: ArticleCard, text: string): SearchDocument {
  const { slug, title, excerpt, categories, tags, publishedAt } = card;
  return { slug, title, excerpt, categories, tags, publishedAt, text };
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** Creates a pause that gives way to requests whenever a slice of work has been done. */
function createPause(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await setImmediate();
    start = performance.now();
  };
}
