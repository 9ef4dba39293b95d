import { expect, it } from 'vitest';
import type { AppContext } from '../../server/http/route.ts';
import { isNetwork, parseSettings } from '../../server/settings.ts';
import { createConsoleAdmission, formatConsoleAddress } from './console-host.ts';

const buildContext = (host: string, clientAddress: string) =>
  ({ req: { header: () => host }, env: { clientAddress, requestId: 'id' } }) as unknown as AppContext;

function isAdmitted(address: string, networks: readonly string[], host = '', at = 'site.example') {
  return createConsoleAdmission({ host, networks })(buildContext(at, address));
}

it('admits every host and address when nothing is set', () =>
  expect(isAdmitted('203.0.113.7', [])).toBe(true));

it.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7', false],
  ['203.0.113.200', '203.0.113.0/24', true],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['203.0.114.1', '203.0.113.0/24', false],
  ['2001:db8::5', '2001:db8::/32', true],
  ['2001:db9::5', '2001:db8::/32', false],
  ['2001:db8::5', '203.0.113.0/24', false],
  ['', '203.0.113.0/24', false],
  ['unknown', '0.0.0.0/0', false],
])('an address %s and the setting %s: %s', (address, network, expected) => {
  expect(isAdmitted(address, ['192.0.2.1', network])).toBe(expected);
});

it('admits the configured host alone, in any case', () => {
  expect(isAdmitted('203.0.113.7', [], 'console.example', 'Console.example')).toBe(true);
  expect(isAdmitted('203.0.113.7', [], 'console.example', 'site.example')).toBe(false);
  expect(isAdmitted('203.0.113.7', [], 'console.example', 'console.example:8080')).toBe(false);
  expect(isAdmitted('203.0.113.7', [], 'console.example', 'evil.console.example')).toBe(false);
  expect(isAdmitted('203.0.113.7', [], 'console.example', 'console.example.evil')).toBe(false);
});

it.each(['203.0.113.7', '203.0.113.0/24', '::1', '2001:db8::/32'])('takes %s as a network', (text) =>
  expect(isNetwork(text)).toBe(true),
);

it.each(['', 'example.com', '203.0.113.0/33', '300.1.1.1', '/24'])('refuses %j as a network', (text) =>
  expect(isNetwork(text)).toBe(false),
);

const PUBLIC = 'https://site.example';

it.each<[string, Record<string, string>, readonly string[]]>([
  ['no public address', {}, ['http://localhost:8080']],
  ['an IPv6 address', { HOST: '::1' }, ['http://[::1]:8080']],
  ['every IPv6 interface', { HOST: '::' }, ['http://localhost:8080']],
  ['a public address', { SITE_URL: PUBLIC }, [PUBLIC, 'http://localhost:8080']],
  ['every interface', { SITE_URL: PUBLIC, HOST: '0.0.0.0' }, [PUBLIC, 'http://localhost:8080']],
  ['one address of the network', { SITE_URL: PUBLIC, HOST: '192.168.1.4' }, [PUBLIC]],
  [
    'one host for the console',
    { SITE_URL: PUBLIC, CONSOLE_HOST: 'console.site.example' },
    ['https://console.site.example'],
  ],
  ['some addresses for the console', { SITE_URL: PUBLIC, CONSOLE_ADDRESSES: '203.0.113.7' }, [PUBLIC]],
])('with %s the console is named where it opens', (_, settings, origins) => {
  const lines = formatConsoleAddress(parseSettings(settings), 8080, '/console').trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^Console(?: on this machine)?: /, ''))).toEqual(
    origins.map((origin) => `${origin}/console`),
  );
});
