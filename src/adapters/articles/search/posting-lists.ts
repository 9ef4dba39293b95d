import type { Expansion } from './vocabulary.ts';

/** How much a word says about a document, 0 to 255, beside the document's number: `document * 256 + impact`. */
const IMPACT_STEPS = 256;
/** The largest impact that the fields can add up to; see `readImpacts`. */
const IMPACT_MAX = 6;

/** Which documents have a term, and how much it says about each. */
export interface PostingLists {
  append(term: number, document: number, impact: number): void;
  /** Number of documents that have the term, removed ones included. */
  frequency(term: number): number;
  /** Adds to each document's score what the best of a searched word's terms says about it. */
  score(expansions: readonly Expansion[], idf: number, scores: Scores): void;
}

/** Scores of one search, by document. */
export interface Scores {
  readonly total: Float32Array;
  /** Sum of the idf of the searched words that the document has. */
  readonly covered: Float32Array;
  /** Documents with a score, in no order. */
  readonly touched: number[];
  /** Best contribution of the searched word at hand, and its number. */
  readonly best: Float32Array;
  readonly stamp: Int32Array;
  /** Number of the searched word at hand, from 1. */
  word: number;
}

/** Creates the arrays for one search over `size` documents. */
export function createScores(size: number): Scores {
  return {
    total: new Float32Array(size),
    covered: new Float32Array(size),
    touched: [],
    best: new Float32Array(size),
    stamp: new Int32Array(size),
    word: 0,
  };
}

/** Creates empty lists. Plain arrays of small integers: 8 bytes a posting, no object for each. */
export function createPostingLists(): PostingLists {
  const lists: number[][] = [];
  return {
    append(term, document, impact) {
      const step = Math.max(1, Math.min(IMPACT_STEPS - 1, Math.round((impact / IMPACT_MAX) * IMPACT_STEPS)));
      const posting = document * IMPACT_STEPS + step;
      const list = lists[term];
      if (list) list.push(posting);
      else lists[term] = [posting];
    },
    frequency: (term) => lists[term]?.length ?? 0,
    score(expansions, idf, scores) {
      scores.word += 1;
      for (const { term, weight } of expansions) addTerm(lists[term] ?? [], weight * idf, idf, scores);
    },
  };
}

function addTerm(list: readonly number[], factor: number, idf: number, scores: Scores): void {
  const { total, covered, touched, best, stamp, word } = scores;
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    const document = posting >>> 8;
    const score = (posting & 255) * factor;
    if (stamp[document] !== word) {
      if (stamp[document] === 0) touched.push(document);
      stamp[document] = word;
      best[document] = score;
      covered[document] = (covered[document] as number) + idf;
      total[document] = (total[document] as number) + score;
    } else if (score > (best[document] as number)) {
      total[document] = (total[document] as number) + score - (best[document] as number);
      best[document] = score;
    }
  }
}
