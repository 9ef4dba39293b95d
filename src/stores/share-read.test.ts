import { expect, it } from 'vitest';
import { shareRead } from './share-read.ts';

const never = () => new Promise<string>(() => undefined);

it.each([true, false])(
  'reads once for a key, and again after a failure; sharesWork: %s',
  async (sharesWork) => {
    const reads = new Map<string, Promise<string>>();
    const fail = () => Promise.reject(new Error('lost'));
    await expect(shareRead(reads, 'a', sharesWork, fail)).rejects.toThrow('lost');
    expect(await shareRead(reads, 'a', sharesWork, async () => 'first')).toBe('first');
    expect(await shareRead(reads, 'a', sharesWork, async () => 'second')).toBe('first');
    expect(await shareRead(reads, 'b', sharesWork, async () => 'other')).toBe('other');
  },
);

it('joins a read in progress where requests share work, and does not wait for it elsewhere', async () => {
  const shared = new Map<string, Promise<string>>();
  const reading = shareRead(shared, 'a', true, async () => 'one');
  expect(shareRead(shared, 'a', true, async () => 'two')).toBe(reading);
  const alone = new Map<string, Promise<string>>();
  void shareRead(alone, 'a', false, never);
  expect(await shareRead(alone, 'a', false, async () => 'two')).toBe('two');
});
