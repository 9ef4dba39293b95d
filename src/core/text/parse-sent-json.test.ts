import { expect, it } from 'vitest';
import { parseSentJson } from './parse-text.ts';

it.each([
  ['1234567890123456701', '1234567890123456701'],
  ['-1234567890123456701', '-1234567890123456701'],
  ['9007199254740992', 9_007_199_254_740_992],
  ['9007199254740993', '9007199254740993'],
  ['12345678901234567168', '12345678901234567168'],
  ['1234567890123456789.0', '1234567890123456789.0'],
  ['1.2345678901234567891', '1.2345678901234567891'],
  ['12345.0', 12_345],
  ['12345.0000000000000000', 12_345],
  ['1000000000000000000', 1e18],
  ['12.199999999999999', 12.2],
  ['0.10000000000000001', 0.1],
  ['0.30000000000000004', 0.1 + 0.2],
  [`0.1${'0'.repeat(120)}1`, `0.1${'0'.repeat(120)}1`],
  ['"1234567890123456701"', '1234567890123456701'],
])('reads the number %s of a message as %j, alone, in a list and beside other fields', (text, value) => {
  expect(parseSentJson(text)).toBe(value);
  expect(parseSentJson(`[${text}]`)).toEqual([value]);
  const wrap = (id: string) => `{"id":${id},"digits":"0123456789012345","__proto__":{"deep":[${id}]}}`;
  expect(parseSentJson(wrap(text))).toEqual(JSON.parse(wrap(JSON.stringify(value))));
});

it.each(['', '{"id":1234567890123456701', '01234567890123456701'])('reads %j as null', (text) =>
  expect(parseSentJson(text)).toBeNull(),
);
