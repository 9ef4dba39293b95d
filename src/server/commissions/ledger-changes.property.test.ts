import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DATABASE_CASES } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { buildLedger } from '../../core/commissions/ledger/build-ledger.ts';
import { COMMISSION_STATUSES, FACT_SOURCES } from '../../core/commissions/ledger/commission-fact.ts';
import { LedgerSnapshot } from './ledger.ts';

const CLICKS = ['0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12', '11111111-2222-4333-8444-555555555555'];
const IDS = ['1', '2', 'sub:1', 'sub:2'];
const TERMS = new Map([['kit', { source: 'csv' as const }]]);

const anyId = { partner: fc.constantFrom('highlevel', 'kit'), nativeId: fc.constantFrom(...IDS) };
const anyClick = fc.constantFrom(...CLICKS, null);

/** Everything that can be appended, and the loss of old events. */
const anyStep = fc.oneof(
  fc.record({
    step: fc.constant('fact' as const),
    ...anyId,
    status: fc.constantFrom(...COMMISSION_STATUSES),
    amount: fc.integer({ min: -100, max: 100 }),
    token: fc.constantFrom('', 'unknown', ...CLICKS),
    isTest: fc.boolean(),
    clickId: anyClick,
    changeTime: fc.integer({ min: 1, max: 4 }),
    source: fc.constantFrom(...FACT_SOURCES),
    importId: fc.constantFrom(null, null, 'a', 'b'),
  }),
  fc.record({ step: fc.constant('journey' as const), clickId: fc.constantFrom(...CLICKS) }),
  fc.record({
    step: fc.constant('decision' as const),
    ...anyId,
    action: fc.constantFrom('assign', 'dismiss', 'reset'),
    clickId: anyClick,
  }),
  fc.record({
    step: fc.constant('import' as const),
    id: fc.constantFrom('a', 'b'),
    state: fc.constantFrom('committed', 'undone'),
  }),
  fc.record({ step: fc.constant('events' as const), first: fc.constantFrom(null, 1, 3) }),
  fc.record({ step: fc.constant('read' as const) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function createLedger() {
  const store = createMemoryLedger();
  let first: number | null = null;
  const clicks = { readFirstEventTime: async () => first };
  const snapshot = new LedgerSnapshot({ store, clicks, readTerms: () => TERMS });
  const take = async (step: Step) => {
    if (step.step === 'fact') {
      const { step: _, clickId, source, importId, partner, ...reported } = step;
      await store.append({ facts: [buildSampleFact(reported, { clickId, source, importId, partner })] });
    }
    if (step.step === 'journey') {
      const journeys = [buildSampleJourney({ clickId: step.clickId })];
      await store.append({ facts: [], journeys });
    }
    if (step.step === 'decision') {
      const decision = { ...step, account: 'main', origin: 'operator', decidedAt: 1 } as const;
      await store.append({ facts: [], decisions: [decision] });
    }
    if (step.step === 'import') {
      await store.writeImport({ ...step, partner: 'kit', file: 'a.csv', rows: 1, changedAt: 1 });
    }
    if (step.step === 'events') first = step.first;
    if (step.step === 'read') await snapshot.readEntries();
  };
  const readAll = async () =>
    buildLedger({
      facts: await store.readFacts(),
      decisions: await store.readDecisions(),
      journeys: await store.readJourneys(),
      terms: TERMS,
      firstEventTime: first,
    });
  return { take, snapshot, readAll };
}

it('equals a fold of everything, whatever was appended between which reads', async () =>
  forAll(DATABASE_CASES, [fc.array(anyStep, { minLength: 1, maxLength: 25 })], async (steps) => {
    const { take, snapshot, readAll } = createLedger();
    for (const step of steps) await take(step);
    expect(await snapshot.readEntries()).toEqual(await readAll());
  }));

it('equals a fold of everything when reads and changes overlap', async () =>
  forAll(1_000, [fc.array(anyStep, { minLength: 1, maxLength: 25 })], async (steps) => {
    const { take, snapshot, readAll } = createLedger();
    await Promise.all(steps.map(take));
    expect(await snapshot.readEntries()).toEqual(await readAll());
  }));

it('folds every commission again when the terms of a partner change', async () => {
  const store = createMemoryLedger();
  const reported = { nativeId: '1', status: 'approved' as const };
  await store.append({
    facts: [
      buildSampleFact({ ...reported, amount: 100 }, { source: 'csv', partner: 'kit' }),
      buildSampleFact({ ...reported, amount: 900 }, { source: 'api', partner: 'kit' }),
    ],
  });
  let source: 'csv' | 'api' = 'csv';
  const clicks = { readFirstEventTime: async () => null };
  const snapshot = new LedgerSnapshot({ store, clicks, readTerms: () => new Map([['kit', { source }]]) });
  const read = async () =>
    (await snapshot.readEntries()).map(({ facts, commission }) => [facts.length, commission.amount]);
  const before = await read();
  source = 'api';
  expect(await read()).not.toEqual(before);
});

it('returns the same list while nothing changes, and reads again after a failure', async () => {
  const store = createMemoryLedger();
  await store.append({ facts: [buildSampleFact()] });
  let isFailing = false;
  const snapshot = new LedgerSnapshot({
    store: {
      readPosition: () => store.readPosition(),
      readChanges: async (after, upTo) => {
        if (isFailing) throw new Error('the disk failed');
        return store.readChanges(after, upTo);
      },
    },
    clicks: { readFirstEventTime: async () => null },
    readTerms: () => TERMS,
  });
  const entries = await snapshot.readEntries();
  expect(await snapshot.readEntries()).toBe(entries);
  await store.append({ facts: [buildSampleFact({ nativeId: '2' })] });
  isFailing = true;
  await expect(snapshot.readEntries()).rejects.toThrow('the disk failed');
  isFailing = false;
  expect(await snapshot.readEntries()).toHaveLength(2);
});
