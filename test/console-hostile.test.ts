// What visitors, networks and addresses say is text in the console: in every view, and in every export.

import { Parser } from 'htmlparser2';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, it } from 'vitest';
import { createConsole } from '../src/console/console.ts';
import { ConsoleDocument } from '../src/console/frame/frame.tsx';
import { DEFAULT_TERMS } from '../src/core/commissions/ledger/commission-terms.ts';
import { CONSOLE_VIEWS } from '../src/core/console/console-view.ts';
import { besideSchema } from '../src/core/outbound/beside.schema.ts';
import { createApp } from '../src/server/app.ts';
import { createSecretToken, hashSecretToken } from '../src/server/http/secret-token.ts';
import { buildClickVisit } from './support/console-work-site.ts';
import { HOSTILE_VALUES, MARK } from './support/hostile-input.ts';
import { addOperator } from './support/operators.ts';
import { buildSampleFact } from './support/sample-commissions.ts';
import { buildSampleEvent } from './support/sample-events.ts';
import { createTestSite } from './support/test-site.ts';

const { markup, templates, controls, prototypes } = HOSTILE_VALUES;
const STORED = [...markup, ...templates, ...controls.slice(0, 8), ...prototypes.slice(0, 4)];
const NOW = Date.now();

/** Responds to an operator who may do everything with the console of a site whose visitors and network were hostile. */
let ask: (address: string, init?: RequestInit) => Promise<{ readonly status: number; readonly text: string }>;

beforeAll(async () => {
  const beside = besideSchema.parse({ hosts: [{ name: `<${MARK}>`, address: 'https://blog.example' }] });
  const site = await createTestSite({ content: { beside } });
  const titled = STORED.map((title, index) => [
    `blog.example/${index}`,
    { title, published: '2026-01-01', updated: '' },
  ]);
  await site.money.ledger.writeState(
    'beside-pages blog.example',
    JSON.stringify({
      at: NOW,
      tags: {},
      next: 2,
      pages: Object.fromEntries(titled),
      links: { [`<${MARK}>`]: 1 },
    }),
  );
  const visits = STORED.map((value, index) =>
    buildClickVisit(1, {
      page: index % 2 === 0 ? `/${value}` : `blog.example/${index}`,
      label: value,
      campaign: { utm_source: value, utm_medium: value, utm_campaign: value, utm_content: value },
      data: {
        source: value,
        visit_channel: 'referral',
        visit_source: value,
        entry_page: value,
        destination: value,
        assessment_type: value,
        challenges: [value],
      },
    }),
  );
  const messages = STORED.map((value) =>
    buildSampleEvent({
      name: 'contact_message',
      page: `/${value}`,
      data: { topic: value, name: value, email: value, message: value },
      serverTime: NOW,
    }),
  );
  await site.visitors.events.append([...visits.flat(), ...messages]);
  while ((await site.money.rollups.advance()) > 0);
  const reports = STORED.flatMap((value, index) => [
    { nativeId: value, amount: 1_000, token: visits[index]?.at(-1)?.id ?? '' },
    { nativeId: `unmatched ${value}`, amount: 500, token: value },
  ]).map((fields) => ({ reported: buildSampleFact(fields, { arrivedAt: NOW }), strings: [] }));
  await site.money.commissions.record({
    partner: 'highlevel',
    terms: DEFAULT_TERMS,
    source: 'postback',
    reports,
  });
  const operator = await addOperator(site.operators.accounts, { id: 'o-1', name: 'Ada' });
  const secret = createSecretToken();
  const session = { id: 's-1', tokenHash: hashSecretToken(secret), operatorId: 'o-1', browser: '' };
  await site.operators.accounts.writeSession(
    { ...session, createdAt: NOW, usedAt: NOW },
    operator.passwordHash,
  );
  const { respond } = createConsole(site);
  const render: Parameters<typeof respond>[1] = async (page, status = 200) =>
    new Response(renderToStaticMarkup(createElement(ConsoleDocument, { page })), { status });
  const noPage = async () => ({ status: 404, headers: {}, body: Buffer.from('no page') });
  const app = createApp(
    { ...site, routes: [], console: (context) => respond(context, render) },
    { render: noPage, submit: noPage },
  );
  ask = async (address, { headers, ...init } = {}) => {
    const own = { cookie: `operator=${secret}`, host: 'localhost', ...headers };
    const request = new Request(`http://localhost/console${address}`, { ...init, headers: own });
    const response = await app.fetch(request, { requestId: 'id', clientAddress: '192.0.2.1' });
    return { status: response.status, text: await response.text() };
  };
});

/** What of a page is markup that hostile text has made, or may run: elements, attributes and links. */
function findMarkup(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name.includes(MARK)) found.push(`<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.includes(MARK) || /^on|^style$/.test(attribute)) found.push(`${name} ${attribute}`);
        const isLink = name === 'a' && attribute === 'href';
        if (isLink && !/^(?:https?|mailto):$/.test(new URL(value, 'http://localhost').protocol))
          found.push(`${name} ${value}`);
      }
    },
  });
  parser.end(html);
  return found;
}

const segments = CONSOLE_VIEWS.map(({ key }) => (key === 'overview' ? '' : `/${key}`));

it('no view builds markup from what visitors and networks wrote', async () => {
  const searches = [markup[0], markup[1], markup[3]].map(
    (value) => `/commissions?q=${encodeURIComponent(value ?? '')}`,
  );
  let shown = 0;
  for (const address of [...segments, ...searches]) {
    const { status, text } = await ask(address);
    expect([address, status, findMarkup(text)]).toEqual([address, 200, []]);
    shown += Number(text.includes(MARK));
  }
  // The values do reach the views, or the test would prove nothing.
  expect(shown).toBeGreaterThanOrEqual(8);
});

it('names pages of another site by their titles, as text', async () => {
  const { text } = await ask('/pages?site=blog.example');
  expect([text.includes(`&lt;${MARK} onload=`), findMarkup(text)]).toEqual([true, []]);
});

it('an address of a message is one address in its link, whatever it has', async () => {
  const { text } = await ask('/messages');
  const ids = [...text.matchAll(/show=([\w-]+)#message-/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    const { text: shown } = await ask(`/messages?show=${id}`);
    expect(/href="mailto:([^"]*)"/.exec(shown)?.[1]).toMatch(/^(?:[\w.!~*()@-]|&#x27;|%[\dA-F]{2})+$/);
  }
});

it('a ranking has its columns', async () => {
  const { text } = await ask('/pages');
  const columns = [...text.matchAll(/<th[^>]*scope="col"[^>]*>(.*?)<\/th>/g)].map(([, cell = '']) =>
    cell.replace(/<[^>]+>/g, '').trim(),
  );
  for (const column of ['Page', 'Earned', 'Views', 'Clicks', 'A click', 'Customers'])
    expect(columns.join(', ')).toContain(column);
});

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
const exports = CONSOLE_VIEWS.flatMap(({ key }) => [`/${key}.csv`, `/${key}.svg`]);

it('hostile values in any parameter of any view and export neither fail nor reach the page as markup', {
  tags: ['rest'],
}, async () => {
  const wrong: string[] = [];
  for (const [row, address] of [...segments, ...exports].entries()) {
    for (const [column, name] of PARAMETERS.entries()) {
      // Every parameter in a third of the views, every value in all of them.
      if ((row + column) % 3 > 0) continue;
      const value = VALUES[(row * 5 + column) % VALUES.length] ?? '';
      const path = `${address}?${new URLSearchParams({ [name]: value })}`;
      const { status, text } = await ask(path);
      const isMarkup = text.includes(MARKUP.slice(0, 4)) && !address.endsWith('.csv');
      const isFormer = ['clock', 'compare', 'model'].includes(name) && status === 303;
      if ((![200, 404].includes(status) && !isFormer) || isMarkup)
        wrong.push(`${status} ${path.slice(0, 120)}`);
    }
  }
  expect(wrong).toEqual([]);
});

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

it('takes no form without the token of the session, from any origin and with any name of its method', async () => {
  for (const segment of segments) {
    for (const client of CLIENTS) {
      const body = new URLSearchParams({ action: 'preferences', _method: 'GET', token: 'x' });
      const headers = { 'x-http-method-override': 'GET', ...client };
      const { status } = await ask(`${segment}?_method=GET`, { method: 'POST', body, headers });
      expect([segment, client, status]).toEqual([segment, client, 403]);
    }
  }
});
