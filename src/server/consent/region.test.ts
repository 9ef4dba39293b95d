import { expect, it } from 'vitest';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { createRegionHandler } from './region.ts';

const request = (header: string, headers: Record<string, string>, method = 'GET') => {
  const handle = createRegionHandler(header);
  return createRouteClient({ method: 'GET', path: '/api/region', handle })(null, headers, { method });
};

it.each([
  ['a country', 'x-country', { 'x-country': 'de' }, 'DE'],
  ['a state', 'x-country', { 'x-country': 'US-CA' }, 'US-CA'],
  ['nothing without the header', 'x-country', {}, ''],
  ['nothing when no header is set', '', { 'x-country': 'DE' }, ''],
  ['nothing for a value that is not a region', 'x-country', { 'x-country': '<b>' }, ''],
])('returns %s', async (_, header, headers, region) => {
  const response = await request(header, headers);
  expect([response.status, await response.json()]).toEqual([200, { region }]);
});

it('takes no other method', async () => expect((await request('', {}, 'POST')).status).toBe(405));
