import { beforeEach, expect, it, vi } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { buildSampleEvent, collect } from '../../../test/support/sample-events.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { EventStoreError, SqlEventStore } from '../../stores/events.ts';
import { createJsonWrites } from '../../stores/queued-events.ts';
import { SqlError } from '../../stores/sql/sql-executor.ts';
import { BucketDeadLetters, consumeEvents } from './queue-consumer.ts';

const buildMessage = (body: unknown, attempts = 1) => ({ body, attempts, ack: vi.fn(), retry: vi.fn() });

let store: SqlEventStore;
const deadLetters = { send: vi.fn(async (_: unknown) => undefined) };
beforeEach(() => {
  store = new SqlEventStore(new MemoryExecutor(openMemoryDatabase()), createJsonWrites);
  deadLetters.send.mockReset();
  return () => store.close();
});

it('stores the events of all messages and acknowledges them', async () => {
  const events = [buildSampleEvent(), buildSampleEvent(), buildSampleEvent()];
  const messages = [buildMessage(events.slice(0, 2)), buildMessage(events.slice(2))];
  expect(await consumeEvents(messages, { store, deadLetters })).toEqual({ stored: 2, dead: 0, retried: 0 });
  expect(await collect(store.read({}))).toEqual(events);
  for (const { ack, retry } of messages) {
    expect(ack).toHaveBeenCalledOnce();
    expect(retry).not.toHaveBeenCalled();
  }
});

it('acknowledges a delivery that repeats, and stores nothing twice', async () => {
  const event = buildSampleEvent();
  await consumeEvents([buildMessage([event])], { store, deadLetters });
  const again = buildMessage([event], 2);
  await consumeEvents([again, buildMessage([event], 3)], { store, deadLetters });
  expect(again.ack).toHaveBeenCalledOnce();
  expect(await store.count({})).toBe(1);
});

it.each([
  ['no list', { id: 'x' }],
  ['an event without a name', [{ ...buildSampleEvent(), name: undefined }]],
  ['an unknown flag', [{ ...buildSampleEvent(), flags: ['loud'] }]],
  ['null', null],
])('sends a message that has %s to the dead letters, and stores the others of its batch', async (_, body) => {
  const good = [buildMessage([buildSampleEvent()]), buildMessage([buildSampleEvent()])];
  const poison = buildMessage(body);
  const messages = [good[0], poison, good[1]].filter((message) => message !== undefined);
  expect(await consumeEvents(messages, { store, deadLetters })).toEqual({ stored: 2, dead: 1, retried: 0 });
  expect(deadLetters.send.mock.calls).toEqual([[body]]);
  expect(poison.ack).toHaveBeenCalledOnce();
  expect(await store.count({})).toBe(2);
});

it('finds the message that the database refuses, and stores the others', async () => {
  const bad = buildSampleEvent({ label: 'bad' });
  const append = async (events: readonly SiteEvent[]) => {
    if (!events.includes(bad)) return store.append(events);
    throw new EventStoreError('invalid', '[events] [sql] string or blob too big: SQLITE_TOOBIG');
  };
  // Bodies are parsed into new objects: the check above looks for the label instead.
  const appendByLabel: typeof append = (events) =>
    append(events.map((event) => (event.label === 'bad' ? bad : event)));
  const messages = [
    buildMessage([buildSampleEvent()]),
    buildMessage([bad]),
    buildMessage([buildSampleEvent()]),
  ];
  const result = await consumeEvents(messages, { store: { append: appendByLabel }, deadLetters });
  expect(result).toEqual({ stored: 2, dead: 1, retried: 0 });
  expect(deadLetters.send.mock.calls).toEqual([[[bad]]]);
  expect(await store.count({})).toBe(2);
});

it('retries every message later while the database is not available, and acknowledges none', async () => {
  const append = () => Promise.reject(new EventStoreError('unavailable', 'the connection was lost'));
  const messages = [buildMessage([buildSampleEvent()], 1), buildMessage([buildSampleEvent()], 12)];
  const result = await consumeEvents(messages, { store: { append }, deadLetters });
  expect(result).toEqual({ stored: 0, dead: 0, retried: 2 });
  expect(messages.map(({ retry }) => retry.mock.calls)).toEqual([
    [[{ delaySeconds: 2 }]],
    [[{ delaySeconds: 300 }]],
  ]);
  for (const { ack } of messages) expect(ack).not.toHaveBeenCalled();
});

it.each([
  ['no such table: events: SQLITE_ERROR', 'retried'],
  ['table events has no column named label: SQLITE_ERROR', 'retried'],
  ['not authorized: SQLITE_AUTH', 'retried'],
  ['column index out of range: SQLITE_RANGE', 'retried'],
  ['Wrong number of parameter bindings for SQL query.', 'retried'],
  ['CHECK constraint failed: name: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_CHECK)', 'dead'],
  ['datatype mismatch: SQLITE_MISMATCH', 'dead'],
] as const)('takes the values of a row alone for the fault of an event: %s', async (reason, outcome) => {
  const refuse = () => Promise.reject(new SqlError('invalid', reason));
  const executor = { batch: refuse, query: refuse, close: async () => undefined };
  const refusing = new SqlEventStore(executor, createJsonWrites);
  const message = buildMessage([buildSampleEvent()]);
  const result = await consumeEvents([message], { store: refusing, deadLetters });
  expect(result).toEqual({ stored: 0, dead: 0, retried: 0, [outcome]: 1 });
});

it('gives up what the database has not taken for hours to the dead letters, which store it later', async () => {
  const objects = new Map<string, Uint8Array>();
  const letters = new BucketDeadLetters({
    put: async (key, value) => objects.set(key, value),
    get: async (key) => {
      const content = objects.get(key);
      return content === undefined ? null : { arrayBuffer: async () => content.slice().buffer };
    },
    delete: async (key) => void objects.delete(key),
    list: async ({ prefix }) => {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
      return { objects: keys.map((key) => ({ key })), truncated: false };
    },
  });
  const append = () => Promise.reject(new EventStoreError('unavailable', 'the connection was lost'));
  const [late, early] = [buildMessage([buildSampleEvent()], 90), buildMessage([buildSampleEvent()], 89)];
  const result = await consumeEvents([late, early], { store: { append }, deadLetters: letters });
  expect(result).toEqual({ stored: 0, dead: 1, retried: 1 });
  expect([late.ack.mock.calls.length, early.ack.mock.calls.length]).toEqual([1, 0]);
  const [name = ''] = await letters.list();
  await letters.send('poison');
  const poison = (await letters.list()).find((other) => other !== name) ?? '';
  await expect(letters.store(name, { append })).rejects.toThrow('the connection was lost');
  expect([await letters.store(name, store), await letters.store(poison, store)]).toEqual([1, null]);
  expect([await collect(store.read({})), await letters.list()]).toEqual([late.body, [poison]]);
});

it('retries a message that the dead letters do not accept', async () => {
  deadLetters.send.mockRejectedValueOnce(new Error('not reachable'));
  const message = buildMessage('poison');
  await consumeEvents([message], { store, deadLetters });
  expect(message.ack).not.toHaveBeenCalled();
  expect(message.retry).toHaveBeenCalledOnce();
});
