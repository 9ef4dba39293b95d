import { expect, it } from 'vitest';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { createRegionHandler } from './region.ts';

const request = (header: string, headers: Record<string, string>, method = 'GET') => {
  const handle = createRegionHandler(header, ['EU']);
  return createRouteClient({ method: 'GET', path: '/api/region', handle })(null, headers, { method });
};

it.each([
  ['a country', 'x-country', { 'x-country': 'de' }, 'DE', true],
  ['a state', 'x-country', { 'x-country': 'US-CA' }, 'US-CA', false],
  ['nothing without the header', 'x-country', {}, '', true],
  ['nothing when no header is set', '', { 'x-country': 'DE' }, '', true],
  ['nothing for a value that is not a region', 'x-country', { 'x-country': '<b>' }, '', true],
])(
  'returns %s, and is strict when it is listed or unknown',
  async (_, header, headers, region, isStorageFree) => {
    const response = await request(header, headers);
    expect([response.status, await response.json()]).toEqual([200, { region, isStorageFree }]);
  },
);

it('takes no other method', async () => expect((await request('', {}, 'POST')).status).toBe(405));
