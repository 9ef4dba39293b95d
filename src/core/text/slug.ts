/**
 * Letters and digits of every script with their marks, `_`, emoji, and hyphens between them. Emoji and several scripts
 * join characters with U+200C and U+200D.
 */
const FIRST = String.raw`\p{L}\p{N}_\p{Extended_Pictographic}\p{RI}`;
const PART = String.raw`[${FIRST}][${FIRST}\p{M}\p{Emoji_Modifier}\u200C\u200D]*`;
const SLUG = new RegExp(`^${PART}(?:-${PART})*$`, 'u');
/** Other forms of characters that have a plain one, such as fullwidth letters: two addresses would look the same. */
const COMPATIBILITY_FORMS = /[\uF900-\uFDFF\uFE30-\uFFEF]+/g;

/** WordPress allows 200 bytes, Ghost 191 characters. */
const MAX_ARTICLE_SLUG_LENGTH = 200;
const MAX_SLUG_LENGTH = 120;
/** In UTF-8: the name of a file has 255, with an ending and what a save puts around it; encoded, it fits into a path. */
const MAX_SLUG_BYTES = 230;
const countBytes = (text: string) => new TextEncoder().encode(text).length;

/**
 * Whether a decoded path segment can name an article, and with `.md` its file: lower-case words of any script, `_`, `-`; 200
 * characters and 230 bytes.
 */
export function isArticleSlug(text: string): boolean {
  return (
    text.length <= MAX_ARTICLE_SLUG_LENGTH &&
    countBytes(text) <= MAX_SLUG_BYTES &&
    SLUG.test(text) &&
    text.search(COMPATIBILITY_FORMS) < 0 &&
    text.normalize('NFC') === text &&
    text.toLowerCase() === text
  );
}

/**
 * Builds the path segment of a category, tag or title: "Editor's Picks" → `editors-picks`; may be empty. It
 * has 120 characters and 230 bytes at most.
 */
export function buildSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    // A mark without its letter, of which a cut-off or a stacked one is the rest.
    .replace(/(?<=^|-)\p{M}+/gu, '')
    .normalize('NFC')
    .replace(COMPATIBILITY_FORMS, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .toWellFormed();
  const { read } = new TextEncoder().encodeInto(words, new Uint8Array(MAX_SLUG_BYTES));
  return words.slice(0, read).replace(/^[-\uFFFD]+|[-\uFFFD]+$/g, '');
}
