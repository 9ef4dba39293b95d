import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { Sender } from './sender.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

it('has sent, whenever a server is killed, all but the last two seconds of typing', async () => {
  const keys = fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 1, maxLength: 60 });
  await forAll(
    6,
    [keys, fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 240 })],
    async (pauses, killed, way) => {
      const typed: number[] = [];
      let [arrived, onItsWay, most] = [0, 0, 0];
      const start = Date.now();
      const sender = new Sender(async () => {
        const sent = typed.length;
        onItsWay += 1;
        most = Math.max(most, onItsWay);
        await sleep(way);
        onItsWay -= 1;
        if (Date.now() - start > killed) return false;
        // In order: what arrives later has all that has arrived before.
        expect(sent).toBeGreaterThanOrEqual(arrived);
        arrived = sent;
        return true;
      });
      for (const pause of pauses) {
        await vi.advanceTimersByTimeAsync(pause);
        typed.push(Date.now() - start);
        sender.change();
      }
      await vi.advanceTimersByTimeAsync(Math.max(0, killed + start - Date.now()));
      // What was on its way at that moment is lost.
      await vi.advanceTimersByTimeAsync(way);
      sender.stop();
      expect(typed.filter((at) => at <= killed - 2_000).length).toBeLessThanOrEqual(arrived);
      expect(most).toBeLessThanOrEqual(1);
    },
  );
});

it('sends again, later each time, what has not arrived, and at once when it is asked to', async () => {
  const times: number[] = [];
  let isLost = true;
  const sender = new Sender(async () => {
    times.push(Date.now() - start);
    if (isLost) throw new Error('no network');
    return true;
  });
  const start = Date.now();
  sender.change();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(times).toEqual([1_500, 4_500, 10_500, 22_500, 46_500, 76_500]);
  isLost = false;
  await sender.now();
  expect(times.at(-1)).toBe(100_000);
  await vi.runAllTimersAsync();
  expect(times).toHaveLength(7);
  sender.change();
  await vi.advanceTimersByTimeAsync(1_499);
  expect(times).toHaveLength(7);
  await vi.advanceTimersByTimeAsync(1);
  expect(times).toHaveLength(8);
});

it('saves a form after what is on its way', async () => {
  const order: string[] = [];
  const sender = new Sender(async () => {
    await sleep(500);
    return order.push('kept') > 0;
  });
  sender.change();
  void sender.now();
  const saved = sender.inTurn(async () => order.push('saved'));
  await vi.runAllTimersAsync();
  expect([await saved, order]).toEqual([2, ['kept', 'saved']]);
});
