// npm run -s messages -- --help: lists, shows and deletes the messages of the contact form, also while the site runs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseSettings } from '../../src/server/settings.ts';
import { type ContactMessage, type ContactMessages, SqlContactMessages } from '../../src/stores/messages.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { formatTable } from './arguments/format-table.ts';
import { FLAG, failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { report, runCommand } from './arguments/run-command.ts';

const USAGE = `Usage:
  npm run -s messages [-- --all]
  npm run -s messages -- read ID
  npm run -s messages -- answered ID
  npm run -s messages -- delete ID
  npm run -s messages -- delete-signups EMAIL

Lists the messages of the contact form, unread ones first; --all lists more than the newest 50. read prints a message and
marks it as read, answered marks it as answered, delete removes it. The beginning of an ID is enough. delete-signups
removes the newsletter sign-ups of an email address from this site; the newsletter service keeps its own.`;

const LISTED = 50;
const ALL = 1_000_000;
const COMMANDS = ['read', 'answered', 'delete', 'delete-signups'];

const { values, positionals } = parseArguments(USAGE, {
  options: { all: FLAG },
  words: { min: 0, max: 2 },
});
const [command = 'list', id = ''] = positionals;
if (command !== 'list' && !COMMANDS.includes(command))
  failWithUsage(`There is no command "${command}".`, USAGE);
if (command !== 'list' && id === '') {
  const what = command === 'delete-signups' ? 'An email address' : 'The id of a message';
  failWithUsage(`${what} is missing.`, USAGE);
}

const formatTime = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

async function list(messages: ContactMessages): Promise<string> {
  const limit = values.all ? ALL : LISTED;
  const unread = await messages.read({ state: 'new', offset: 0, limit });
  const newest = await messages.read({ offset: 0, limit });
  const listed = [...unread, ...newest.filter(({ state }) => state !== 'new')].slice(0, limit);
  if (listed.length === 0) return 'There are no contact messages.\n';
  const rows = listed.map(({ id: own, sentAt, state, topic, name, message, isSuspicious }) => [
    own.slice(0, 8),
    formatTime(sentAt),
    isSuspicious ? `${state}, spam?` : state,
    topic,
    name.slice(0, 30),
    message.replace(/\s+/g, ' ').slice(0, 50),
  ]);
  return formatTable(['id', 'time (UTC)', 'state', 'topic', 'name', 'message'], rows);
}

/** Finds a message by the beginning of its id. Throws when none or several have it. */
async function find(messages: ContactMessages, beginning: string): Promise<ContactMessage> {
  const all = await messages.read({ offset: 0, limit: ALL });
  const found = all.filter((message) => message.id.startsWith(beginning.toLowerCase()));
  const [message] = found;
  if (message === undefined) throw new Error(`No message has an id that begins with "${beginning}".`);
  if (found.length > 1)
    throw new Error(`${found.length} messages have an id that begins with "${beginning}".`);
  return message;
}

async function change(messages: ContactMessages): Promise<string> {
  if (command === 'delete-signups') {
    const count = await messages.removeSignups(id);
    return `${count} newsletter ${count === 1 ? 'sign-up was' : 'sign-ups were'} deleted.\n`;
  }
  const message = await find(messages, id);
  if (command === 'delete') {
    await messages.remove(message.id);
    return `The message of ${formatTime(message.sentAt)} was deleted.\n`;
  }
  if (command === 'answered' || message.state === 'new') {
    await messages.setState(message.id, command === 'answered' ? 'answered' : 'read', Date.now());
  }
  if (command === 'answered') return `The message of ${formatTime(message.sentAt)} is marked as answered.\n`;
  const { name, email, topic, page, sentAt } = message;
  return `${name} <${email}>\n${formatTime(sentAt)} UTC, ${topic}, ${page}\n\n${message.message}\n`;
}

await runCommand(async () => {
  const { DATA_DIR } = parseSettings({ DATA_DIR: process.env['DATA_DIR'] });
  const file = path.join(DATA_DIR, DATABASE_FILE);
  if (!existsSync(file)) {
    throw new Error(`There are no messages at ${file}: set DATA_DIR to the folder that the site writes to.`);
  }
  const executor = new NodeSqliteExecutor({ file, report, lockWaitMs: 5_000 });
  try {
    const messages = new SqlContactMessages(executor);
    return await (command === 'list' ? list(messages) : change(messages));
  } finally {
    await executor.close();
  }
});
