/** Silent reading of English non-fiction: 238 words a minute (Brysbaert 2019, doi:10.1016/j.jml.2019.104047). */
const WORDS_PER_MINUTE = 238;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,-]*/gu;

/** Counts the words of a plain text; a number such as `$1,492` is one word. */
export function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** Builds the reading time of a plain text in whole minutes, at least 1. */
export function buildReadingTime(text: string): number {
  return Math.max(1, Math.ceil(countWords(text) / WORDS_PER_MINUTE));
}
