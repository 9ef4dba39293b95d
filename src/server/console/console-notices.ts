import { LRUCache } from 'lru-cache';
import type { ConsoleNotice } from '../../core/console/console-page.ts';

const MAX_NOTICES = 100;
const MAX_AGE_MS = 60_000;

/** What posted forms did, for the page that the browser is sent to: shown once, to the same session. */
export class ConsoleNotices {
  readonly #notices = new LRUCache<string, ConsoleNotice>({ max: MAX_NOTICES, ttl: MAX_AGE_MS });

  put(sessionId: string, notice: ConsoleNotice): void {
    this.#notices.set(sessionId, notice);
  }

  take(sessionId: string): ConsoleNotice | null {
    const notice = this.#notices.get(sessionId) ?? null;
    this.#notices.delete(sessionId);
    return notice;
  }
}
