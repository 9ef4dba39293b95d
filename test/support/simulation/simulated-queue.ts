import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import type { QueuedEventStore, QueuedMessage } from '../../../src/stores/queued-events.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Takes the events that the database does not accept. */
export type EventQueue = ConstructorParameters<typeof QueuedEventStore>[0]['queue'];

/** What a consumer does with a batch of messages. */
export type Consumer = (messages: readonly QueuedMessage[]) => Promise<unknown>;

interface StoredMessage {
  readonly text: string;
  attempts: number;
  /** Not delivered before this time. */
  availableAt: number;
}

const MAX_BATCH = 6;
/** A message that was delivered and neither acknowledged nor retried by then is delivered again. */
const VISIBILITY_MS = 8_000;

/**
 * A queue that delivers at least once: in any order, in batches of any size, again when a consumer crashes or takes too
 * long, and sometimes twice for no reason.
 */
export class SimulatedQueue implements EventQueue {
  failureRate = 0.15;
  isOut = false;
  readonly #time: VirtualTime;
  readonly #consume: Consumer;
  readonly #messages = new Set<StoredMessage>();

  constructor(time: VirtualTime, consume: Consumer) {
    this.#time = time;
    this.#consume = consume;
  }

  get length(): number {
    return this.#messages.size;
  }

  async send(events: readonly SiteEvent[]): Promise<void> {
    const time = this.#time;
    await time.sleep(time.happens(this.failureRate) ? time.pick(100, 4_000) : time.pick(1, 30));
    if (this.isOut || time.happens(this.failureRate)) throw new Error('the queue is not reachable');
    this.put(events);
    if (time.happens(this.failureRate)) throw new Error('the response was lost');
    if (time.happens(this.failureRate / 3)) await new Promise(() => undefined);
  }

  /** Puts a body into the queue; it travels as JSON. */
  put(body: unknown): void {
    this.#messages.add({ text: JSON.stringify(body), attempts: 0, availableAt: 0 });
  }

  /** Delivers a random batch now and then, until `isOver`. */
  async deliver(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#time.sleep(this.#time.pick(5, 400));
      const ready = [...this.#messages].filter(({ availableAt }) => availableAt <= this.#time.now);
      const batch = this.#shuffle(ready).slice(0, this.#time.pick(1, MAX_BATCH));
      if (batch.length > 0) this.#start(batch);
    }
  }

  #shuffle(messages: readonly StoredMessage[]): readonly StoredMessage[] {
    return messages
      .map((message) => ({ message, place: this.#time.random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ message }) => message);
  }

  /** Runs the consumer in a worker that may crash at any time: what it does then has no effect any more. */
  #start(batch: readonly StoredMessage[]): void {
    const time = this.#time;
    let isAlive = true;
    const crash = () => {
      isAlive = false;
    };
    if (time.happens(this.failureRate)) time.startTimer(time.pick(0, 60), crash);
    void this.#consume(
      batch.map((message) => {
        message.attempts += 1;
        // Now and then a message is delivered to two consumers at once.
        message.availableAt = time.now + (time.happens(this.failureRate / 3) ? 0 : VISIBILITY_MS);
        return {
          body: JSON.parse(message.text) as unknown,
          attempts: message.attempts,
          ack: () => void (isAlive && this.#messages.delete(message)),
          retry: ({ delaySeconds }) => {
            if (isAlive) message.availableAt = time.now + delaySeconds * 1_000;
          },
        };
      }),
    );
  }
}
