/**
 * Parses an unknown value to one line of text: cut at `limit` UTF-16 units, without invisible, partial and undecodable
 * characters. Empty when the value is not a string. A short form of `cleanText` for the browser.
 */
export function parseText(value: unknown, limit: number): string {
  const text = typeof value === 'string' ? value.slice(0, limit) : '';
  // Most texts are plain: finding that out takes a third of the time of cleaning them.
  return /[^!-~]/.test(text)
    ? text
        .replace(/\s+/g, ' ')
        .replace(/(?!\u200C|\u200D)[\p{C}\uFFFD]/gu, '')
        .trim()
    : text;
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

/** A run of digits that a double may not hold. */
const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON that a network has sent, as `parseJson` does, but a number that a double cannot hold is the text that was
 * sent: an id of 19 digits would be rounded to that of another order.
 */
export function parseSentJson(text: unknown): unknown {
  if (typeof text !== 'string' || !LONG_NUMBER.test(text)) return parseJson(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return null;
  }
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const { source = '' } = context ?? {};
  const digits = getDigits(source);
  // PHP writes 12.2 as 12.199999999999999: a fraction has as many digits as it is asked for.
  const held = Number.isInteger(value) ? `${value}` : value.toPrecision(Math.min(digits.length, 100));
  return digits === getDigits(held) ? value : source;
}

/** The digits of a number without its sign, point and exponent, and without the zeros at both ends, which any number can have. */
const getDigits = (number: string) =>
  number
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');

/** Decodes a percent-encoded text; one that is not, or only in parts, stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters that some program treats as a line break: they become a space in a single line of text. */
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Invisible characters that change how the rest is read: terminal controls, direction marks and overrides
 * (CVE-2021-42574), zero-width space, byte order mark, tags, noncharacters. The zero-width joiners are excepted because
 * emoji and several scripts need them.
 */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]/gu;

const MAYBE_UNCLEAN = /[^\x20-\x7E]/;

/** Builds text that is safe to store: one line, no invisible or partial characters, at most `limit` UTF-16 units. */
export function cleanText(text: string, limit: number): string {
  // Bounds the work for a text of megabytes; four times the limit leaves enough after removals.
  const head = text.length > limit * 4 ? text.slice(0, limit * 4) : text;
  // Safari before 16.4 lacks `toWellFormed`; the server cleans again what it sends.
  const clean = MAYBE_UNCLEAN.test(head)
    ? (head.toWellFormed?.() ?? head).replace(LINE_BREAKS, ' ').replace(INVISIBLE, '')
    : head;
  return cut(clean.trim(), limit);
}

/** Does the same for text of several lines, such as a message; line breaks become `\n`. */
export function cleanLines(text: string, limit: number): string {
  const lines = text
    .slice(0, limit * 4)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => cleanText(line, limit));
  return cut(lines.join('\n').trim(), limit);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return text.slice(0, splitsPair ? limit - 1 : limit).trimEnd();
}

/** Characters that a terminal obeys, or that turn the direction of a line, without the line breaks and tabs of a text. */
const OBEYED = /(?![\t\n]|\r\n|\r$)[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * Escapes what a terminal would obey instead of showing it, such as `\u001b` for the start of an escape sequence. JSON
 * stays the same JSON. Line breaks and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML and XML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Whether a host name, without a port, is this machine: `localhost`, `127.x.x.x`, `::1` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(hostname);
}

/** Hosts of one machine or one network, by their names, as IPv4 and as IPv6. Literals, which a bundle for browsers leaves out. */
const PRIVATE_NAME = /(^|\.)(localhost|local|test)$/;
const PRIVATE_IPV4 = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(::1?|f[cd].*|fe[89ab].*|::ffff:.*)\]$/;

/**
 * Whether a site address is one that visitors of the internet can open: its host is neither this machine nor of a private
 * network, nor does it end with `.local`, `.localhost` or `.test`. What a public site does differently follows from it.
 */
export function isPublicAddress(siteUrl: string): boolean {
  if (!URL.canParse(siteUrl)) return false;
  const host = new URL(siteUrl).hostname.replace(/\.$/, '');
  return ![PRIVATE_NAME, PRIVATE_IPV4, PRIVATE_IPV6].some((pattern) => pattern.test(host));
}
