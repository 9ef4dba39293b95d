import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFilesSource } from './files-source.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'articles-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

function write(name: string, head: string, body = 'Words.'): void {
  writeFileSync(path.join(dir, name), `---\n${head}\n---\n${body}\n`);
}

const head = (publishedAt: string, more = '') =>
  `title: A title\nexcerpt: An excerpt.\ncategories: [CRM Strategy]\npublishedAt: ${publishedAt}${more}`;

const clockAt = (iso: string) => ({ now: () => Date.parse(iso), monotonic: () => 0 });

const create = (iso = '2026-06-01T00:00:00Z') =>
  createFilesSource({
    dir,
    clock: clockAt(iso),
    author: 'Editorial desk',
    sanitise: (html) => html,
    partners: ['highlevel'],
  });

const slugs = async (iso?: string) =>
  (await create(iso).list({ page: 1, limit: 99 })).articles.map(({ slug }) => slug);

describe('files source', () => {
  it('lists newest first, equal days by slug', async () => {
    write('b.md', head('2026-01-01'));
    write('c.md', head('2026-02-01'));
    write('a.md', head('2026-01-01'));
    expect(await slugs()).toEqual(['c', 'a', 'b']);
  });

  it('shows neither drafts nor the future nor what was withdrawn, but previews them', async () => {
    write('draft.md', head('2026-01-01', '\ndraft: true'));
    write('future.md', head('2026-06-02'));
    write('gone.md', head('2026-01-01', '\nunpublishAt: 2026-05-01'));
    expect(await slugs()).toEqual([]);
    for (const slug of ['draft', 'future', 'gone']) {
      expect(await create().get(slug)).toBeNull();
      expect((await create().preview(slug))?.slug).toBe(slug);
    }
    expect(await slugs('2026-06-02T00:00:00Z')).toEqual(['future']);
    expect(await slugs('2026-04-30T00:00:00Z')).toEqual(['gone']);
  });

  it('pages through the list', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e']) write(`${slug}.md`, head('2026-01-01'));
    const source = create();
    const read = async (page: number) => {
      const { articles, hasMore } = await source.list({ page, limit: 2 });
      return [articles.map(({ slug }) => slug).join(''), hasMore];
    };
    expect([await read(1), await read(2), await read(3), await read(4)]).toEqual([
      ['ab', true],
      ['cd', true],
      ['e', false],
      ['', false],
    ]);
  });

  it('fills every field of the article', async () => {
    write(
      'whole.md',
      head('2026-01-01', '\nimage:\n  motif: bars\n  values: [1, 2]\n  alt: Two columns\npartner: highlevel'),
      'First.\n\n## Second\n\n| a | b |\n| - | -: |\n| 1 | 2 |',
    );
    const article = await create().get('whole');
    expect(article).toMatchObject({
      id: 'whole',
      title: 'A title',
      author: 'Editorial desk',
      publishedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      readingTime: 1,
      seoTitle: '',
      seoDescription: 'An excerpt.',
      partner: 'highlevel',
      tags: [],
    });
    expect(article?.featuredImage).toEqual({
      src: '/art/whole-800.webp',
      alt: 'Two columns',
      width: 1200,
      height: 630,
      sources: [
        {
          type: 'image/avif',
          srcset: '/art/whole-480.avif 480w, /art/whole-800.avif 800w, /art/whole-1200.avif 1200w',
        },
        {
          type: 'image/webp',
          srcset: '/art/whole-480.webp 480w, /art/whole-800.webp 800w, /art/whole-1200.webp 1200w',
        },
      ],
    });
    expect(article?.content).toContain('<table>');
  });

  it('shows an edited, a new and a removed file at once when it reloads', async () => {
    write('a.md', head('2026-01-01'), 'Old.');
    const source = createFilesSource({
      dir,
      clock: clockAt('2026-06-01T00:00:00Z'),
      author: '',
      sanitise: (html) => html,
      reload: true,
    });
    expect((await source.get('a'))?.content).toContain('Old');
    write('a.md', head('2026-01-01'), 'New.');
    utimesSync(path.join(dir, 'a.md'), 1, 1);
    write('b.md', head('2026-01-01'));
    expect((await source.get('a'))?.content).toContain('New');
    expect((await source.get('b'))?.slug).toBe('b');
    rmSync(path.join(dir, 'b.md'));
    expect(await source.get('b')).toBeNull();
    write('a.md', 'title: x');
    await expect(source.list({ page: 1, limit: 1 })).rejects.toThrow(/excerpt is missing/);
  });

  it('finds by bodies, what is published by now alone, and says what matched', async () => {
    write('a.md', head('2026-01-01'), 'Every **deliverability** [problem](/x) has a cause.');
    write('later.md', head('2026-06-02'), 'Deliverability later.');
    let now = Date.parse('2026-06-01T00:00:00Z');
    const source = createFilesSource({
      dir,
      clock: { now: () => now, monotonic: () => 0 },
      author: '',
      sanitise: (html) => html,
    });
    const find = async () => (await source.search({ text: 'delivrability', page: 1, limit: 9 })).articles;
    expect((await find()).map(({ slug, excerptParts }) => [slug, excerptParts])).toEqual([
      [
        'a',
        [
          { text: 'Every ', match: false },
          { text: 'deliverability', match: true },
          { text: ' problem has a cause.', match: false },
        ],
      ],
    ]);
    now += 86_400_000;
    expect((await find()).map(({ slug }) => slug).sort()).toEqual(['a', 'later']);
    expect((await source.findRelated('a', 3)).map(({ slug }) => slug)).toEqual(['later']);
  });

  it('names every wrong file, field and reason in one error', () => {
    write('Bad Name.md', head('2026-01-01'));
    write('date.md', head('soon'));
    write('partner.md', head('2026-01-01', '\npartner: nobody'));
    write('yaml.md', 'title: one: two\ncategories: [');
    write('empty.md', head('2026-01-01'), '');
    writeFileSync(path.join(dir, 'nohead.md'), 'Just words.');
    expect(() => create()).toThrow(/^\[articles:files\] 6 files are wrong/);
    expect(() => create()).toThrow(/Bad Name\.md: file name must be a-z/);
    expect(() => create()).toThrow(/date\.md: publishedAt must be a date/);
    expect(() => create()).toThrow(/partner\.md: partner must be one of highlevel/);
    expect(() => create()).toThrow(/yaml\.md: line 2 /);
    expect(() => create()).toThrow(/empty\.md: body is empty/);
    expect(() => create()).toThrow(/nohead\.md: front matter the file does not start with ---/);
  });
});
