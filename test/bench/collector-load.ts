// A thread that posts events at a fixed rate, so that its measurements do not wait for other work of a bench.
// `workerData`: see `CollectorLoad`. It ends with the first message, after a reply with a `CollectorResult`.
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread posts. */
export interface CollectorLoad {
  readonly url: string;
  readonly eventsPerPost: number;
  /** ms between two posts. */
  readonly pauseMs: number;
}

/** What became of the posts. */
export interface CollectorResult {
  /** ms of each post that was stored. */
  readonly times: readonly number[];
  readonly failed: number;
}

const { url, eventsPerPost, pauseMs }: CollectorLoad = workerData;
const times: number[] = [];
const open = new Set<Promise<void>>();
let failed = 0;

async function post(): Promise<void> {
  const session = randomUUID();
  const events = Array.from({ length: eventsPerPost }, () => ({
    id: randomUUID(),
    name: 'page_view',
    session,
    page: '/',
    time: Date.now(),
  }));
  const began = performance.now();
  const response = await fetch(`${url}/api/journey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  await response.arrayBuffer();
  if (response.status === 202) times.push(performance.now() - began);
  else failed++;
}

const timer = setInterval(() => {
  const posting = post().catch(() => {
    failed++;
  });
  open.add(posting);
  void posting.finally(() => open.delete(posting));
}, pauseMs);

parentPort?.once('message', async () => {
  clearInterval(timer);
  await Promise.all(open);
  parentPort?.postMessage({ times, failed } satisfies CollectorResult);
});
