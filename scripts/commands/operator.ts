// npm run operator: one-time addresses and the list of operators, also while the site runs.
import { openOperatorStore } from '../../src/adapters/console/open-operator-store.ts';
import { parseOperatorName } from '../../src/core/console/check-password.ts';
import type { Operator } from '../../src/core/console/operator.ts';
import type { OperatorStore } from '../../src/core/console/operator-store.ts';
import { CONSOLE_PATH } from '../../src/core/paths.ts';
import { type Config, ConfigError, parseConfig } from '../../src/server/config.ts';
import { buildConsoleOrigin } from '../../src/server/console/console-origin.ts';
import { createSetup, SETUP_MINUTES } from '../../src/server/console/operator-setups.ts';
import { formatTable } from './arguments/format-table.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';

const USAGE = `Usage:
  npm run -s operator
  npm run -s operator -- invite NAME [--viewer]
  npm run -s operator -- reset NAME
  npm run -s operator -- remove NAME
  npm run -s operator -- list

Without a word it prints where the console is: while there is no operator, a one-time address at which the first one
chooses a name and a password. invite prints such an address for one more person, who can only look with --viewer;
reset prints one at which an operator chooses a new password, which signs every browser of that operator out; remove
takes the access away. An address is valid for ${SETUP_MINUTES} minutes, once; a new one replaces the one before.

DATA_DIR (./data) is the folder of the operators, SITE_URL (or HOST and PORT) the beginning of the address.`;

const { values, positionals } = parseArguments(USAGE, {
  options: { viewer: { type: 'boolean', default: false } },
  words: { min: 0, max: 2 },
});

/** A failure that the operator can do something about. */
class CommandError extends Error {}

type Command = (store: OperatorStore, config: Config, name: string) => Promise<string>;

const COMMANDS: Readonly<Record<string, { readonly words: number; readonly run: Command }>> = {
  '': { words: 0, run: printEntry },
  invite: { words: 2, run: invite },
  reset: { words: 2, run: reset },
  remove: { words: 2, run: remove },
  list: { words: 1, run: list },
};

async function printEntry(store: OperatorStore, config: Config): Promise<string> {
  if ((await store.readOperators()).length > 0) return formatAddress(config, CONSOLE_PATH);
  return formatAddress(config, await createSetup(store, { kind: 'first' }, Date.now()));
}

async function invite(store: OperatorStore, config: Config, given: string): Promise<string> {
  const name = parseOperatorName(given);
  if (name === null) throw new CommandError('A name has at most 80 characters.');
  if ((await store.findOperator(name)) !== null)
    throw new CommandError(`There is an operator "${name}" already.`);
  const role = values.viewer ? 'viewer' : 'owner';
  return formatAddress(config, await createSetup(store, { kind: 'invite', name, role }, Date.now()));
}

async function reset(store: OperatorStore, config: Config, name: string): Promise<string> {
  const operator = await find(store, name);
  return formatAddress(config, await createSetup(store, { kind: 'reset', operator }, Date.now()));
}

async function remove(store: OperatorStore, _: Config, name: string): Promise<string> {
  const operator = await find(store, name);
  if (await store.removeOperator(operator.id)) return `removed: ${operator.name}\n`;
  throw new CommandError(`${operator.name} is the last owner: invite another one first.`);
}

async function list(store: OperatorStore): Promise<string> {
  const rows = (await store.readOperators()).map(({ name, role, createdAt }) => [
    name,
    role,
    new Date(createdAt).toISOString(),
  ]);
  return formatTable(['name', 'role', 'since'], rows);
}

async function find(store: OperatorStore, name: string): Promise<Operator> {
  const operator = await store.findOperator(name);
  if (operator !== null) return operator;
  const names = (await store.readOperators()).map((other) => other.name).join(', ');
  throw new CommandError(`There is no operator "${name}". Operators: ${names || 'none yet'}.`);
}

const formatAddress = (config: Config, path: string) =>
  `Console: ${buildConsoleOrigin(config, config.PORT)}${path}\n`;

const [word = '', name = ''] = positionals;
const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
if (command === undefined) failWithUsage(`There is no command "${word}".`, USAGE);
if (positionals.length !== command.words) {
  const isShort = positionals.length < command.words;
  failWithUsage(isShort ? 'A name is missing.' : `Unexpected argument "${positionals.at(-1)}".`, USAGE);
}
try {
  const config = parseConfig(process.env);
  const report = (message: string) => process.stderr.write(`${message}\n`);
  const store = openOperatorStore(config.DATA_DIR, report, { lockWaitMs: 5_000 });
  try {
    process.stdout.write(await command.run(store, config, name));
  } finally {
    await store.close();
  }
} catch (error) {
  const isExpected = error instanceof CommandError || error instanceof ConfigError;
  process.stderr.write(`${isExpected || error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
