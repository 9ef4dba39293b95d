import { expect, it } from 'vitest';
import { FormTokens } from './form-gate.ts';

const at = (now: number, key = 'secret') => new FormTokens(key, () => now);

it('reads the age of a form', () => {
  const token = at(1_000_000).issue();
  expect(at(1_004_500).readAge(token)).toBe(4_500);
});

it('issues different tokens in the same millisecond', () => {
  expect(at(5).issue()).not.toBe(at(5).issue());
});

it.each([
  ['nothing', () => ''],
  ['words', () => 'let me in'],
  ['the token of another key', () => at(1_000, 'other').issue()],
  ['an earlier time on a good signature', (token: string) => token.replace(/^[^.]+/, '1')],
  ['a cut token', (token: string) => token.slice(0, -1)],
  ['a token with more behind it', (token: string) => `${token}.x`],
  ['a megabyte', () => 'a.'.repeat(500_000)],
])('rejects %s', (_, forge) => {
  const tokens = at(1_000_000);
  expect(tokens.readAge(forge(tokens.issue()))).toBeNull();
});
