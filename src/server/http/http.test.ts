import { expect, it } from 'vitest';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { createNoArticles, createTestSite } from '../../../test/support/test-site.ts';
import { createReadyHandler } from './health.ts';
import { cleanQuery, createRequestId, splitTarget, trimSlashes } from './route.ts';
import { createTokenCheck } from './secret-token.ts';

it.each([
  ['s3cret', 's3cret', true],
  ['s3cret', 's3cre', false],
  ['s3cret', 'S3cret', false],
  ['s3cret', '', false],
  ['', '', false],
  ['', 'x', false],
])('secret %j, given %j: %s', (secret, given, right) => expect(createTokenCheck(secret)(given)).toBe(right));

it.each([
  ['/a?b=c', ['/a', 'b=c']],
  ['/a', ['/a', '']],
  ['/a?b?c#d', ['/a', 'b?c']],
  ['/a#b?c', ['/a', '']],
  ['?q', ['', 'q']],
])('splitTarget splits %s into %j', (target, parts) => expect(splitTarget(target)).toEqual(parts));

it.each([
  ['/blog/', '/blog'],
  ['/blog///', '/blog'],
  ['/blog', '/blog'],
  ['//', ''],
  ['', ''],
  [`${'/'.repeat(50_000)}a`, `${'/'.repeat(50_000)}a`],
])('trimSlashes trims %.20s to %.20s', (path, trimmed) => expect(trimSlashes(path)).toBe(trimmed));

it('cleanQuery returns nothing but parameters', () =>
  expect(cleanQuery('a=1&b=%0d%0aX: y&\r\nc')).toBe('a=1&b=%0D%0AX%3A+y&%0D%0Ac='));

it('creates unique ids, also beyond one filling of the pool', () => {
  const ids = Array.from({ length: 2_500 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
});

async function request(problems: readonly string[], warnings: readonly string[] = []) {
  const site = await createTestSite({
    settings: { DATA_DIR: '/srv/site/data' },
    articles: { ...createNoArticles(), readProblems: () => problems },
    readWarnings: () => warnings,

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
