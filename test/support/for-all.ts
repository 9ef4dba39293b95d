import fc from 'fast-check';

/** Asserts that a property holds for so many generated cases; rejects with the smallest case for which it does not. */
export function forAll<T extends [unknown, ...unknown[]]>(
  numRuns: number,
  arbitraries: { [Index in keyof T]: fc.Arbitrary<T[Index]> },
  // biome-ignore lint/suspicious/noConfusingVoidType: as a property of fast-check, which fails for false.
  property: (...values: T) => Promise<boolean | void> | boolean | void,
): Promise<void> {
  const holds = fc.asyncProperty(fc.tuple<T>(...arbitraries), async (values) => property(...values));
  return fc.assert(holds, { numRuns });
}
