import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { z } from 'zod';

type WorkerOptions = Parameters<typeof convertV4MiniflareOptions>[0];

const require = createRequire(import.meta.url);
/** A CommonJS module, whose default export is the path of the program for this machine. */
const workerdSchema = z.object({ default: z.string() });

/** Creates a workerd with one worker, whose simulators keep their state in `edge` below the data folder. */
export function createMiniflare(
  worker: Extract<WorkerOptions, { workers: unknown }>['workers'][number],
  { host, port, dataDir }: { readonly host: string; readonly port: number; readonly dataDir: string },
): Miniflare {
  const state = path.join(dataDir, 'edge');
  mkdirSync(state, { recursive: true });
  process.env['WORKERD'] = workerdSchema.parse(require('workerd')).default;
  process.env['MINIFLARE_WORKERD_PATH'] ??= path.join(import.meta.dirname, 'run-workerd.sh');
  return new Miniflare({
    ...convertV4MiniflareOptions({ workers: [worker] }),
    host,
    port,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: state,
  });
}
