import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReportedFact } from '../../src/core/commissions/ledger/commission-fact.ts';
import type { NewDecision } from '../../src/core/commissions/ledger/stored-money.schema.ts';
import type { Ledger } from '../../src/stores/ledger.ts';
import type { CommissionImport } from '../../src/stores/ledger-rows.ts';
import { buildSampleFact, buildSampleJourney, SAMPLE_CLICK } from '../support/sample-commissions.ts';

const IMPORT: CommissionImport = {
  id: 'import-1',
  partner: 'highlevel',
  file: 'october.csv',
  state: 'committed',
  rows: 2,
  changedAt: 5,
};

const DECISION: NewDecision = {
  partner: 'highlevel',
  account: 'main',
  nativeId: '1001',
  action: 'assign',
  clickId: SAMPLE_CLICK,
  origin: 'operator',
  decidedAt: 7,
};

/** Asserts the contract of the port. `create` returns an empty store each time. */
export function describeLedger(name: string, create: () => Ledger): void {
  describe(`ledger: ${name}`, () => {
    let store: Ledger;
    beforeEach(() => {
      store = create();
    });
    afterEach(() => store.close());

    it('is empty at first and can be written', async () => {
      expect(await store.readFacts()).toEqual([]);
      expect(await store.readDecisions()).toEqual([]);
      expect(await store.readJourneys()).toEqual([]);
      expect(await store.readImports()).toEqual([]);
      expect(await store.probe()).toBeNull();
    });

    it('returns every field as it was stored, in the order of arrival', async () => {
      const first = buildSampleFact(
        { nativeId: `'; DROP TABLE facts; -- 日本`, amount: -(2 ** 40), saleAmount: 2 ** 40, token: 'abc' },
        { clickId: SAMPLE_CLICK, rawId: 'raw-1' },
      );
      const second = buildSampleFact({
        currency: 'EUR',
        isTest: true,
        clickTime: 3,
        eventTime: 4,
        changeTime: 5,
        unstated: ['amount', 'currency'],
      });
      expect(await store.append({ facts: [first, second] })).toEqual({ stored: 2, duplicates: 0 });
      const strip = ({ content: _, isDated: __, ...fact }: typeof first) => fact;
      const facts = await store.readFacts();
      expect(facts).toEqual([
        { ...strip(first), sequence: facts[0]?.sequence },
        { ...strip(second), sequence: facts[1]?.sequence },
      ]);
      expect(Number(facts[1]?.sequence)).toBeGreaterThan(Number(facts[0]?.sequence));
    });

    it('stores the same message once, whether it is repeated alone, in one batch or concurrently', async () => {
      const fact = buildSampleFact();
      expect(await store.append({ facts: [fact, fact] })).toEqual({ stored: 1, duplicates: 1 });
      const later = buildSampleFact({}, { arrivedAt: fact.arrivedAt + 60_000, rawId: 'other' });
      const repeated = await Promise.all([1, 2, 3].map(() => store.append({ facts: [later] })));
      expect(repeated.map(({ duplicates }) => duplicates)).toEqual([1, 1, 1]);
      expect(await store.readFacts()).toHaveLength(1);
    });

    const HISTORIES = [
      { history: 'an amount that returns', changes: [{}, { amount: 1 }, {}, { amount: 1 }], stored: 4 },
      {
        history: 'a status that returns',
        changes: [{ status: 'approved' }, { status: 'reversed' }, { status: 'approved' }],
        stored: 3,
      },
      {
        history: 'a dated state that is told again',
        changes: [{ changeTime: 1 }, { changeTime: 2 }, { changeTime: 1 }],
        stored: 2,
      },
      {
        history: 'a state that returns on the same day',
        changes: [{ changeTime: 1 }, { changeTime: 1, amount: 1 }, { changeTime: 1 }],
        stored: 3,
      },
      {
        history: 'a state that returns, dated ahead',
        changes: [{ changeTime: 2e12 }, { amount: 1 }, { changeTime: 2e12 }],
        stored: 3,
      },
      {
        history: 'a message that no longer has the amount',
        changes: [{}, { unstated: ['amount'] }],
        stored: 2,
      },
    ] as const;
    it.each(HISTORIES)('stores $history, apart and in one batch', async ({ changes, stored }) => {
      const create = (fields: Partial<ReportedFact>) => buildSampleFact(fields, { arrivedAt: 1e12 });
      const facts = changes.flatMap((fields) => [create(fields), create(fields)]);
      for (const fact of facts) await store.append({ facts: [fact] });
      expect(await store.readFacts()).toHaveLength(stored);
      const others = facts.map((fact) => ({ ...fact, nativeId: 'other' }));
      expect(await store.append({ facts: others })).toEqual({ stored, duplicates: facts.length - stored });
    });

    it.each([
      ['status', { status: 'approved' }],
      ['amount', { amount: 1 }],
      ['currency', { currency: 'EUR' }],
      ['change time', { changeTime: 9 }],
    ] as const)('stores a message with another %s as a new version', async (_, change) => {
      await store.append({ facts: [buildSampleFact()] });
      expect((await store.append({ facts: [buildSampleFact(change)] })).stored).toBe(1);
    });

    it('tells partners, accounts and ids apart', async () => {
      const facts = [
        buildSampleFact(),
        buildSampleFact({}, { partner: 'kit' }),
        buildSampleFact({}, { account: 'second' }),
        buildSampleFact({ nativeId: '2' }),
      ];
      expect((await store.append({ facts })).stored).toBe(4);
      expect(await store.readFacts({ partner: 'kit' })).toHaveLength(1);
      expect(await store.readFacts({ nativeId: '1001' })).toHaveLength(3);
      expect(await store.readFacts({ partner: 'kit', nativeId: '2' })).toEqual([]);
    });

    it('counts the facts of an import from its commit until it is undone, and again after another commit', async () => {
      const fact = buildSampleFact({}, { importId: IMPORT.id, source: 'csv' });
      await store.append({ facts: [fact] });
      expect(await store.readFacts()).toEqual([]);
      await store.writeImport(IMPORT);
      expect(await store.readFacts()).toHaveLength(1);
      await store.writeImport({ ...IMPORT, state: 'undone', changedAt: 6 });
      expect(await store.readFacts()).toEqual([]);
      expect(await store.readImports()).toEqual([{ ...IMPORT, state: 'undone', changedAt: 6 }]);
      expect((await store.append({ facts: [fact] })).duplicates).toBe(1);
      await store.writeImport(IMPORT);
      expect(await store.readFacts()).toHaveLength(1);
    });

    it('undoing an import takes nothing from a postback that reported the same', async () => {
      await store.append({ facts: [buildSampleFact({}, { importId: IMPORT.id, source: 'csv' })] });
      await store.append({ facts: [buildSampleFact()] });
      await store.writeImport(IMPORT);
      await store.writeImport({ ...IMPORT, state: 'undone' });
      expect((await store.readFacts()).map(({ source }) => source)).toEqual(['postback']);
    });

    it('lists imports in the order of their first commit', async () => {
      await store.writeImport(IMPORT);
      await store.writeImport({ ...IMPORT, id: 'import-2' });
      await store.writeImport({ ...IMPORT, state: 'undone' });
      expect((await store.readImports()).map(({ id, state }) => [id, state])).toEqual([
        ['import-1', 'undone'],
        ['import-2', 'committed'],
      ]);
    });

    it('keeps the first journey of a click', async () => {
      const journey = buildSampleJourney();
      await store.append({ facts: [], journeys: [journey] });
      await store.append({ facts: [], journeys: [buildSampleJourney({ page: '/other' })] });
      expect(await store.readJourneys()).toEqual([journey]);
      expect(await store.readJourneys([SAMPLE_CLICK])).toEqual([journey]);
      expect(await store.readJourneys(['other'])).toEqual([]);
      expect(await store.readJourneys([SAMPLE_CLICK.slice(0, 28), SAMPLE_CLICK])).toEqual([journey]);
      expect(await store.readJourneys([`${SAMPLE_CLICK.slice(0, 27)}f`])).toEqual([]);
      expect(await store.readJourneys([])).toEqual([]);
    });

    it('removes what came before a click, of that click alone', async () => {
      const other = buildSampleJourney({ clickId: '1b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52' });
      await store.append({ facts: [], journeys: [buildSampleJourney(), other] });
      expect(await store.removeVisits([])).toBe(0);
      expect(await store.removeVisits([SAMPLE_CLICK, 'unknown'])).toBe(1);
      const [removed] = await store.readJourneys([SAMPLE_CLICK]);
      expect(removed).toMatchObject({ touches: [], pages: [], entryPage: '', answers: {} });
      expect(await store.readJourneys([other.clickId])).toEqual([other]);
    });

    it('reads the journeys of many clicks', async () => {
      const clickIds = Array.from({ length: 1_200 }, (_, index) => String(index).padStart(36, '0'));
      await store.append({ facts: [], journeys: clickIds.map((clickId) => buildSampleJourney({ clickId })) });
      expect(await store.readJourneys(clickIds)).toHaveLength(1_200);
    });

    it('returns decisions in the order in which they were made', async () => {
      const dismissal = { ...DECISION, action: 'dismiss', clickId: null } as const;
      await store.append({ facts: [], decisions: [DECISION, dismissal] });
      const decisions = await store.readDecisions();
      expect(decisions).toEqual([
        { ...DECISION, sequence: decisions[0]?.sequence },
        { ...dismissal, sequence: decisions[1]?.sequence },
      ]);
    });

    it('removes messages that are older than a time, and no fact', async () => {
      const buildRaw = (id: string, arrivedAt: number) => ({ id, partner: 'kit', arrivedAt, content: '{}' });
      await store.append({ facts: [buildSampleFact({}, { rawId: 'old' })], raw: buildRaw('old', 99) });
      await store.append({ facts: [], raw: buildRaw('new', 100) });
      expect(await store.removeRaw(100)).toBe(1);
      expect(await store.readRaw('old')).toBeNull();
      expect(await store.readRaw('new')).toEqual(buildRaw('new', 100));
      expect(await store.readFacts()).toHaveLength(1);
    });

    it('stores an unread message once, at most 200 of a partner, until it is removed', async () => {
      const build = (content: string, partner = 'kit') => {
        const rest = { source: 'postback', problem: 'missing: id', arrivedAt: 1 } as const;
        return { partner, content, ...rest };
      };
      for (let index = 0; index < 200; index++)
        expect(await store.addUnread(build(`{"n":${index}}`))).toBe(true);
      expect(await store.addUnread(build('{"n":0}'))).toBe(true);
      expect(await store.addUnread(build('{"n":200}'))).toBe(false);
      expect(await store.addUnread(build('{"n":200}', 'other'))).toBe(true);
      expect(await store.countUnread()).toEqual([
        { partner: 'kit', count: 200, problem: 'missing: id' },
        { partner: 'other', count: 1, problem: 'missing: id' },
      ]);
      const kit = (await store.readUnread()).filter(({ partner }) => partner === 'kit');
      await store.removeUnread(kit.map(({ id }) => id));
      const left = await store.readUnread();
      expect(left).toEqual([{ ...build('{"n":200}', 'other'), id: left[0]?.id }]);
    });

    it('remembers values, and creates one only once', async () => {
      expect(await store.readState('cursor')).toBeNull();
      await store.writeState('cursor', 'a');
      await store.writeState('cursor', 'b');
      expect(await store.readState('cursor')).toBe('b');
      expect(await Promise.all([store.createState('key', '1'), store.createState('key', '2')])).toEqual([
        '1',
        '1',
      ]);
    });

    it('gives a lease to one holder until it expires', async () => {
      const take = (holder: string, now: number) =>
        store.takeLease('sync', { holder, now, until: now + 100 });
      expect(await take('a', 0)).toBe(true);
      expect(await take('b', 50)).toBe(false);
      expect(await take('a', 60)).toBe(true);
      expect(await take('b', 110)).toBe(false);
      expect(await take('b', 160)).toBe(true);
    });

    it('takes over a lease that a wrong clock has prolonged', async () => {
      const wrong = 500 * 86_400_000;
      expect(await store.takeLease('sync', { holder: 'a', now: wrong, until: wrong + 100 })).toBe(true);
      expect(await store.takeLease('sync', { holder: 'b', now: 50, until: 150 })).toBe(true);
    });

    it('finishes what was begun when it is closed, and refuses later calls', async () => {
      const begun = store.append({ facts: [buildSampleFact()] });
      await store.close();
      expect((await begun).stored).toBe(1);
      await expect(store.append({ facts: [buildSampleFact()] })).rejects.toMatchObject({ code: 'closed' });
      await expect(store.readFacts()).rejects.toMatchObject({ code: 'closed' });
      expect(await store.probe()).toContain('closed');
    });

    it('stores rates by day and origin, changes what differs, and takes single ones back', async () => {
      const { version } = await store.readRateState();
      const file = (day: string, rates: Readonly<Record<string, string>>) =>
        ({ day, base: 'EUR', origin: 'ecb', rates }) as const;
      const days = [
        file('2025-04-17', { USD: '1.136', JPY: '161.98' }),
        file('2025-04-22', { USD: '1.1476' }),
      ];
      expect(await store.writeRates(days, 5)).toBe(2);
      expect(await store.writeRates(days, 6)).toBe(0);
      const typed = { day: '2025-04-22', base: 'EUR', origin: 'operator', rates: { USD: '2' } } as const;
      expect(await store.writeRates([file('2025-04-17', { GBP: '0.85873' }), typed], 7)).toBe(2);
      const sort = (list: Awaited<ReturnType<Ledger['readRates']>>) =>
        list.map(({ day, origin, rates }) => [day, origin, rates]).sort();
      expect(sort(await store.readRates('2025-04-01'))).toEqual([
        ['2025-04-17', 'ecb', { USD: '1.136', JPY: '161.98', GBP: '0.85873' }],
        ['2025-04-22', 'ecb', { USD: '1.1476' }],
        ['2025-04-22', 'operator', { USD: '2' }],
      ]);
      expect(sort(await store.readRates('2025-04-18', ['EUR', 'USD']))).toHaveLength(2);
      expect(sort(await store.readRates('2025-04-17', ['EUR', 'GBP']))).toEqual([
        ['2025-04-17', 'ecb', { GBP: '0.85873' }],
      ]);
      expect(await store.readRateFile()).toEqual({
        from: '2025-04-17',
        to: '2025-04-22',
        days: 2,
        currencies: 1,
      });
      expect(await store.readTypedRates(9)).toEqual([typed]);
      await store.writeRates([{ ...typed, rates: { USD: null } }], 8);
      expect(await store.readTypedRates(9)).toEqual([]);
      expect(sort(await store.readRates('2025-04-22', ['EUR', 'USD']))).toEqual([
        ['2025-04-22', 'ecb', { USD: '1.1476' }],
      ]);
      expect(await store.readRateCoverage()).toEqual([
        { base: 'EUR', quote: 'GBP', origin: 'ecb', from: '2025-04-17', to: '2025-04-17', days: 1 },
        { base: 'EUR', quote: 'JPY', origin: 'ecb', from: '2025-04-17', to: '2025-04-17', days: 1 },
        { base: 'EUR', quote: 'USD', origin: 'ecb', from: '2025-04-17', to: '2025-04-22', days: 2 },
      ]);
      expect((await store.readRateState()).version).not.toBe(version);
      expect(await store.removeFileRates()).toBe(2);
      expect(await store.readRateFile()).toBeNull();
      expect(await store.readRateCoverage()).toEqual([]);
    });

    it('stores the reporting currency', async () => {
      expect((await store.readRateState()).reportingCurrency).toBeNull();
      await store.writeReportingCurrency('USD');
      expect((await store.readRateState()).reportingCurrency).toBe('USD');
      await store.writeReportingCurrency(null);
      expect((await store.readRateState()).reportingCurrency).toBeNull();
    });
  });
}
