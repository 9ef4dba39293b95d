import { expect, it } from 'vitest';
import { createRequestId } from './request-id.ts';

it('makes ids that differ, also past the end of what was drawn ahead', () => {
  const ids = Array.from({ length: 2_500 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
});
