import { beforeEach, expect, it, vi } from 'vitest';
import { createMemoryEventStore } from '../../test/support/memory-stores.ts';
import { buildSampleEvent, collect } from '../../test/support/sample-events.ts';
import type { EventStore } from './events.ts';
import { MAX_MESSAGE_BYTES, QueuedEventStore } from './queued-events.ts';

const WAIT_MS = 20;
const never = () => new Promise<never>(() => undefined);
const fail = (reason: string) => () => Promise.reject(new Error(reason));

let memory: EventStore;
let send: ReturnType<typeof vi.fn<(events: readonly unknown[]) => Promise<void>>>;
beforeEach(() => {
  memory = createMemoryEventStore();
  send = vi.fn(async () => undefined);
});

/** `memory`, with another way to append if one is given. */
function replaceAppend(append: EventStore['append'] | undefined): EventStore {
  return append === undefined ? memory : Object.assign(memory, { append });
}

const create = (path: 'database' | 'queue', append?: EventStore['append']) =>
  new QueuedEventStore({ store: replaceAppend(append), queue: { send }, path, waitMs: WAIT_MS });

it('leaves the queue alone while the database is quick', async () => {
  const event = buildSampleEvent();
  const store = create('database');
  expect(await store.append([event])).toEqual({ stored: 1, duplicates: 0 });
  expect(await store.append([event])).toEqual({ stored: 0, duplicates: 1 });
  expect(send).not.toHaveBeenCalled();
  expect(await collect(store.read({}))).toEqual([event]);
});

it.each([
  ['fails', fail('the connection was lost')],
  ['does not respond in time', never],
])('sends the events to the queue when the database %s', async (_, append) => {
  const events = [buildSampleEvent(), buildSampleEvent()];
  const result = await create('database', append).append(events);
  expect(result).toEqual({ stored: 2, duplicates: 0 });
  expect(send.mock.calls).toEqual([[events]]);
});

it('sends to the queue first when that is the path, and writes nothing itself', async () => {
  const append = vi.fn(memory.append.bind(memory));
  await create('queue', append).append([buildSampleEvent()]);
  expect(send).toHaveBeenCalledOnce();
  expect(append).not.toHaveBeenCalled();
});

it.each([
  ['fails', fail('out of order')],
  ['does not respond in time', never],
])('writes to the database when the queue is the path and %s', async (_, failing) => {
  send.mockImplementation(failing);
  await create('queue').append([buildSampleEvent()]);
  expect(await memory.count({})).toBe(1);
});

it('takes the response of a slow database when the queue fails', async () => {
  const gate = Promise.withResolvers<void>();
  send.mockImplementation(async () => {
    gate.resolve();
    throw new Error('out of order');
  });
  const append = memory.append.bind(memory);
  const slow: EventStore['append'] = async (events) => {
    await gate.promise;
    return append(events);
  };
  expect(await create('database', slow).append([buildSampleEvent()])).toMatchObject({ stored: 1 });
});

it('waits longer for the fallback than for the first when it may', async () => {
  send.mockImplementation(() => new Promise((resolve) => setTimeout(resolve, 10 * WAIT_MS)));
  const store = new QueuedEventStore({
    store: replaceAppend(never),
    queue: { send },
    path: 'database',
    waitMs: WAIT_MS,
    giveUpMs: 60_000,
  });
  expect(await store.append([buildSampleEvent()])).toMatchObject({ stored: 1 });
});

it.each([
  ['fail', fail('no database'), fail('no queue'), /no database; no queue/],
  ['do not respond', never, never, /no response after 20 ms/],
])('is unavailable when both %s', async (_, append, sending, reason) => {
  send.mockImplementation(sending);
  const appended = create('database', append).append([buildSampleEvent()]);
  await expect(appended).rejects.toMatchObject({
    name: 'EventStoreError',
    code: 'unavailable',
    message: expect.stringMatching(reason),
  });
});

it('splits events into messages that the queue takes, in their order', async () => {
  const events = Array.from({ length: 50 }, () => buildSampleEvent({ label: 'ü'.repeat(5_000) }));
  await create('queue').append(events);
  const messages = send.mock.calls.map(([message]) => message);
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.flat()).toEqual(events);
  for (const message of messages) {
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  }
});
