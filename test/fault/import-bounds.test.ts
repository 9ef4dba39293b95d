/** @module-tag rest */
import { expect, it } from 'vitest';
import { measureImport } from '../bench/import.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';

it('imports at least 1,000 posts a minute in at most 300 MB of memory', { tags: ['measures'] }, async () => {
  const { posts, seconds, peakMegabytes } = await measureImport(IS_FULL_LENGTH ? 500 : 4);
  expect(peakMegabytes).toBeLessThan(300);
  expect((posts / seconds) * 60).toBeGreaterThan(1_000);
});
