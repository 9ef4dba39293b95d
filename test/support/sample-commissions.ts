import type { FrozenJourney } from '../../src/core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../../src/core/commissions/ledger/build-ledger.ts';
import {
  buildFact,
  type FactArrival,
  type NewFact,
  type ReportedFact,
  type StoredFact,
} from '../../src/core/commissions/ledger/commission-fact.ts';
import { foldCommission } from '../../src/core/commissions/ledger/fold-commission.ts';

export const SAMPLE_CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

/** Builds what a network reports, with the given fields changed. */
export function buildSampleReport(fields: Partial<ReportedFact> = {}): ReportedFact {
  return {
    nativeId: '1001',
    kind: 'sale',
    status: 'pending',
    amount: 4_000,
    currency: 'USD',
    saleAmount: null,
    token: '',
    clickTime: null,
    eventTime: null,
    changeTime: null,
    isTest: false,
    ...fields,
  };
}

/** Builds a fact as the ledger stores it, which arrives after the times that it names. */
export function buildSampleFact(
  fields: Partial<ReportedFact> = {},
  arrival: Partial<FactArrival> = {},
): NewFact {
  const { eventTime, changeTime } = fields;
  return buildFact(buildSampleReport(fields), {
    partner: 'highlevel',
    account: 'main',
    source: 'postback',
    clickId: null,
    rawId: null,
    importId: null,
    arrivedAt: Math.max(1_763_600_000_000, eventTime ?? 0, changeTime ?? 0),
    ...arrival,
  });
}

/** Builds a fact as it is read from the ledger, with the times as they are given. */
export function buildStoredFact(fields: Partial<StoredFact> = {}): StoredFact {
  const { content: _, isDated: __, ...fact } = buildSampleFact();
  return { ...fact, sequence: 1, ...fields };
}

/** Builds the journey of the sample click. */
export function buildSampleJourney(fields: Partial<FrozenJourney> = {}): FrozenJourney {
  return {
    clickId: SAMPLE_CLICK,
    clickTime: 1_763_500_000_000,
    page: '/pricing',
    placement: 'hero',
    label: 'highlevel_trial',
    partner: 'highlevel',
    destination: 'trial',
    touches: [{ campaign: { utm_source: 'newsletter' }, time: 1_763_499_000_000 }],
    pages: ['/', '/pricing'],
    entryPage: '/',
    answers: { businessType: 'agency' },
    experimentArm: '',
    ...fields,
  };
}

/** Builds an entry of the ledger from what the network has reported one after the other. `journey`: null without a click. */
export function buildSampleEntry(
  reports: readonly Partial<ReportedFact>[],
  journey: Partial<FrozenJourney> | null = {},
  arrival: Partial<FactArrival> = {},
): LedgerEntry {
  const facts = reports.map((fields, index) => ({
    ...buildSampleFact(fields, arrival),
    sequence: index + 1,
  }));
  return {
    commission: foldCommission(facts),
    journey: journey && buildSampleJourney(journey),
    facts,
    reason: journey === null ? 'no-sub-id' : null,
    isCounted: true,
  };
}
