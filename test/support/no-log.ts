import { createLog, type Log } from '../../src/server/log.ts';

/** A log that nobody reads. */
export const NO_LOG: Log = createLog(() => undefined, Date.now);
