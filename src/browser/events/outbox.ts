import {
  OUTBOX_DROPPED_KEY,
  OUTBOX_PAUSE_KEY,
  OUTBOX_PREFIX,
  type StorageKey,
} from '../../core/consent/storage-keys.ts';
import { EVENTS_API_PATH } from '../../core/paths.ts';
import { listStoredKeys, readStored, removeStored, writeStored } from '../storage.ts';

/**
 * Creates a random UUID. `crypto.randomUUID` exists only on pages served with TLS; the address of a blob ends in one.
 */
export function createId(): string {
  return URL.createObjectURL(new Blob()).slice(-36);
}

/*
 * Entries wait in local storage until the server has accepted them, so that this page or any later one delivers them
 * once and in order. Each has a key of its own, sorted by time: no tab overwrites what another one wrote. Its text is
 * the time until which a sender has claimed it (ms since 1970), a space, and the entry as JSON.
 */
type OutboxKey = `${typeof OUTBOX_PREFIX}${string}`;

const TIMEOUT_MS = 10_000;
/** Longer than a request may take, so that no two tabs send one entry. */
const CLAIM_MS = 15_000;
const MAX_PAUSE_MS = 600_000;
const MAX_ENTRIES = 100;
/** With every campaign parameter at its longest, twelve events fit into the 64 KiB of a request with `keepalive`. */
const MAX_BATCH = 12;

let lastStamp = 0;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Delivers an entry, which the server identifies by `id`: at once when no other waits, even while the page is being
 * left; else, or when that fails, after the others.
 */
export function deliver<Entry extends { readonly id: string }>(entry: Entry): void {
  const keys = listStoredKeys('local', OUTBOX_PREFIX);
  const isFirst = !readPause() && !keys.some(isFree);
  if (keys[MAX_ENTRIES - 1]) remove(keys.slice(0, 1), true);
  lastStamp = Math.max(Date.now(), lastStamp + 1);
  const key = `${OUTBOX_PREFIX}${lastStamp.toString(36)}${entry.id}` as const;
  writeStored('local', key, `0 ${JSON.stringify(entry)}`);
  if (isFirst) void send([key]).then(scheduleDrain);
  else drain();
}

/** Sends what waits at once: the network is back. */
export function resumeDelivery(): void {
  failures = 0;
  removeStored('local', OUTBOX_PAUSE_KEY);
  drain();
}

/** Returns how many entries were refused, or had no room, since the last call. */
export function takeDropped(): number {
  const dropped = Number(readStored('local', OUTBOX_DROPPED_KEY));
  removeStored('local', OUTBOX_DROPPED_KEY);
  return dropped;
}

/** Sends what waits, unless the server or a failure asked for a pause. One tab at a time. */
function drain(): void {
  const run = async () => {
    while (
      !readPause() &&
      (await send(listStoredKeys('local', OUTBOX_PREFIX).filter(isFree).slice(0, MAX_BATCH)))
    );
    scheduleDrain();
  };
  // Without locks, the claim on each entry keeps tabs apart.
  navigator.locks?.request(OUTBOX_PREFIX, run).catch(run) ?? void run();
}

/** Posts entries; true when there were some and none of them needs another try. */
async function send(keys: readonly OutboxKey[]): Promise<boolean> {
  if (!keys[0]) return false;
  const claim = (until: number) =>
    keys.map((key) => {
      const entry = readStored('local', key).replace(/^\d+ /, '');
      // The visitor may have deleted it meanwhile.
      if (entry) writeStored('local', key, `${until} ${entry}`);
      return entry;
    });
  const entries = claim(Date.now() + CLAIM_MS);
  let response: Response | undefined;
  try {
    response = await fetch(EVENTS_API_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"events":[${entries}]}`,
      keepalive: true,
      // Safari before 16 lacks it: the end of the claim lets another try begin.
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    // An unread response occupies its connection until the timeout.
    await response.text();
  } catch {
    // Offline, blocked, or too slow.
  }
  const isRefused = /^4(?!08|29)/.test(`${response?.status}`);
  if (isRefused || response?.status === 202) {
    failures = 0;
    remove(keys, isRefused);
    return true;
  }
  claim(0);
  // Exponential backoff with jitter, after the seconds that the server asked for, up to ten minutes.
  const retryAfter = Number(response?.headers.get('retry-after')) || 0;
  const seconds = retryAfter + 2 ** failures++ * (0.5 + Math.random() / 2);
  writeStored('local', OUTBOX_PAUSE_KEY, `${Date.now() + Math.min(seconds * 1000, MAX_PAUSE_MS)}`);
  return false;
}

/** Sends what still waits after the pause, or when the claims on it have ended. */
function scheduleDrain(): void {
  clearTimeout(timer);
  if (listStoredKeys('local', OUTBOX_PREFIX)[0]) timer = setTimeout(drain, readPause() || CLAIM_MS);
}

function remove(keys: readonly OutboxKey[], isCounted: boolean): void {
  if (isCounted)
    writeStored(
      'local',
      OUTBOX_DROPPED_KEY,
      `${Number(readStored('local', OUTBOX_DROPPED_KEY)) + keys.length}`,
    );
  for (const key of keys) removeStored('local', key);
}

/** Whether no sender has claimed an entry. */
const isFree = (key: OutboxKey) => !readMsLeft(key, CLAIM_MS);

const readPause = () => readMsLeft(OUTBOX_PAUSE_KEY, MAX_PAUSE_MS);

/** The ms until the time at the start of a text; 0 when it is over, or further ahead than anything here writes. */
function readMsLeft(key: StorageKey, max: number): number {
  const left = Number.parseFloat(readStored('local', key)) - Date.now();
  return left > 0 && left <= max ? left : 0;
}
