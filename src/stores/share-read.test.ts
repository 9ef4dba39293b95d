import { expect, it } from 'vitest';
import { SharedReads } from './share-read.ts';

const never = () => new Promise<string>(() => undefined);

it.each([true, false])(
  'reads once for a key, and again after a failure; sharesWork: %s',
  async (sharesWork) => {
    const reads = new SharedReads<string, string>();
    const fail = () => Promise.reject(new Error('lost'));
    await expect(reads.read('a', sharesWork, fail)).rejects.toThrow('lost');
    expect(await reads.read('a', sharesWork, async () => 'first')).toBe('first');
    expect(await reads.read('a', sharesWork, async () => 'second')).toBe('first');
    expect(await reads.read('b', sharesWork, async () => 'other')).toBe('other');
  },
);

it.each([true, false])(
  'keeps nothing that has ended where it is not kept; sharesWork: %s',
  async (shares) => {
    const reads = new SharedReads<string, string>(undefined, false);
    const first = reads.read('a', shares, async () => 'one');
    expect(await reads.read('a', shares, async () => 'two')).toBe(shares ? 'one' : 'two');
    await first;
    expect(await reads.read('a', shares, async () => 'three')).toBe('three');
  },
);

it('joins a read in progress where requests share work, and does not wait for it elsewhere', async () => {
  const shared = new SharedReads<string, string>();
  const reading = shared.read('a', true, async () => 'one');
  expect(shared.read('a', true, async () => 'two')).toBe(reading);
  const alone = new SharedReads<string, string>();
  void alone.read('a', false, never);
  expect(await alone.read('a', false, async () => 'two')).toBe('two');
});
