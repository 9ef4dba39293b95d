import { describe, expect, it } from 'vitest';
import { createBody } from './compression.ts';
import { createPageCache, type RenderedPage } from './page-cache.ts';

function page(text: string, overrides: Partial<RenderedPage> = {}): RenderedPage {
  return {
    status: 200,
    headers: {},
    etag: text,
    body: createBody(Buffer.from(text)),
    keep: true,
    ...overrides,
  };
}

function setup(maxPages = 10, maxBytes = 1_000) {
  let time = 0;
  const cache = createPageCache({ freshMs: 1000, maxPages, maxBytes, now: () => time });
  return { cache, advance: (ms: number) => (time += ms) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createPageCache', () => {
  it('renders once for requests that come together', async () => {
    const { cache } = setup();
    let rendered = 0;
    const render = async () => page(String(++rendered));
    const pages = await Promise.all([
      cache.read('/a', render),
      cache.read('/a', render),
      cache.read('/a', render),
    ]);
    expect(pages.map(({ etag }) => etag)).toEqual(['1', '1', '1']);
    expect(cache.peek('/a', render)?.etag).toBe('1');
  });

  it('serves a stale page at once and renews it behind', async () => {
    const { cache, advance } = setup();
    await cache.read('/a', async () => page('old'));
    advance(1001);
    expect(cache.peek('/a', async () => page('new'))?.etag).toBe('old');
    await settle();
    expect(cache.peek('/a', async () => page('newer'))?.etag).toBe('new');
  });

  it('keeps the compressed forms of a page that was rendered as before', async () => {
    const { cache, advance } = setup();
    const { body } = await cache.read('/a', async () => page('same'));
    advance(1001);
    cache.peek('/a', async () => page('same'));
    await settle();
    expect(cache.peek('/a', async () => page('same'))?.body).toBe(body);
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('down'))],
    ['answers 503', async () => page('sorry', { status: 503, keep: false })],
  ])('keeps the good copy when the renewal %s', async (_what, render) => {
    const { cache, advance } = setup();
    await cache.read('/a', async () => page('good'));
    advance(1001);
    cache.peek('/a', render);
    await settle();
    expect(cache.peek('/a', render)?.etag).toBe('good');
  });

  it('stays within its bytes by forgetting what was used longest ago', async () => {
    const { cache } = setup(10, 15);
    for (const key of ['/a', '/b', '/a']) await cache.read(key, async () => page('1234'));
    await cache.read('/c', async () => page('1234'));
    const isKept = (key: string) => cache.peek(key, async () => page('')) !== undefined;
    expect(['/a', '/b', '/c'].map(isKept)).toEqual([true, false, true]);
  });

  it('forgets a page that has gone', async () => {
    const { cache, advance } = setup();
    await cache.read('/a', async () => page('good'));
    advance(1001);
    cache.peek('/a', async () => page('gone', { status: 404, keep: false }));
    await settle();
    expect(cache.peek('/a', async () => page('again'))).toBeUndefined();
  });

  it('drops the least recently used page past its bound', async () => {
    const { cache } = setup(2);
    const render = async () => page('x');
    await cache.read('/a', render);
    await cache.read('/b', render);
    cache.peek('/a', render);
    await cache.read('/c', render);
    expect(['/a', '/b', '/c'].map((key) => cache.peek(key, render) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    expect(cache.size).toBe(2);
  });
});
