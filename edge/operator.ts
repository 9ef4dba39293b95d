import { FLAG, parseArguments } from '../scripts/commands/arguments/parse-arguments.ts';
import { readOperatorCommand } from '../scripts/commands/operator/read-operator-command.ts';
import { buildConsoleOrigin, getConsoleOrigin } from '../src/console/access/admission.ts';
import { SETUP_MINUTES } from '../src/console/access/setup.ts';
import { parseSettings } from '../src/server/settings.ts';
import { SqlOperatorStore } from '../src/stores/operators.ts';
import { D1Executor } from '../src/stores/sql/d1/d1-executor.ts';
import { startLocalWorker } from './local-worker.ts';
import { readLocalOptions } from './read-local-options.ts';
import { readWorkerAddress } from './worker-vars.ts';
import { WranglerExecutor } from './wrangler-executor.ts';

const USAGE = `Usage:
  npm run -s edge -- operator [--remote]
  npm run -s edge -- operator invite NAME [--viewer] [--remote]
  npm run -s edge -- operator reset NAME [--remote]
  npm run -s edge -- operator remove NAME [--remote]
  npm run -s edge -- operator list [--remote]

The commands of "npm run operator", for the local state in DATA_DIR/edge or, with --remote, for the deployed worker:
only the hash of a one-time address is written to its database, with your Cloudflare login. Its address begins with
SITE_URL (or CONSOLE_HOST) of "vars" in edge/wrangler.jsonc. An address is valid for ${SETUP_MINUTES} minutes, once.`;

/** Prints one-time addresses and the list of operators, of the local state or of the deployed worker. */
export async function runOperator(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(
    USAGE,
    { options: { viewer: FLAG, remote: FLAG }, words: { min: 0, max: 2 } },
    args,
  );
  const run = readOperatorCommand(positionals, USAGE);
  const { store, origin, close } = await (values.remote ? openRemote() : openLocal());
  try {
    const formatAddress = (path: string) => `Console: ${origin}${path}\n`;
    process.stdout.write(await run({ store, formatAddress, role: values.viewer ? 'viewer' : 'owner' }));
  } finally {
    await close();
  }
}

async function openLocal() {
  const options = readLocalOptions(process.env);
  const config = parseSettings({ ...process.env, PORT: String(options.port) });
  const miniflare = await startLocalWorker({ ...options, port: 0 });
  return {
    store: new SqlOperatorStore(new D1Executor(await miniflare.getD1Database('CONSOLE'))),
    origin: buildConsoleOrigin(config, options.port),
    close: () => miniflare.dispose(),
  };
}

async function openRemote() {
  const origin = getConsoleOrigin(readWorkerAddress());
  if (origin === null) throw new Error('SITE_URL is missing under "vars" in edge/wrangler.jsonc.');
  const store = new SqlOperatorStore(new WranglerExecutor('CONSOLE', ['--remote']));
  return { store, origin, close: async () => undefined };
}
