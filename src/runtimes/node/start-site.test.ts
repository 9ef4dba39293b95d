import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWatchdog } from './start-site.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const count = (environment: NodeJS.ProcessEnv, ms: number) => {
  const sent: string[] = [];
  startWatchdog(environment, 7, (message) => void sent.push(message));
  vi.advanceTimersByTime(ms);
  return sent;
};

it('a watchdog hears of the process three times in each of its intervals', () => {
  const sent = count({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 60_000);
  expect(sent).toEqual(Array.from({ length: 4 }, () => 'WATCHDOG=1'));
});

it('a process without a watchdog, or with that of another one, sends nothing', () => {
  expect(count({}, 600_000)).toEqual([]);
  expect(count({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, 600_000)).toEqual([]);
  expect(count({ WATCHDOG_USEC: '0' }, 600_000)).toEqual([]);
});
