import { DAY_MS } from '../../core/clock.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { Task } from '../../core/console/task.ts';
import { MESSAGE_STATES, type MessageState } from '../../core/contact/contact-message.ts';
import type { ContactMessage } from '../../stores/messages.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, exported, formatTimeCell, locateListPage } from '../reports/columns.ts';
import { formatNumber } from '../reports/format.ts';

/** A message as the console shows it: the email address only on request. */
export interface MessageRow extends Omit<ContactMessage, 'email'> {
  /** Null until it is requested. */
  readonly email: string | null;
}

const MAX_EXPORTED = 10_000;
/** Each is a card. */
const ROWS = 10;

/** Without email addresses: those are shown one by one. */
export const MESSAGE_COLUMNS: readonly Column<ContactMessage>[] = [
  exported('sent', ({ sentAt }) => formatTimeCell(sentAt)),
  exported('state', ({ state }) => state),
  exported('topic', ({ topic }) => topic),
  exported('name', ({ name }) => name),
  exported('message', ({ message }) => message),
  exported('page', ({ page }) => page),
  exported('suspicious', ({ isSuspicious }) => (isSuspicious ? 'yes' : 'no')),
];

/** Reads what visitors wrote in the contact form, newest first. */
export async function readMessages(
  { visitors: { messages } }: ConsoleSite,
  { parameters, viewer }: ViewRequest,
) {
  const state = parseState(parameters.get('state'));
  const counts = await messages.count();
  const total = state === null ? counts.new + counts.read + counts.answered : counts[state];
  const page = locateListPage(total, parameters, ROWS);
  const canChange = isAllowed(viewer, 'manage');
  // Only operators who manage answer messages, so only they see an address.
  const shown = canChange ? parameters.get('show') : null;
  const found = await messages.read({ state: state ?? undefined, ...page.rows });
  const rows = found.map((message) => ({ ...message, email: message.id === shown ? message.email : null }));
  // No state: all messages.
  return { ...page.place, rows, state, counts, canChange };
}

/** The messages of visitors that no operator has read, as one task. */
export async function listMessageTasks({ visitors: { messages } }: ConsoleSite): Promise<readonly Task[]> {
  const { new: count } = await messages.count();
  if (count === 0) return [];
  return [
    {
      key: 'messages',
      kind: 'message',
      text: `${count === 1 ? '1 message of a visitor is' : `${formatNumber(count)} messages of visitors are`} unread.`,
      amount: null,
      currency: null,
      href: buildConsoleAddress('messages', {}, { extra: { state: 'new' } }),
      level: count,
    },
  ];
}

const FAILED_MS = 7 * DAY_MS;
const WAITING_MS = 3_600_000;

const FATES: Readonly<Record<string, string>> = {
  failed: 'refused in the last 7 days and not sent again',
  unknown: 'sent in the last 7 days without a response, and may have arrived',
  waiting: 'not taken for more than an hour, and tried again',
};

/** What was refused or lost sight of in the last 7 days, or waits for more than an hour, by email or otherwise, as one task. */
export async function listFailedDeliveries(site: ConsoleSite): Promise<readonly Task[]> {
  const now = site.clock.now();
  const failed = await site.operators.notifications.readFailed(now - FAILED_MS, now - WAITING_MS);
  const [last] = failed;
  if (last === undefined) return [];
  const count =
    failed.length === 1 ? '1 notification was' : `${formatNumber(failed.length)} notifications were`;
  const fates = [...new Set(failed.map(({ state }) => FATES[state] ?? ''))].join('; or ');
  return [
    {
      key: 'undelivered',
      kind: 'undelivered',
      text: `${count} ${fates} (${last.channel}: ${last.problem}).`,
      detail:
        'Correct the recipient or the settings of this channel. Messages of visitors are under Messages, alerts on this page.',
      amount: null,
      currency: null,
      href: buildConsoleAddress('messages', {}),
      level: failed.length,
    },
  ];
}

/** Reads every message of a state. */
export async function readAllMessages({ visitors: { messages } }: ConsoleSite, { parameters }: ViewRequest) {
  const state = parseState(parameters.get('state')) ?? undefined;
  return { rows: await messages.read({ state, offset: 0, limit: MAX_EXPORTED }) };
}

/** The state that a parameter names. */
export function parseState(text: string | null): MessageState | null {
  return MESSAGE_STATES.find((state) => state === text) ?? null;
}
