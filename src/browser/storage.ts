import { JOURNEY_KEY, type StorageArea, type StorageKey } from '../core/consent/storage-keys.ts';
import { hasGpc } from './consent/gpc.ts';

/*
 * Texts in the browser's storage: `local` is shared by all tabs and outlives the visit, `session` belongs to one tab.
 * Where the browser denies storage, or has no room left, texts live as long as the page.
 */

/** The browser's storage by area, or a copy of it in memory. */
const opened: Partial<Record<StorageArea, Storage | Record<string, string>>> = {};

/** Reads a text; empty when the key is missing. */
export function readStored(area: StorageArea, key: StorageKey): string {
  return open(area)[key] ?? '';
}

/** Reads JSON, unparsed beyond its syntax; null when the key is missing or its text is damaged. */
export function readStoredJson(area: StorageArea, key: StorageKey): unknown {
  try {
    return JSON.parse(readStored(area, key));
  } catch {
    return null;
  }
}

/** Writes a text; true when it outlives the page. */
export function writeStored(area: StorageArea, key: StorageKey, text: string): boolean {
  try {
    // A copy in memory has no methods: this throws, and the copy is replaced.
    (open(area) as Storage).setItem(key, text);
    return true;
  } catch {
    opened[area] = { ...opened[area], [key]: text };
    return false;
  }
}

/** Removes a text. */
export function removeStored(area: StorageArea, key: StorageKey): void {
  delete open(area)[key];
}

/** Lists the keys that begin with `prefix`, sorted. */
export function listStoredKeys<P extends string>(area: StorageArea, prefix: P): `${P}${string}`[] {
  return Object.keys(open(area))
    .filter((key): key is `${P}${string}` => key.startsWith(prefix))
    .sort();
}

function open(area: StorageArea): Storage | Record<string, string> {
  try {
    opened[area] ??= window[`${area}Storage`];
  } catch {
    opened[area] = {};
  }
  return opened[area];
}

/** Reads what a part of a page remembers during the session, unparsed; undefined when it is missing. */
export function readSessionState(name: string): unknown {
  return Object(readRecord().state)[name];
}

/** Writes what a part of a page remembers during the session; under Global Privacy Control nothing is stored. */
export function writeSessionState(name: string, value: unknown): void {
  if (hasGpc()) return;
  const record = readRecord();
  const state = { ...Object(record.state), [name]: value };
  writeStored('session', JOURNEY_KEY, JSON.stringify({ ...record, state }));
}

/** The journey record also has room for state, so that the session needs no further key. */
function readRecord(): { readonly state?: unknown } {
  return Object(readStoredJson('session', JOURNEY_KEY));
}
