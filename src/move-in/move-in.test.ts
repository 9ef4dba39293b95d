import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr, type WxrItem } from '../../test/support/build-wxr.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readContent } from '../content-files/read-content.ts';
import { MoveIn } from './move-in.ts';

/** An empty site that another one is moved into. */
function createEmptySite() {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, isReplacing: false, day: '2026-01-05' });
  const moveIn = new MoveIn(content);
  const given = { prefixes: '', bases: '', amazon: '' };
  const locate = (file: string) => path.join(content, file);
  const build = (items: readonly WxrItem[]) => ({
    export: { name: 'export.xml', bytes: Buffer.from(buildWxr(items)) },
    ...{ links: null, given, keepsSample: false },
  });
  return {
    content,
    locate,
    preview: (items: readonly WxrItem[]) => moveIn.preview(build(items)),
    commit: (items: readonly WxrItem[]) => moveIn.commit(build(items), []),
    read: (file: string) => readFileSync(locate(file), 'utf8'),
    write: (file: string, text: string) => writeFileSync(locate(file), text),
    edit(file: string, edit: (text: string) => string) {
      writeFileSync(locate(file), edit(readFileSync(locate(file), 'utf8')));
    },
  };
}

const REDIRECTS = 'redirects/imported-wordpress.csv';
const post = (id: number, slug: string): WxrItem => ({
  ...{ id, slug, link: `https://old.example/2024/${slug}/`, content: `<p>Words of ${slug}.</p>` },
});

it('merges redirects by row, over three imports with edits, removals and a renaming in between', async () => {
  const site = createEmptySite();
  const rows = () => site.read(REDIRECTS).split('\n').slice(1, -1);
  /** Rows of single posts. */
  const postRows = () => rows().filter((row) => /^\/2024\/[a-z]|^\/\?p=/.test(row) && !row.includes('/feed'));
  const removeRow = (from: string) =>
    site.edit(REDIRECTS, (text) => text.replace(new RegExp(`^${from},.*\n`, 'm'), ''));
  const first = [post(1, 'stays'), post(2, 'renamed'), post(3, 'removed'), post(4, 'edited')];
  const { redirects } = await site.commit(first);
  expect(redirects).toBe(rows().length);
  expect(postRows()).toEqual([
    ...[1, 2, 3, 4].map((id) => `/?p=${id},/blog/${['stays', 'renamed', 'removed', 'edited'][id - 1]}`),
  ]);

  // As the console renames an article, and as a shell removes one.
  writeFileSync(site.locate('articles/new-name.md'), site.read('articles/renamed.md'));
  rmSync(site.locate('articles/renamed.md'));
  site.write('redirects/console.csv', 'from,to\n/blog/renamed,/blog/new-name\n');
  site.edit(REDIRECTS, (text) => text.replaceAll(/,\/blog\/renamed$/gm, ',/blog/new-name'));
  rmSync(site.locate('articles/removed.md'));
  removeRow('/\\?p=1');
  site.edit(REDIRECTS, (text) => `${text.replace('/?p=4,/blog/edited', '/?p=4,/blog')}/mine,/blog\n`);
  const second = [
    ...first,
    post(5, 'later'),
    { ...post(2, 'renamed'), id: 2, meta: [['_wp_old_slug', 'older']] as const },
  ];
  const moved = await site.commit(second.filter(({ id }, at) => id !== 2 || at > 3));
  const expected = [
    ...['/2024/older,/blog/new-name', '/?p=2,/blog/new-name', '/?p=4,/blog', '/?p=5,/blog/later'],
  ];
  expect(postRows()).toEqual(expected);
  expect(rows()).toContain('/mine,/blog');
  expect(moved).toMatchObject({ posts: 3, redirects: rows().length });
  expect(site.read('.import/report.txt')).toMatch(
    /imported-wordpress\.csv: \d+ of its rows were edited, added or removed/,
  );
  readContent(site.content);

  removeRow('/2024/older');
  expect((await site.commit([...first, post(5, 'later'), post(6, 'last')])).redirects).toBe(rows().length);
  expect(postRows()).toEqual(
    [...expected.filter((row) => !row.startsWith('/2024/older')), '/?p=6,/blog/last'].sort(),
  );
  expect(rows()).toContain('/mine,/blog');
  expect(existsSync(site.locate('articles/removed.md'))).toBe(false);
  const before = site.read(REDIRECTS);
  await site.commit([...first, post(5, 'later'), post(6, 'last')]);
  expect(site.read(REDIRECTS)).toBe(before);
  readContent(site.content);
});

it('writes new rows after all were removed with their file, and none that were there', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one')]);
  rmSync(site.locate(REDIRECTS));
  await site.commit([post(1, 'one'), post(2, 'two')]);
  expect(site.read(REDIRECTS)).toContain('/?p=2,/blog/two');
  expect(site.read(REDIRECTS)).not.toContain('/blog/one');
});

it('merges with what a version wrote that stored no rows', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one'), post(2, 'two')]);
  rmSync(site.locate('.import/written'), { recursive: true });
  rmSync(site.locate('articles/two.md'));
  await site.commit([post(1, 'one'), post(2, 'two'), post(3, 'three')]);
  expect(site.read(REDIRECTS)).not.toContain('/blog/two');
  expect(site.read(REDIRECTS)).toContain('/?p=3,/blog/three');
  rmSync(site.locate('.import/written'), { recursive: true });
  site.edit(REDIRECTS, (text) => `${text}/mine,/blog\n`);
  await site.commit([post(1, 'one'), post(4, 'four')]);
  expect(site.read(REDIRECTS)).toContain('/mine,/blog');
  expect(site.read(REDIRECTS)).toContain('/?p=4,/blog/four');
});

it('refuses to merge with a row that cannot be read', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one')]);
  site.edit(REDIRECTS, (text) => `${text}no path,/blog\n`);
  const before = site.read(REDIRECTS);
  await expect(site.commit([post(2, 'two')])).rejects.toThrow(
    /content\/redirects\/imported-wordpress\.csv, line \d+: from must be a path/,
  );
  expect(site.read(REDIRECTS)).toBe(before);
});

it('allows images of the former host, and says how many will not be shown and why', async () => {
  const image = (src: string) => `<img src="${src}" alt="x">`;
  const content = [
    ...['https://old.example/wp-content/a.png', '/wp-content/b.png', 'http://www.old.example/c.png'],
    ...['https://cdn.example/d.png', 'https://old.example/e.svg', 'http://old.example:8080/f.png'],
  ]
    .map(image)
    .join(' Words. ');
  const site = createEmptySite();
  site.edit('site.yaml', (text) => `# Mine.\n${text}`);
  expect(await site.preview([{ id: 1, content }])).toMatchObject({ imagesElsewhere: 3, imagesHidden: 3 });
  await site.commit([{ id: 1, content }]);
  expect(readContent(site.content).site.imageHosts).toEqual(['old.example', 'www.old.example']);
  expect(site.read('site.yaml')).toMatch(/^# Mine\.\n/);
  const report = site.read('.import/report.txt');
  expect(report).toContain('d.png will not be shown: add cdn.example to imageHosts in content/site.yaml');
  expect(report).toContain('e.svg will not be shown: SVG files of other hosts are not allowed');
  expect(report).toContain('f.png will not be shown: its host needs https');
  const before = site.read('site.yaml');
  await site.commit([{ id: 1, content }]);
  expect(site.read('site.yaml')).toBe(before);
});

it('rewrites links to lists, feeds and attachments of the former site as their addresses are redirected', async () => {
  const links = {
    '/feed/': '/rss.xml',
    '/2024/one/feed/atom/': '/rss.xml',
    '/author/ada/': '/blog',
    '/author/ada/page/2/': '/blog',
    '/2024/': '/blog',
    '/2024/03/01/': '/blog',
    '/page/2/': '/blog',
    '/category/guides/page/2/': '/blog/topic/guides',
    '/2024/one/photo/': '/blog/one',
    '/loose/': '/blog',
    // WordPress finds a post by its name in any category.
    '/elsewhere/one/': '/blog/one',
    '/2024/one/comment-page-2/': '/blog/one',
  };
  const content = Object.keys(links)
    .map((href) => `<p><a href="${href}">x</a></p>`)
    .join('');
  const attachment = { type: 'attachment', status: 'inherit', attachment: 'https://old.example/a.png' };
  const site = createEmptySite();
  await site.commit([
    { ...post(1, 'one'), content },
    { ...attachment, id: 2, parent: 1, link: 'https://old.example/2024/one/photo/' },
    { ...attachment, id: 3, link: 'https://old.example/loose/' },
  ]);
  expect([...site.read('articles/one.md').matchAll(/\[x\]\(([^)]*)\)/g)].map(([, to]) => to)).toEqual(
    Object.values(links),
  );
  expect(site.read('.import/report.txt')).not.toContain('leads to nothing that is imported');
  const { redirects } = readContent(site.content);
  expect(redirects.get('/wp-sitemap.xml')).toBe('/sitemap.xml');
  expect(redirects.get('/post-sitemap.xml')).toBe('/sitemap.xml');
});
