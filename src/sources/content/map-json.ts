/** Keys and positions that lead to a part of a value. */
type Path = readonly (string | number)[];

/** The form in JSON: each map is a list of its entries, and `maps` leads to it; a map in a map comes first. */
interface Stored {
  readonly value: unknown;
  readonly maps: readonly Path[];
}

/**
 * Writes a value of plain objects, arrays, maps and texts as JSON. A field without a value is left out. Throws
 * `TypeError` for everything else that JSON would change, such as a date or a function.
 */
export function stringifyMaps(value: unknown): string {
  const maps: Path[] = [];
  const stored: Stored = { value: encode(value, ['value'], maps), maps };
  return JSON.stringify(stored);
}

/** Parses what `stringifyMaps` has written. Walks to the maps only, so that it takes hardly more than `JSON.parse`. */
export function parseMaps(text: string): unknown {
  const stored: Stored = JSON.parse(text);
  for (const path of stored.maps) {
    const parent = path.slice(0, -1).reduce<object>((at, step) => Reflect.get(at, step), stored);
    const last = path.at(-1) ?? '';
    Reflect.set(parent, last, new Map(Reflect.get(parent, last)));
  }
  return stored.value;
}

function encode(value: unknown, path: Path, maps: Path[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => encode(item, [...path, index], maps));
  if (value instanceof Map) {
    const entries = [...value].map((entry, index) => encode(entry, [...path, index], maps));
    maps.push(path);
    return entries;
  }
  if (isPlain(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([key, field]) => [key, encode(field, [...path, key], maps)]));
  }
  const type = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new TypeError(`JSON has no form for ${path.slice(1).join('.')}: ${type}`);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
