import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLICY, realClock } from '../../../test/support/article-setup.ts';
import { startUpstream, type UpstreamResponse } from '../../../test/support/upstream-server.ts';
import type { Article } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { isArticle } from '../../stores/article-copies.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { ArticleMapper } from './article-mapper.ts';
import { createGhostSource } from './ghost.ts';
import { createBodyPreparer } from './html/prepare-body.ts';
import { createWordPressSource } from './wordpress.ts';

// The responses were recorded from WordPress and Ghost by `npm test -- systems` (docs/recipes/article-source.md).
const FIXTURES = path.resolve(import.meta.dirname, '../../../test/fixtures/articles');

interface Recorded {
  readonly articles: ReadonlyMap<string, Article>;
  readonly skipped: ReadonlyMap<string, string>;
}

async function readRecorded(name: 'wordpress' | 'ghost'): Promise<Recorded> {
  const posts: readonly object[] = JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));
  const upstream = await startUpstream(
    (): UpstreamResponse => ({
      headers: { 'x-wp-totalpages': '1' },
      json: name === 'ghost' ? { posts, meta: { pagination: { next: null } } } : posts,
    }),
  );
  const articleSite = name === 'ghost' ? 'https://ghost.example' : 'https://wp.example';
  const policy = { ...POLICY, articleSite, imageHosts: ['images.example', 'wp.example', 'files.example'] };
  const prepare = createBodyPreparer(policy);
  const skipped = new Map<string, string>();
  const mapper = new ArticleMapper({
    ...policy,
    name,
    processBody: async (body) => prepare(body),
    defaultAuthor: 'The desk',
    clock: realClock,
    onSkipped: ({ slug, reason }) => skipped.set(slug, reason),
  });
  const options = { url: upstream.url, mapper, clock: realClock, get: guardedGet, deadlineMs: 5_000 };
  const source: ArticleSource =
    name === 'ghost' ? createGhostSource({ ...options, key: 'k' }) : createWordPressSource(options);
  const { articles } = await source.list({ page: 1, limit: 100 });
  await upstream.close();
  return {
    articles: new Map(articles.filter(isArticle).map((article) => [article.title, article])),
    skipped,
  };
}

const RECORDED = { wordpress: await readRecorded('wordpress'), ghost: await readRecorded('ghost') };
describe.each(['wordpress', 'ghost'] as const)('recorded responses of %s', (name) => {
  it('become articles with a body and an excerpt, or are left out for their reason', () => {
    const { articles, skipped } = RECORDED[name];
    expect(articles.size).toBeGreaterThan(28);
    expect(new Set(skipped.values())).toEqual(
      new Set([
        'content is empty',
        ...(name === 'wordpress' ? ['publishedAt must be a date from 1990 on'] : []),
      ]),
    );
    for (const { title, content, excerpt } of articles.values()) {
      expect(content, title).not.toMatch(/<(?:script|style|form|iframe|input|button|svg)|onclick|style=/);
      expect(excerpt, title).not.toMatch(/continue reading|\[…\]/i);
      expect(excerpt.length, title).toBeLessThanOrEqual(title === 'Own excerpt' ? 400 : 181);
    }
  });

  it('contain the letters of every script in title, topic and slug', () => {
    const { articles } = RECORDED[name];
    expect(articles.get('Что такое ЦРМ')).toMatchObject({ categories: ['Стратегия'] });
    expect(articles.get('什么是客户关系管理')).toMatchObject({ categories: ['策略'] });
    if (name === 'wordpress') expect(articles.get('Что такое ЦРМ')?.slug).toBe('что-такое-црм');
    expect(articles.get('🚀 Launch day 👩‍💻')?.slug).toBe('launch-day');
  });
});

const getContent = (name: keyof typeof RECORDED, title: string) =>
  RECORDED[name].articles.get(title)?.content ?? expect.fail(`${name} has no "${title}"`);

it.each([
  ['wordpress', 'Block: gallery', /<figure class="gallery">.*<img src="https:\/\/wp\.example\/wp-content/s],
  ['wordpress', 'Block: columns', /<div class="columns">/],
  ['wordpress', 'Block: table', /<th data-align="right">Price<\/th>.*<td data-align="right">\$97/s],
  ['wordpress', 'Block: file', />Paper<\/a><\/div>/],
  [
    'wordpress',
    'Block: video',
    /<a href="https:\/\/files\.example\/film\.mp4" rel="nofollow noopener">Watch the video<\/a>/,
  ],
  [
    'wordpress',
    'Block: audio',
    /<a href="https:\/\/files\.example\/talk\.mp3" rel="nofollow noopener">Listen/,
  ],
  [
    'wordpress',
    'Block: vimeo',
    /<a href="https:\/\/vimeo\.com\/76979871" rel="nofollow noopener">A film<\/a>/,
  ],
  ['wordpress', 'Block: youtube', /<figure data-video="dQw4w9WgXcQ">/],
  ['wordpress', 'Links', /href="https:\/\/example\.com\/\?ref=x"/],
  ['wordpress', 'Links', /data-article="post-3"/],
  ['ghost', 'Ghost cards', /<div>Bookmark title<\/div>/],
  ['ghost', 'Ghost cards', /<div>Publisher<\/div><div>An Author<\/div>/],
  ['ghost', 'Ghost cards', /<div class="callout">/],
  ['ghost', 'Ghost cards', /<details>\s*<summary>\s*<h4[^>]*>Toggle heading/],
  ['ghost', 'Ghost cards', /<a href="https:\/\/files\.example\/film\.mp4"[^>]*>Watch the video<\/a>/],
  ['ghost', 'Ghost cards', /<a href="https:\/\/files\.example\/talk\.mp3"[^>]*>Listen/],
  ['ghost', 'Ghost cards', /<div class="gallery">/],
  ['ghost', 'Ghost cards', /href="https:\/\/b\.example\/"/],
] as const)('%s: "%s" has %s', (name, title, expected) => expect(getContent(name, title)).toMatch(expected));

it.each([
  ['wordpress', 'Block: file', 'Download'],
  ['wordpress', 'Block: form', 'Name'],
  ['wordpress', 'Links', 'portal'],
  ['ghost', 'Ghost cards', '0:00'],
  ['ghost', 'Ghost cards', '1×'],
  ['ghost', 'Ghost cards', 'No spam'],
  ['ghost', 'Ghost cards', 'download-circle'],
  ['ghost', 'Ghost cards', '?ref='],
] as const)('%s: "%s" has no "%s"', (name, title, unwanted) => {
  expect(getContent(name, title)).not.toContain(unwanted);
});

it('uses the image sizes of WordPress and the alternative text', () => {
  const image = [...RECORDED.wordpress.articles.values()].find(
    ({ featuredImage }) => featuredImage,
  )?.featuredImage;
  expect(image).toMatchObject({ alt: expect.stringMatching(/^A photo/), width: 1600, height: 800 });
  expect(image?.src).toMatch(/^https:\/\/wp\.example\/wp-content\/uploads\/.*-1536x768\.jpg$/);
  expect(image?.sources).toEqual([
    {
      type: 'image/jpeg',
      srcset: expect.stringMatching(/-300x150\.jpg 300w, .*-1024x512\.jpg 1024w, .* 1600w$/),
    },
  ]);
});

it('names the original of a Ghost post that is a copy', () => {
  expect(RECORDED.ghost.articles.get('Ghost cards')?.canonicalUrl).toBe('https://original.example/post');
  expect(RECORDED.ghost.articles.get('Short')).not.toHaveProperty('canonicalUrl');
});
