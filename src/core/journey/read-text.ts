/**
 * The text of an unknown value: cut at `limit` UTF-16 units, in one line, without what shows nothing, is half a
 * character or could not be decoded. Empty when it is no text. The short form of `cleanText`, for the browser.
 */
export function readText(value: unknown, limit: number): string {
  return typeof value === 'string'
    ? value
        .slice(0, limit)
        .replace(/\s+/g, ' ')
        .replace(/(?!\u200C|\u200D)[\p{C}\uFFFD]/gu, '')
        .trim()
    : '';
}

/** The path that an unknown value begins with, without query; empty when it is no path of this site. */
export function readPath(value: unknown): string {
  return /^\/(?![/\\])[^\s\\?#\p{C}]*/u.exec(readText(value, 512))?.[0] ?? '';
}
