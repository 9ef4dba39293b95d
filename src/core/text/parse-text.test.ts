import { expect, it } from 'vitest';
import { cleanLines, cleanText, isPublicAddress, parsePathText, parseText } from './parse-text.ts';

it.each([
  ['half a character', 'a\ud800b', 100, 'ab'],
  ['what could not be decoded', 'a\uFFFDb', 100, 'ab'],
  ['a character cut in two', 'aaa😀', 4, 'aaa'],
  ['a long text', 'a'.repeat(10_000_000), 3, 'aaa'],
  ['a number', 5, 100, ''],
  ['a list', ['a'], 100, ''],
  ['nothing', null, 100, ''],
])('parseText parses %s', (_, value, limit, text) => expect(parseText(value, limit)).toBe(text));

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
])('parsePathText parses %j as %j', (value, path) => expect(parsePathText(value)).toBe(path));

it.each([
  ['plain text stays', 'Start free trial', 'Start free trial'],
  ['other scripts and emoji stay', '日本 👩‍💻 ação', '日本 👩‍💻 ação'],
  ['spaces around go', '  a b  ', 'a b'],
  ['a line break becomes one space', 'a\r\nb\tc', 'a b c'],
  ['controls and NUL go', 'a\0b\x07c\x7fd\x9be', 'abcde'],
  ['terminal escapes lose their power', '\x1b[31mred', '[31mred'],
  ['bidi overrides and isolates go', 'user\u202Etxt.exe\u2066x\u2069\u200F', 'usertxt.exex'],
  ['zero-width space and byte order mark go', '\uFEFFa\u200Bb', 'ab'],
  ['Unicode line separators become spaces', 'a\u2028b\u2029c', 'a b c'],
  ['markup is text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['nothing stays nothing', ' \n\u200B ', ''],
])('%s', (_, text, expected) => {
  expect(cleanText(text, 100)).toBe(expected);
  expect(parseText(text, 100)).toBe(expected);
});

it('cleanText replaces half a character', () => expect(cleanText('a\uD800b', 100)).toBe('a\uFFFDb'));

it('cleanText cuts at the limit', () => expect(cleanText('a'.repeat(10_000_000), 64)).toBe('a'.repeat(64)));

it('cleanText never cuts a character in two', () => {
  expect(cleanText('aaa😀', 4)).toBe('aaa');
  expect(cleanText('aaa😀', 5)).toBe('aaa😀');
});

it('cleanLines cleans each line', () =>
  expect(cleanLines('Hello\r\n\r\n  there\u202E\x07\nbye', 100)).toBe('Hello\n\nthere\nbye'));

it('cleanLines cuts at the limit', () => expect(cleanLines('ab\n'.repeat(100), 8)).toBe('ab\nab\nab'));

it.each([
  'https://hub.com',
  'http://8.8.8.8',
  'https://hub.example',
  'https://local.com',
  'https://[2001:db8::1]',
  'http://172.15.0.1',
  'http://172.32.0.1',
  'https://test.hub.com',
  'http://11.0.0.1',
])('takes %s for a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '',
  'hub.com',
  'http://localhost:4321',
  'http://site.localhost',
  'http://hub.local',
  'https://hub.test.',
  'http://127.0.0.1',
  'http://127.1',
  'http://0.0.0.0',
  'http://10.1.2.3',
  'http://192.168.1.4',
  'http://172.16.0.1',
  'http://172.31.255.1',
  'http://169.254.1.1',
  'http://[::1]',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[::ffff:127.0.0.1]',
])('takes "%s" for an address of one machine or network', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
