import { readWords } from '../../../core/articles/words.ts';
import { pickBest } from './best-first.ts';
import { readImpacts, type SearchDocument } from './impacts.ts';
import { createPostingLists, createScores, type Scores } from './posting-lists.ts';
import { createVocabulary, type Expansion } from './vocabulary.ts';

/** What a search found. */
export interface SearchResult {
  /** Best first. */
  readonly slugs: readonly string[];
  readonly hasMore: boolean;
  /** The words, folded, that count as matches in a text. */
  readonly matches: ReadonlySet<string>;
}

/** A full-text index in memory. Everything is synchronous; adding a document of 1,000 words takes under a millisecond. */
export interface SearchIndex {
  /** Adds a document or replaces the one with the same slug. */
  add(document: SearchDocument): void;
  remove(slug: string): void;
  has(slug: string): boolean;
  /** `page` from 1. */
  search(query: { readonly text: string; readonly page: number; readonly limit: number }): SearchResult;
  /** Slugs of the documents that share the most telling words with one; best first. */
  findSimilar(document: SearchDocument, limit: number): readonly string[];
  /** Documents that can be found. */
  readonly size: number;
  /** Share of the index that replaced and removed documents still take, 0 to 1. */
  readonly waste: number;
}

/** Most words of a query that count. */
const MOST_WORDS = 12;
/** A result has to cover this share of what the best result covers. */
const COVERAGE = 0.6;
const SIMILAR_WORDS = 25;

/** Creates an empty index. */
export function createSearchIndex(): SearchIndex {
  const vocabulary = createVocabulary();
  const postings = createPostingLists();
  const slugs: string[] = [];
  const times: number[] = [];
  const isLive: boolean[] = [];
  const live = new Map<string, number>();
  const idfOf = (frequency: number) => Math.log(1 + (slugs.length - frequency + 0.5) / (frequency + 0.5));
  const remove = (slug: string) => {
    const number = live.get(slug);
    if (number !== undefined) isLive[number] = false;
    live.delete(slug);
  };
  const rank = ({ touched, total, covered }: Scores, wanted: number, coverage: number) => {
    let most = 0;
    for (const document of touched) if (isLive[document]) most = Math.max(most, covered[document] ?? 0);
    const good = touched.filter(
      (document) => isLive[document] && (covered[document] ?? 0) >= most * coverage,
    );
    for (const document of good) total[document] = (total[document] ?? 0) * (covered[document] ?? 0) ** 2;
    const best = pickBest(good, wanted, (a, b) => {
      const difference = (total[a] ?? 0) - (total[b] ?? 0);
      return difference > 0 || (difference === 0 && (times[a] ?? 0) > (times[b] ?? 0));
    });
    return { best, count: good.length };
  };
  const slugOf = (document: number) => slugs[document] ?? '';
  return {
    add(document) {
      remove(document.slug);
      const number = slugs.push(document.slug) - 1;
      times.push(Date.parse(document.publishedAt));
      isLive.push(true);
      live.set(document.slug, number);
      for (const [word, impact] of readImpacts(document))
        postings.append(vocabulary.number(word), number, impact);
    },
    remove,
    has: (slug) => live.has(slug),
    search({ text, page, limit }) {
      const scores = createScores(slugs.length);
      const matches = new Set<string>();
      for (const word of readQueryWords(text, vocabulary.has)) {
        const expansions = vocabulary.expand(word, postings.frequency);
        for (const { term } of expansions) matches.add(vocabulary.word(term));
        postings.score(expansions, idfOf(largest(expansions, postings.frequency)), scores);
      }
      const { best, count } = rank(scores, page * limit, COVERAGE);
      return { slugs: best.slice((page - 1) * limit).map(slugOf), hasMore: count > page * limit, matches };
    },
    findSimilar(document, limit) {
      const telling = [...readImpacts(document)]
        .filter(([word]) => vocabulary.has(word))
        .map(([word, impact]) => {
          const term = vocabulary.number(word);
          return { term, weight: impact, idf: idfOf(postings.frequency(term)) };
        })
        .sort((a, b) => b.weight * b.idf - a.weight * a.idf)
        .slice(0, SIMILAR_WORDS);
      const scores = createScores(slugs.length);
      for (const { term, weight, idf } of telling) postings.score([{ term, weight }], idf, scores);
      const { best } = rank(scores, limit + 1, 0);
      return best
        .map(slugOf)
        .filter((slug) => slug !== document.slug)
        .slice(0, limit);
    },
    get size() {
      return live.size;
    },
    get waste() {
      return slugs.length === 0 ? 0 : 1 - live.size / slugs.length;
    },
  };
}

function largest(expansions: readonly Expansion[], frequency: (term: number) => number): number {
  return expansions.reduce((most, { term }) => Math.max(most, frequency(term)), 0);
}

/** `e-mail` is asked for as `email` when the index knows that word, else as its parts. */
function readQueryWords(text: string, isKnown: (word: string) => boolean): readonly string[] {
  const words = text.split(/\s+/).flatMap((piece) => {
    const parts = readWords(piece);
    const joined = parts.join('');
    return parts.length > 1 && isKnown(joined) ? [joined] : parts;
  });
  return [...new Set(words)].slice(0, MOST_WORDS);
}
