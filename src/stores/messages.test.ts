import { beforeEach, expect, it } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { SqlEventStore } from './events.ts';
import { ContactMessages } from './messages.ts';

const TIME = 1_763_600_000_000;

let events: SqlEventStore;
let messages: ContactMessages;
beforeEach(() => {
  const executor = new MemoryExecutor(openMemoryDatabase());
  events = new SqlEventStore(executor);
  messages = new ContactMessages(executor);
});

const buildMessage = (serverTime: number, flags: readonly 'bot'[] = []) =>
  buildSampleEvent({
    name: 'contact_message',
    session: '',
    page: '/contact',
    label: 'question',
    data: { topic: 'question', name: 'Ada', email: 'ada@example.com', message: 'Line one\nLine two' },
    serverTime,
    flags,
  });

it('reads messages newest first, and says which one a program may have sent', async () => {
  const first = buildMessage(TIME);
  const second = buildMessage(TIME + 1, ['bot']);
  await events.append([first, second, buildSampleEvent({ name: 'page_view', serverTime: TIME })]);
  const read = await messages.read({ offset: 0, limit: 10 });
  expect(read.map(({ id, isSuspicious }) => [id, isSuspicious])).toEqual([
    [second.id, true],
    [first.id, false],
  ]);
  expect(read.find(({ id }) => id === first.id)).toEqual({
    id: first.id,
    sentAt: TIME,
    topic: 'question',
    name: 'Ada',
    email: 'ada@example.com',
    message: 'Line one\nLine two',
    page: '/contact',
    isSuspicious: false,
    state: 'new',
  });
  expect(await messages.read({ offset: 1, limit: 10 })).toHaveLength(1);
});

it('counts messages by state, and changes the state of a known one', async () => {
  const [first, second] = [buildMessage(TIME), buildMessage(TIME + 1)];
  await events.append([first, second]);
  expect(await messages.setState(first.id, 'read', TIME)).toBe(true);
  expect(await messages.setState(first.id, 'answered', TIME)).toBe(true);
  expect(await messages.setState('unknown', 'read', TIME)).toBe(false);
  expect(await messages.count()).toEqual({ new: 1, read: 0, answered: 1 });
  const answered = await messages.read({ state: 'answered', offset: 0, limit: 10 });
  expect(answered.map(({ id }) => id)).toEqual([first.id]);
});

it('removes a message with its text, and nothing else', async () => {
  const message = buildMessage(TIME);
  const view = buildSampleEvent({ name: 'page_view', serverTime: TIME });
  await events.append([message, view]);
  await messages.setState(message.id, 'read', TIME);
  expect(await messages.remove(view.id)).toBe(false);
  expect(await messages.remove(message.id)).toBe(true);
  expect(await messages.remove(message.id)).toBe(false);
  expect(await messages.read({ offset: 0, limit: 10 })).toEqual([]);
  expect(await events.count({})).toBe(1);
});

it('removes the newsletter sign-ups of an address, and nothing else', async () => {
  const buildSignup = (email: string) =>
    buildSampleEvent({ name: 'newsletter_signup', data: { email, consent: 'Yes' }, serverTime: TIME });
  const message = buildMessage(TIME);
  await events.append([buildSignup('Ada@example.com'), buildSignup('ada@example.org'), message]);
  expect(await messages.removeSignups(' ada@example.com ')).toBe(1);
  expect(await messages.removeSignups('ada@example.com')).toBe(0);
  expect(await messages.removeSignups("' OR 1=1 --")).toBe(0);
  expect(await events.count({})).toBe(2);
});
