import { describe, expect, it } from 'vitest';
import { createRegionHandler } from './region.ts';

const ask = async (header: string, headers: Record<string, string>, method = 'GET') => {
  const answer = await createRegionHandler(header)({
    method,
    path: '/api/region',
    query: '',
    header: (name) => headers[name],
    body: async () => new Uint8Array(),
    clientAddress: '127.0.0.1',
    requestId: 'r',
  });
  return { status: answer.status, region: JSON.parse(String(answer.body)).region };
};

describe('GET /api/region', () => {
  it.each([
    ['a country', 'x-country', { 'x-country': 'de' }, 'DE'],
    ['a state', 'x-country', { 'x-country': 'US-CA' }, 'US-CA'],
    ['nothing without the header', 'x-country', {}, ''],
    ['nothing when no header is set', '', { 'x-country': 'DE' }, ''],
    ['nothing for what is no region', 'x-country', { 'x-country': '<b>' }, ''],
  ])('tells %s', async (_, header, headers, region) => {
    expect(await ask(header, headers)).toEqual({ status: 200, region });
  });

  it('takes no other method', async () => {
    expect((await ask('', {}, 'POST')).status).toBe(405);
  });
});
