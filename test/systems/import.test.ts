import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createSiteFolder } from '../../src/commands/new.ts';
import { parseArticleFile } from '../../src/content-files/articles/article-file.ts';
import { readContent } from '../../src/content-files/read-content.ts';
import { extractText, inspectHtml } from '../../src/sources/articles/html/html-text.ts';
import { renderMarkdown } from '../../src/sources/articles/html/prepare-body.ts';
import { createFolder } from '../support/create-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { startWordPress } from './start-wordpress.ts';

const postSchema = z.array(
  z.object({
    id: z.number(),
    slug: z.string(),
    link: z.string(),
    title: z.object({ rendered: z.string() }),
    content: z.object({ rendered: z.string(), protected: z.boolean() }),
  }),
);

let system: Awaited<ReturnType<typeof startWordPress>>;
beforeAll(async () => {
  system = await startWordPress();
}, 240_000);
afterAll(() => system?.stop(), 60_000);

/** Every published post as WordPress itself shows it. */
async function readPosts() {
  const posts: z.infer<typeof postSchema> = [];
  for (let page = 1; page < 20; page += 1) {
    const response = await fetch(`${system.url}/wp-json/wp/v2/posts?per_page=50&page=${page}`);
    if (!response.ok) break;
    posts.push(...postSchema.parse(await response.json()));
  }
  return posts.filter(({ content }) => !content.protected);
}

/** WordPress shows typographic marks, and shortcodes without a plugin as they are. */
const normalize = (html: string) =>
  // Forms are removed, as the report says.
  extractText(html.replace(/<form[\s\S]*?<\/form>/g, ''))
    .replace(/\[contact-form-7[^\]]*\]/g, '')
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/[–—]|--+/g, '-')
    .replace(/…/g, '...')
    .replace(/×/g, 'x')
    .replace(/\s+/g, '');

/** An address with its characters encoded in one way. */
const comparable = (href: string) => encodeURI(decodeURI(href)).replace(/^\/(?=[^/])/, `${system.url}/`);

it('imports what WordPress exports, post by post', { timeout: 240_000 }, async () => {
  const folder = createFolder();
  const content = path.join(folder, 'content');
  createSiteFolder({ name: 'New site', folder: content, day: '2026-01-05' });
  const { file, uploads } = system.exportAll();
  const { code, stdout, stderr } = await runCommand('import', ['wordpress', file, '--media', uploads], {
    CONTENT_DIR: content,
    DATA_DIR: path.join(content, '../data'),
  });
  expect([code, stderr]).toEqual([0, '']);
  const posts = await readPosts();
  expect(posts.length).toBeGreaterThan(120);
  const { redirects } = readContent(content);
  const report = readFileSync(path.join(content, '.import/report.txt'), 'utf8');
  const different: unknown[] = [];
  for (const post of posts) {
    const { pathname } = new URL(post.link);
    const target = redirects.get(
      pathname.replace(/\/$/, '').replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    );
    if (target === undefined) {
      // An article has words: an empty post is named in the report.
      expect([
        post.slug,
        normalize(post.content.rendered),
        inspectHtml(post.content.rendered).images,
      ]).toEqual([post.slug, '', []]);
      expect(report).toMatch(
        new RegExp(`${post.title.rendered.replace(/[^\\w]/g, '.')} .*: is not imported: body is empty`),
      );
      continue;
    }
    const slug = decodeURIComponent(target.slice('/blog/'.length));
    const parsed = parseArticleFile(
      `${slug}.md`,
      readFileSync(path.join(content, 'articles', `${slug}.md`), 'utf8'),
    );
    if ('problems' in parsed) {
      different.push([slug, parsed.problems]);
      continue;
    }
    const html = renderMarkdown(parsed.file.markdown);
    const [before, after] = [inspectHtml(post.content.rendered), inspectHtml(html)];
    const words = [normalize(post.content.rendered), normalize(html)];
    if (words[0] !== words[1]) different.push([slug, 'words', ...words]);
    // A link between posts leads to the article, every other one to the same address.
    const links = before.links.map((href) => {
      const address = href.replace(system.url, '').replace(/#.*$/, '').replace(/\/$/, '');
      const moved = address.startsWith('/') ? redirects.get(address) : undefined;
      return moved === undefined ? href : moved + (/#.*$/.exec(href)?.[0] ?? '');
    });
    if (links.map(comparable).join('\n') !== after.links.map(comparable).join('\n'))
      different.push([slug, 'links', links, after.links]);
    const images = after.images.filter(
      ({ src }) => /^https?:/.test(src) || existsSync(path.join(content, 'articles', decodeURI(src))),
    );
    if (before.images.length !== images.length) different.push([slug, 'images', before.images, after.images]);
  }
  expect(different).toEqual([]);
  expect(redirects.get('/former-name')).toBe('/blog/present-name');
  expect(stdout).toMatch(/Image files: [1-9]/);
  const first = readFileSync(path.join(content, 'redirects/imported-wordpress.csv'));
  await runCommand('import', ['wordpress', file, '--media', uploads], {
    CONTENT_DIR: content,
    DATA_DIR: path.join(content, '../data'),
  });
  expect(readFileSync(path.join(content, 'redirects/imported-wordpress.csv')).equals(first)).toBe(true);
});
