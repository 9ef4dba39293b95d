import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createChance } from '../../../test/support/chance.ts';
import {
  buildPartner,
  buildViewRequest,
  createTestConsole,
  postChange,
} from '../../../test/support/console-ledger.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { learnDecisions, sumLikely, takeArrived } from '../../core/commissions/received.ts';
import type { ConsoleSite } from '../console-site.ts';
import { ConsoleDocument } from '../frame/frame.tsx';
import { readCash } from '../reports/cash.ts';
import { readView } from '../views.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
const QUERY = { from: '2026-01-01', to: '2026-03-20' };
const at = (day: string) => Date.parse(`${day}T10:00:00Z`);

/** What a view says to somebody who reads its words. */
async function show(site: ConsoleSite, view: 'overview' | 'money') {
  const parameters = new URLSearchParams(QUERY);
  const page = await readView(site, { ...buildViewRequest({ parameters }), view }, null, null);
  const html = renderToStaticMarkup(createElement(ConsoleDocument, { page: page ?? expect.fail() }));
  return html.slice(html.indexOf('<main')).replaceAll(/<[^>]*>/g, '');
}

/** A partner that has paid $500 on March 5. */
async function createPaid() {
  const times = { eventTime: at('2026-01-10'), changeTime: at('2026-03-05') };
  const facts = [
    { nativeId: 'c-1', amount: 50_000, eventTime: times.eventTime, changeTime: times.eventTime },
    { nativeId: 'c-1', amount: 50_000, status: 'paid' as const, ...times },
  ];
  const journey = { clickId: 'c-1', clickTime: at('2026-01-09') };
  return createTestConsole({
    entries: [buildSampleEntry(facts, journey, { partner: 'kit', arrivedAt: times.changeTime })],
    content: { partners: new Map([['kit', buildPartner('kit', { terms: DEFAULT_TERMS })]]) },
    now: () => NOW,
  });
}

it('a cost lowers what is left by itself, and a payment that arrived with less by the difference', async () => {
  const site = await createPaid();
  const before = await readCash(site, QUERY);
  expect([before.left, before.reported]).toEqual([50_000, [{ currency: 'USD', amount: 50_000 }]]);
  const cost = {
    action: 'add-expense',
    name: 'Hosting',
    amount: '100',
    currency: 'USD',
    period: '2026-03-20',
  };
  await postChange(site, 'campaigns', cost);
  expect((await readCash(site, QUERY)).left).toBe(40_000);
  const [payment] = before.payments;
  const arrived = {
    action: 'arrived',
    partner: 'kit',
    account: payment?.account ?? '',
    currency: 'USD',
    day: payment?.day ?? '',
    amount: '490',
    arrivedCurrency: 'USD',
    arrivedDay: '2026-03-08',
  };
  // Twice is once.
  for (const _ of [1, 2]) expect(await postChange(site, 'money', arrived)).toMatchObject({ isError: false });
  const after = await readCash(site, QUERY);
  expect(after.left).toBe(39_000);
  expect(after.payments).toMatchObject([{ amount: 49_000, day: '2026-03-08', arrival: { covers: 50_000 } }]);
  expect(after.reported).toEqual([{ currency: 'USD', amount: 0 }]);
  // Today says the same, and the list of payments what was reported beside what arrived.
  expect(await show(site, 'overview')).toMatch(/You received \$490.*and spent \$100.*\$390 is left/);
  expect(await show(site, 'money')).toMatch(/\$490\.00.*arrived ?\$500\.00 was reported/);
  for (const wrong of [
    { amount: 'much' },
    { arrivedDay: '2026-04-01' },
    { partner: 'other' },
    { amount: '-5' },
  ])
    expect(await postChange(site, 'money', { ...arrived, ...wrong })).toMatchObject({ isError: true });
  await postChange(site, 'money', { ...arrived, action: 'not-arrived' });
  expect((await readCash(site, QUERY)).left).toBe(40_000);
});

it('leads to all amounts as a file, also where nothing is owed', async () => {
  for (const site of [await createPaid(), await createTestConsole()]) {
    const request = { ...buildViewRequest(), view: 'money' } as const;
    const page = await readView(site, request, null, null);
    const html = renderToStaticMarkup(createElement(ConsoleDocument, { page: page ?? expect.fail() }));
    expect(html.match(/href="\/console\/money\.csv[^"]*">CSV/g)).toHaveLength(1);
  }
});

it('money that arrived before it was reported is taken from what is owed, and later from the report', () => {
  const own = { partner: 'kit', account: 'main', currency: 'USD' };
  const arrival = {
    ...own,
    dueDay: '2026-03-15',
    covers: 100,
    arrivedDay: '2026-03-16',
    amount: 98,
    arrivedCurrency: 'USD',
  };
  const due = { ...own, day: '2026-03-15', amount: 120 };
  expect(takeArrived([], [due], [arrival]).owed).toEqual([{ ...due, amount: 20 }]);
  const paid = { ...own, day: '2026-03-20', amount: 90 };
  const both = takeArrived([paid], [{ ...due, amount: 30 }], [arrival]);
  expect([both.reported[0]?.amount, both.owed[0]?.amount]).toEqual([0, 20]);
  const later = { ...paid, day: '2026-06-20' };
  expect(takeArrived([later], [], [arrival]).reported).toEqual([later]);
});

it('of pending money at least as much comes as is said to be likely, in 8 of 10 months', () => {
  const draw = createChance(7);
  const months = 200;
  let [held, came, said] = [0, 0, 0];
  for (let month = 0; month < months; month++) {
    // A tenth is never decided; how much is approved differs from month to month.
    const decide = (share: number) =>
      draw() < 0.1 ? null : { isApproved: draw() < share, age: 10 + Math.floor(40 * draw()) };
    const past = Array.from({ length: 200 }, () => decide(0.85));
    const decisions = past.flatMap((one) => (one === null ? [] : [{ ...one, count: 1, amount: 4_000 }]));
    const waiting = past.filter((one) => one === null).map(() => ({ age: 60, amount: 4_000 }));
    const learned = learnDecisions(decisions, waiting);
    if (learned === null) throw new Error('there are enough decisions');
    const share = 0.75 + 0.2 * draw();
    const open = Array.from({ length: 40 }, () => ({
      age: Math.floor(50 * draw()),
      final: decide(share),
    })).filter(({ age, final }) => (final === null || final.age > age) && age <= learned.lastAge);
    const parts = open.map(({ age }) => ({
      amount: 4_000,
      largest: 4_000,
      share: learned.getShare(age, 30),
    }));
    const likely = sumLikely(parts, 20);
    const paid = open.reduce(
      (sum, { age, final }) => sum + (final?.isApproved && final.age <= age + 30 ? 4_000 : 0),
      0,
    );
    came += paid;
    said += likely;
    if (paid >= likely) held += 1;
  }
  expect(held / months).toBeGreaterThanOrEqual(0.8);
  expect(said / came).toBeGreaterThan(0.8);
});

it('what is likely is an amount where a partner approves everything, however many decisions it took', () =>
  forAll(1, [fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 20, maxLength: 60 })], (amounts) => {
    const decisions = amounts.map((amount, age) => ({ isApproved: true, age, count: 1, amount }));
    const share = learnDecisions(decisions, [])?.getShare(0) ?? Number.NaN;
    expect(share).toBeLessThanOrEqual(1);
    expect(sumLikely([{ amount: 100_000, largest: 100_000, share }], 20)).toBeGreaterThan(99_000);
  }));

it('what a partner never decides about lowers the share of what is decided, and nothing of it changes none', () => {
  const decisions = [
    { isApproved: true, age: 10, count: 10, amount: 600 },
    { isApproved: false, age: 20, count: 10, amount: 200 },
    { isApproved: true, age: 30, count: 10, amount: 200 },
  ];
  const learn = (...waiting: { age: number; amount: number }[]) => learnDecisions(decisions, waiting);
  expect([0, 11, 21, 31].map((age) => learn()?.getShare(age))).toEqual([0.8, 0.5, 1, 0]);
  expect(learn()?.getShare(0, 10)).toBeCloseTo(0.6);
  // Of 1,200 half is approved at 10 days, a third of the rest reversed at 20, half of what is left approved at 30.
  expect(learn({ age: 90, amount: 200 })?.getShare(0)).toBeCloseTo(0.5 + (0.5 * 2) / 3 / 2);
  expect(learn({ age: 5, amount: 900 })?.getShare(0)).toBeCloseTo(0.8);
});
