import { type Column, exported } from '../console/reports/columns.ts';
import { nameCommand } from '../core/text/name-command.ts';
import type { ContactMessage, ContactMessages } from '../stores/messages.ts';
import { defineCommand, FLAG, formatTable, UsageError } from './command.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('messages');

const USAGE = `Usage:
  ${RUN} [--all]
  ${RUN} read ID
  ${RUN} answered ID
  ${RUN} delete ID
  ${RUN} delete-signups EMAIL

Lists the messages of the contact form, unread ones first; --all lists more than the newest 50. read prints a message and
marks it as read, answered marks it as answered, delete removes it. The beginning of an ID is enough. delete-signups
removes the newsletter sign-ups of an email address from this site; the newsletter service keeps its own.`;

const LISTED = 50;
const ALL = 1_000_000;

/** `signpost messages`: lists, shows and deletes the messages of the contact form, also while the site runs. */
export const command = defineCommand({
  usage: USAGE,
  options: { all: FLAG },
  words: [0, 2],
  async run({ values, positionals: [name = 'list', id = ''] }, io, site: DataFolderSite) {
    if (!['list', 'read', 'answered', 'delete', 'delete-signups'].includes(name)) {
      throw new UsageError(`There is no command "${name}".`);
    }
    if (name !== 'list' && id === '') {
      const what = name === 'delete-signups' ? 'An email address' : 'The id of a message';
      throw new UsageError(`${what} is missing.`);
    }
    const messages = await site.openMessages();
    io.stdout.write(
      name === 'list' ? await list(messages, values.all ? ALL : LISTED) : await change(messages, name, id),
    );
  },
});

const formatTime = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

const COLUMNS: readonly Column<ContactMessage>[] = [
  exported('id', ({ id }) => id.slice(0, 8)),
  exported('time (UTC)', ({ sentAt }) => formatTime(sentAt)),
  exported('state', ({ state, isSuspicious }) => (isSuspicious ? `${state}, spam?` : state)),
  exported('topic', ({ topic }) => topic),
  exported('name', ({ name }) => name.slice(0, 30)),
  exported('message', ({ message }) => message.replace(/\s+/g, ' ').slice(0, 50)),
];

async function list(messages: ContactMessages, limit: number): Promise<string> {
  const unread = await messages.read({ state: 'new', offset: 0, limit });
  const newest = await messages.read({ offset: 0, limit });
  const listed = [...unread, ...newest.filter(({ state }) => state !== 'new')].slice(0, limit);
  if (listed.length === 0) return 'There are no contact messages.\n';
  return formatTable(listed, COLUMNS);
}

async function find(messages: ContactMessages, beginning: string): Promise<ContactMessage> {
  const all = await messages.read({ offset: 0, limit: ALL });
  const found = all.filter((message) => message.id.startsWith(beginning.toLowerCase()));
  const [message] = found;
  if (message === undefined) throw new Error(`No message has an id that begins with "${beginning}".`);
  if (found.length > 1)
    throw new Error(`${found.length} messages have an id that begins with "${beginning}".`);
  return message;
}

async function change(messages: ContactMessages, name: string, id: string): Promise<string> {
  if (name === 'delete-signups') {
    const count = await messages.removeSignups(id);
    return `${count} newsletter ${count === 1 ? 'sign-up was' : 'sign-ups were'} deleted.\n`;
  }
  const message = await find(messages, id);
  if (name === 'delete') {
    await messages.remove(message.id);
    return `The message of ${formatTime(message.sentAt)} was deleted.\n`;
  }
  if (name === 'answered' || message.state === 'new') {
    await messages.setState(message.id, name === 'answered' ? 'answered' : 'read', Date.now());
  }
  if (name === 'answered') return `The message of ${formatTime(message.sentAt)} is marked as answered.\n`;
  const { email, topic, page, sentAt } = message;
  return `${message.name} <${email}>\n${formatTime(sentAt)} UTC, ${topic}, ${page}\n\n${message.message}\n`;
}
