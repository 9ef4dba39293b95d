import { expect, it } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { buildSampleFact } from '../../test/support/sample-commissions.ts';
import { readSamplePartners } from '../../test/support/sample-content.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { buildLabeledGauges, buildSiteGauges, classifyRequest, createMetrics } from './metrics.ts';

const partners = readSamplePartners();

it.each([
  ['/go/highlevel', 'go'],
  ['/activecampaign-trial', 'go'],
  ['/kit-trial', 'go'],
  ['/hubspot-trial', 'go'],
  ['/go/unknown', 'page'],
  ['/api/postbacks/kit/abc', 'postback'],
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

it.each([
  [200, 'accepted'],
  [400, 'unread'],
  [401, 'unsigned'],
  [404, 'unknown'],
  [429, 'limited'],
  [503, 'unavailable'],
  [413, 'refused'],
])('counts a postback with status %s as %s', async (status, result) => {
  const metrics = createMetrics([], () => ({ partners }));
  metrics.countRequest('/api/postbacks/kit/abc', status, 0.003);
  expect(await metrics.render()).toContain(`signpost_postbacks_total{result="${result}"} 1`);
});

it('counts failed sign-ins, with a password and with a passkey, and no others', async () => {
  const metrics = createMetrics([], () => ({ partners }));
  for (const status of [200, 303, 401, 403, 429, 503]) metrics.countRequest('/console/sign-in', status, 0);
  metrics.countRequest('/console/passkeys/sign-in', 401, 0);
  metrics.countRequest('/console/messages', 403, 0);
  expect(await metrics.render()).toContain('signpost_sign_ins_failed_total 4');
});

it('has a gauge for each database, kind of content problem and state of the outbox, and for backup and disk', async () => {
  const now = Date.UTC(2026, 10, 20);
  const site = await createTestSite({
    clock: { now: () => now, monotonic: () => 1 },
    readWarnings: () => [
      'content: a is left out until it is corrected: b',
      'content: an edit is not shown: c',
    ],
    platform: {
      readLastBackup: () => now - 60_000,
      readDisk: async () => ({ freeMb: 2, minFreeMb: 256 }),
      readCommitMs: () => 1_400,
      readDataProblems: async () => [{ key: 'console', title: 'a', detail: 'b' }],
      openDatabase: (name) => {
        const database = openMemoryDatabase(name);
        if (name === 'notifications')
          database.exec(`INSERT INTO deliveries VALUES ('1', 'mail', 'waiting', '{}', 0, 0, '', 0)`);
        return new MemoryExecutor(database);
      },
    },
  });
  await site.money.ledger.append({ facts: [buildSampleFact({}, { arrivedAt: 5_000, partner: 'kit' })] });
  const text = await createMetrics(
    buildSiteGauges(site),
    site.content.read,
    buildLabeledGauges(site),
  ).render();
  for (const line of [
    'signpost_database_usable{database="events"} 1',
    'signpost_database_usable{database="commissions"} 1',
    'signpost_database_usable{database="console"} 0',
    'signpost_content_problems{kind="left-out"} 1',
    'signpost_content_problems{kind="frozen"} 1',
    'signpost_content_problems{kind="copy"} 0',
    'signpost_notifications{state="waiting"} 1',
    'signpost_backup_age_seconds 60',
    'signpost_disk_free_bytes 2097152',
    'signpost_commit_seconds 1.4',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/signpost_last_message_timestamp_seconds\{network="\w+",partner="kit"\} 5\n/);
});

it('ends no gauge in the ending of counters', async () => {
  const text = await createMetrics([], () => ({ partners })).render();
  expect(text).toContain('# TYPE nodejs_active_handles gauge');
  expect(text).not.toMatch(/# TYPE \w+_total gauge/);
});
