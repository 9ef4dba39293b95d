// npm run edge -- --help: serves the site on workerd, deploys it, lets operators in, exports the events.
import { FLAG } from '../scripts/commands/command.ts';
import { defineOperatorCommand } from '../scripts/commands/operator.ts';
import { SETUP_MINUTES } from '../src/console/access/setup.ts';
import { deploy } from './deploy.ts';
import { serve } from './serve.ts';
import { WorkerSite } from './worker-site.ts';

const USAGE = `Usage:
  npm run edge                        builds and serves on workerd at PORT (4322), with local state in DATA_DIR/edge
  npm run edge -- deploy [--dry-run]  applies the D1 migrations and deploys with your Cloudflare login
  npm run -s edge -- operator [--remote]
                                      prints the address of the console, a one-time address while it has no operator;
                                      "operator --help" lists the other commands
  npm run -s edge -- export [OPTION]  writes the events of the local state; options as of "npm run events -- export"`;

const OPERATOR_USAGE = `Usage:
  npm run -s edge -- operator [--remote]
  npm run -s edge -- operator invite NAME [--viewer] [--remote]
  npm run -s edge -- operator reset NAME [--remote]
  npm run -s edge -- operator remove NAME [--remote]
  npm run -s edge -- operator list [--remote]

The commands of "npm run operator", for the local state in DATA_DIR/edge or, with --remote, for the deployed worker:
only the hash of a one-time address is written to its database, with your Cloudflare login. Its address begins with
SITE_URL (or CONSOLE_HOST) of "vars" in edge/wrangler.jsonc. An address is valid for ${SETUP_MINUTES} minutes, once.`;

const [name = 'serve', ...argv] = process.argv.slice(2);
const openSite = () => new WorkerSite(argv.includes('--remote'));

/** Resolves with the exit code, or with nothing while it serves. */
const COMMANDS: Readonly<Record<string, () => Promise<number | undefined>>> = {
  serve: () => serve().then(() => undefined),
  deploy: () => deploy(argv).then(() => 0),
  operator: () => defineOperatorCommand(OPERATOR_USAGE, { remote: FLAG }).run(argv, process, openSite()),
  async export() {
    const { command } = await import('../scripts/commands/events.ts');
    return command.run(['export', ...argv], process, openSite());
  },
  // `npm run data` and `npm run articles -- purge` with --edge or --remote.
  async data() {
    const { command } = await import('../scripts/commands/data.ts');
    return command.run(argv, process, openSite());
  },
  async articles() {
    const { command } = await import('../scripts/commands/articles.ts');
    return command.run(argv, process, openSite());
  },
  async '--help'() {
    console.log(USAGE);
    return 0;
  },
};

try {
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (run === undefined) throw new Error(`Unknown command "${name}".\n\n${USAGE}`);
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
