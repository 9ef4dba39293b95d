import { parseOperatorName } from '../console/access/password.ts';
import { createSetup, SETUP_MINUTES } from '../console/access/setup.ts';
import {
  CAPABILITIES,
  type Capability,
  describeCapabilities,
  parseCapabilities,
} from '../core/console/capabilities.ts';
import { CONSOLE_PATH } from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import type { Operator, Operators } from '../stores/operators.ts';
import { chooseSubcommand, defineCommand, type FLAG, formatFields, UsageError } from './command.ts';
import type { CommandSite, OpenedOperators } from './site.ts';

const RUN = nameCommand('operator');

const USAGE = `Usage:
  ${RUN}
  ${RUN} invite NAME [--can LIST]
  ${RUN} change NAME --can LIST
  ${RUN} reset NAME
  ${RUN} remove NAME
  ${RUN} list

Without a word it prints where the console is: while there is no operator, a one-time address at which the first one
chooses a name and a password. invite prints such an address for one more person; change stores what an operator may do;
reset prints one at which an operator chooses a new password, which signs every browser of that operator out and removes
the passkeys and open invitations; remove takes the access away, with the operator's invitations and share links. An
address is valid for ${SETUP_MINUTES} minutes, that of an invitation for a day, once; a new one replaces the one before.

--can    what the operator may do, separated by commas: money (see amounts), content (save drafts), publish (change what
         visitors see), manage (operators, settings, imports, messages); none to look only. Without it, everything.

DATA_DIR (./data) is the folder of the operators, SITE_URL (or HOST and PORT) the beginning of the address.`;

/** `can`: what `--can` lists; null without it. */
type Subcommand = (
  operators: OpenedOperators,
  name: string,
  can: readonly Capability[] | null,
) => Promise<string>;

const SUBCOMMANDS: Readonly<
  Record<string, { readonly words: number; readonly creates?: true; readonly run: Subcommand }>
> = {
  '': { words: 0, creates: true, run: printEntry },
  invite: { words: 2, creates: true, run: invite },
  change: { words: 2, run: change },
  reset: { words: 2, run: reset },
  remove: { words: 2, run: remove },
  list: { words: 1, run: list },
};

/** `signpost operator`: one-time addresses and the list of operators, also while the site runs. */
export const command = defineOperatorCommand(USAGE, {});

/** The command with another usage, for a worker: `options` are those that choose the worker. */
export function defineOperatorCommand(usage: string, options: Readonly<Record<string, typeof FLAG>>) {
  return defineCommand({
    usage,
    options: { ...options, can: { type: 'string' } },
    words: [0, 2],
    async run({ values, positionals }, io, site: CommandSite) {
      const subcommand = chooseSubcommand(SUBCOMMANDS, positionals, 'A name is missing.');
      const can = typeof values['can'] === 'string' ? parseList(values['can']) : null;
      const operators = await site.openOperators(subcommand.creates);
      io.stdout.write(await subcommand.run(operators, positionals[1] ?? '', can));
    },
  });
}

function parseList(list: string): readonly Capability[] {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !CAPABILITIES.some((one) => one === name));
  if (unknown === undefined || list === 'none') return parseCapabilities(names);
  throw new UsageError(`--can lists ${CAPABILITIES.join(', ')} or none, not ${JSON.stringify(unknown)}.`);
}

async function printEntry({ store, formatAddress }: OpenedOperators): Promise<string> {
  if ((await store.readOperators()).length > 0) return formatAddress(CONSOLE_PATH);
  return formatAddress(await createSetup(store, { kind: 'first' }, Date.now()));
}

async function invite(
  { store, formatAddress }: OpenedOperators,
  given: string,
  can: readonly Capability[] | null,
): Promise<string> {
  const name = parseOperatorName(given);
  if (name === null) throw new Error('A name has at most 80 characters.');
  if ((await store.findOperator(name)) !== null) throw new Error(`There is an operator "${name}" already.`);
  const capabilities = can ?? CAPABILITIES;
  const purpose = { kind: 'invite', name, capabilities, createdBy: '' } as const;
  return formatAddress(await createSetup(store, purpose, Date.now()));
}

async function change(
  { store }: OpenedOperators,
  given: string,
  can: readonly Capability[] | null,
): Promise<string> {
  if (can === null) throw new UsageError('change needs --can.');
  const { id, name } = await find(store, given);
  if (await store.changeCapabilities(id, can)) return `${name}: ${describeCapabilities(can)}\n`;
  throw new Error(`${name} is the last operator who manages: let another one manage first.`);
}

async function reset({ store, formatAddress }: OpenedOperators, name: string): Promise<string> {
  const operator = await find(store, name);
  return formatAddress(await createSetup(store, { kind: 'reset', operator }, Date.now()));
}

async function remove({ store }: OpenedOperators, name: string): Promise<string> {
  const operator = await find(store, name);
  if (await store.removeOperator(operator.id)) return `removed: ${operator.name}\n`;
  throw new Error(`${operator.name} is the last operator who manages: invite another one first.`);
}

async function list({ store }: OpenedOperators): Promise<string> {
  const operators = await store.readOperators();
  const rows = operators.map((one) => ({
    ...one,
    can: one.capabilities.join(',') || 'none',
    since: new Date(one.createdAt).toISOString(),
  }));
  return formatFields(rows, 'name', 'can', 'since');
}

async function find(store: Operators, name: string): Promise<Operator> {
  const operator = await store.findOperator(name);
  if (operator !== null) return operator;
  const names = (await store.readOperators()).map((other) => other.name).join(', ');
  throw new Error(`There is no operator "${name}". Operators: ${names || 'none yet'}.`);
}
