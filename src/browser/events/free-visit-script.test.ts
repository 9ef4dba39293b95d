import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { parseWireEvent } from '../../core/events/wire-event.schema.ts';
import { MAX_LINK_QUERY } from '../../core/outbound/outbound-link.ts';

const ORIGIN = 'https://example.com';

/** Runs the script in a page; resolves with what it posts, what a link to another page becomes, and the query of a click. */
async function open(query: string, referrer: string, carried: string) {
  const listeners = new Map<string, (event: object) => void>();
  const posted: string[] = [];
  const location = new URL(`${ORIGIN}/blog?${query}`);
  const { pathname: path, search } = location;
  const arrival = { now: 1, path, query: search, referrer, userAgent: '', isShownAgain: false };
  const globals = {
    location,
    document: { documentElement: { dataset: {} }, querySelectorAll: () => [], dispatchEvent: () => true },
    navigator: {},
    IntersectionObserver: class {
      observe() {}
    },
    addEventListener: (type: string, listen: (event: object) => void) => listeners.set(type, listen),
    async fetch(_: string, { body }: { readonly body: string }) {
      posted.push(body);
      return new Response();
    },
    held: {},
    carried,
    readArrival: () => arrival,
    readVisitQuery: () => '',
  };
  for (const [name, value] of Object.entries({ ...globals, window: globals })) vi.stubGlobal(name, value);
  vi.resetModules();
  await import('./free-visit-script.ts');
  let href = '/help';
  const link = {
    href,
    rel: '',
    hasAttribute: () => false,
    getAttribute: () => href,
    setAttribute: (_: string, text: string) => {
      href = text;
    },
  };
  listeners.get('pointerover')?.({ target: { closest: () => link } });
  return { posted: posted.map((body) => JSON.parse(body)), href, query: globals.readVisitQuery() };
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.constantFrom(
    'javascript:alert(1)',
    '//evil.example',
    '<b onclick=x>',
    '"\r\nSet-Cookie: a=b',
    '=1+1',
    '__proto__',
  ),
  fc.constantFrom(
    'visitor@example.com',
    '0123456789abcdef',
    '123456789',
    'a'.repeat(700),
    '%E0%A4%A',
    '~e=/x',
    '#',
    '&e=/y',
  ),
);
const fields = (...names: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), text, fc.boolean()), { maxLength: 9 })
    .map((pairs) =>
      pairs
        .map(([name, value, isRaw]) => `${name}=${isRaw ? value : encodeURIComponent(value.toWellFormed())}`)
        .join('&'),
    );
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term'];

it('any address, referrer and fragment make events that the server takes, and short links without ids', () =>
  forAll(
    1,
    [
      fields(...UTM, 'gclid', 'q'),
      fc.oneof(
        fields(...UTM, 'gclid').map((query) => new URL(`${ORIGIN}/help?${query}`).href),
        fc.constantFrom('', 'https://www.google.com/', 'android-app://com.example/'),
      ),
      fc
        .tuple(
          fc.oneof(text, fc.constantFrom('/blog', `/${'wörd-'.repeat(40)}`)),
          fields('e', 'r', 's', 'm', 'c', 'x'),
        )
        .map(([entry, rest]) => `${entry}&${rest}`),
    ],
    async (query, referrer, carried) => {
      const { posted, href, query: click } = await open(query, referrer, carried);
      const [view] = posted.flatMap(({ events }) => events);
      expect(parseWireEvent(view)).toMatchObject({ ok: true, flags: ['free'] });
      expect(view.session).toBe('');
      expect(click.length).toBeLessThanOrEqual(MAX_LINK_QUERY + 10);
      // Nothing when the first page is not known.
      const [, own] = /^\/help(?:#~(.*))?$/s.exec(href) ?? ['', 'no link'];
      const values = [...new URLSearchParams(own)].map(([name, value]) => (name === 'e' ? '' : value));
      expect(own ?? '').toMatch(/^(e=%2F[!-~]{0,297})?$/);
      expect(values.join('\n')).not.toMatch(/@|[\da-f]{16}|\d{9}|.{65}/i);
    },
  ));
