import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';
import type { TemporaryStore } from '../stores/temporary-values.ts';
import type { ConsoleNotice } from './console-page.ts';

const MAX_NOTICES = 100;
const MAX_AGE_MS = 60_000;
const noticeSchema = z.object({ message: z.string(), isError: z.boolean() });

/** What posted forms did, for the page that the browser is sent to: shown once, to the same session. */
export class ConsoleNotices {
  readonly #getStore: () => TemporaryStore;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(getStore: () => TemporaryStore, now: () => number) {
    this.#getStore = getStore;
    this.#now = now;
  }

  async put(sessionId: string, notice: ConsoleNotice): Promise<void> {
    const now = this.#now();
    const value = JSON.stringify(notice);
    const stored = { kind: 'notice', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#getStore().put(stored, { now, max: MAX_NOTICES });
  }

  async take(sessionId: string): Promise<ConsoleNotice | null> {
    const store = this.#getStore();
    const now = this.#now();
    // Almost every page has none, and looking is cheaper than removing.
    if ((await store.read('notice', sessionId, now)) === null) return null;
    const text = await store.take('notice', sessionId, now);
    return noticeSchema.safeParse(parseJson(text ?? '')).data ?? null;
  }
}
