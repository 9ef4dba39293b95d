import { parseSiteEvents } from '../../core/events/site-event.schema.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { listKeys, type R2Connection } from '../../stores/archive.ts';
import { type EventAppender, EventStoreError } from '../../stores/events.ts';
import type { DeadLetters, QueuedMessage } from '../../stores/queued-events.ts';

/** What became of the messages of a batch, as numbers of messages. */
export interface ConsumedMessages {
  readonly stored: number;
  /** Sent to the dead letters: they cannot be stored, or not for as long as the queue keeps them. */
  readonly dead: number;
  /** Delivered again later. */
  readonly retried: number;
}

const MAX_DELAY_SECONDS = 300;
/** Some seven hours. A queue gives a message up after 100, as `wrangler.jsonc` says. */
const MAX_ATTEMPTS = 90;

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
      const isLate = ({ message }: EventMessage) => message.attempts >= MAX_ATTEMPTS;
      const late = messages.filter(isLate);
      const buried = await Promise.all(late.map(({ message }) => bury(message, options.deadLetters)));
      const soon = messages.filter((one) => !isLate(one));
      for (const { message } of soon) retry(message);
      const dead = buried.filter((one) => one.dead > 0).length;
      return { ...result, dead, retried: messages.length - dead };
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

/** What D1 says of the values of a row. Every other refusal, such as of a missing table, is the database's own fault. */
const OF_VALUES = /\bSQLITE_(?:TOOBIG|CONSTRAINT|MISMATCH)\b/;

/** Whether the database refuses the events themselves, so that trying again cannot help. */
function isInvalid(error: unknown): boolean {
  return error instanceof EventStoreError && error.code === 'invalid' && OF_VALUES.test(error.message);
}

const PREFIX = 'dead-letters/';

/** The dead letters: an object of the bucket for each message, which stays until it is stored or removed. */
export class BucketDeadLetters implements DeadLetters {
  readonly #bucket: R2Connection;

  constructor(bucket: R2Connection) {
    this.#bucket = bucket;
  }

  async send(body: unknown): Promise<void> {
    const name = `${new Date().toISOString()}-${crypto.randomUUID()}.json`;
    await this.#bucket.put(PREFIX + name, new TextEncoder().encode(JSON.stringify(body ?? null)));
  }

  /** The names of all messages, oldest first: each begins with its time. */
  async list(): Promise<readonly string[]> {
    return (await listKeys(this.#bucket, PREFIX)).sort();
  }

  /** The text of a message; empty when it was removed meanwhile. */
  async read(name: string): Promise<string> {
    const object = await this.#bucket.get(PREFIX + name);
    return object === null ? '' : new TextDecoder().decode(await object.arrayBuffer());
  }

  /**
   * Stores the events of a message and removes it. Returns how many events are stored now; null where the message has none
   * that can be read. Rejects with `EventStoreError`; the message stays then.
   */
  async store(name: string, store: EventAppender): Promise<number | null> {
    const events = parseSiteEvents(parseJson(await this.read(name)));
    if (events === null) return null;
    await store.append(events);
    await this.#bucket.delete(PREFIX + name);
    return events.length;
  }
}
