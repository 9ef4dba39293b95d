import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readSampleAssessment, readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createLog } from '../log.ts';
import { createGo } from './create-outbound.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lets a visitor go after 35 ms when the store does not respond', async () => {
  const { clicks } = createGo({
    settings: { CLICK_RATE: 0, GA_MEASUREMENT_ID: '', GA_API_SECRET: '', DESTINATION_REGION_HEADER: '' },
    content: { partners: readSamplePartners(), assessment: readSampleAssessment() },
    store: { append: () => new Promise(() => undefined) },
    platform: { eventQueue: { capacity: 0 } },
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: createLog(() => undefined, Date.now),
  });
  let outcome: string | undefined;
  void clicks.add(buildSampleEvent({ name: 'affiliate_redirect' })).then((result) => {
    outcome = result;
  });
  await vi.advanceTimersByTimeAsync(34);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('waiting');
});
