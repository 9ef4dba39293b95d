import { expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';
import { parsePathText, parseText } from './parse-text.ts';

it.each([
  'Start free trial',
  '日本 👩‍💻 ação',
  '  a b  ',
  'a\r\nb\tc',
  'a\0b\x07c\x7fd',
  'user\u202Etxt.exe\u2066x\u2069\u200F',
  '\uFEFFa\u200Bb',
  '<img src=x onerror=alert(1)>',
  'aaa😀',
])('parseText returns the same as cleanText for %j', (text) => {
  expect(parseText(text, 100)).toBe(cleanText(text, 100));
});

it.each([
  ['half a character', 'a\ud800b', 100, 'ab'],
  ['what could not be decoded', 'a\uFFFDb', 100, 'ab'],
  ['a character cut in two', 'aaa😀', 4, 'aaa'],
  ['a long text', 'a'.repeat(10_000_000), 3, 'aaa'],
  ['a number', 5, 100, ''],
  ['a list', ['a'], 100, ''],
  ['nothing', null, 100, ''],
])('parseText parses %s', (_, value, limit, text) => {
  expect(parseText(value, limit)).toBe(text);
});

it.each([
  ['/blog/', '/blog/'],
  ['/', '/'],
  ['/blog?q=1', '/blog'],
  ['/blog#x', '/blog'],
  ['/a b', '/a'],
  ['//evil.test', ''],
  ['/\\evil.test', ''],
  ['javascript:alert(1)', ''],
  ['https://evil.test/', ''],
  [null, ''],
  [['/x'], ''],
  [`/${'x'.repeat(600)}`, `/${'x'.repeat(511)}`],
])('parsePathText parses %j as %j', (value, path) => {
  expect(parsePathText(value)).toBe(path);
});
