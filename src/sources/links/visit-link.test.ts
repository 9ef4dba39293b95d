import { expect, it } from 'vitest';
import { visitLink } from './visit-link.ts';

/** Visits `https://go.shop.example/`, which sets a cookie and leads to another host; returns what that host gets. */
async function passCookie(cookie: string, target: string): Promise<string | undefined> {
  const received = new Map<string, string | undefined>();
  await visitLink('https://go.shop.example/', {
    send: async ({ hostname }, { headers }) => {
      received.set(hostname, headers['cookie']);
      return hostname === 'go.shop.example'
        ? {
            status: 302,
            headers: new Headers({ location: target, 'set-cookie': cookie }),
            body: new Uint8Array(),
          }
        : { status: 200, headers: new Headers(), body: new Uint8Array() };
    },
    userAgent: 'test',
    isAllowed: () => true,
    now: 0,
  });
  return received.get(new URL(target).hostname);
}

it.each([
  ['aff=me', 'https://go.shop.example/next', 'aff=me'],
  ['aff=me', 'https://www.shop.example/', undefined],
  ['aff=me; Domain=shop.example', 'https://www.shop.example/', 'aff=me'],
  ['aff=me; domain=.Shop.example', 'https://www.shop.example/', 'aff=me'],
  ['aff=me; Domain=shop.example', 'https://notshop.example/', undefined],
  ['aff=me; Domain=example', 'https://other.example/', undefined],
  ['aff=me; Domain=other.example', 'https://other.example/', undefined],
])('sends the cookie %s to %s as %s', async (cookie, target, expected) => {
  expect(await passCookie(cookie, target)).toBe(expected);
});
