// npm run edge -- --help: serves the site on workerd, deploys it, lets operators in, exports the events.
import { moveData } from './data.ts';
import { deploy } from './deploy.ts';
import { exportEvents } from './export-events.ts';
import { runOperator } from './operator.ts';
import { purgeCopies } from './purge-copies.ts';
import { serve } from './serve.ts';

const USAGE = `Usage:
  npm run edge                        builds and serves on workerd at PORT (4322), with local state in DATA_DIR/edge
  npm run edge -- deploy [--dry-run]  applies the D1 migrations and deploys with your Cloudflare login
  npm run -s edge -- operator [--remote]
                                      prints the address of the console, a one-time address while it has no operator;
                                      "operator --help" lists the other commands
  npm run -s edge -- export [OPTION]  writes the events of the local state; options as of "npm run events -- export"`;

const [command = 'serve', ...args] = process.argv.slice(2);
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void> | void>> = {
  serve,
  deploy,
  operator: runOperator,
  export: exportEvents,
  // `npm run data` with --edge or --remote.
  data: moveData,
  // `npm run articles -- purge` with --edge or --remote.
  purge: purgeCopies,
  '--help': () => console.log(USAGE),
};
const run = commands[command];
try {
  if (run === undefined) throw new Error(`Unknown command "${command}".\n\n${USAGE}`);
  await run(args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
