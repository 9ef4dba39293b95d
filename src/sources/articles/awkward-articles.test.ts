import { describe, expect, it } from 'vitest';
import { CACHE, createTestMapper, realClock } from '../../../test/support/article-setup.ts';
import { IS_FULL_LENGTH, SEED } from '../../../test/support/cases.ts';
import { createChance } from '../../../test/support/chance.ts';
import {
  buildServedArticles,
  respondAsGhost,
  respondAsRemote,
  respondAsWordPress,
  type ServedArticle,
} from '../../../test/support/fake-services.ts';
import { startUpstream } from '../../../test/support/upstream-server.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { openMemoryExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { CachedSource } from './cached-source.ts';
import { createGhostSource } from './ghost.ts';
import { createRemoteSource } from './remote.ts';
import { createWordPressSource } from './wordpress.ts';

const SERVICES = { remote: respondAsRemote, ghost: respondAsGhost, wordpress: respondAsWordPress };
type Service = keyof typeof SERVICES;

/** What a service can have that is no article for the site; `reason`: how the site names it. */
const REFUSED: readonly (readonly [kind: string, change: Partial<ServedArticle>, reason: string])[] = [
  ['no text', { html: '' }, 'content is '],
  ['white space for a text', { html: ' \n&nbsp;<p></p><p> </p>' }, 'content is empty'],
  ['only a script', { html: '<script>render()</script>' }, 'content is empty'],
  ['a text of 300,001 characters', { html: 'x'.repeat(300_001) }, 'content is l'],
  ['a text larger than a response may be', { html: 'x'.repeat(4_100_000) }, 'content is la'],
  ['25,001 tags', { html: '<b>'.repeat(25_001) }, 'content has 25001 tags'],
  ['a date before 1990', { publishedAt: '1980-01-01T00:00:00Z', updatedAt: '1980-01-01T00:00:00Z' }, 'date'],
  ['no title', { title: '' }, 'title must not be empty'],
];

function createSource(service: Service, url: string, skipped: string[]): ArticleSource {
  const options = { url, key: 'k', clock: realClock, get: guardedGet, deadlineMs: 20_000 };
  const mapper = createTestMapper(service, skipped);
  if (service === 'ghost') return createGhostSource({ ...options, mapper });
  if (service === 'wordpress') return createWordPressSource({ ...options, mapper });
  return createRemoteSource({ ...options, mapper, keyHeader: 'Authorization', cdnUrl: '' });
}

describe.each(Object.keys(SERVICES) as Service[])('%s', (service) => {
  it.each(
    REFUSED.flatMap(([kind, change, reason]) =>
      // Parsing megabytes takes long, and is the same for each of them.
      (IS_FULL_LENGTH || (change.html ?? '').length < 100_000 ? [1, 25] : [1]).map((count) => ({
        kind,
        change,
        reason,
        count,
      })),
    ),
  )(
    'leaves out $count articles with $kind by name, and the source works',
    { tags: ['rest'] },
    async (refusal) => {
      const good = buildServedArticles(40).slice(25);
      const refused = buildServedArticles(refusal.count).map((article) => ({
        ...article,
        ...refusal.change,
      }));
      const skipped: string[] = [];
      const failures: unknown[] = [];
      const upstream = await startUpstream(SERVICES[service](() => [...refused, ...good]));
      const cached = await CachedSource.open({
        ...CACHE,
        source: createSource(service, upstream.url, skipped),
        database: openMemoryExecutor('articles'),
        random: createChance(SEED),
        freshMs: 60_000,
        crawlPauseMs: 0,
        onBreakerChange: (status) => failures.push(status),
      });
      await expect.poll(() => cached.getStatus(), { timeout: 80_000 }).toMatchObject({ bodies: good.length });
      expect(await cached.get('no-such-article')).toBeNull();
      expect(await cached.get('article-0')).toBeNull();
      expect((await cached.get('article-30'))?.content).toContain('The body of 30.');
      expect(failures).toEqual([]);
      for (const { slug } of refused) {
        expect(
          skipped.find((line) => line.startsWith(`${slug} (`) && line.includes(refusal.reason)),
        ).toBeDefined();
      }
      await cached.close();
      await upstream.close();
      // Articles of four megabytes take a busy machine a while.
    },
  );

  it.each([
    'under_score_slug',
    'что-такое-црм',
    '什么是客户关系管理',
    'सीआरएम-क्या-है',
    'می\u200cخواهم',
    '🚀-launch',
    'x'.repeat(200),
  ])('lists and reads the article with the slug %s', async (slug) => {
    const [article] = buildServedArticles(1);
    const upstream = await startUpstream(SERVICES[service](() => (article ? [{ ...article, slug }] : [])));
    const source = createSource(service, upstream.url, []);
    expect((await source.list({ page: 1, limit: 12 })).articles.map((one) => one.slug)).toEqual([slug]);
    expect((await source.get(slug))?.slug).toBe(slug);
    if (source.listVersions) {
      const updatedAt = article?.updatedAt;
      expect(await source.listVersions(1)).toEqual({ versions: [{ slug, updatedAt }], hasMore: false });
    }
    await upstream.close();
  });
});
