import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { getCreditedName } from '../../console/reports/period-figures.ts';
import { buildCells } from '../../console/reports/select-entries.ts';
import { DAY_MS } from '../../core/clock.ts';
import {
  addToTotals,
  buildEmptyTotals,
  type CurrencyTotals,
} from '../../core/commissions/credit/commission-report.ts';
import { buildCreditPath, type CampaignModel } from '../../core/commissions/credit/credit.ts';
import {
  convertEntries,
  listMoney,
  RateTable,
  sumForeignMoney,
} from '../../core/commissions/exchange-rates.ts';
import { buildLedger, type LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { COMMISSION_KINDS, COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import type { CommissionCell, CommissionCohort } from '../../stores/commission-sums.ts';
import { Ledger } from '../../stores/ledger.ts';
import type { SqlStatement } from '../../stores/sql/sql-executor.ts';
import { CommissionFold, createFoldJob } from './commission-fold.ts';
import { CommissionTable } from './commission-table.ts';

const CLICKS = ['0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12', '11111111-2222-4333-8444-555555555555'];
const anyId = {
  partner: fc.constantFrom('highlevel', 'kit'),
  nativeId: fc.constantFrom('1', 'sub:1', 'a "quoted" id'),
};
const anyClick = fc.constantFrom(...CLICKS, null);
const DAYS = ['1970-01-01', '1970-01-02'];

const anyFact = fc.record({
  step: fc.constant('fact' as const),
  ...anyId,
  kind: fc.constantFrom(...COMMISSION_KINDS),
  status: fc.constantFrom(...COMMISSION_STATUSES),
  amount: fc.integer({ min: -100, max: 100 }),
  currency: fc.constantFrom('USD', 'JPY'),
  clickId: anyClick,
  eventTime: fc.constantFrom(1, 2, 86_400_000),
  changeTime: fc.integer({ min: 1, max: 4 }),
  source: fc.constantFrom('postback', 'csv', 'api', 'manual'),
  importId: fc.constantFrom(null, null, 'a', 'b'),
  label: fc.option(
    fc.record({
      id: fc.constantFrom('tag-1', 'tag-2'),
      item: fc.constantFrom('', 'desk'),
      name: fc.constant(''),
      items: fc.integer({ min: 0, max: 30 }),
    }),
    { nil: undefined },
  ),
});

/** A part of a history: what arrives, what an operator changes, and where a process ends. */
const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: anyFact,
  },
  fc.record({ step: fc.constant('journey' as const), clickId: fc.constantFrom(...CLICKS), parts: fc.nat(3) }),
  fc.record({ step: fc.constant('visit' as const), clickId: fc.constantFrom(...CLICKS) }),
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
  fc.record({
    step: fc.constant('label-day' as const),
    label: fc.constantFrom('tag-1', 'tag-2'),
    day: fc.constantFrom(...DAYS),
    weights: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ step: fc.constant('terms' as const), source: fc.constantFrom(null, 'csv', 'api') }),
  fc.record({ step: fc.constant('version' as const), version: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** After how many statements of a step its process ends; null: it goes on. */
const anyEnd = fc.option(fc.integer({ min: 0, max: 45 }), { freq: 2 });

/** A database whose process can end within a transaction. */
class MortalExecutor extends MemoryExecutor {
  /** The statements that run before the process ends. */
  left: number | null = null;

  override batch(statements: readonly SqlStatement[]) {
    const { left } = this;
    if (left === null) return super.batch(statements);
    this.left = Math.max(0, left - statements.length);
    return super.batch(
      left >= statements.length ? statements : [...statements.slice(0, left), { sql: 'ROLLBACK' }],
    );
  }
}

/** A database that other processes use meanwhile: they have so many turns before each transaction. */
class SharedExecutor extends MemoryExecutor {
  turns: number[] = [];

  override async batch(statements: readonly SqlStatement[]) {
    const turns = this.turns.shift() ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    return super.batch(statements);
  }
}

const describeEntries = (entries: readonly LedgerEntry[]) =>
  entries
    .map(({ commission, journey, isCounted, isLaterPayment = false, labelled = null }) => {
      const conflicts = commission.conflicts.map(({ sequence }) => sequence);
      const {
        source: _,
        rawId: __,
        importId: ___,
        unstated: ____,
        ...own
      } = { source: 0, rawId: 0, importId: 0, unstated: 0, ...commission };
      return JSON.stringify(
        Object.entries({ ...own, conflicts, journey, isCounted, isLaterPayment, labelled }).sort(),
      );
    })
    .sort();

function sumCells(cells: readonly CommissionCell[], isByDay: boolean, hasSquares = true) {
  const sums = new Map<string, number[]>();
  for (const { path, state, partner, currency, status, ...cell } of cells) {
    const own = isByDay ? cell.day : Object.entries(path ?? {}).sort();
    const key = JSON.stringify([own, state, partner, currency, status]);
    const squares = hasSquares ? [cell.squares, cell.decided, cell.pending] : [];
    const added = [cell.count, cell.amount, cell.reversedAmount, ...squares];
    const sum = sums.get(key) ?? added.map(() => 0);
    sums.set(
      key,
      sum.map((one, index) => one + (added[index] ?? 0)),
    );
  }
  return [...sums].sort();
}

/** Sums what was booked in the same week, or on the same day. */
function sumCohorts(cohorts: readonly CommissionCohort[]) {
  const sums = new Map<string, readonly [count: number, amount: number, reversed: number]>();
  for (const { count, amount, reversedAmount, ...cohort } of cohorts) {
    const key = JSON.stringify(Object.entries(cohort).sort());
    const [all, worth, taken] = sums.get(key) ?? [0, 0, 0];
    sums.set(key, [all + count, worth + amount, taken + reversedAmount]);
  }
  return [...sums].sort();
}

const RATES = new RateTable(
  [
    { day: '1970-01-01', base: 'EUR', origin: 'ecb', rates: { USD: '1.2345', JPY: '163.19' } },
    { day: '1970-01-02', base: 'EUR', origin: 'ecb', rates: { USD: '1.3', JPY: '0.7' } },
  ],
  'USD',
);

/** The rates of every day of some currencies, as views give them. */
function listRates(entries: readonly LedgerEntry[]) {
  const list = entries.flatMap(({ commission: { currency, eventTime } }) => {
    const day = Math.floor(eventTime / DAY_MS);
    const rate = currency === 'USD' ? null : RATES.findRate(currency, day);
    return rate === null
      ? []
      : [`["${currency}",${day},${rate.numerator},${rate.denominator},"${rate.day}"]`];
  });
  return { key: 1, list: `[${[...new Set(list)].join(',')}]` };
}

type Dimension = 'campaign' | 'source' | 'page';
const sortNames = (sums: Iterable<readonly [string, MoneyTotals]>) =>
  [...sums]
    .map(([name, { approved, paid, pending, reversed }]) =>
      JSON.stringify([name, approved, paid, pending, reversed]),
    )
    .sort();

/** What models credit to names, of cells, and of commissions one by one. */
function creditCells(cells: readonly CommissionCell[], model: CampaignModel, by: Dimension) {
  const sums = new Map<string, CurrencyTotals>();
  for (const { path, status, amount, reversedAmount } of cells) {
    if (path === null) continue;
    const name = getCreditedName(path, by, model);
    const sum = sums.get(name) ?? buildEmptyTotals();
    sums.set(name, sum);
    addToTotals(sum, status, amount, reversedAmount);
  }
  return sortNames(sums);
}

function creditEntries(entries: readonly LedgerEntry[], model: CampaignModel, by: Dimension) {
  const sums = new Map<string, CurrencyTotals>();
  for (const { commission, journey, isCounted } of entries) {
    if (!isCounted || journey === null) continue;
    const name = getCreditedName(buildCreditPath(journey), by, model);
    const sum = sums.get(name) ?? buildEmptyTotals();
    sums.set(name, sum);
    addToTotals(sum, commission.status, commission.amount, commission.reversedAmount);
  }
  return sortNames(sums);
}

/** A journey of so many campaigns and pages. */
const buildVisit = (clickId: string, parts: number) =>
  buildSampleJourney({
    clickId,
    touches: CLICKS.concat('c')
      .slice(0, parts)
      .map((utm_source) => ({ campaign: { utm_source }, time: 1 })),
    pages: ['/', '/a', '/b'].slice(0, parts),
  });

function createHistory() {
  const db = openMemoryDatabase('commissions');
  const executor = new MortalExecutor(db);
  const store = new Ledger(executor);
  let source: 'csv' | 'api' | null = null;
  let version = 1;
  const open = (own = store) =>
    new CommissionFold({
      store: own,
      version,
      readTerms: () => new Map([['kit', { source }]]),
    });
  const change = async (step: Step) => {
    switch (step.step) {
      case 'fact': {
        const { step: _, clickId, source: from, importId, partner, ...reported } = step;
        return store.append({
          facts: [buildSampleFact(reported, { clickId, source: from, importId, partner })],
        });
      }
      case 'journey':
        return store.append({ facts: [], journeys: [buildVisit(step.clickId, step.parts)] });
      case 'visit':
        return store.removeVisits([step.clickId]);
      case 'decision':
        return store.append({
          facts: [],
          decisions: [{ ...step, account: 'main', origin: 'operator', decidedAt: 1 } as const],
        });
      case 'import':
        return store.writeImport({ ...step, partner: 'kit', file: 'a.csv', rows: 1, changedAt: 1 });
      case 'label-day': {
        const { label, day, weights } = step;
        const pages = weights.map((weight, index) => [`/${index}`, weight] as const);
        return store.append({
          facts: [],
          labelDays: [{ partner: 'kit', label, day, isOne: pages.length === 1, name: label, pages }],
        });
      }
      case 'terms':
        source = step.source;
        return;
      case 'version':
        version = step.version;
    }
  };
  const listDifferences = async () => {
    const lines: string[] = [];
    for await (const line of open().compare()) lines.push(line);
    return lines;
  };
  const clicks = { readFirstEventTime: async () => null };
  const table = new CommissionTable({
    store,
    fold: new CommissionFold({ store, readTerms: () => new Map() }),
    clicks,
  });
  /** What views read of the table, and the same of all messages in memory. */
  const readBoth = async () => {
    const lists = await Promise.all(
      ['tag-1', 'tag-2'].map((label) => store.folded.readLabelled({ partner: 'kit', label })),
    );
    const inMemory = buildLedger({
      facts: await store.readFacts(),
      decisions: await store.readDecisions(),
      journeys: await store.readJourneys(),
      labelDays: lists.flatMap(({ labelDays }) => labelDays),
      terms: new Map([['kit', { source }]]),
      firstEventTime: null,
    });
    const inTable: LedgerEntry[] = [];
    for await (const page of store.entries.readPages({}, null)) inTable.push(...page);
    const converted = convertEntries(inMemory, RATES, 'UTC');
    const rates = listRates(inMemory);
    const cells = await Promise.all(
      [{ from: -400, to: 30_000 }].flatMap((days) => {
        const own = { main: null, rates: null };
        const [expected, foreign] = [inMemory, converted].map((list) => buildCells(list, 'UTC'));
        if (expected === undefined || foreign === undefined) throw new Error('there are two lists');
        const read = (options: Parameters<typeof store.sums.readCells>[1]) =>
          store.sums.readCells(days, options);
        const models = (['first', 'last'] as const).flatMap((model) =>
          (['campaign', 'source', 'page'] as const).map(async (by) => [
            creditCells(await read({ main: 'USD', rates }), model, by),
            creditEntries(converted, model, by),
          ]),
        );
        return [
          read(own).then((cells) => [sumCells(cells, false), sumCells(expected, false)]),
          read({ ...own, by: 'path and day' }).then((cells) => [
            sumCells(cells, true),
            sumCells(expected, true),
          ]),
          read({ main: 'USD', rates }).then((cells) => [
            [sumCells(cells, false, false), sumForeignMoney(cells, 'USD')],
            [sumCells(foreign, false, false), sumForeignMoney(listMoney(converted), 'USD')],
          ]),
          ...models,
          read({ ...own, paths: [] }).then((cells) => [cells, []]),
          // What was read of days on which nothing has changed since is used again.
          ...[days, { from: 0, to: 0 }, { from: 1, to: 60 }].flatMap((some) =>
            [own, { main: 'USD', rates: { ...rates, key: rates.list } }].map(async (options) => [
              sumCells(await table.readCells(some, options), false),
              sumCells(await store.sums.readCells(some, options), false),
            ]),
          ),
          ...[null, 'USD'].map(async (currency) => [
            sumCohorts(await table.readCohorts(currency)),
            sumCohorts(await store.sums.readCohorts(currency, days)),
          ]),
        ];
      }),
    );
    return [[describeEntries(inTable), describeEntries(inMemory)], ...cells];
  };
  const share = (turns: readonly number[]) => {
    const shared = new SharedExecutor(db);
    shared.turns = [...turns];
    return open(new Ledger(shared));
  };
  return { executor, store, change, open, share, table, listDifferences, readBoth };
}

it('the table equals the fold of all messages after every part of a history', async () =>
  forAll(0.2, [fc.array(fc.tuple(anyStep, anyEnd), { minLength: 1, maxLength: 12 })], async (steps) => {
    const { executor, change, open, listDifferences, readBoth } = createHistory();
    for (const [step, end] of steps) {
      // What has ended before its message was on disk is sent again; the next process goes on with the rest.
      executor.left = end;
      const isStored = await change(step).then(
        () => true,
        () => false,
      );
      await open()
        .refold()
        .catch(() => undefined);
      executor.left = null;
      if (!isStored) await change(step);
      await open().refold();
      expect(await listDifferences()).toEqual([]);
      for (const [inTable, inMemory] of await readBoth()) expect(inTable).toEqual(inMemory);
    }
  }));

it('a day is read again once a commission has left it for that of its click', async () => {
  const { change, table } = createHistory();
  const [clickId = ''] = CLICKS;
  const count = async (day: number) => {
    const cells = await table.readCells({ from: day, to: day }, { main: null, rates: null });
    return cells.reduce((sum, cell) => sum + cell.count, 0);
  };
  const clicked = Math.floor(buildSampleJourney().clickTime / DAY_MS);
  const fact = {
    ...buildSampleFact({ nativeId: 'a', eventTime: 1, changeTime: 1 }, { clickId }),
    importId: null,
  };
  await change({ step: 'fact', ...fact } as Step);
  expect([await count(0), await count(clicked)]).toEqual([1, 0]);
  await change({ step: 'journey', clickId, parts: 0 });
  expect([await count(0), await count(clicked)]).toEqual([0, 1]);
});

it('counts once what goes from one part of the days to another while they are read', async () => {
  const { change, open, store, table } = createHistory();
  const [clickId = ''] = CLICKS;
  const clicked = Math.floor(buildSampleJourney().clickTime / DAY_MS);
  const fact = buildSampleFact({ nativeId: 'a', eventTime: 1, changeTime: 1 }, { clickId });
  await change({ step: 'fact', ...fact, importId: null } as Step);
  await table.refresh();
  const { sums } = store;
  const read = sums.readCells.bind(sums);
  const first = Promise.withResolvers<void>();
  vi.spyOn(sums, 'readCells').mockImplementation(async (days, options) => {
    if (days.from > 0) await first.promise;
    const cells = await read(days, options);
    if (days.from === 0 && days.to < clicked) {
      await change({ step: 'journey', clickId, parts: 0 });
      await open().foldMarked(4);
      first.resolve();
    }
    return cells;
  });
  const cells = await table.readCells({ from: 0, to: clicked }, { main: null, rates: null });
  vi.restoreAllMocks();
  expect(cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(1);
});

it('sums divide, convert and count what the same clicks brought as the commissions in memory do', async () =>
  forAll(
    0.2,
    [fc.array(anyFact, { minLength: 3, maxLength: 9 }), fc.tuple(fc.nat(3), fc.nat(3))],
    async (facts, parts) => {
      const { change, open, readBoth } = createHistory();
      for (const [index, clickId] of CLICKS.entries())
        await change({ step: 'journey', clickId, parts: parts[index] ?? 0 });
      for (const [index, fact] of facts.entries())
        await change({ ...fact, importId: null, clickId: CLICKS[index % 2] ?? null });
      await open().refold();
      for (const [inTable, inMemory] of await readBoth()) expect(inTable).toEqual(inMemory);
    },
  ));

it('the table equals the fold of all messages when several processes fold what arrives meanwhile', async () =>
  forAll(
    0.2,
    [
      fc.array(fc.tuple(anyStep, fc.nat(3)), { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(fc.nat(6), { maxLength: 30 }), { minLength: 2, maxLength: 3 }),
    ],
    async (steps, processes) => {
      const { change, open, share, listDifferences } = createHistory();
      const arrive = async () => {
        for (const [step, turns] of steps) {
          await change(step);
          for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        }
      };
      const fold = async (turns: readonly number[]) => {
        const own = share(turns);
        for (let round = 0; round < 3; round += 1) await own.refold();
      };
      await Promise.all([arrive(), ...processes.map(fold)]);
      await open().refold();
      expect(await listDifferences()).toEqual([]);
    },
  ));

it('the job of a site folds what has arrived', async () => {
  const site = await createTestSite();
  await site.money.ledger.append({ facts: [buildSampleFact({ nativeId: 'arrived' })] });
  await createFoldJob(site).run();
  expect(await site.money.ledger.folded.readSums()).toMatchObject([{ commissions: 1 }]);
});
