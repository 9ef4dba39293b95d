import { expect, it } from 'vitest';
import { findPasswordProblem, parseOperatorName } from './check-password.ts';

it.each([
  'correct horse battery staple',
  'Tr0ub4dor&3-zebra',
  'ein langer deutscher Satz',
  'пароль из четырёх слов',
  'password manager zebra lamp',
])('accepts %s', (password) => {
  expect(findPasswordProblem(password, 'Ada')).toBeNull();
});

it.each([
  ['short', '5 characters; it needs at least 12'],
  ['', '0 characters'],
  ['aaaaaaaaaaaaaaaa', 'repeats'],
  ['121212121212', 'repeats'],
  ['Password123!', 'common'],
  ['password-password', 'common'],
  ['qwerty-admin-2026', 'common'],
  ['AdaLovelace-1815', 'common'],
  ['x'.repeat(501), 'more than 500'],
])('refuses %s', (password, reason) => {
  expect(findPasswordProblem(password, 'Ada Lovelace')).toContain(reason);
});

it('counts characters, not units of their encoding', () => {
  expect(findPasswordProblem('🐟🐠🐡🦈🐬🐳', 'Ada')).toContain('6 characters');
});

it.each([
  ['  Ada   Lovelace ', 'Ada Lovelace'],
  ['Zoe\u0308', 'Zoë'],
])('takes the name %j as %s', (text, name) => {
  expect(parseOperatorName(text)).toBe(name);
});

it.each(['', '   ', 'a'.repeat(81), 'a\u0000b', 'a\u202eb'])('refuses the name %j', (text) => {
  expect(parseOperatorName(text)).toBeNull();
});
