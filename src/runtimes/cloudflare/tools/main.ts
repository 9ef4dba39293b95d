import { type Miniflare, unstable_readConfig } from '#cloudflare-tools';
import { defineCommand, EDGE_USAGE, FLAG, formatLines, UsageError } from '../../../commands/command.ts';
import { defineOperatorCommand } from '../../../commands/operator.ts';
import { warnOfSettingFaults } from '../../../commands/read-setting-faults.ts';
import { createSetup, SETUP_MINUTES } from '../../../console/access/setup.ts';
import { nameCommand } from '../../../core/text/name-command.ts';
import { escapeControls } from '../../../core/text/parse-text.ts';
import { buildHostOrigin } from '../../../server/http/same-origin.ts';
import { listFormerSettings, listUnknownSettings } from '../../../server/setting-faults.ts';
import { Operators } from '../../../stores/operators.ts';
import { D1Executor } from '../../../stores/sql/d1-executor.ts';
import { listMissingDatabases, WORKER_CONFIG } from './bindings.ts';
import {
  checkWorkerContent,
  type LocalOptions,
  makeWorker,
  readLocalOptions,
  startLocalWorker,
} from './local-worker.ts';
import { WorkerSite } from './worker-site.ts';
import { readWorkerAddress, readWorkerVars, runWrangler } from './wrangler.ts';

/** Applies the migrations to the databases of the operator's account and deploys. Throws when a step fails. */
async function deploy(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== '--dry-run');
  if (unknown !== undefined) throw new Error(`Unknown option "${unknown}": deploy takes --dry-run only.`);
  const vars = readWorkerVars();
  const mistyped = listUnknownSettings(Object.keys(vars));
  if (mistyped.length > 0)
    throw new Error(`edge/wrangler.jsonc, "vars": ${mistyped.join(' ')} Nothing was deployed.`);
  for (const text of listFormerSettings(Object.keys(vars)))
    process.stderr.write(`[settings] edge/wrangler.jsonc, "vars": ${text}\n`);
  await makeWorker();
  await checkWorkerContent(vars['ARTICLE_SOURCE']);
  if (args.includes('--dry-run')) {
    runWrangler(['deploy', '--dry-run']);
    return;
  }
  checkConfiguration();
  const { d1_databases: databases } = unstable_readConfig({ config: WORKER_CONFIG });
  for (const { binding } of databases) runWrangler(['d1', 'migrations', 'apply', binding, '--remote']);
  runWrangler(['deploy']);
}

/** Throws when something is missing without which the deployed worker would be of no use. */
function checkConfiguration(): void {
  const databases = listMissingDatabases();
  const missing = [
    ...(readWorkerAddress().SITE_URL === '' ? ['SITE_URL under "vars"'] : []),
    ...(databases.length === 0 ? [] : [`the "database_id" of ${databases.join(', ')}`]),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `edge/wrangler.jsonc lacks ${missing.join(' and ')}: see docs/deployment.md. Nothing was deployed.`,
  );
}

/** How often the Cron Trigger of a deployed worker runs; the local one also does at the start. */
const CRON_MS = 60_000;

let isStopping = false;

/** Serves the built worker until a signal ends it. */
async function serve(): Promise<void> {
  warnOfSettingFaults();
  try {
    const options = readLocalOptions(process.env);
    await makeWorker();
    await start(options);
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
  if (Number(options.settings['EVENT_HOT_DAYS']) > 0)
    console.log(
      'EVENT_HOT_DAYS: events go through a queue first. The queue of this machine is in memory. What it has not passed on when this program ends is lost;\n' +
        "Cloudflare's queue stores it.",
    );
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

// signpost edge --help: serves the site on workerd, deploys it, lets operators in, exports the events, stores dead letters.

const RUN = nameCommand('edge');
/** Lists the dead letters, or stores them: what the database still refuses stays, with its reason, and the code is 1. */
const deadLettersCommand = defineCommand({
  usage: `Usage:
  ${RUN} dead-letters [store] [--remote]

Lists the messages of the queue that could not be stored, of the local state or, with --remote, of the deployed worker. With
"store", their events are stored, each once, and the messages removed; what is refused again stays, with its reason.`,
  options: { remote: FLAG },
  words: [0, 1],
  async run({ positionals: [action] }, io, site: WorkerSite) {
    if (action !== undefined && action !== 'store') throw new UsageError(`Unexpected argument "${action}".`);
    const { letters, store } = await site.openDeadLetters();
    let refused = 0;
    for (const name of await letters.list()) {
      if (action === undefined) {
        io.stdout.write(formatLines([`${name} ${(await letters.read(name)).slice(0, 400)}`]));
        continue;
      }
      const outcome = await letters.store(name, store).catch(String);
      if (typeof outcome !== 'number') refused += 1;
      const shown = typeof outcome === 'number' ? `${outcome} events stored` : (outcome ?? 'no events');
      io.stdout.write(formatLines([`${name} ${shown}`]));
    }
    return refused === 0 ? 0 : 1;
  },
});

const OPERATOR_USAGE = `Usage:
  ${RUN} operator [--remote]
  ${RUN} operator invite NAME [--can LIST] [--remote]
  ${RUN} operator change NAME --can LIST [--remote]
  ${RUN} operator reset NAME [--remote]
  ${RUN} operator remove NAME [--remote]
  ${RUN} operator list [--remote]

The commands of "${nameCommand('operator')}", for the local state in DATA_DIR/edge or, with --remote, for the deployed worker:
only the hash of a one-time address is written to its database, with your Cloudflare login. Its address begins with
SITE_URL (or CONSOLE_HOST) of "vars" in edge/wrangler.jsonc. An address is valid for ${SETUP_MINUTES} minutes, once.`;

// workerd and its simulators create the databases: other users of the machine must not read them.
process.umask(0o077);

const [name = 'serve', ...argv] = process.argv.slice(2);
const openSite = () => new WorkerSite(argv.includes('--remote'));

/** Resolves with the exit code, or with nothing while it serves. */
const COMMANDS: Readonly<Record<string, () => Promise<number | undefined>>> = {
  serve: () => serve().then(() => undefined),
  deploy: () => deploy(argv).then(() => 0),
  operator: () => defineOperatorCommand(OPERATOR_USAGE, { remote: FLAG }).run(argv, process, openSite()),
  async export() {
    const { command } = await import('../../../commands/events.ts');
    return command.run(['export', ...argv], process, openSite());
  },
  'dead-letters': () => deadLettersCommand.run(argv, process, openSite()),
  // `signpost data`, `signpost articles purge` and `signpost preview-link` with --edge or --remote.
  async data() {
    const { command } = await import('../../../commands/data.ts');
    return command.run(argv, process, openSite());
  },
  async articles() {
    const { command } = await import('../../../commands/articles.ts');
    return command.run(argv, process, openSite());
  },
  async 'preview-link'() {
    const { command } = await import('../../../commands/preview-link.ts');
    return command.run(argv, process, openSite());
  },
};

try {
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (run === undefined) throw new Error(`Unknown command "${name}".\n\n${EDGE_USAGE}`);
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(escapeControls(`${error instanceof Error ? error.message : error}\n`));
  process.exit(1);
}
