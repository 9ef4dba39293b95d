import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { compressFully, EncodedBody, selectEncoding } from './encoded-body.ts';

const text = Buffer.from(
  Array.from({ length: 900 }, (_, index) => `<p>words ${index} and ${index % 7}</p>`).join(''),
);

describe('EncodedBody', () => {
  it('has the same content in every variant', async () => {
    const body = new EncodedBody(text);
    expect(body.identity.bytes.equals(text)).toBe(true);
    expect(brotliDecompressSync((await body.select('br')).bytes).equals(text)).toBe(true);
    expect(gunzipSync((await body.select('gzip')).bytes).equals(text)).toBe(true);
    expect(await body.select(undefined)).toBe(body.identity);
  });

  it('compresses once for concurrent requests', async () => {
    const body = new EncodedBody(text);
    const [one, other] = await Promise.all([body.select('br'), body.select('br')]);
    expect(one).toBe(other);
  });

  it.each(['br', 'gzip'] as const)(
    'compresses %s further in the background after the second request, under another ETag',
    async (encoding) => {
      const body = new EncodedBody(text);
      const quick = await body.select(encoding);
      expect(quick.etagSuffix).toBe(`-${encoding}-fast`);
      expect(await body.select(encoding)).toBe(quick);
      const best = await vi.waitFor(
        async () => {
          const variant = await body.select(encoding);
          expect(variant).not.toBe(quick);
          return variant;
        },
        { timeout: 20_000 },
      );
      expect(best.etagSuffix).toBe(`-${encoding}`);
      expect(best.bytes.length).toBeLessThan(quick.bytes.length);
    },
  );

  it('compresses no body further that is probably not sent often', async () => {
    const body = new EncodedBody(text, { isRepeated: false });
    for (let count = 0; count < 4; count += 1) await body.select('br');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await body.select('br')).etagSuffix).toBe('-br-fast');
  });

  it('compresses at most four bodies further at a time, and the others when they are requested again', {
    tags: ['rest'],
  }, async () => {
    const bodies = Array.from({ length: 60 }, (_, index) => new EncodedBody(Buffer.from(`${text}${index}`)));
    const select = () => Promise.all(bodies.map((body) => body.select('br')));
    const countImproved = async () =>
      (await select()).filter(({ etagSuffix }) => etagSuffix === '-br').length;
    await select();
    await select();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await countImproved()).toBeLessThanOrEqual(4);
    await expect.poll(countImproved, { timeout: 20_000, interval: 20 }).toBe(60);
  });

  it('selects the variants that the build compressed', async () => {
    const made = await compressFully(text);
    const body = new EncodedBody(text, { precompressed: made });
    expect(await body.select('br')).toEqual({ encoding: 'br', bytes: made.br, etagSuffix: '-br' });
    expect(await body.select('gzip')).toEqual({ encoding: 'gzip', bytes: made.gzip, etagSuffix: '-gzip' });
  });

  it('selects the identity of a body that compression does not make smaller', async () => {
    const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919 * index) % 251));
    const body = new EncodedBody(noise);
    expect((await body.select('gzip')).bytes.length).toBeLessThanOrEqual(noise.length);
    expect(new EncodedBody(Buffer.from('short')).select('br')).toMatchObject({ encoding: 'identity' });
    expect(new EncodedBody(Buffer.from('short')).varies).toBe(false);
    expect(new EncodedBody(text, { isCompressible: false }).select('br')).toMatchObject({
      encoding: 'identity',
      bytes: text,
    });
  });
});

describe('selectEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.0, gzip; q=0', 'identity'],
    ['brotli', 'identity'],
  ])('selects from %j %s', (accept, expected) => expect(selectEncoding(accept)).toBe(expected));
});
