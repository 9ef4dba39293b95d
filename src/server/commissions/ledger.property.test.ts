import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { buildCommissionReport, isConversion } from '../../core/commissions/credit/commission-report.ts';
import { buildCreditPath } from '../../core/commissions/credit/credit.ts';
import { type LedgerEntry, markLaterPayments } from '../../core/commissions/ledger/build-ledger.ts';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import type { CommissionLedger } from './ledger.ts';

const CLICKS = ['0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12', '11111111-2222-4333-8444-555555555555'];
const events = CLICKS.flatMap(buildSampleVisit);

function createLedger() {
  const store = createMemoryLedger();
  const clicks = createMemoryClicks(events);
  const ledger = createTestLedger({ store, clicks, now: () => 1_763_600_000_000 });
  return { store, ledger };
}

const anyReport = fc.record({
  nativeId: fc.constantFrom('1', '2', '3'),
  status: fc.constantFrom(...COMMISSION_STATUSES),
  amount: fc.oneof(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.constantFrom(0, 1, -1)),
  currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  token: fc.constantFrom(...CLICKS, ...CLICKS.map((id) => id.toUpperCase()), '', 'unknown'),
});
type Report = typeof anyReport extends fc.Arbitrary<infer T> ? T : never;

/** Reports with distinct change times. */
const anyReports = fc
  .array(anyReport, { minLength: 1, maxLength: 6 })
  .map((reports) => reports.map((report, index) => ({ ...report, changeTime: 1_763_000_000_000 + index })));

async function record(ledger: CommissionLedger, reports: readonly Report[]): Promise<void> {
  for (const fields of reports) {
    const reported = buildSampleFact(fields);
    await ledger.record({
      partner: 'highlevel',
      terms: DEFAULT_TERMS,
      source: 'postback',
      reports: [{ reported, strings: [] }],
    });
  }
}

/** What must be the same, whatever the order of arrival. */
const summarize = (entries: readonly LedgerEntry[]) =>
  entries
    .map(({ commission: { nativeId, status, amount, currency, reversedAmount } }) =>
      [nativeId, status, amount, currency, reversedAmount].join(),
    )
    .sort();

const creditOf = ({ journey }: LedgerEntry) => journey && buildCreditPath(journey);

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

it('the order in which reports arrive changes no commission', async () => {
  const shuffled = anyReports.chain((reports) =>
    fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
  );
  await forAll(0.2, [shuffled], async ([reports, other]) => {
    const [one, two] = [createLedger(), createLedger()];
    await record(one.ledger, reports);
    await record(two.ledger, other);
    expect(summarize(await readEntries(two.ledger))).toEqual(summarize(await readEntries(one.ledger)));
  });
});

it('replaying the stored facts reproduces every commission, journey and reason', async () =>
  forAll(0.2, [anyReports], async (reports) => {
    const [one, two] = [createLedger(), createLedger()];
    await record(one.ledger, reports);
    const facts = await one.store.readFacts();
    await two.store.append({
      facts: facts.map(({ sequence, ...fact }) => ({ ...fact, content: String(sequence), isDated: false })),
      journeys: await one.store.readJourneys(),
    });
    expect(await readEntries(two.ledger)).toEqual(await readEntries(one.ledger));
  }));

it('pages and unmatched money sum to the total, for every currency', async () =>
  forAll(0.2, [anyReports], async (reports) => {
    const { ledger } = createLedger();
    await record(ledger, reports);
    const entries = await readEntries(ledger);
    const report = buildCommissionReport(entries, new Map(), {
      by: 'page',
      model: 'last',
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      timeZone: 'UTC',
      answerField: 'businessType',
    });
    for (const [currency, total] of Object.entries(report.total.currencies)) {
      const rows = [...report.rows, report.unmatched].map((row) => row.currencies[currency]);
      for (const field of ['approved', 'paid', 'pending', 'reversed', 'unknown'] as const) {
        expect(sum(rows.map((row) => row?.[field] ?? 0))).toBe(total[field]);
      }
      const amounts = entries.map(({ commission }) =>
        commission.currency === currency ? commission.amount : 0,
      );
      expect(getBooked(total) + total.unknown).toBe(sum(amounts));
    }
  }));

it('a click converts once, by its earliest payment that counts, whatever the order of the list', async () =>
  forAll(0.2, [anyReports], async (reports) => {
    const { ledger } = createLedger();
    await record(ledger, reports);
    const entries = await readEntries(ledger);
    const paying = entries.filter(
      ({ journey, commission: { status, amount } }) => journey !== null && amount > 0 && status !== 'unknown',
    );
    const firsts = [...Map.groupBy(paying, ({ journey }) => journey?.clickId).values()].map(
      (own) => own.toSorted((one, other) => getPlace(one) - getPlace(other))[0]?.commission.nativeId ?? '',
    );
    for (const list of [entries, markLaterPayments(entries.map(unmark).toReversed())]) {
      const conversions = list.filter(isConversion).map(({ commission }) => commission.nativeId);
      expect(conversions.toSorted()).toEqual(firsts.toSorted());
    }
    const { total } = buildCommissionReport(entries, new Map(), {
      by: 'partner',
      model: 'last',
      timeZone: 'UTC',
      answerField: '',
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
    });
    expect([total.conversions, total.payments]).toEqual([firsts.length, paying.length - firsts.length]);
  }));

/** By booking, then by id. */
const getPlace = ({ commission: { eventTime, nativeId } }: LedgerEntry) => eventTime * 10 + Number(nativeId);
const unmark = ({ isLaterPayment: _, ...entry }: LedgerEntry): LedgerEntry => entry;

it('another fact never changes the credit of another commission', async () =>
  forAll(0.2, [anyReports, anyReport], async (reports, extra) => {
    const { ledger } = createLedger();
    await record(ledger, reports);
    const others = async () =>
      (await readEntries(ledger))
        .filter(({ commission }) => commission.nativeId !== extra.nativeId)
        .map((entry) => [entry.commission.nativeId, creditOf(entry)]);
    const before = await others();
    await record(ledger, [extra]);
    expect(await others()).toEqual(before);
  }));
