import { expect, it } from 'vitest';
import { buildViewRequest, createTestConsole } from '../../test/support/console-ledger.ts';
import { readSampleProducts } from '../../test/support/sample-content.ts';
import { createNoArticles } from '../../test/support/test-site.ts';
import type { MessageState } from '../core/contact/contact-message.ts';
import type { ContactMessage } from '../stores/messages.ts';
import { CONTENT_COLUMNS, readContentLines, readContentTasks } from './content/read.ts';
import { MESSAGE_COLUMNS, readAllMessages, readMessages } from './messages/read.ts';
import { buildTable } from './reports/columns.ts';
import { listSitePages } from './reports/site-pages.ts';

const NOW = Date.parse('2025-12-20T12:00:00Z');
const COUNT = 120;
const STATES = ['new', 'read', 'answered'] as const;

const MESSAGES = Array.from(
  { length: COUNT },
  (_, index): ContactMessage => ({
    id: `m-${index}`,
    sentAt: NOW - index * 60_000,
    topic: 'general',
    name: `Reader ${index}`,
    email: `reader-${index}@example.com`,
    message: `=1+${index}`,
    page: '/contact',
    isSuspicious: index % 2 === 0,
    state: STATES[index % STATES.length] ?? 'new',
  }),
);
const select = (state?: MessageState) => MESSAGES.filter((one) => state === undefined || one.state === state);
const count = (state: MessageState) => select(state).length;

it.each(['', 'state=new', 'state=answered'])(
  'messages (%s) export every page of the list in its order, without email addresses',
  async (search) => {
    const site = await createTestConsole();
    Object.assign(site.visitors.messages, {
      read: async ({ state, offset, limit }: Parameters<typeof site.visitors.messages.read>[0]) =>
        select(state).slice(offset, offset + limit),
      count: async () => ({ new: count('new'), read: count('read'), answered: count('answered') }),
    });
    const read = (page: number) =>
      readMessages(site, buildViewRequest({ parameters: new URLSearchParams(`${search}&p=${page}`) }));
    const { pages } = await read(1);
    const shown = (await Promise.all(Array.from({ length: pages }, (_, index) => read(index + 1)))).flatMap(
      ({ rows }) => rows,
    );
    const all = await readAllMessages(
      site,
      buildViewRequest({ parameters: new URLSearchParams(`${search}&p=2`) }),
    );
    const { rows } = buildTable(all.rows, MESSAGE_COLUMNS);
    expect([...rows]).toEqual(
      shown.map(({ sentAt, state, topic, name, message, page, isSuspicious }) => [
        new Date(sentAt).toISOString(),
        state,
        topic,
        name,
        message,
        page,
        isSuspicious ? 'yes' : 'no',
      ]),
    );
    expect(shown).toHaveLength(search === '' ? COUNT : COUNT / STATES.length);
    expect(JSON.stringify([...rows])).not.toContain('@example.com');
  },
);

it('content exports its three lists with everything that the screen says of them', async () => {
  const articles = {
    ...createNoArticles(),
    getUnpublished: () => [
      { title: 'Later', file: 'articles/later.md', publishAt: NOW },
      { title: 'Draft', file: 'articles/draft.md', publishAt: null },
    ],
  };
  const key = 'platform-users';
  const claims = new Map([[key, { key, figure: '50,000+', wording: 'users', evidence: '' }]]);
  const [name, kit] = [...readSampleProducts()].find(([found]) => found === 'kit') ?? expect.fail();
  const products = new Map([
    [
      name,
      {
        ...kit,
        offers: kit.offers.map(({ source = expect.fail(), ...offer }) => ({
          ...offer,
          source: { ...source, checked: '2020-01-01' },
        })),
      },
    ],
  ]);
  const site = await createTestConsole({ articles, content: { claims, products } });
  const page = listSitePages(site).at(-1);
  const counts = { sessions: 0, actions: 0, views: 10, clicks: 0 };
  const read = listSitePages(site).map(({ path }) => ({ ...counts, key: [path] }));
  Object.assign(site.money.rollups, {
    readByKey: async () => [...read, { ...counts, key: [page?.path ?? ''], views: 3, clicks: 1 }],
  });
  const files = new Map([[key, 'claims/landing.yaml']]);
  Object.assign(site.platform.content, {
    readClaimUses: () => ({ files, uses: new Map([[key, ['']]]), samples: [], isComplete: true }),
  });
  const request = buildViewRequest();
  const shown = await readContentTasks(site, request);
  expect([shown.claims.length, shown.unpublished.length, shown.unread.length]).toEqual([2, 2, 1]);
  const lines = await readContentLines(site, request);
  const { columns, rows } = buildTable(lines.rows, CONTENT_COLUMNS);
  expect([columns, ...rows]).toEqual([
    ['kind', 'what', 'file', 'publish_at', 'views', 'clicks'],
    ['prices', shown.claims[0]?.text, 'products/kit.yaml', null, null, null],
    ['unproven', shown.claims[1]?.text, 'claims/landing.yaml', null, null, null],
    ['scheduled', 'Later', 'articles/later.md', new Date(NOW).toISOString(), null, null],
    ['draft', 'Draft', 'articles/draft.md', null, null, null],
    ['unread', page?.path, page?.file, null, 3, 1],
  ]);
});
