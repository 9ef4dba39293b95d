import { expect, it, vi } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { findConflicts } from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { type EventFlag, UNCOUNTED_FLAGS } from '../../core/events/site-event.ts';
import { ClickMatcher } from './click-matcher.ts';

const COUNT = 20;
const IDS = Array.from(
  { length: COUNT },
  (_, index) => `7f0d2b64-11aa-4b1e-8c3d-${String(index).padStart(12, '0')}`,
);

/** Matches reports that arrive together, each with its own click; resolves with the number of look-ups. */
async function countLookUps(sharesWork: boolean): Promise<number> {
  const clicks = createMemoryClicks(IDS.flatMap(buildSampleVisit));
  const findClicks = vi.spyOn(clicks, 'findClicks');
  const matcher = new ClickMatcher({
    store: createMemoryLedger(),
    clicks,
    log: NO_LOG,
    ownHosts: [],
    sharesWork,
  });
  const matches = await Promise.all(
    IDS.map((token) => matcher.match([{ reported: buildSampleFact({ token }), strings: [] }])),
  );
  expect(matches.map(({ clickIds }) => clickIds)).toEqual(IDS.map((id) => [id]));
  expect(matches.map(({ journeys }) => journeys.map(({ clickId }) => clickId))).toEqual(
    IDS.map((id) => [id]),
  );
  return findClicks.mock.calls.length;
}

it('matches reports together that arrive while others are matched', async () =>
  expect(await countLookUps(true)).toBe(2));

it('looks up each report alone where no request can wait for another one', async () =>
  expect(await countLookUps(false)).toBe(COUNT));

const [CLICK = ''] = IDS;

/** Records that a partner reports a commission of the click; resolves with its entry. */
async function recordFor(partner: string, flags: readonly EventFlag[] = []) {
  const visit = buildSampleVisit(CLICK).map((event) => (event.id === CLICK ? { ...event, flags } : event));
  const ledger = createTestLedger({ store: createMemoryLedger(), clicks: createMemoryClicks(visit) });
  const reports = [{ reported: buildSampleFact({ token: CLICK }), strings: [] }];
  await ledger.record({ partner, terms: DEFAULT_TERMS, source: 'postback', reports });
  const [entry] = await readEntries(ledger);
  if (entry === undefined) throw new Error('nothing was recorded');
  return entry;
}

it.each(UNCOUNTED_FLAGS)('matches a commission with a click flagged as %s, and says so', async (flag) => {
  const { journey, reason } = await recordFor('highlevel', [flag]);
  expect([reason, journey?.clickId, journey?.flags]).toEqual([null, CLICK, [flag]]);
});

it('says that a commission names a click that led to another partner', async () => {
  expect(findConflicts(await recordFor('kit'))).toEqual(['other-partner']);
  const entry = await recordFor('highlevel');
  expect([findConflicts(entry), entry.journey]).toEqual([
    [],
    expect.not.objectContaining({ flags: expect.anything() }),
  ]);
});
