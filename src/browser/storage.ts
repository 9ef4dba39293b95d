import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  CHOICE_KEY,
  COPY_KEY,
  FORMER_CHOICE_KEY,
  JOURNEY_KEY,
  OUTBOX_PREFIX,
  type StorageArea,
  type StorageKey,
} from '../core/consent/storage-keys.ts';

/*
 * The gate to the browser's storage: `local` is shared by all tabs and outlives the visit, `session` belongs to one tab.
 * In storage-free mode, and where the browser denies storage or has no room left, texts live as long as the page.
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
  const place = open(area);
  try {
    place[key] = text;
    return place instanceof Storage;
  } catch {
    opened[area] = { ...place, [key]: text };
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
  if (window.held) return window.held[area];
  try {
    // Null where storage is off: in web views of Android, and in WebKit.
    opened[area] ??= window[`${area}Storage`] ?? {};
  } catch {
    opened[area] = {};
  }
  return opened[area];
}

/** Calls `work` when it is known whether the visit may be stored, for which a proxy may have to be asked: within 2 s. */
export function whenModeKnown(work: () => void): void {
  const { held, regionKnown } = window;
  if (!held || !regionKnown) work();
  else void Promise.race([regionKnown, new Promise((resolve) => setTimeout(resolve, 2_000))]).then(work);
}

/** Reads what a part of a page remembers during the session, unparsed; undefined when it is missing. */
export function readSessionState(name: string): unknown {
  return Object(readRecord().state)[name];
}

/** Writes what a part of a page remembers during the session. */
export function writeSessionState(name: string, value: unknown): void {
  const record = readRecord();
  const state = { ...Object(record.state), [name]: value };
  writeStored('session', JOURNEY_KEY, JSON.stringify({ ...record, state }));
}

/** The journey record also has room for state, so that the session needs no further key. */
function readRecord(): { readonly state?: unknown } {
  return Object(readStoredJson('session', JOURNEY_KEY));
}

/** Reads what the visitor has chosen, in any mode: remembering a refusal needs no consent. Empty without a choice. */
export function readChoice(): string {
  try {
    // Earlier versions asked about analytics alone, and stored neither day nor version.
    const former = localStorage[FORMER_CHOICE_KEY] === 'no' ? '- no' : '';
    return localStorage[CHOICE_KEY] ?? former;
  } catch {
    return '';
  }
}

/** Remembers what the visitor has chosen, in any mode. */
export function writeChoice(text: string): void {
  try {
    localStorage[CHOICE_KEY] = text;
    delete localStorage[FORMER_CHOICE_KEY];
  } catch {
    // Storage is denied: the visitor is asked again on the next page.
  }
}

/** Stores what storage-free mode held: the visitor has agreed to it. */
export function storeHeld(): void {
  const { held } = window;
  window.held = undefined;
  for (const area of ['local', 'session'] as const)
    for (const [key, text] of Object.entries(held?.[area] ?? {})) writeStored(area, key as StorageKey, text);
}

/** Removes the visit from this browser, whatever the mode, and the cookies of the analytics tag; or those alone. */
export function forgetVisit(part: 'all' | 'tag'): void {
  try {
    if (part === 'all') {
      for (const key of [ATTRIBUTION_KEY, JOURNEY_KEY, ANSWERS_KEY]) sessionStorage.removeItem(key);
      for (const key of Object.keys(localStorage))
        if (key === COPY_KEY || key.startsWith(OUTBOX_PREFIX.slice(0, -1))) localStorage.removeItem(key);
    }
    for (const [name = ''] of document.cookie.split('; ').map((cookie) => cookie.split('=')))
      if (/^_ga(_|$)/.test(name)) expireCookie(name);
  } catch {
    // Storage is denied: there is nothing.
  }
}

/** The tag sets its cookies for the widest domain that it may. */
function expireCookie(name: string): void {
  const parts = location.hostname.split('.');
  const domains = parts.map((_, index) => `;domain=${parts.slice(index).join('.')}`);
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API, and the cookies are the tag's.
  for (const domain of ['', ...domains]) document.cookie = `${name}=;path=/;max-age=0${domain}`;
}
