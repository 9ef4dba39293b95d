import { expect, it } from 'vitest';
import { createTokenCheck } from './secret-token.ts';

it.each([
  ['s3cret', 's3cret', true],
  ['s3cret', 's3cre', false],
  ['s3cret', 'S3cret', false],
  ['s3cret', '', false],
  ['', '', false],
  ['', 'x', false],
])('secret %j, given %j: %s', (secret, given, right) => {
  expect(createTokenCheck(secret)(given)).toBe(right);
});
