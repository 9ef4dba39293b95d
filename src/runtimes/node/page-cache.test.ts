import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadResponse } from '../../server/http/responses.ts';
import { PageCache } from './page-cache.ts';

const REQUEST = new Request('http://localhost/');
const FRESH_MS = 1_000;
const MAX_STALE_MS = 10_000;

let time = 1;
let cache: PageCache;

function create(maxPages = 10, maxBytes = 1_000): PageCache {
  return new PageCache({ freshMs: FRESH_MS, maxStaleMs: MAX_STALE_MS, maxPages, maxBytes }, () => time);
}

beforeEach(() => {
  time = 1;
  cache = create();
});

const page = (text: string, status = 200): ReadResponse => ({
  status,
  headers: { 'cache-control': status === 200 ? 'public, s-maxage=300' : 'no-store' },
  body: Buffer.from(text),
});

/** Requests a key and resolves with the text of the response. */
async function read(key: string, render: () => Promise<ReadResponse>): Promise<string> {
  return (await cache.respond(REQUEST, key, render)).text();
}

const stored = (key: string) => cache.get(key)?.body.identity.bytes.toString();
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('PageCache', () => {
  it('renders once for concurrent requests', async () => {
    let rendered = 0;
    const render = async () => page(String(++rendered));
    const pages = await Promise.all([read('/a', render), read('/a', render), read('/a', render)]);
    expect(pages).toEqual(['1', '1', '1']);
    expect(stored('/a')).toBe('1');
  });

  it('evicts no page for addresses with a query, however many there are', async () => {
    await read('/a', async () => page('a'));
    for (let number = 0; number < 100; number += 1) await read(`/a?q=${number}`, async () => page('x'));
    expect(stored('/a')).toBe('a');
    expect(stored('/a?q=99')).toBe('x');
    expect(cache.size).toBe(2);
  });

  it('serves a stale page at once and renders it again in the background', async () => {
    await read('/a', async () => page('old'));
    time += FRESH_MS + 1;
    expect(stored('/a')).toBeUndefined();
    expect(await read('/a', async () => page('new'))).toBe('old');
    await expect.poll(() => stored('/a')).toBe('new');
  });

  it('renders a stale page once for concurrent requests, which all get the stale copy', async () => {
    let rendered = 0;
    const render = async () => page(String(++rendered));
    await read('/a', render);
    time += FRESH_MS + 1;
    expect(await Promise.all([read('/a', render), read('/a', render)])).toEqual(['1', '1']);
    await settle();
    expect([stored('/a'), rendered]).toEqual(['2', 2]);
  });

  it('keeps the compressed variants of a page whose new rendering is the same', async () => {
    await read('/a', async () => page('same'));
    const body = cache.get('/a')?.body;
    time += FRESH_MS + 1;
    await read('/a', async () => page('same'));
    await settle();
    expect(cache.get('/a')?.body).toBe(body);
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('down'))],
    ['responds 503', async () => page('sorry', 503)],
  ])('serves the good copy while the new rendering %s', async (_what, render) => {
    await read('/a', async () => page('good'));
    for (let turn = 0; turn < 2; turn += 1) {
      time += FRESH_MS + 1;
      expect(await read('/a', render)).toBe('good');
      await settle();
    }
  });

  it('renders a page that is too old before it responds', async () => {
    await read('/a', async () => page('old'));
    time += FRESH_MS + MAX_STALE_MS + 1;
    expect(await read('/a', async () => page('new'))).toBe('new');
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('down')), 'good'],
    ['responds 503', async () => page('sorry', 503), 'good'],
    ['responds 404', async () => page('gone', 404), 'gone'],
  ])('serves a page that is too old only while the new one fails: it %s', async (_, render, expected) => {
    await read('/a', async () => page('good'));
    time += FRESH_MS + MAX_STALE_MS + 1;
    expect(await read('/a', render)).toBe(expected);
    await settle();
    expect(await read('/a', async () => page('new'))).toBe('new');
  });

  it('renders a deleted page again, and every page after it was cleared', async () => {
    for (const key of ['/a', '/b']) await read(key, async () => page('old'));
    cache.delete('/a');
    expect([stored('/a'), stored('/b')]).toEqual([undefined, 'old']);
    cache.clear();
    expect(await read('/b', async () => page('new'))).toBe('new');
  });

  it('responds with a page that may not be stored, and renders it again for the next request', async () => {
    expect(await read('/a', async () => page('sorry', 503))).toBe('sorry');
    expect(await read('/a', async () => page('good'))).toBe('good');
  });

  it('rejects when the first rendering rejects', () =>
    expect(read('/a', async () => Promise.reject(new Error('down')))).rejects.toThrow('down'));

  it('evicts the least recently used page beyond its bytes', async () => {
    cache = create(10, 15);
    for (const key of ['/a', '/b', '/a']) await read(key, async () => page('1234'));
    await read('/c', async () => page('1234'));
    expect(['/a', '/b', '/c'].map((key) => stored(key) !== undefined)).toEqual([true, false, true]);
  });

  it('evicts a page that no longer exists', async () => {
    await read('/a', async () => page('good'));
    time += FRESH_MS + 1;
    await read('/a', async () => page('gone', 404));
    await settle();
    expect(await read('/a', async () => page('again'))).toBe('again');
  });

  it('evicts the least recently used page beyond its number', async () => {
    cache = create(2);
    const render = async () => page('x');
    await read('/a', render);
    await read('/b', render);
    await read('/a', render);
    await read('/c', render);
    expect(['/a', '/b', '/c'].map((key) => stored(key) !== undefined)).toEqual([true, false, true]);
    expect(cache.size).toBe(2);
  });

  it('responds to everyone who waits for a rendering that was evicted meanwhile', async () => {
    cache = create(1);
    const slow = read('/a', async () => {
      await settle();
      return page('slow');
    });
    expect(await read('/b', async () => page('quick'))).toBe('quick');
    expect(await slow).toBe('slow');
  });
});
