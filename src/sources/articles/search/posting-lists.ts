import type { Expansion } from './vocabulary.ts';
import { MAX_IMPACT } from './word-impacts.ts';

/** A posting is one integer, `document * 256 + impact`: 8 bytes in a plain array, without an object for each. */
const IMPACT_STEPS = 256;

export interface Scores {
  readonly total: Float32Array;
  /** Sum of the inverse document frequencies of the searched words that the document contains. */
  readonly covered: Float32Array;
  /** Documents with a score, in no order. */
  readonly touched: number[];
  /** Best contribution of the current searched word, and the number of the word it belongs to. */
  readonly best: Float32Array;
  readonly stamp: Int32Array;
  /** Number of the current searched word, from 1. */
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

/** For each term, the documents that contain it and its impact in each. */
export class PostingLists {
  readonly #lists: number[][];

  /** `lists`: those that `getLists` has returned. */
  constructor(lists: readonly (readonly number[])[] = []) {
    this.#lists = lists.map((list) => [...list]);
  }

  /** Returns the postings of each term. */
  getLists(): readonly (readonly number[])[] {
    return this.#lists;
  }

  append(term: number, document: number, impact: number): void {
    const step = Math.round((impact / MAX_IMPACT) * IMPACT_STEPS);
    const posting = document * IMPACT_STEPS + Math.max(1, Math.min(IMPACT_STEPS - 1, step));
    const list = this.#lists[term];
    if (list) list.push(posting);
    else this.#lists[term] = [posting];
  }

  /** Returns the number of documents that contain a term, removed ones included. */
  readonly getFrequency = (term: number): number => this.#lists[term]?.length ?? 0;

  /** Adds to the score of each document the best contribution of the terms of one searched word. */
  score(expansions: readonly Expansion[], idf: number, scores: Scores): void {
    scores.word += 1;
    for (const { term, weight } of expansions) scoreTerm(this.#lists[term] ?? [], weight * idf, idf, scores);
  }
}

function scoreTerm(list: readonly number[], factor: number, idf: number, scores: Scores): void {
  const { total, covered, touched, best, stamp, word } = scores;
  for (const posting of list) {
    const document = posting >>> 8;
    const score = (posting & 255) * factor;
    const previous = stamp[document] === word ? (best[document] ?? 0) : 0;
    if (stamp[document] !== word) {
      if (stamp[document] === 0) touched.push(document);
      stamp[document] = word;
      covered[document] = (covered[document] ?? 0) + idf;
    } else if (score <= previous) continue;
    total[document] = (total[document] ?? 0) + score - previous;
    best[document] = score;
  }
}
