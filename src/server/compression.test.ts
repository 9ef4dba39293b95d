import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { compressBest, createBody, createPlainBody, pickEncoding } from './compression.ts';

const text = Buffer.from(
  Array.from({ length: 900 }, (_, index) => `<p>words ${index} and ${index % 7}</p>`).join(''),
);

describe('createBody', () => {
  it('holds the same bytes in every form', async () => {
    const body = createBody(text);
    expect(body.identity.bytes.equals(text)).toBe(true);
    expect(brotliDecompressSync((await body.pick('br')).bytes).equals(text)).toBe(true);
    expect(gunzipSync((await body.pick('gzip')).bytes).equals(text)).toBe(true);
    expect(await body.pick(undefined)).toBe(body.identity);
  });

  it('compresses once for requests that come together', async () => {
    const body = createBody(text);
    const [one, other] = await Promise.all([body.pick('br'), body.pick('br')]);
    expect(one).toBe(other);
  });

  it.each(['br', 'gzip'] as const)(
    'makes %s smaller behind once it is asked for again, under another mark',
    async (encoding) => {
      const body = createBody(text);
      const quick = await body.pick(encoding);
      expect(quick.mark).toBe(`-${encoding}-quick`);
      expect(await body.pick(encoding)).toBe(quick);
      const best = await vi.waitFor(
        async () => {
          const form = await body.pick(encoding);
          expect(form).not.toBe(quick);
          return form;
        },
        { timeout: 10_000 },
      );
      expect(best.mark).toBe(`-${encoding}`);
      expect(best.bytes.length).toBeLessThan(quick.bytes.length);
    },
  );

  it('sends what was compressed ahead', async () => {
    const made = await compressBest(text);
    const body = createBody(text, made);
    expect(await body.pick('br')).toEqual({ encoding: 'br', bytes: made.br, mark: '-br' });
    expect(await body.pick('gzip')).toEqual({ encoding: 'gzip', bytes: made.gzip, mark: '-gzip' });
  });

  it('sends what cannot get smaller as it is', async () => {
    const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919 * index) % 251));
    const body = createBody(noise);
    expect((await body.pick('gzip')).bytes.length).toBeLessThanOrEqual(noise.length);
    expect(createBody(Buffer.from('short')).pick('br')).toMatchObject({ encoding: 'identity' });
    expect(createBody(Buffer.from('short')).varies).toBe(false);
    expect(createPlainBody(text).pick('br')).toMatchObject({ encoding: 'identity', bytes: text });
  });
});

describe('pickEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.0, gzip; q=0', 'identity'],
    ['brotli', 'identity'],
  ])('takes from %j the form %s', (accept, expected) => {
    expect(pickEncoding(accept)).toBe(expected);
  });
});
