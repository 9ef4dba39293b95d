/**
 * Parses an unknown value to one line of text: cut at `limit` UTF-16 units, without invisible, partial and undecodable
 * characters. Empty when the value is not a string. A short form of `cleanText` for the browser.
 */
export function parseText(value: unknown, limit: number): string {
  return typeof value === 'string'
    ? value
        .slice(0, limit)
        .replace(/\s+/g, ' ')
        .replace(/(?!\u200C|\u200D)[\p{C}\uFFFD]/gu, '')
        .trim()
    : '';
}

/** Parses the path at the start of an unknown value, without its query; empty when it is not a path of this site. */
export function parsePathText(value: unknown): string {
  return /^\/(?![/\\])[^\s\\?#\p{C}]*/u.exec(parseText(value, 512))?.[0] ?? '';
}

/** Parses a JSON text; values of other types are returned as they are, and invalid JSON is null. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  // Most links carry no JSON. An exception for an empty text would be an eighth of the cost of a redirect.
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
