import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressAnswer } from './compress-answer.ts';
import type { HttpAnswer } from './message.ts';

const json = (length: number, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify('words '.repeat(length / 6)),
});

describe('compressAnswer', () => {
  it('compresses long text for a client that takes it', async () => {
    const before = json(8_000);
    const { headers, body } = await compressAnswer(before, 'gzip, br');
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(Buffer.from(body ?? '')).toString()).toBe(before.body);
  });

  it('says that the answer varies also to a client that takes nothing', async () => {
    const { headers, body } = await compressAnswer(json(8_000), undefined);
    expect(headers['vary']).toBe('Accept-Encoding');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body).toBe(json(8_000).body);
  });

  it.each([
    ['what is short', json(600)],
    ['what is compressed', json(8_000, { 'content-encoding': 'gzip' })],
    ['what is no text', json(8_000, { 'content-type': 'image/png' })],
    ['an answer without a body', { status: 204, headers: {}, body: null }],
  ])('leaves %s alone', async (_what, answer) => {
    expect(await compressAnswer(answer, 'br')).toBe(answer);
  });
});
