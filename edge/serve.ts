import type { Miniflare } from 'miniflare';
import { createSetup } from '../src/console/access/setup.ts';
import { warnOfSettingFaults } from '../src/runtimes/node/read-setting-faults.ts';
import { buildHostOrigin } from '../src/server/http/same-origin.ts';
import { Operators } from '../src/stores/operators.ts';
import { D1Executor } from '../src/stores/sql/d1/d1-executor.ts';
import { type LocalOptions, readLocalOptions, startLocalWorker } from './local-worker.ts';

/** How often the Cron Trigger of a deployed worker runs; the local one also does at the start. */
const CRON_MS = 60_000;

let isStopping = false;

/** Serves the built worker until a signal ends it. */
export async function serve(): Promise<void> {
  warnOfSettingFaults();
  try {
    await start(readLocalOptions(process.env));
  } catch (error) {
    // A signal during the start takes away what the start still needs.
    if (!isStopping) throw error;
  }
}

async function start(options: LocalOptions): Promise<void> {
  const miniflare = await startLocalWorker(options, stopOnSignal);
  const worker = await miniflare.getWorker();
  const runDueJobs = () =>
    worker.scheduled({ cron: '* * * * *' }).then(
      () => undefined,
      (error: unknown) => isStopping || console.error(String(error)),
    );
  void runDueJobs();
  setInterval(runDueJobs, CRON_MS).unref();
  const { host, port } = options;
  const shown = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  const origin = buildHostOrigin(shown, port);
  console.log(`Signpost is serving on workerd at ${origin}`);
  const store = new Operators(new D1Executor(await miniflare.getD1Database('CONSOLE')));
  if ((await store.readOperators()).length > 0) return;
  console.log(`Console: ${origin}${await createSetup(store, { kind: 'first' }, Date.now())}`);
}

/** Ends with code 0 once workerd has closed its files. Repeated signals change nothing. */
function stopOnSignal(miniflare: Miniflare): void {
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    miniflare.dispose().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(String(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Miniflare has listeners of its own, which end the process with an error code before workerd has closed its files.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
}
