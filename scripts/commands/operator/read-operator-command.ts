import { parseOperatorName } from '../../../src/console/access/passwords.ts';
import { createSetup } from '../../../src/console/access/setup.ts';
import type { Operator, OperatorRole } from '../../../src/core/console/operator.ts';
import { CONSOLE_PATH } from '../../../src/core/paths.ts';
import type { OperatorStore } from '../../../src/stores/operators.ts';
import { formatTable } from '../arguments/format-table.ts';
import { failWithUsage } from '../arguments/parse-arguments.ts';

/** What a command works on. */
interface OperatorContext {
  readonly store: OperatorStore;
  /** Writes where a path of the console is, a line for each address. */
  readonly formatAddress: (path: string) => string;
  /** The role of a person who is invited. */
  readonly role: OperatorRole;
}

/** Resolves with the text to print. Rejects with `Error` for what the operator can correct. */
type OperatorCommand = (context: OperatorContext) => Promise<string>;

type NamedCommand = (context: OperatorContext, name: string) => Promise<string>;

const COMMANDS: Readonly<Record<string, { readonly words: number; readonly run: NamedCommand }>> = {
  '': { words: 0, run: printEntry },
  invite: { words: 2, run: invite },
  reset: { words: 2, run: reset },
  remove: { words: 2, run: remove },
  list: { words: 1, run: list },
};

/** Finds the command with these words. For wrong words it prints the usage text and ends the process with code 1. */
export function readOperatorCommand(words: readonly string[], usage: string): OperatorCommand {
  const [word = '', name = ''] = words;
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command === undefined) return failWithUsage(`There is no command "${word}".`, usage);
  if (words.length === command.words) return (context) => command.run(context, name);
  const isShort = words.length < command.words;
  return failWithUsage(isShort ? 'A name is missing.' : `Unexpected argument "${words.at(-1)}".`, usage);
}

async function printEntry({ store, formatAddress }: OperatorContext): Promise<string> {
  if ((await store.readOperators()).length > 0) return formatAddress(CONSOLE_PATH);
  return formatAddress(await createSetup(store, { kind: 'first' }, Date.now()));
}

async function invite({ store, formatAddress, role }: OperatorContext, given: string): Promise<string> {
  const name = parseOperatorName(given);
  if (name === null) throw new Error('A name has at most 80 characters.');
  if ((await store.findOperator(name)) !== null) throw new Error(`There is an operator "${name}" already.`);
  return formatAddress(await createSetup(store, { kind: 'invite', name, role }, Date.now()));
}

async function reset({ store, formatAddress }: OperatorContext, name: string): Promise<string> {
  const operator = await find(store, name);
  return formatAddress(await createSetup(store, { kind: 'reset', operator }, Date.now()));
}

async function remove({ store }: OperatorContext, name: string): Promise<string> {
  const operator = await find(store, name);
  if (await store.removeOperator(operator.id)) return `removed: ${operator.name}\n`;
  throw new Error(`${operator.name} is the last owner: invite another one first.`);
}

async function list({ store }: OperatorContext): Promise<string> {
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
  throw new Error(`There is no operator "${name}". Operators: ${names || 'none yet'}.`);
}
