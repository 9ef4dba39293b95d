import { DatabaseSync } from 'node:sqlite';
import { exportEvents } from './events.ts';
import { type Load, startLoad } from './journey-load.ts';

/** What a load has seen: which events were acknowledged, which are unknown, which responses came. */
export interface Counters {
  readonly acknowledged: ReadonlySet<string>;
  /** Events whose connection broke before the response; a sender posts them again. */
  readonly unknown: string[];
  readonly statuses: ReadonlyMap<number, number>;
  /** Starts a load that posts what is unknown first. */
  start(port: number, options?: { connections?: number; eventsPerPost?: number }): Load;
  /** Compares with the export of a data folder and checks the file. */
  compare(dataDir: string): Promise<Comparison>;
}

interface Comparison {
  /** Acknowledged but not in the export. */
  readonly lost: number;
  /** In the export more than once. */
  readonly doubled: number;
  /** In the export although no test posted them. */
  readonly invented: number;
  readonly integrity: unknown;
}

/** Creates empty counters. */
export function createCounters(): Counters {
  const acknowledged = new Set<string>();
  const unknown: string[] = [];
  const statuses = new Map<number, number>();

  return {
    acknowledged,
    unknown,
    statuses,
    start: (port, { connections = 16, eventsPerPost = 1 } = {}) =>
      startLoad({
        port,
        connections,
        eventsPerPost,
        again: unknown,
        onAnswer: (status, ids) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 202) for (const id of ids) acknowledged.add(id);
          else unknown.push(...ids);
        },
        onBroken: (ids) => unknown.push(...ids),
      }),
    async compare(dataDir) {
      const ids = (await exportEvents(dataDir, '--all')).map((line) => String(JSON.parse(line).id));
      const stored = new Set(ids);
      const posted = new Set([...acknowledged, ...unknown]);
      return {
        lost: [...acknowledged].filter((id) => !stored.has(id)).length,
        doubled: ids.length - stored.size,
        invented: ids.filter((id) => !posted.has(id)).length,
        integrity: checkIntegrity(`${dataDir}/events.sqlite`),
      };
    },
  };
}

/** The expected comparison. */
export const NOTHING_WRONG: Comparison = { lost: 0, doubled: 0, invented: 0, integrity: 'ok' };

function checkIntegrity(file: string): unknown {
  const db = new DatabaseSync(file);
  try {
    return db.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    db.close();
  }
}
