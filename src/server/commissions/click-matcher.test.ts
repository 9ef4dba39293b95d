import { expect, it, vi } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
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
    log: { warn: vi.fn() },
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

it('matches reports together that arrive while others are matched', async () => {
  expect(await countLookUps(true)).toBe(2);
});

it('looks up each report alone where no request can wait for another one', async () => {
  expect(await countLookUps(false)).toBe(COUNT);
});
