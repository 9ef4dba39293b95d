import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArticleSource } from '../../src/core/articles/article-source.ts';
import { ArticleMapper } from '../../src/sources/articles/article-mapper.ts';
import { CachedSource } from '../../src/sources/articles/cached-source.ts';
import { createGhostSource } from '../../src/sources/articles/ghost.ts';
import { BodyProcessor } from '../../src/sources/articles/html/body-processor.ts';
import { createWordPressSource } from '../../src/sources/articles/wordpress.ts';
import { guardedGet } from '../../src/sources/http/guarded-http.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import { CACHE, POLICY, realClock } from '../support/article-setup.ts';
import { SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { startGhost } from './start-ghost.ts';
import { type RunningSystem, startWordPress } from './start-wordpress.ts';

/** The npm package ghost with its dependencies, such as `pnpm install --prod` leaves it. */
const GHOST_FOLDER = process.env['GHOST_FOLDER'] ?? '';
/** Writes the responses that the ordinary suite replays. */
const IS_RECORDING = process.env['RECORD_ARTICLES'] === '1';
const FIXTURES = path.join(import.meta.dirname, '../fixtures/articles');
const FRESH_MS = 5_000;

const SYSTEMS = {
  wordpress: async () => {
    const system = await startWordPress();
    return { system, key: '', origin: 'https://wp.example' };
  },
  ghost: async () => {
    if (GHOST_FOLDER === '') {
      throw new Error('Set GHOST_FOLDER to the folder of the npm package ghost with its dependencies.');
    }
    const system = await startGhost(GHOST_FOLDER);
    return { system, key: system.key, origin: 'https://ghost.example' };
  },
};

describe.each(Object.keys(SYSTEMS) as (keyof typeof SYSTEMS)[])('%s', (name) => {
  let system: RunningSystem;
  let cached: CachedSource;
  let key = '';
  let origin = '';
  const skipped = new Map<string, string>();
  const failures: unknown[] = [];
  const policy = () => ({ ...POLICY, articleSite: system.url, imageHosts: ['wp.example', 'images.example'] });
  let processor: BodyProcessor;

  const createSource = (): ArticleSource => {
    const mapper = new ArticleMapper({
      ...policy(),
      name,
      processBody: processor.process,
      defaultAuthor: 'The desk',
      clock: realClock,
      onSkipped: ({ slug, reason }) => skipped.set(slug, reason),
    });
    const options = { url: system.url, mapper, clock: realClock, get: guardedGet, deadlineMs: 20_000 };
    return name === 'ghost' ? createGhostSource({ ...options, key }) : createWordPressSource(options);
  };

  beforeAll(async () => {
    ({ system, key, origin } = await SYSTEMS[name]());
    processor = new BodyProcessor(policy);
    cached = await CachedSource.open({
      ...CACHE,
      source: createSource(),
      database: openMemoryExecutor('articles'),
      random: createChance(SEED),
      freshMs: FRESH_MS,
      maxWaitMs: 2_000,
      crawlPauseMs: 0,
      onBreakerChange: (status) => failures.push(status),
    });
    while (!cached.getStatus().isComplete) await sleep(100);
  }, 240_000);
  afterAll(async () => {
    await cached?.close();
    await processor?.close();
    await system?.stop();
  }, 60_000);

  it('has at least 150 posts, of which every readable one is listed and every other one is named or private', () => {
    expect(system.posts.length).toBeGreaterThanOrEqual(150);
    const known = new Set(cached.getSummaries().map(({ slug }) => slug));
    const wrong = system.posts.filter(({ slug, outcome }) => {
      if (outcome === undefined) return !known.has(slug);
      return known.has(slug) || skipped.has(slug) !== (outcome === 'left-out');
    });
    expect(wrong.map(({ kind, slug }) => `${kind} ${slug}`)).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('lists full pages, has no excerpt of glued text, and responds null to unknown slugs', async () => {
    for (const page of [1, 5, 10]) expect((await cached.list({ page, limit: 12 })).articles).toHaveLength(12);
    const excerpts = cached.getSummaries().map(({ excerpt }) => excerpt);
    expect(excerpts.filter((text) => /continue reading|1×|\[…\]/i.test(text) || text.length > 400)).toEqual(
      [],
    );
    expect(await cached.get('no-such-post')).toBeNull();
  });

  it('reads every listed article with a body', async () => {
    for (const { slug } of cached.getSummaries()) {
      const article = await cached.get(slug);
      expect(article?.content.length, slug).toBeGreaterThan(0);
      expect(article?.content, slug).not.toMatch(/<(?:script|style|form|iframe|input)|onclick/);
    }
  });

  it.runIf(name === 'wordpress')('finds the present slug of a post that was renamed', async () => {
    await expect.poll(() => cached.findMoved('former-name'), { timeout: 30_000 }).toBe('present-name');
    expect(await cached.findMoved('no-such-post')).toBeNull();
  });

  it('forgets a deleted post without a visitor', { timeout: 240_000 }, async () => {
    await system.deletePost('post-50');
    const isKnown = () => cached.getSummaries().some(({ slug }) => slug === 'post-50');
    await expect.poll(isKnown, { timeout: 200_000, interval: 200 }).toBe(false);
    expect(await cached.get('post-50')).toBeNull();
  });

  it.runIf(IS_RECORDING)('writes the fixtures of the ordinary suite', async () => {
    const posts = await readPosts(system, key, name);
    const text = JSON.stringify(posts, null, 1)
      .replaceAll(system.url, origin)
      .replaceAll('127.0.0.1', new URL(origin).host);
    mkdirSync(FIXTURES, { recursive: true });
    writeFileSync(path.join(FIXTURES, `${name}.json`), `${text}\n`);
    expect(posts.length).toBeGreaterThan(30);
  });
});

/** One post of each kind as the API responds, without what the site does not read. */
async function readPosts(
  { url, posts }: RunningSystem,
  key: string,
  name: string,
): Promise<readonly object[]> {
  const small = posts.filter(({ kind }) => !/builder|too-long/.test(kind)).toReversed();
  const kinds = new Map(small.map((post) => [post.kind, post]));
  const found: object[] = [];
  for (const { slug } of kinds.values()) {
    const address =
      name === 'ghost'
        ? `${url}/ghost/api/content/posts/?filter=slug:${slug}&include=tags,authors&formats=html&key=${key}`
        : `${url}/wp-json/wp/v2/posts?_embed=1&slug=${encodeURIComponent(slug)}`;
    const json = await (await fetch(address)).json();
    found.push(...(name === 'ghost' ? json.posts : json));
  }
  return found.map((post) =>
    JSON.parse(JSON.stringify(post, (field, value) => (UNUSED.test(field) ? undefined : value))),
  );
}

const UNUSED =
  /^(?:_links|guid|meta|uuid|comment_.*|ping_status|template|format|sticky|email_.*|og_.*|twitter_.*|codeinjection_.*|reading_time|avatar_urls|description|count|facebook|twitter|bio|website|location|threads|bluesky|mastodon|tiktok|youtube|instagram|linkedin|cover_image|profile_image|accent_color|image_meta|filesize|frontmatter|newsletter|show_title_.*|custom_template)$/;
