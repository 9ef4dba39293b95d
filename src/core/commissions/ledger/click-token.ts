/** How a click id travels as a sub-id: as it is (36 characters), as 32 hexadecimal digits, or as 22 of base 62. */
export const TOKEN_ENCODINGS = ['uuid', 'hex32', 'base62'] as const;
export type TokenEncoding = (typeof TOKEN_ENCODINGS)[number];

/** Characters that a click id takes in each encoding. */
export const TOKEN_LENGTHS: Readonly<Record<TokenEncoding, number>> = { uuid: 36, hex32: 32, base62: 22 };

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE62_LENGTH = TOKEN_LENGTHS.base62;
const HEX_LENGTH = TOKEN_LENGTHS.hex32;
/** A token that was cut off still names one click with this many hexadecimal digits (96 bits). */
const MIN_PREFIX_LENGTH = 24;
const MAX_VALUE_LENGTH = 512;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** Encodes a click id (UUID, lower case) for a partner's sub-id parameter; any other text stays as it is. */
export function encodeClickId(clickId: string, encoding: TokenEncoding): string {
  if (encoding === 'uuid' || !UUID.test(clickId)) return clickId;
  const hex = clickId.replaceAll('-', '');
  if (encoding === 'hex32') return hex;
  let rest = BigInt(`0x${hex}`);
  let text = '';
  while (text.length < BASE62_LENGTH) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Writes hexadecimal digits as a UUID, or as the beginning of one when there are fewer than 32. */
export function buildClickId(hex: string): string {
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.filter((part) => part !== '').join('-');
}

/**
 * Finds the clicks that a text may name, whatever happened to the token on its way: percent-encoded up to twice,
 * upper-cased, without dashes, in braces, cut off after at least 24 hexadecimal digits, or in base 62 (which is found
 * only if its case is unchanged): the first hexadecimal digits of each id, all 32 unless the token was cut off. Whether
 * such a click exists is for the caller to look up.
 */
export function findTokenCandidates(text: string) {
  // Most cells of a report; the shortest form of a whole id is that of base 62.
  if (text.length < BASE62_LENGTH) return [];
  if (UUID.test(text)) return [{ hex: text.replaceAll('-', '') }];
  const value = decodeTwice(text.slice(0, MAX_VALUE_LENGTH)).trim();
  const found = new Set<string>();
  const plain = value.replace(/[\s{}()"'-]/g, '');
  if (/^[\da-f]+$/i.test(plain) && plain.length >= MIN_PREFIX_LENGTH && plain.length <= HEX_LENGTH) {
    found.add(plain.toLowerCase());
  }
  const decoded = decodeBase62(value);
  if (decoded !== null) found.add(decoded);
  for (const [uuid] of value.matchAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi)) {
    found.add(uuid.replaceAll('-', '').toLowerCase());
  }
  return [...found].map((hex) => ({ hex }));
}

function decodeBase62(text: string): string | null {
  if (text.length !== BASE62_LENGTH) return null;
  let number = 0n;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return null;
    number = number * 62n + BigInt(digit);
  }
  const hex = number.toString(16).padStart(HEX_LENGTH, '0');
  return hex.length === HEX_LENGTH ? hex : null;
}

/** A text that is not percent-encoded, or only in parts, stays as it is. */
function decodeTwice(text: string): string {
  let decoded = text;
  for (let round = 0; round < 2 && decoded.includes('%'); round++) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}

const MAX_CANDIDATES = 40;

/** The click ids, or beginnings of them, that the texts of a report may name; those of the first text first. */
export function listClickCandidates(texts: readonly string[]): string[] {
  const found = [...new Set(texts)].flatMap((text) =>
    findTokenCandidates(text).map(({ hex }) => buildClickId(hex)),
  );
  return [...new Set(found)].slice(0, MAX_CANDIDATES);
}

/**
 * Chooses the click of each report: the first of its candidates that is the id of a known click, or the beginning of
 * exactly one. Null when no candidate is: a commission is never matched by time or address.
 */
export function matchClicks(
  reports: readonly (readonly string[])[],
  knownIds: readonly string[],
): (string | null)[] {
  const known = new Set(knownIds);
  const find = (candidate: string): string | null => {
    if (known.has(candidate)) return candidate;
    if (candidate.length >= TOKEN_LENGTHS.uuid) return null;
    const matches = [...known].filter((id) => id.startsWith(candidate));
    return matches.length === 1 ? (matches[0] ?? null) : null;
  };
  return reports.map((candidates) => candidates.map(find).find((id) => id !== null) ?? null);
}
