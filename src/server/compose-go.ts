import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { EventStore } from '../core/journey/event-store.ts';
import { matchGoPath } from '../core/journey/go-path.ts';
import type { Partner } from '../core/partners/partner.ts';
import { createGoHandler } from './api/go.ts';
import { createClickKeeper } from './go/click-keeper.ts';
import type { HttpHandler } from './http/message.ts';
import type { Log } from './log.ts';

/** How long a visitor waits for the disk before they leave without it, in ms. */
const CLICK_BUDGET_MS = 50;

/** The redirect to the partners. */
export interface Go {
  /** The handler of `/go/{partner}` and the trial paths; undefined for any other path and for unknown partners. */
  find(path: string): HttpHandler | undefined;
  /** Writes the clicks that wait in memory. Before the store is closed. */
  close(): Promise<void>;
}

/** Creates the redirect over the given store. */
export function createGo(options: {
  readonly partners: ReadonlyMap<string, Partner>;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Log;
}): Go {
  const { partners, store, clock, log } = options;
  const clicks = createClickKeeper({ store, newId: randomUUID, log, budgetMs: CLICK_BUDGET_MS });
  const handler = createGoHandler({ partners, clicks, now: clock.now, newId: randomUUID });
  return {
    find: (path) => (matchGoPath(path, partners) ? handler : undefined),
    close: () => clicks.close(),
  };
}
