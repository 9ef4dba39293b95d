import fc from 'fast-check';
import { CASES } from './cases.ts';

/**
 * Checks a property with random values of the arbitraries, `scale` times as many as property tests usually have, after
 * the examples: values for which it was once false.
 */
export function forAll<T extends [unknown, ...unknown[]]>(
  scale: number,
  arbitraries: { [Index in keyof T]: fc.Arbitrary<T[Index]> },
  // biome-ignore lint/suspicious/noConfusingVoidType: as a property of fast-check, which fails for false.
  property: (...values: T) => Promise<boolean | void> | boolean | void,
  examples: readonly T[] = [],
): Promise<void> {
  const holds = fc.asyncProperty(fc.tuple<T>(...arbitraries), async (values) => property(...values));
  return fc.assert(holds, {
    numRuns: Math.ceil(CASES * scale) + examples.length,
    examples: examples.map((values) => [values]),
  });
}
