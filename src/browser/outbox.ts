import type { WireEvent } from '../core/journey/wire-event.ts';
import { forgetText, keepText, listKept, readKept } from './kept-text.ts';

/** An entry is a text: until when (ms since 1970) one sender has it for itself, a space, the event as JSON. */
const PREFIX = 'outbox:';
const PAUSED_UNTIL = 'outbox-pause';
const DROPPED = 'outbox-drop';

/** Longer than a sender waits for its answer, so that no two send an entry at one time. */
const CLAIM_MS = 15_000;
const ANSWER_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;
const CAPACITY = 100;
/** As many as fit into the 64 KiB that a request may hold, with every campaign parameter at its longest. */
const BATCH_EVENTS = 12;

let lastStamp = 0;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Delivers an event, once and in order: at this moment when nothing else waits, even if the page is being
 * left; else, or when that fails, from the outbox, by this page or any other of the site.
 */
export function deliver(event: WireEvent): void {
  const keys = listKept(PREFIX);
  const isAlone = !readPause() && !keys.some(isFree);
  if (keys.length >= CAPACITY) drop(keys.slice(0, 1), true);
  // One key an event, in the order of time: no tab overwrites what another keeps.
  lastStamp = Math.max(Date.now(), lastStamp + 1);
  const key = PREFIX + lastStamp.toString(36) + event.id;
  keepEntry(key, JSON.stringify(event), isAlone);
  if (isAlone) void send([key]);
  else drain();
}

/** Sends what waits, unless the server or a failure asked for a pause. One tab at a time. */
function drain(): void {
  const run = async () => {
    while (!readPause() && (await send(listKept(PREFIX).filter(isFree).slice(0, BATCH_EVENTS))));
  };
  // Without locks, the claim on each entry keeps tabs apart.
  navigator.locks?.request(PREFIX, run).catch(run) ?? void run();
}

/** Tries again at once: the network is back. */
export function resume(): void {
  tries = 0;
  forgetText(PAUSED_UNTIL);
  drain();
}

/** How many events were refused, or had no room, since this was last asked. */
export function takeDropped(): number {
  const dropped = Number(readKept(DROPPED));
  forgetText(DROPPED);
  return dropped;
}

/** Posts entries; true when there were some and none of them needs another try. */
async function send(keys: readonly string[]): Promise<boolean> {
  // The page comes first.
  await window.painted;
  const isSent = keys.length > 0 && (await post(keys));
  clearTimeout(timer);
  if (listKept(PREFIX)[0]) timer = setTimeout(drain, readPause() || CLAIM_MS);
  return isSent;
}

async function post(keys: readonly string[]): Promise<boolean> {
  const events = keys.map((key) => readKept(key).replace(/^\d+ /, ''));
  const hold = (isClaimed: boolean) => {
    keys.forEach((key, index) => {
      keepEntry(key, events[index], isClaimed);
    });
  };
  hold(true);
  let answer: Response | undefined;
  try {
    answer = await fetch('/api/journey', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"events":[${events}]}`,
      keepalive: true,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    // An answer that nobody reads holds its connection until the time is over.
    await answer.text();
  } catch {
    // Offline, blocked, or too slow.
  }
  const isRefused = /^4(?!08|29)/.test(`${answer?.status}`);
  if (isRefused || answer?.status === 202) {
    tries = 0;
    drop(keys, isRefused);
    return true;
  }
  hold(false);
  pause(answer?.headers.get('retry-after'));
  return false;
}

function keepEntry(key: string, event: string | undefined, isClaimed: boolean): void {
  keepText(key, `${isClaimed ? Date.now() + CLAIM_MS : 0} ${event}`);
}

/** A claim further ahead than any sender makes is one of a clock that was set back since. */
const isFree = (key: string) => !readLeft(key, CLAIM_MS);

/** What is left of the pause, in ms. */
const readPause = () => readLeft(PAUSED_UNTIL, LONGEST_PAUSE_MS);

function readLeft(key: string, most: number): number {
  const left = Number.parseInt(readKept(key), 10) - Date.now();
  return left > 0 && left <= most ? left : 0;
}

function drop(keys: readonly string[], isCounted: boolean): void {
  if (isCounted) keepText(DROPPED, `${Number(readKept(DROPPED)) + keys.length}`);
  keys.forEach(forgetText);
}

/** Twice as long each time, up to ten minutes, after what the server asks for; by chance, so that browsers spread. */
function pause(retryAfter: string | null | undefined): void {
  const own = 2 ** tries++ * (0.5 + Math.random() / 2);
  keepText(
    PAUSED_UNTIL,
    `${Date.now() + Math.min(((Number(retryAfter) || 0) + own) * 1000, LONGEST_PAUSE_MS)}`,
  );
}
