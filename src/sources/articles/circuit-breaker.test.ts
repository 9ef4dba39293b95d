import { beforeEach, expect, it } from 'vitest';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { type BreakerStatus, CircuitBreaker } from './circuit-breaker.ts';

let now = 0;
let changes: BreakerStatus[] = [];
let breaker: CircuitBreaker;
const ERROR = new ArticleSourceError('timeout', '[articles:test] timeout');

beforeEach(() => {
  now = 0;
  changes = [];
  breaker = new CircuitBreaker(
    { now: () => now, monotonic: () => now },
    () => 1,
    (status) => changes.push(status),
  );
});

/** Starts calls that end together when the returned function is called. */
function startCalls(outcomes: readonly ('works' | 'fails')[]): () => Promise<unknown> {
  const gate = Promise.withResolvers<void>();
  const calls = outcomes.map((outcome) =>
    breaker
      .call(async () => {
        await gate.promise;
        if (outcome === 'fails') throw ERROR;
      })
      .catch(() => undefined),
  );
  return () => {
    gate.resolve();
    return Promise.all(calls);
  };
}

it.each([1, 2, 14, 200])('waits one second after %d concurrent calls failed together', async (count) => {
  await startCalls(Array<'fails'>(count).fill('fails'))();
  expect(breaker.getStatus()).toMatchObject({ failures: 1, waitMs: 1_000 });
  expect(changes).toHaveLength(1);
});

it('doubles the wait with each round, whatever the number of calls in it', async () => {
  const waits: number[] = [];
  for (let round = 0; round < 4; round++) {
    await startCalls(Array<'fails'>(14).fill('fails'))();
    waits.push(breaker.getStatus().waitMs);
    now += breaker.getStatus().waitMs;
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

it('recovers with the first call after the wait, although calls of the failed round end later', async () => {
  const endSlowCalls = startCalls(['fails', 'fails', 'works']);
  await startCalls(['fails'])();
  now += 1_000;
  await startCalls(['works'])();
  expect(breaker.getStatus()).toMatchObject({ failures: 0, lastError: null });
  await endSlowCalls();
  expect(breaker.getStatus()).toMatchObject({ failures: 0, lastError: null });
  expect(changes.map(({ failures }) => failures)).toEqual([1, 0]);
});

it('does not take a call that began before the failure for the recovery', async () => {
  await startCalls(['fails', 'works', 'works', 'fails', 'works'])();
  expect(breaker.isCallable()).toBe(false);
  expect(changes).toHaveLength(1);
});

it('says with each error when the next call is possible', async () => {
  const fail = () => breaker.call(() => Promise.reject(ERROR)).catch((error: unknown) => error);
  expect(await fail()).toMatchObject({ code: 'timeout', retryAfter: 1 });
  now += 1_000;
  expect(await fail()).toMatchObject({ retryAfter: 2 });
  now += 500;
  expect(await fail()).toMatchObject({ retryAfter: 2 });
  now += 1_500;
  expect(await breaker.call(async () => 'works')).toBe('works');
});
