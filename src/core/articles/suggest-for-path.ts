import { splitWords } from '../text/words.ts';

/** Something that the site has, as a link. */
export interface SuggestedLink {
  readonly title: string;
  readonly href: string;
}

const MAX_SUGGESTIONS = 4;
/** Shorter words say too little. */
const MIN_WORD_LENGTH = 3;
/** Words of addresses that many pages share. */
const COMMON = new Set([
  'and',
  'blog',
  'for',
  'from',
  'html',
  'php',
  'the',
  'tag',
  'topic',
  'with',
  'www',
  'your',
]);

/**
 * Finds the links that share most words with a path that leads nowhere; of equals the earlier comes first. A word
 * matches one that begins with it, or that it begins with.
 */
export function suggestForPath(path: string, links: readonly SuggestedLink[]): readonly SuggestedLink[] {
  const wanted = new Set(splitWords(decode(path).slice(0, 200)).filter(isTelling));
  if (wanted.size === 0) return [];
  return links
    .map((link) => ({ link, score: countShared(wanted, `${link.title} ${link.href}`) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ link }) => link);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll(/%[0-9A-F]{2}/gi, ' ');
  }
}

const isTelling = (word: string) => word.length >= MIN_WORD_LENGTH && !COMMON.has(word);

function countShared(wanted: ReadonlySet<string>, text: string): number {
  const words = splitWords(text).filter(isTelling);
  return [...wanted].filter((word) => words.some((own) => own.startsWith(word) || word.startsWith(own)))
    .length;
}
