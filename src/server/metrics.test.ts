import { expect, it } from 'vitest';
import { readSamplePartners } from '../../test/support/sample-content.ts';
import { classifyRequest, createMetrics } from './metrics.ts';

const partners = readSamplePartners();

it.each([
  ['/go/highlevel', 'go'],
  ['/activecampaign-trial', 'go'],
  ['/kit-trial', 'go'],
  ['/hubspot-trial', 'go'],
  ['/go/unknown', 'page'],
  ['/api/journey', 'api'],
  ['/functions/article-service-proxy', 'api'],
  ['/rss.xml', 'file'],
  ['/', 'page'],
  ['/blog/crm-basics', 'page'],
])('counts a request for %s as %s', (path, kind) => expect(classifyRequest(path, partners)).toBe(kind));

it('renders gauges and counts requests by kind and status class', async () => {
  const metrics = createMetrics([['signpost_test', 'Test', async () => 7]], () => ({ partners }));
  metrics.countRequest('/kit-trial', 200, 0.003);
  const text = await metrics.render();
  expect(text).toContain('signpost_test 7');
  expect(text).toContain('signpost_request_seconds_count{kind="go",status="2xx"} 1');
});

it('ends no gauge in the ending of counters', async () => {
  const text = await createMetrics([], () => ({ partners })).render();
  expect(text).toContain('# TYPE nodejs_active_handles gauge');
  expect(text).not.toMatch(/# TYPE \w+_total gauge/);
});
