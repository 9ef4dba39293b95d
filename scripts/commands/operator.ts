import { parseOperatorName } from '../../src/console/access/password.ts';
import { createSetup, SETUP_MINUTES } from '../../src/console/access/setup.ts';
import type { Operator, OperatorRole } from '../../src/core/console/operator.ts';
import { CONSOLE_PATH } from '../../src/core/paths.ts';
import type { Operators } from '../../src/stores/operators.ts';
import { chooseSubcommand, defineCommand, FLAG, formatFields } from './command.ts';
import type { CommandSite, OpenedOperators } from './site.ts';

const USAGE = `Usage:
  npm run -s operator
  npm run -s operator -- invite NAME [--viewer]
  npm run -s operator -- reset NAME
  npm run -s operator -- remove NAME
  npm run -s operator -- list

Without a word it prints where the console is: while there is no operator, a one-time address at which the first one
chooses a name and a password. invite prints such an address for one more person, who can only look with --viewer;
reset prints one at which an operator chooses a new password, which signs every browser of that operator out and removes
the passkeys and open invitations; remove takes the access away, with the operator's invitations and share links. An
address is valid for ${SETUP_MINUTES} minutes, once; a new one replaces the one before.

DATA_DIR (./data) is the folder of the operators, SITE_URL (or HOST and PORT) the beginning of the address.`;

type Subcommand = (operators: OpenedOperators, name: string, role: OperatorRole) => Promise<string>;

const SUBCOMMANDS: Readonly<Record<string, { readonly words: number; readonly run: Subcommand }>> = {
  '': { words: 0, run: printEntry },
  invite: { words: 2, run: invite },
  reset: { words: 2, run: reset },
  remove: { words: 2, run: remove },
  list: { words: 1, run: list },
};

/** `npm run operator`: one-time addresses and the list of operators, also while the site runs. */
export const command = defineOperatorCommand(USAGE, {});

/** The command with another usage, for a worker: `options` are those that choose the worker. */
export function defineOperatorCommand(usage: string, options: Readonly<Record<string, typeof FLAG>>) {
  return defineCommand({
    usage,
    options: { ...options, viewer: FLAG },
    words: [0, 2],
    async run({ values: { viewer }, positionals }, io, site: CommandSite) {
      const subcommand = chooseSubcommand(SUBCOMMANDS, positionals, 'A name is missing.');
      const operators = await site.openOperators();
      io.stdout.write(await subcommand.run(operators, positionals[1] ?? '', viewer ? 'viewer' : 'owner'));
    },
  });
}

async function printEntry({ store, formatAddress }: OpenedOperators): Promise<string> {
  if ((await store.readOperators()).length > 0) return formatAddress(CONSOLE_PATH);
  return formatAddress(await createSetup(store, { kind: 'first' }, Date.now()));
}

async function invite(
  { store, formatAddress }: OpenedOperators,
  given: string,
  role: OperatorRole,
): Promise<string> {
  const name = parseOperatorName(given);
  if (name === null) throw new Error('A name has at most 80 characters.');
  if ((await store.findOperator(name)) !== null) throw new Error(`There is an operator "${name}" already.`);
  return formatAddress(await createSetup(store, { kind: 'invite', name, role, createdBy: '' }, Date.now()));
}

async function reset({ store, formatAddress }: OpenedOperators, name: string): Promise<string> {
  const operator = await find(store, name);
  return formatAddress(await createSetup(store, { kind: 'reset', operator }, Date.now()));
}

async function remove({ store }: OpenedOperators, name: string): Promise<string> {
  const operator = await find(store, name);
  if (await store.removeOperator(operator.id)) return `removed: ${operator.name}\n`;
  throw new Error(`${operator.name} is the last owner: invite another one first.`);
}

async function list({ store }: OpenedOperators): Promise<string> {
  const operators = await store.readOperators();
  const rows = operators.map((one) => ({ ...one, since: new Date(one.createdAt).toISOString() }));
  return formatFields(rows, 'name', 'role', 'since');
}

async function find(store: Operators, name: string): Promise<Operator> {
  const operator = await store.findOperator(name);
  if (operator !== null) return operator;
  const names = (await store.readOperators()).map((other) => other.name).join(', ');
  throw new Error(`There is no operator "${name}". Operators: ${names || 'none yet'}.`);
}
