import { expect, it } from 'vitest';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { createNoArticles, createTestSite } from '../../../test/support/test-site.ts';
import { createReadyHandler } from './health.ts';

async function request(problems: readonly string[], warnings: readonly string[] = []) {
  const site = await createTestSite({
    settings: { DATA_DIR: '/srv/site/data' },
    articles: { ...createNoArticles(), readProblems: () => problems },
    readContentWarnings: () => warnings,
    platform: { contentDir: '/srv/site' },
  });
  const handle = createReadyHandler(site);
  const response = await createRouteClient({ method: 'GET', path: '/readyz', handle })(
    null,
    {},
    { method: 'GET' },
  );
  return { status: response.status, body: await response.text() };
}

it('responds 200 with warnings, and 503 with problems', async () => {
  expect(await request([], ['old copies'])).toEqual({
    status: 200,
    body: JSON.stringify({ status: 'ready', warnings: ['old copies'] }),
  });
  expect((await request(['the disk is full'])).status).toBe(503);
});

it('leaves out the folders of the machine', async () => {
  const { body } = await request(
    ["/srv/site/data/events.sqlite is damaged: cannot open '/srv/site/data'"],
    ['/srv/site/content/articles/a.md has no title; see https://example.com/srv/a'],
  );
  expect(body).not.toMatch(/\/srv\/site/);
  expect(body).toContain('events.sqlite is damaged');
  expect(body).toContain('content/articles/a.md has no title; see https://example.com/srv/a');
});
