import { isOwner } from '../../core/console/operator.ts';
import { buildAddress, buildConsolePath } from '../../core/paths.ts';
import {
  type ContactMessage,
  type ContactMessages,
  MESSAGE_STATES,
  type MessageCounts,
  type MessageState,
} from '../../stores/messages.ts';
import { getFormText } from '../app.ts';
import { countListPages, type ListPage, parseListPage, ROWS_PER_PAGE } from '../figures/list-page.ts';
import {
  type ActionOutcome,
  buildTable,
  buildTimeCell,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../views.ts';

/** A message as the console shows it: the email address only on request. */
export interface MessageRow extends Omit<ContactMessage, 'email'> {
  /** Null until it is requested. */
  readonly email: string | null;
}

/** A page of the messages, newest first. */
export interface MessagesModel extends ListPage<MessageRow> {
  /** Null for all messages. */
  readonly state: MessageState | null;
  readonly counts: MessageCounts;
  readonly canChange: boolean;
  readonly formToken: string;
}

const PATH = buildConsolePath('messages');
const MAX_EXPORTED = 10_000;

/** What visitors wrote in the contact form. */
export class MessagesReader implements ViewReader<MessagesModel> {
  readonly #messages: ContactMessages;
  readonly #now: () => number;

  constructor(messages: ContactMessages, now: () => number) {
    this.#messages = messages;
    this.#now = now;
  }

  async read({ parameters, viewer, formToken }: ViewRequest): Promise<MessagesModel> {
    const state = parseState(parameters.get('state'));
    const counts = await this.#messages.count();
    const total = state === null ? counts.new + counts.read + counts.answered : counts[state];
    const pages = countListPages(total);
    const page = Math.min(parseListPage(parameters), pages);
    const filter = { state: state ?? undefined, offset: (page - 1) * ROWS_PER_PAGE, limit: ROWS_PER_PAGE };
    const canChange = isOwner(viewer);
    // Only owners answer messages, so only they see an address.
    const shown = canChange ? parameters.get('show') : null;
    const rows = await this.#messages.read(filter);
    return {
      rows: rows.map((message) => hideEmail(message, shown)),
      state,
      counts,
      total,
      page,
      pages,
      canChange,
      formToken,
    };
  }

  /** Without email addresses: those are shown one by one. */
  async exportTable({ parameters }: ViewRequest): Promise<ExportTable> {
    const state = parseState(parameters.get('state')) ?? undefined;
    const rows = await this.#messages.read({ state, offset: 0, limit: MAX_EXPORTED });
    return buildTable(rows, {
      sent: ({ sentAt }) => buildTimeCell(sentAt),
      state: ({ state }) => state,
      topic: ({ topic }) => topic,
      name: ({ name }) => name,
      message: ({ message }) => message,
      page: ({ page }) => page,
      suspicious: ({ isSuspicious }) => (isSuspicious ? 'yes' : 'no'),
    });
  }

  /** `action` is one of the states, or `delete`. */
  async post(form: FormData, { parameters }: ViewRequest): Promise<ActionOutcome> {
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
      state === null
        ? await this.#messages.remove(id)
        : await this.#messages.setState(id, state, this.#now());
    if (!isKnown) return finish('There is no such message. Nothing was changed.', true);
    return finish(state === null ? 'The message was deleted.' : `The message is marked as ${state}.`);
  }
}

function hideEmail(message: ContactMessage, shown: string | null): MessageRow {
  return { ...message, email: message.id === shown ? message.email : null };
}

function parseState(text: string | null): MessageState | null {
  return MESSAGE_STATES.find((state) => state === text) ?? null;
}
