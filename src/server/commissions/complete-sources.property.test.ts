import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import {
  buildCommissionReport,
  REPORT_DIMENSIONS,
  type ReportDimension,
} from '../../core/commissions/credit/commission-report.ts';
import { CAMPAIGN_MODELS, type FrozenJourney } from '../../core/commissions/credit/credit.ts';
import { buildJourney } from '../../core/commissions/ledger/build-journey.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';

const TIME = 1_763_500_000_000;
const OWN = ['site.test'];

const anyCampaign = fc.constantFrom<Record<string, string>>(
  {},
  {},
  { utm_source: 'chatgpt.com' },
  { utm_source: 'newsletter', utm_medium: 'email' },
  { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'crm' },
);
const anyVisit = fc.record({
  referrer: fc.constantFrom(
    'direct',
    'https://www.google.com/',
    'https://chatgpt.com/',
    'https://blog.example/',
    null,
  ),
  first: anyCampaign,
  last: anyCampaign,
  amount: fc.integer({ min: -1_000, max: 100_000 }),
  /** Retention has removed its events. */
  isGone: fc.boolean(),
  /** It was stored with its sources. */
  isComplete: fc.boolean(),
});
const anyVisits = fc.array(anyVisit, { minLength: 1, maxLength: 6 });

/** A ledger of an earlier version with a commission for each visit, and the events that still exist. */
async function createOldLedger(
  visits: readonly (typeof anyVisit extends fc.Arbitrary<infer T> ? T : never)[],
) {
  const store = createMemoryLedger();
  const sessions = visits.map(({ referrer, first, last }, index) => {
    const session = `session-${index}`;
    const id = `0b3c5f1e-8d1a-4c2b-9e7f-${String(index).padStart(12, '0')}`;
    const data = { partner: 'highlevel', destination: 'trial' };
    const view = { session, campaign: first, serverTime: TIME, data: referrer === null ? {} : { referrer } };
    const click = { id, name: 'affiliate_redirect', session, data } as const;
    return [
      buildSampleEvent(view),
      buildSampleEvent({ ...click, campaign: last, serverTime: TIME + 1_000 }),
    ] as const;
  });
  const built = sessions.map(([view, click]) => buildJourney(click, [view, click], OWN));
  const journeys = built.map((journey, index): FrozenJourney => {
    const { sources, ...old } = journey;
    return visits[index]?.isComplete ? journey : old;
  });
  const facts = visits.map(({ amount }, index) => {
    const clickId = built[index]?.clickId ?? null;
    return buildSampleFact({ nativeId: `c${index}`, status: 'approved', amount }, { clickId });
  });
  await store.append({ facts, journeys });
  const events = sessions.flatMap((own, index) => (visits[index]?.isGone ? [] : own));
  const ledger = createTestLedger({ store, clicks: createMemoryClicks(events), ownHosts: OWN });
  return { store, ledger, built };
}

const OTHERS = REPORT_DIMENSIONS.filter((by) => by !== 'source');

const buildReports = (entries: readonly LedgerEntry[], dimensions: readonly ReportDimension[] = OTHERS) =>
  dimensions.flatMap((by) =>
    CAMPAIGN_MODELS.map((model) =>
      buildCommissionReport(entries, new Map(), {
        by,
        model,
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
        timeZone: 'UTC',
        answerField: 'businessType',
      }),
    ),
  );

it('completes the journeys whose events still exist, wherever an earlier run has stopped, and changes no other credit', async () =>
  forAll(0.2, [anyVisits, fc.integer({ min: 0, max: 6 })], async (visits, steps) => {
    const { store, ledger, built } = await createOldLedger(visits);
    const before = buildReports(await readEntries(ledger));
    for (let step = 0; step < steps; step++) {
      const { clickIds, upTo } = await store.readWithoutSources(1);
      const known = built.filter(
        ({ clickId }, index) => clickIds.includes(clickId) && visits[index]?.isGone === false,
      );
      if (upTo !== null) await store.addSources(known, upTo);
    }
    await ledger.completeSources(Number.POSITIVE_INFINITY);
    const completed = new Map((await store.readJourneys()).map((journey) => [journey.clickId, journey]));
    for (const [index, { clickId, sources }] of built.entries()) {
      const isUnknown = visits[index]?.isGone && !visits[index]?.isComplete;
      expect(completed.get(clickId)?.sources).toEqual(isUnknown ? undefined : sources);
    }
    expect(buildReports(await readEntries(ledger))).toEqual(before);
  }));

it('changes nothing when it completes journeys twice, and reports the same by source after the events have expired', async () =>
  forAll(0.2, [anyVisits], async (visits) => {
    const { store, ledger } = await createOldLedger(visits);
    await ledger.completeSources(Number.POSITIVE_INFINITY);
    const journeys = await store.readJourneys();
    expect(await ledger.completeSources(Number.POSITIVE_INFINITY)).toBe(0);
    expect(await store.readJourneys()).toEqual(journeys);
    const later = createTestLedger({ store, clicks: createMemoryClicks([]) });
    expect(await later.completeSources(Number.POSITIVE_INFINITY)).toBe(0);
    expect(buildReports(await readEntries(later), ['source'])).toEqual(
      buildReports(await readEntries(ledger), ['source']),
    );
  }));

it('does not complete a visit that was removed, and tries again later when the events cannot be read', async () => {
  const visit = { first: {}, last: {}, amount: 100, isGone: false, isComplete: false };
  const visits = (['https://www.google.com/', 'direct'] as const).map((referrer) => ({ ...visit, referrer }));
  const { store, built } = await createOldLedger(visits);
  const clicks = createMemoryClicks([]);
  clicks.fail(true);
  await expect(createTestLedger({ store, clicks }).completeSources(100)).rejects.toThrow('cannot be read');
  expect((await store.readWithoutSources(10)).clickIds).toHaveLength(2);
  await store.removeVisits([built[0]?.clickId ?? '']);
  const { upTo } = await store.readWithoutSources(10);
  expect(await store.addSources(built, upTo ?? 0)).toBe(1);
  const report = buildCommissionReport(
    await readEntries(createTestLedger({ store, clicks: createMemoryClicks([]) })),
    new Map(),
    {
      by: 'source',
      model: CAMPAIGN_MODELS[0],
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      timeZone: 'UTC',
      answerField: 'businessType',
    },
  );
  expect(report.rows.map(({ key }) => key)).toEqual(['direct', 'unknown']);
});
