import { setTimeout as sleep } from 'node:timers/promises';

const MAX_VISITS = 100;

/**
 * Requests an address until it is served at maximum compression: the first reader gets it compressed quickly, and
 * what is measured is what all others get.
 */
export async function warmUp(address: string): Promise<void> {
  for (let visit = 0; visit < MAX_VISITS; visit += 1) {
    const response = await fetch(address, { headers: { 'accept-encoding': 'br' } });
    await response.arrayBuffer();
    if (visit > 2 && !response.headers.get('etag')?.includes('-quick')) return;
    await sleep(20);
  }
  throw new Error(`${address} is not compressed well`);
}
