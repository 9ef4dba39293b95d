import { expect, it } from 'vitest';
import { buildViewRequest } from '../../test/support/console-ledger.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { createMemoryRollups } from '../../test/support/memory-stores.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { SqlEventStore } from '../stores/events.ts';
import { ContactMessages } from '../stores/messages.ts';
import { ContentReader } from './content/read.ts';
import { MessagesReader } from './messages/read.ts';

const NOW = Date.parse('2025-12-20T12:00:00Z');
const COUNT = 120;
const STATES = ['new', 'read', 'answered'] as const;

const STORE = await createMessages();

/** Creates the messages of visitors, of whom every second one filled in the honeypot. */
async function createMessages(): Promise<ContactMessages> {
  const executor = new MemoryExecutor(openMemoryDatabase());
  const store = new ContactMessages(executor);
  const events = Array.from({ length: COUNT }, (_, index) =>
    buildSampleEvent({
      id: `m-${index}`,
      name: 'contact_message',
      serverTime: NOW - index * 60_000,
      page: '/contact',
      data: {
        topic: 'general',
        name: `Reader ${index}`,
        email: `reader-${index}@example.com`,
        message: `=1+${index}`,
      },
      flags: index % 2 === 0 ? ['bot'] : [],
    }),
  );
  await new SqlEventStore(executor).append(events);
  for (const [index, { id }] of events.entries())
    await store.setState(id, STATES[index % STATES.length] ?? 'new', NOW);
  return store;
}

it.each(['', 'state=new', 'state=answered'])(
  'messages (%s) export every page of the list in its order, without email addresses',
  async (search) => {
    const reader = new MessagesReader(STORE, () => NOW);
    const read = (page: number) =>
      reader.read(buildViewRequest({ parameters: new URLSearchParams(`${search}&p=${page}`) }));
    const { pages } = await read(1);
    const shown = (await Promise.all(Array.from({ length: pages }, (_, index) => read(index + 1)))).flatMap(
      ({ rows }) => rows,
    );
    const { rows } = await reader.exportTable(
      buildViewRequest({ parameters: new URLSearchParams(`${search}&p=2`) }),
    );
    expect([...rows]).toEqual(
      shown.map(({ sentAt, state, topic, name, message, page, isSuspicious }) => [
        new Date(sentAt).toISOString(),
        ...[state, topic, name, message, page, isSuspicious ? 'yes' : 'no'],
      ]),
    );
    expect(shown).toHaveLength(search === '' ? COUNT : COUNT / STATES.length);
    expect(JSON.stringify([...rows])).not.toContain('@example.com');
  },
);

it('content exports its three lists with everything that the screen says of them', async () => {
  const row = { day: '2025-12-20', sessions: 0, actions: 0, views: 3, clicks: 1 };
  const reader = new ContentReader({
    readWarnings: () => [],
    readClaims: () => ({
      findings: [
        { kind: 'unproven', text: 'platform-users (50,000+): no evidence', claims: ['platform-users'] },
      ],
      files: new Map([['platform-users', 'claims/landing.yaml']]),
    }),
    getUnpublished: () => [
      { title: 'Later', file: 'articles/later.md', publishAt: NOW },
      { title: 'Draft', file: 'articles/draft.md', publishAt: null },
    ],
    getPages: () => [{ path: '/a', title: 'A', file: 'pages/a.yaml' }],
    rollups: createMemoryRollups([{ ...row, dimension: 'page', key: ['/a'] }]),
    claimMaxAgeDays: 365,
  });
  const request = buildViewRequest();
  const { claims, unpublished, unread } = await reader.read(request);
  expect([claims.length, unpublished.length, unread.length]).toEqual([1, 2, 1]);
  const { columns, rows } = await reader.exportTable(request);
  expect([columns, ...rows]).toEqual([
    ['kind', 'what', 'file', 'publish_at', 'views', 'clicks'],
    ['unproven', claims[0]?.text, 'claims/landing.yaml', null, null, null],
    ['scheduled', 'Later', 'articles/later.md', new Date(NOW).toISOString(), null, null],
    ['draft', 'Draft', 'articles/draft.md', null, null, null],
    ['unread', '/a', 'pages/a.yaml', null, 3, 1],
  ]);
});
