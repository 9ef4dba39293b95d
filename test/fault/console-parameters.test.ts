import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import type { ConsoleSite } from '../support/console-access.ts';
import { startSeededConsole } from '../support/console-data.ts';

const MARKUP = 'zq<i>"\'';
const PARAMETERS = (
  'range from to compare clock model currency sort page page! partner source utm_source campaign entry status ' +
  'q by show upload click id p next bom __proto__ constructor'
).split(' ');
const VALUES = [
  '__proto__',
  'constructor',
  'toString',
  '-__proto__',
  MARKUP,
  '\0',
  '\r\nSet-Cookie: a=1',
  "' OR 1=1--",
  '1;DROP TABLE events',
  '%',
  '-1',
  '1e309',
  '9'.repeat(400),
  'x'.repeat(4_000),
  '2026-02-30',
  '../../etc/passwd',
  '\u202E',
];
/** Who may have sent a form that is not of the console, by the headers of the request. */
const CLIENTS: readonly Readonly<Record<string, string>>[] = [
  { origin: 'http://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin' },
  { referer: 'http://evil.example/' },
  {},
];

const segments = CONSOLE_VIEWS.map(({ key }) => (key === 'overview' ? '' : `/${key}`));
const addresses = [...segments, ...CONSOLE_VIEWS.flatMap(({ key }) => [`/${key}.csv`, `/${key}.svg`])];

let seeded: ConsoleSite;
beforeAll(async () => {
  seeded = await startSeededConsole();
});
afterAll(() => seeded.site.remove());

it('hostile values in any parameter of any view and export neither fail nor reach the page as markup', async () => {
  const wrong: string[] = [];
  for (const [row, address] of addresses.entries()) {
    for (const [column, name] of PARAMETERS.entries()) {
      // Every parameter in a third of the views, every value in all of them.
      if ((row + column) % 3 > 0) continue;
      const value = VALUES[(row * 5 + column) % VALUES.length] ?? '';
      const path = `/console${address}?${new URLSearchParams({ [name]: value })}`;
      const response = await fetch(seeded.site.url + path, { headers: { cookie: seeded.cookie } });
      const text = await response.text();
      const isText = response.headers.get('content-type')?.startsWith('text/csv');
      if (![200, 404].includes(response.status) || (text.includes(MARKUP.slice(0, 4)) && !isText))
        wrong.push(`${response.status} ${path.slice(0, 120)}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('takes no form without the token of the session, from any origin and with any name of its method', async () => {
  for (const segment of segments) {
    for (const client of CLIENTS) {
      const response = await fetch(`${seeded.site.url}/console${segment}?_method=GET`, {
        method: 'POST',
        body: new URLSearchParams({ action: 'preferences', _method: 'GET', token: 'x' }),
        headers: { cookie: seeded.cookie, 'x-http-method-override': 'GET', ...client },
        redirect: 'manual',
      });
      expect([segment, client, response.status]).toEqual([segment, client, 403]);
    }
  }
});
