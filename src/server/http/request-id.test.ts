import { expect, it } from 'vitest';
import { createRequestId } from './request-id.ts';

it('creates unique ids, also beyond one filling of the pool', () => {
  const ids = Array.from({ length: 2_500 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
});
