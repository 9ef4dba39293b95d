import { expect, it } from 'vitest';
import { LinkRequestError, type LinkResponse } from './link-request.ts';
import { readRobots, visitLink } from './visit-link.ts';

const respond = (status: number, headers: HeadersInit = {}, body = ''): LinkResponse => ({
  status,
  headers: new Headers(headers),
  body: new TextEncoder().encode(body),
});
const visit = (address: string, send: (address: URL, cookie: string) => LinkResponse) =>
  visitLink(address, {
    send: async (url, { headers }) => send(url, headers['cookie'] ?? ''),
    userAgent: 'test',
    isAllowed: () => true,
    now: 0,
  });

/** Visits `https://go.shop.example/`, which sets a cookie and leads on to a target; returns what the target gets. */
async function passCookie(cookie: string, target: string): Promise<string> {
  let received = '';
  await visit('https://go.shop.example/', ({ href }, sent) => {
    if (href !== target) return respond(302, { location: target, 'set-cookie': cookie });
    received = sent;
    return respond(200);
  });
  return received;
}

it.each([
  ['aff=me', 'https://go.shop.example/next', 'aff=me'],
  ['aff=me', 'https://www.shop.example/', ''],
  ['aff=me; Domain=shop.example', 'https://www.shop.example/', 'aff=me'],
  ['aff=me; domain=.Shop.example', 'https://www.shop.example/', 'aff=me'],
  ['aff=me; Domain=shop.example', 'https://notshop.example/', ''],
  ['aff=me; Domain=example', 'https://other.example/', ''],
  ['aff=me; Domain=other.example', 'https://other.example/', ''],
])('sends the cookie %s to %s as %s', async (cookie, target, expected) => {
  expect(await passCookie(cookie, target)).toBe(expected);
});

it('carries at most 50 cookies', async () => {
  let received = '';
  await visit('https://shop.example/', ({ pathname }, cookie) => {
    received = cookie;
    const headers = new Headers({ location: '/next' });
    for (let index = 1; index <= 60; index += 1) headers.append('set-cookie', `c${index}=1`);
    return pathname === '/' ? respond(302, headers) : respond(200);
  });
  expect(received.split('; ')).toHaveLength(50);
});

it.each([
  [7, null],
  [8, 'many-redirects'],
])('after %i redirects its problem is %s', async (redirects, problem) => {
  const step = (address: URL) => Number(address.pathname.slice(1));
  const { problem: found, hops } = await visit('https://shop.example/0', (address) =>
    step(address) < redirects ? respond(302, { location: `/${step(address) + 1}` }) : respond(200),
  );
  expect([found, hops.length]).toEqual([problem, 8]);
});

it.each([
  ['http://shop.example/', 'insecure'],
  ['http://shop.example/pricing', null],
  ['http://shop.example:8080/', 'insecure'],
  ['https://shop.example:8443/', 'insecure'],
  ['https://me@shop.example/', 'invalid'],
  ['https://shop.example/pricing', null],
])('follows a redirect to %s: its problem is %s', async (location, problem) => {
  const found = await visit('https://shop.example/', ({ pathname }) =>
    pathname === '/' ? respond(302, { location }) : respond(200),
  );
  expect(found.problem).toBe(problem);
});

it.each([
  ['http://shop.example/plain', 'refused', 'insecure'],
  ['http://shop.example/plain', 'tls', 'insecure'],
  ['http://shop.example/plain', 'timeout', 'timeout'],
  ['https://shop.example/plain', 'refused', 'refused'],
] as const)(
  'a redirect to %s, where https ends with %s, has the problem %s',
  async (location, error, problem) => {
    const found = await visit('https://shop.example/', ({ pathname }) => {
      if (pathname === '/plain') throw new LinkRequestError(error);
      return respond(302, { location });
    });
    expect(found.problem).toBe(problem);
  },
);

it('redirects that return to an address are without end', async () => {
  const found = await visit('https://shop.example/', () => respond(302, { location: '/' }));
  expect(found.problem).toBe('loop');
});

it.each([
  [204, '', true],
  [200, ' \r\n\t', true],
  [200, 'x', false],
])('a response with the status %i and %j is empty: %s', async (status, body, isEmpty) => {
  expect((await visit('https://shop.example/', () => respond(status, {}, body))).isEmpty).toBe(isEmpty);
});

it.each([
  [200, 'Disallow: /'],
  [299, 'Disallow: /'],
  [300, null],
  [404, ''],
  [429, null],
  [499, ''],
  [500, null],
])('of a robots.txt with the status %i, it knows %j', async (status, expected) => {
  const send = async () => respond(status, {}, 'Disallow: /');
  expect(await readRobots('shop.example', { send, userAgent: 'test', isAllowed: () => true, now: 0 })).toBe(
    expected,
  );
});
