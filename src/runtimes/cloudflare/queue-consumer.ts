import { parseSiteEvents } from '../../core/events/site-event.schema.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { type EventAppender, EventStoreError } from '../../stores/events.ts';
import type { DeadLetters, QueuedMessage } from '../../stores/queued-events.ts';

/** What became of the messages of a batch, as numbers of messages. */
export interface ConsumedMessages {
  readonly stored: number;
  /** Sent to the dead letters: they can never be stored. */
  readonly dead: number;
  /** Delivered again later. */
  readonly retried: number;
}

const MAX_DELAY_SECONDS = 300;

interface EventMessage {
  readonly message: QueuedMessage;
  readonly events: readonly SiteEvent[];
}

/**
 * Stores the events of a batch of messages. A message is acknowledged only after its events are committed, or after
 * the dead letters have accepted it. Storing is idempotent by event id, so messages may be delivered any number of
 * times. A message that cannot be stored concerns no other message of the batch. Never rejects.
 */
export async function consumeEvents(
  messages: readonly QueuedMessage[],
  options: { readonly store: EventAppender; readonly deadLetters: DeadLetters },
): Promise<ConsumedMessages> {
  const valid: EventMessage[] = [];
  const invalid: QueuedMessage[] = [];
  for (const message of messages) {
    const events = parseSiteEvents(message.body);
    if (events === null) invalid.push(message);
    else valid.push({ message, events });
  }
  const results = await Promise.all([
    storeMessages(valid, options),
    ...invalid.map((message) => bury(message, options.deadLetters)),
  ]);
  const sum = (name: keyof ConsumedMessages) => results.reduce((total, result) => total + result[name], 0);
  return { stored: sum('stored'), dead: sum('dead'), retried: sum('retried') };
}

/** Stores all messages in one append. If the database refuses one of them, each gets an append of its own. */
async function storeMessages(
  messages: readonly EventMessage[],
  options: Parameters<typeof consumeEvents>[1],
): Promise<ConsumedMessages> {
  const result = { stored: 0, dead: 0, retried: 0 };
  const [first] = messages;
  if (first === undefined) return result;
  try {
    await options.store.append(messages.flatMap(({ events }) => events));
  } catch (error) {
    if (!isInvalid(error)) {
      for (const { message } of messages) retry(message);
      return { ...result, retried: messages.length };
    }
    if (messages.length === 1) return bury(first.message, options.deadLetters);
    for (const message of messages) {
      const { stored, dead, retried } = await storeMessages([message], options);
      result.stored += stored;
      result.dead += dead;
      result.retried += retried;
    }
    return result;
  }
  for (const { message } of messages) message.ack();
  return { ...result, stored: messages.length };
}

async function bury(message: QueuedMessage, deadLetters: DeadLetters): Promise<ConsumedMessages> {
  try {
    await deadLetters.send(message.body);
  } catch {
    retry(message);
    return { stored: 0, dead: 0, retried: 1 };
  }
  message.ack();
  return { stored: 0, dead: 1, retried: 0 };
}

function retry(message: QueuedMessage): void {
  message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_DELAY_SECONDS) });
}

/** Whether the database says that the events themselves are wrong, so that trying again cannot help. */
function isInvalid(error: unknown): boolean {
  return error instanceof EventStoreError && error.code === 'invalid';
}
