import { expect, it } from 'vitest';
import { parseConfig } from '../../server/settings.ts';
import { formatConsoleAddress } from './console-origin.ts';

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
  const lines = formatConsoleAddress(parseConfig(settings), 8080, '/console').trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^Console(?: on this machine)?: /, ''))).toEqual(
    origins.map((origin) => `${origin}/console`),
  );
});
