import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { writeManyArticles } from '../src/commands/demo/many-articles.ts';
import { generateDemo, writeDemo } from '../src/commands/demo.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { buildDefaultPath } from '../src/core/paths.ts';
import { PostbackAddresses } from '../src/server/commissions/postbacks.ts';
import { buildRetentionLimit } from '../src/server/events/remove-old-events.ts';
import { Clicks } from '../src/stores/clicks.ts';
import { Rollups } from '../src/stores/rollups.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { IS_FULL_LENGTH } from './support/cases.ts';
import { createFolder } from './support/create-folder.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { createTestLedger, readEntries } from './support/test-ledger.ts';

const CONTENT_DIR = path.resolve(import.meta.dirname, '../content');
const content = readContent(CONTENT_DIR);
const NOW = Date.UTC(2026, 10, 20, 15);
const SIZE = { events: 4_000, commissions: 500 };
const silent = () => undefined;

let dir = '';
beforeEach(() => {
  dir = createFolder();
});

const generate = (seed: number) => generateDemo(content, CONTENT_DIR, SIZE, NOW, seed);

/** Reads the ledger of the folder as the site does. */
async function readLedger() {
  const executor = new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: silent });
  const { ledger: store } = openLedgerDatabase(dir, silent);
  const terms = new Map([...content.partners].map(([key, partner]) => [key, partner.terms]));
  const ledger = createTestLedger({
    store,
    clicks: new Clicks(executor),
    readTerms: () => terms,
    now: () => NOW,
  });
  const entries = await readEntries(ledger);
  const unread = await store.countUnread();
  const tokens = await new PostbackAddresses(store, () => NOW).readTokens();
  const clicks = await new Rollups(executor, 'UTC').readByKey({ dimension: 'partner' });
  await Promise.all([store.close(), executor.close()]);
  return { entries, clicks, unread, hasPostbacks: tokens !== null };
}

const NO_MONEY = { approved: 0, pending: 0, reversed: 0, unmatched: 0 };

/** The sums of each currency, from the last fact of each commission. */
function sumFacts({ facts }: ReturnType<typeof generate>['ledger']): Record<string, typeof NO_MONEY> {
  const sums: Record<string, typeof NO_MONEY> = {};
  for (const states of Map.groupBy(facts, (fact) => fact.nativeId).values()) {
    const last = states.at(-1);
    if (last === undefined || last.isTest) continue;
    const sum = sums[last.currency] ?? { ...NO_MONEY };
    sums[last.currency] = sum;
    if (last.status === 'reversed') {
      sum.reversed += states.findLast(({ status }) => status !== 'reversed')?.amount ?? 0;
      continue;
    }
    sum[last.status === 'pending' ? 'pending' : 'approved'] += last.amount;
    if (last.clickId === null) sum.unmatched += last.amount;
  }
  return sums;
}

it.each(IS_FULL_LENGTH ? [1, 14, 4_711] : [4_711])(
  'writes a ledger with the totals of the generator (seed %i)',
  { tags: ['rest'] },
  async (seed) => {
    const data = generate(seed);
    await writeDemo(dir, data, 'UTC', silent);
    const { entries, clicks } = await readLedger();
    const sums: Record<string, typeof NO_MONEY> = {};
    for (const { commission, journey, isCounted } of entries) {
      if (!isCounted) continue;
      const { currency, status, amount, reversedAmount } = commission;
      const sum = sums[currency] ?? { ...NO_MONEY };
      sums[currency] = sum;
      if (status === 'pending') sum.pending += amount;
      else sum.approved += amount;
      sum.reversed += reversedAmount;
      if (journey === null) sum.unmatched += amount;
    }
    expect(sums).toEqual(sumFacts(data.ledger));
    expect(Object.keys(sums).sort()).toEqual(['EUR', 'USD']);
    expect(new Set(entries.map(({ reason }) => reason))).toEqual(
      new Set([null, 'no-sub-id', 'unknown-token', 'click-deleted', 'test-message']),
    );
    const clicked = clicks.map(({ key: [partner] }) => partner);
    expect([...content.partners.keys()]).toEqual(expect.arrayContaining(clicked));
    expect(clicked).toContain(content.site.promotedPartner);
  },
);

it('has what goes wrong in a year: a silent network, one that does not pay, messages that cannot be read', {
  tags: ['rest'],
}, async () => {
  await writeDemo(dir, generate(14), 'UTC', silent);
  const { entries, unread, hasPostbacks } = await readLedger();
  const facts = entries.flatMap((entry) => entry.facts);
  const partners = [...new Set(facts.map(({ partner }) => partner))];
  const findAge = (partner: string, isMeant: (status: string) => boolean) => {
    const own = facts.filter((fact) => fact.partner === partner && isMeant(fact.status));
    return (NOW - Math.max(...own.map(({ arrivedAt }) => arrivedAt))) / DAY_MS;
  };
  const isSilent = (partner: string) => findAge(partner, () => true) > 40;
  expect(partners.filter(isSilent)).toHaveLength(1);
  const hasNotPaid = (partner: string) => findAge(partner, (status) => status === 'paid') > 60;
  expect(partners.filter((partner) => hasNotPaid(partner) && !isSilent(partner))).toHaveLength(1);
  expect(unread).toMatchObject([{ count: 2 }]);
  expect(hasPostbacks).toBe(true);
});

it('has visitors who come again by another campaign, assistants, a new source and what ads cost', () => {
  // Four thousand events over three years have none of a source of the last weeks.
  const data = generateDemo(content, CONTENT_DIR, { ...SIZE, events: 16_000 }, NOW, 14);
  const events = [...data.days].flat();
  const journeys = [...data.ledger.journeys.values()];
  const isTwice = ({ touches }: (typeof journeys)[number]) => touches.length > 1;
  expect(journeys.filter(isTwice).length / journeys.length).toBeGreaterThan(0.03);
  const hosts = Map.groupBy(events, ({ data: { referrer } }) =>
    typeof referrer === 'string' && URL.canParse(referrer) ? new URL(referrer).hostname : '',
  );
  expect([...hosts.keys()]).toEqual(
    expect.arrayContaining(['chatgpt.com', 'www.reddit.com', 'duckduckgo.com']),
  );
  const [first] = hosts.get('crm-weekly.example') ?? [];
  expect(first?.serverTime).toBeGreaterThan(NOW - 25 * DAY_MS);
  expect(new Set(data.costs.map(({ platform }) => platform))).toEqual(
    new Set(['google', 'microsoft', 'meta']),
  );
  expect(data.costs).toContainEqual(
    expect.objectContaining({ name: 'comparison-search', campaign: 'google / cpc / comparison-search' }),
  );
  expect(data.costs.every(({ amount }) => Number.isSafeInteger(amount) && amount > 0)).toBe(true);
});

it('has a rate of the euro for every working day up to now', () => {
  const { rates } = generate(14);
  const weekdays = new Set(rates.map(({ day }) => new Date(day).getUTCDay()));
  expect([...weekdays].sort()).toEqual([1, 2, 3, 4, 5]);
  expect(rates.at(-1)?.day).toBe('2026-11-20');
  expect(rates.every(({ base, rates: { USD = '' } }) => base === 'EUR' && /^1\.\d{4}$/.test(USD))).toBe(true);
});

it('a large demo has many pieces with readers, whatever their number is', () => {
  const folder = path.join(dir, 'content');
  writeManyArticles(CONTENT_DIR, folder, 120);
  expect(readdirSync(path.join(folder, 'articles'))).toHaveLength(120);
  const large = generateDemo(readContent(folder), folder, SIZE, NOW, 14);
  const read = [...large.days].flat().map(({ page }) => page);
  const copies = read.filter((page) => page.startsWith(buildDefaultPath('copy-')));
  expect(new Set(copies).size).toBeGreaterThan(60);
  // The pages of the site itself stay those that are read most.
  expect(copies.length / read.length).toBeLessThan(0.7);
});

it('shows no draft to the generated visitors', () => {
  const pages = new Set([...generate(14).days].flat().map(({ page }) => page));
  expect(pages).toContain(buildDefaultPath('crm-basics'));
  expect(pages).not.toContain(buildDefaultPath('handover-from-sale-to-delivery'));
});

it('generates the same data for the same seed, and others for another', { tags: ['rest'] }, () => {
  const build = (seed: number) => {
    const data = generate(seed);
    return JSON.stringify([[...data.days], data.ledger.finish().facts, data.costs]);
  };
  expect(build(3)).toBe(build(3));
  expect(build(3)).not.toBe(build(4));
});

it('generates events in the order of time, between the beginning of retention and now', () => {
  const times = [...generate(5).days].flat().map(({ serverTime }) => serverTime);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(times[0]).toBeGreaterThan(buildRetentionLimit(NOW, 36));
  expect(times.at(-1)).toBeLessThanOrEqual(NOW);
  expect(times.filter((time) => time > NOW - 1_800_000).length).toBeGreaterThan(10);
});

it('reports nothing that the future holds, and changes of a commission in their order', () => {
  const data = generate(6);
  for (const _ of data.days);
  const { facts } = data.ledger.finish();
  expect(facts.every(({ arrivedAt, changeTime }) => arrivedAt <= NOW && changeTime <= arrivedAt)).toBe(true);
});
