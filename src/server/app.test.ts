import { expect, it } from 'vitest';
import { NO_LOG } from '../../test/support/no-log.ts';
import { createRouteClient } from '../../test/support/route-client.ts';
import { createApp, type Pages, type ResponseCache } from './app.ts';
import { buildResponse, type ReadResponse } from './http/responses.ts';
import type { Route } from './http/route.ts';

const VISITOR = { requestId: 'id', clientAddress: '192.0.2.1' };

const KIT: Route = { method: 'GET', path: '/go/kit', handle: () => new Response(null, { status: 204 }) };

/** Requests a path of an application without routes but those of a partner; returns the address that was rendered, or a redirect's target. */
async function request(path: string, method = 'GET', seconds = 0): Promise<string> {
  let rendered = '';
  const render: Pages['render'] = async (address) => {
    rendered = address;
    return { status: 200, headers: {}, body: Buffer.from('page') };
  };
  const app = createApp(
    {
      routes: [],
      console: async () => null,
      content: {
        read: () => ({
          site: { aliases: { '/old': '/new' } },
          redirects: new Map([
            ['/?p=12', '/blog/twelve'],
            ['/2019/05/Tools', '/blog/tools#prices'],
            ['/%D0%B8%D0%BC%D1%8F', '/blog/name'],
            ['/go/old', '/go/kit?page=demo'],
            ['/recommends/shop', 'https://shop.example/?tag=me-20&x=%2F'],
            ['/older', '/blog/post-2#part'],
            ['/a%20b', '/blog/spaces'],
          ]),
          pages: new Map([
            ['/help', {}],
            ['/planned', {}],
          ]),
          authors: new Map([['ann', {}]]),
          addresses: new Map([
            ['/blog/post-2', '/2022/07/post-2/'],
            ['/blog/size', '/gr%C3%B6%C3%9Fe'],
            ['/blog/same', '/blog/same/'],
            ['/offer', '/Offer.html'],
            ['/blog/planned', '/2027/Planned/'],
          ]),
        }),
        articles: { getSummaries: () => [{ slug: 'crm-basics' }, { slug: 'größe' }] },
        pageParameters: new Map([['/blog', [{ name: 'q' }]]]),
        isShown: (path) => !path.endsWith('/planned'),
      },
      findRoute: (path) => (path === '/go/kit' || path === '/kit-trial' ? KIT : undefined),
      security: { api: {} },
      visitors: { renderLimiter: { take: () => seconds }, crawlers: { count: () => undefined } },
      log: NO_LOG,
    },
    { render, submit: render as unknown as Pages['submit'] },
    {
      cache: {
        respond: async (_request, _key, build) => buildResponse(await build()),
        has: (key) => key === '/cached',
      },
    },
  );
  const response = await app.fetch(new Request(`http://hub.test${path}`, { method }), VISITOR);
  return response.headers.get('location') ?? (rendered || `${response.status}`);
}

it.each(['GET', 'POST', 'HEAD'])(
  'renders the page for unknown addresses at Astro’s paths (%s)',
  async (method) => {
    const paths = '/_image /_image/ /_image?href=/x /%5fimage /%5Fimage /_server-islands/x /_actions/x'.split(
      ' ',
    );
    for (const path of [...paths, '/_astro/x.js', '/_', '/500', '/500/', '/%3500'])
      expect([path, await request(path, method)]).toEqual([path, '/404']);
  },
);

it.each([
  ['/', '/'],
  ['/blog?q=a&x=b', '/blog?q=a'],
  ['/?p=12', '/blog/twelve'],
  ['/?utm_source=mail&p=12', '/blog/twelve?utm_source=mail'],
  ['/?p=13', '/404'],
  ['/2019/05/Tools/', '/blog/tools#prices'],
  ['/2019/05/Tools?utm_source=a', '/blog/tools?utm_source=a#prices'],
  ['/%d0%b8%d0%bc%d1%8f/', '/blog/name'],
  ['/go/old', '/go/kit?page=demo'],
  ['/go/old/?utm_source=a', '/go/kit?page=demo&utm_source=a'],
  ['/recommends/shop?utm_source=a', 'https://shop.example/?tag=me-20&x=%2F'],
  ['/blog/', '/blog'],
  ['/help/?q=a&page=2', '/help?q=a&page=2'],
  ['/%62log', '/blog'],
  ['/%62log/?q=a', '/blog?q=a'],
  ['/%6fld', '/new'],
  ['/old?x=1', '/new?x=1'],
  ['/a//b', '/404'],
  ['/a%20b/', '/blog/spaces'],
  // What people and programs make of an address leads to it; the address of a partner's redirect like any other.
  ['/HELP', '/help'],
  ['/Help/?a=1', '/help?a=1'],
  ['/blog/CRM-Basics', '/blog/crm-basics'],
  ['/Blog/CRM-Basics/', '/blog/crm-basics'],
  ['/blog/crm-basics).', '/blog/crm-basics'],
  ['/blog/crm-basics%E2%80%9D', '/blog/crm-basics'],
  ['/blog/GR%C3%96%C3%9FE', '/blog/gr%C3%B6%C3%9Fe'],
  ['/blog/topic/CRM', '/blog/topic/crm'],
  ['/blog//crm-basics', '/blog/crm-basics'],
  ['/authors/Ann,', '/authors/ann'],
  ['/2019/05/tools', '/2019/05/Tools'],
  ['/2019/05/TOOLS/', '/2019/05/Tools'],
  ['/offer.html', '/Offer.html'],
  ['/OLD', '/old'],
  ['/A%20B', '/a%20b'],
  ['/go/kit', '204'],
  ['/go/Kit', '/go/kit'],
  ['/go/kit.', '/go/kit'],
  ['/go/kit)', '/go/kit'],
  ['/go/kit,', '/go/kit'],
  ['/go/kit%20', '/go/kit'],
  ['/go/kit%E2%80%8B', '/go/kit'],
  ['/go/%20kit', '/go/kit'],
  ['/go/ki%C2%ADt', '/go/kit'],
  ['/go//kit', '/go/kit'],
  ['//go/kit', '/go/kit'],
  ['/go/kit/', '/go/kit'],
  ['/go/kit**', '/go/kit'],
  ['/go/kit&page=trial', '/go/kit?page=trial'],
  ['/go/kit%3Fpage=trial?utm_source=a', '/go/kit?page=trial&utm_source=a'],
  ['/go/KIT&amp;page=trial', '/go/kit?page=trial'],
  ['/Kit-Trial.', '/kit-trial'],
  ['/go/kit-2.', '/go/kit-2.'],
  ['/go/none', '/go/none'],
  ['/Nothing-Here', '/Nothing-Here'],
  ['/a_b', '/a_b'],
  ['/2022/07/post-2/', '/blog/post-2'],
  ['/2022/07/post-2/?preview=x&utm_source=a', '/blog/post-2?preview=x'],
  ['/2022/07/post-2', '/2022/07/post-2/'],
  ['/2022/07/post-2/comment-page-4/', '/2022/07/post-2/'],
  ['/2022/07/post-2//', '/2022/07/post-2/'],
  ['/2022/07/Post-2/', '/2022/07/post-2/'],
  ['/blog/post-2?utm_source=a', '/2022/07/post-2/?utm_source=a'],
  ['/blog/post-2/', '/2022/07/post-2/'],
  ['/gr%c3%b6%c3%9fe', '/blog/size'],
  ['/gr%C3%B6%C3%9Fe/', '/gr%C3%B6%C3%9Fe'],
  ['/gro%CC%88%C3%9Fe', '/gr%C3%B6%C3%9Fe'],
  ['/blog/same', '/blog/same/'],
  ['/blog/same/', '/blog/same'],
  ['/Offer.html?q=a', '/offer'],
  ['/offer', '/Offer.html'],
  ['/older', '/2022/07/post-2/#part'],
])('leads %s to %s', async (path, expected) => expect(await request(path)).toBe(expected));

// Rendered, they are pages that do not exist.
it.each([
  ['/blog/planned', '/blog/planned'],
  ['/2027/Planned', '/blog/planned'],
  ['/2027/planned/', '/2027/planned'],
  ['/blog/Planned.', '/blog/Planned.'],
  ['/Planned', '/Planned'],
])('tells no address of what is not public: %s', async (path, rendered) => {
  expect(await request(path)).toBe(rendered);
});

it('refuses pages that are not cached beyond the rate of an address, and no others', async () => {
  expect(await request('/blog?q=x', 'GET', 1)).toBe('429');
  expect(await request('/none', 'GET', 1)).toBe('429');
  expect(await request('/cached', 'GET', 1)).toBe('/cached');
  expect(await request('/blog/', 'GET', 1)).toBe('/blog');
});

it('adds the security headers to a response before it is cached', async () => {
  const handle = () => new Response('feed', { headers: { 'x-own': 'yes' } });
  const stored: ReadResponse[] = [];
  const respond: ResponseCache['respond'] = async (_request, _key, build) => {
    const response = await build();
    stored.push(response);
    return buildResponse(response);
  };
  const cache = { respond, has: () => false };
  await createRouteClient({ method: 'GET', path: '/x', handle, isShared: true }, { cache })();
  expect(stored.map(({ headers }) => headers)).toMatchObject([{ 'x-kind': 'api', 'x-own': 'yes' }]);
});

it('compresses the responses of routes that may be long, and no others', async () => {
  const compress = () => new Response('compressed');
  const handle = () => new Response('as it is');
  const read = async (isLong: boolean) =>
    (await createRouteClient({ method: 'GET', path: '/x', handle, isLong }, { compress })()).text();
  expect([await read(true), await read(false)]).toEqual(['compressed', 'as it is']);
});
