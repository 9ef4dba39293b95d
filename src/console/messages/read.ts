import { isAllowed } from '../../core/console/operator.ts';
import type { Task } from '../../core/console/task.ts';
import { MESSAGE_STATES, type MessageState } from '../../core/contact/contact-message.ts';
import { buildAddress, buildConsolePath } from '../../core/paths.ts';
import type { ContactMessage } from '../../stores/messages.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { getFormText } from '../http.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, exported, formatTimeCell, locateListPage } from '../reports/columns.ts';
import { formatNumber } from '../reports/format.ts';

/** A message as the console shows it: the email address only on request. */
export interface MessageRow extends Omit<ContactMessage, 'email'> {
  /** Null until it is requested. */
  readonly email: string | null;
}

const PATH = buildConsolePath('messages');
const MAX_EXPORTED = 10_000;

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
  { messages }: ConsoleSite,
  { parameters, viewer, formToken }: ViewRequest,
) {
  const state = parseState(parameters.get('state'));
  const counts = await messages.count();
  const total = state === null ? counts.new + counts.read + counts.answered : counts[state];
  const page = locateListPage(total, parameters);
  const canChange = isAllowed(viewer, 'manage');
  // Only operators who manage answer messages, so only they see an address.
  const shown = canChange ? parameters.get('show') : null;
  const found = await messages.read({ state: state ?? undefined, ...page.rows });
  const rows = found.map((message) => ({ ...message, email: message.id === shown ? message.email : null }));
  // No state: all messages.
  return { ...page.place, rows, state, counts, canChange, formToken };
}

/** The messages of visitors that no operator has read, as one task. */
export async function listMessageTasks({ messages }: ConsoleSite): Promise<readonly Task[]> {
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

/** Reads every message of a state. */
export async function readAllMessages({ messages }: ConsoleSite, { parameters }: ViewRequest) {
  const state = parseState(parameters.get('state')) ?? undefined;
  return { rows: await messages.read({ state, offset: 0, limit: MAX_EXPORTED }) };
}

/** Marks or deletes a message. `action` is one of the states, or `delete`. */
export async function changeMessage(
  { messages, clock }: ConsoleSite,
  form: FormData,
  { parameters }: ViewRequest,
): Promise<ActionOutcome> {
  const id = getFormText(form, 'id');
  const action = getFormText(form, 'action');
  const location = buildAddress(PATH, {
    state: parseState(parameters.get('state')) ?? undefined,
    p: parameters.get('p') ?? undefined,
  });
  const finish = (message: string, isError = false): ActionOutcome => ({ location, message, isError });
  const state = parseState(action);
  if (state === null && action !== 'delete')
    return finish('The form is incomplete. Nothing was changed.', true);
  const isKnown =
    state === null ? await messages.remove(id) : await messages.setState(id, state, clock.now());
  if (!isKnown) return finish('There is no such message. Nothing was changed.', true);
  return finish(state === null ? 'The message was deleted.' : `The message is marked as ${state}.`);
}

function parseState(text: string | null): MessageState | null {
  return MESSAGE_STATES.find((state) => state === text) ?? null;
}
