import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildEncodings, buildQuickEncodings, pickEncoding } from './compression.ts';

const text = Buffer.from('<p>words and words and words</p>'.repeat(100));

describe('buildEncodings', () => {
  it('holds the same bytes in every form', async () => {
    const { identity, br, gzip } = await buildEncodings(text, 9);
    expect(identity.equals(text)).toBe(true);
    expect(brotliDecompressSync(br ?? '').equals(text)).toBe(true);
    expect(gunzipSync(gzip ?? '').equals(text)).toBe(true);
  });

  it('leaves short bodies alone', async () => {
    expect(await buildEncodings(Buffer.from('short'), 9)).toEqual({ identity: Buffer.from('short') });
  });
});

describe('pickEncoding', () => {
  const all = { identity: text, br: text, gzip: text };
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.0, gzip; q=0', 'identity'],
    ['brotli', 'identity'],
  ])('takes from %j the form %s', (accept, expected) => {
    expect(pickEncoding(accept, all)).toBe(expected);
  });
});

describe('buildQuickEncodings', () => {
  it('gives brotli beside the body, and nothing for what is short', async () => {
    const { identity, br, gzip } = await buildQuickEncodings(Buffer.from('words '.repeat(500)));
    expect(brotliDecompressSync(br ?? Buffer.alloc(0))).toEqual(identity);
    expect(gzip).toBeUndefined();
    expect(await buildQuickEncodings(Buffer.from('short'))).toEqual({ identity: Buffer.from('short') });
  });
});
