import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSiteFolder } from '../../src/commands/new.ts';
import { runCommand } from '../support/run-command.ts';
import { type Site, startSite } from '../support/site.ts';
import { type AwkwardPost, postSchema } from './awkward-posts.ts';
import { startWordPress, type WordPressSetup } from './start-wordpress.ts';

/** Posts beyond the awkward ones, so that there are 200 addresses. */
const ORDINARY = 155;
const PICTURES = 6;

const awkward = postSchema.extend({
  html: z.string().optional(),
  /** Levels of a list in a list. */
  nested: z.number().optional(),
  boxes: z.number().default(0),
  has: z.array(z.string()).default([]),
  not: z.array(z.string()).default([]),
  index: z.boolean().default(true),
  canonical: z.string().optional(),
});
const WRITTEN = z
  .strictObject({
    links: z.array(
      z.strictObject({
        number: z.number(),
        type: z.string(),
        title: z.string(),
        meta: z.record(z.string(), z.string()),
      }),
    ),
    products: z.record(z.string(), z.string()),
    posts: z.array(awkward),
    pages: z.array(awkward.partial({ kind: true })),
  })
  .parse(parse(readFileSync(path.join(import.meta.dirname, '../fixtures/former-site.yaml'), 'utf8')));

const nest = (levels: number) =>
  `<p>Deep lists.</p>${'<ul><li>Level'.repeat(levels)}${'</li></ul>'.repeat(levels)}`;

function buildSite(): WordPressSetup {
  const posts = WRITTEN.posts.map(
    ({ nested, boxes: _boxes, has: _has, not: _not, index: _index, canonical: _canonical, ...post }) => ({
      categories: ['Coffee'],
      ...post,
      html: post.html ?? nest(nested ?? 0),
    }),
  );
  const pages = WRITTEN.pages.map(({ slug, title, html = '', parent }) => ({
    kind: 'page',
    type: 'page' as const,
    slug,
    title,
    html,
    ...(parent !== undefined && { parent }),
  }));
  const ordinary = Array.from(
    { length: ORDINARY },
    (_, at): AwkwardPost => ({
      kind: 'ordinary',
      slug: `post-${at}`,
      title: `Post ${at} about coffee`,
      html: `<p>Words about coffee, number ${at}, and <a href="/coffee/post-${(at + 1) % ORDINARY}/">more</a>.</p>`,
      categories: [at % 3 === 0 ? 'Tea' : 'Coffee'],
      tags: [`tag ${at % 9}`],
      hasImage: at < 3,
    }),
  );
  const images = Array.from({ length: PICTURES }, (_, at) => [at + 1, `photo-${at + 1}`]);
  return {
    permalinks: '/%category%/%postname%/',
    posts: [...posts, ...pages, ...ordinary].map((post, at) => ({
      date: new Date(Date.UTC(2026, 4, 30) - at * 86_400_000).toISOString().slice(0, 10),
      ...post,
    })),
    images: { ...Object.fromEntries(images), [PICTURES + 1]: 'größe-ñandú-写真' },
    links: WRITTEN.links,
  };
}

/** A table of products as AAWP has it. */
const PRODUCTS_SQL = `CREATE TABLE \`wp_aawp_products\` (
  \`id\` bigint(20) NOT NULL AUTO_INCREMENT, \`status\` varchar(20), \`asin\` varchar(20), \`title\` varchar(300)
);
INSERT INTO \`wp_aawp_products\` VALUES ${Object.entries(WRITTEN.products)
  .map(([asin, title], at) => `(${at + 1},'active','${asin}','${title}')`)
  .join(',')};
`;

let system: Awaited<ReturnType<typeof startWordPress>>;
let content = '';
let addresses: readonly string[] = [];

/** Imports what WordPress exports now, as an operator would who runs the command. */
async function moveIn() {
  const { file, uploads } = system.exportAll();
  const products = path.join(path.dirname(file), 'products.sql');
  const { code, stdout, stderr } = await runCommand(
    'import',
    ['wordpress', file, '--media', uploads, '--links', products, '--amazon', 'www.amazon.com,me-20'],
    { CONTENT_DIR: content, DATA_DIR: path.join(content, '../data') },
  );
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const linkSchema = z.array(z.object({ link: z.string() }));

/** The addresses of all posts and pages that WordPress shows. */
async function crawl(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of ['posts', 'pages']) {
    for (let page = 1; page < 10; page += 1) {
      const response = await fetch(
        `${system.url}/index.php?rest_route=/wp/v2/${kind}&per_page=50&page=${page}`,
      );
      if (!response.ok) break;
      for (const { link } of linkSchema.parse(await response.json())) found.push(new URL(link).pathname);
    }
  }
  return found;
}

const findSlug = (address: string) => decodeURIComponent(address.replace(/\/$/, '').split('/').at(-1) ?? '');

/** What the site responds at an old address. */
async function ask(site: Site, address: string) {
  const response = await fetch(new URL(address, site.url), { redirect: 'manual' });
  const html = await response.text();
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? '';
  const location = response.headers.get('Location') ?? '';
  return { status: response.status, html, canonical, location };
}

beforeAll(async () => {
  system = await startWordPress(buildSite);
  addresses = await crawl();
  // Next to the export, in the folder that goes with the system.
  const folder = path.dirname(system.exportAll().file);
  writeFileSync(path.join(folder, 'products.sql'), PRODUCTS_SQL);
  content = path.join(folder, 'content');
  createSiteFolder({ name: 'Coffee', folder: content, day: '2026-01-05' });
}, 240_000);
afterAll(() => system?.stop(), 60_000);

it('keeps the addresses, boxes and settings of a site that moves in', { timeout: 300_000 }, async () => {
  expect(addresses.length).toBeGreaterThanOrEqual(200);
  await moveIn();
  // The operator confirms the partners, and imports again.
  const partners = path.join(content, '.import/partners.yaml');
  writeFileSync(partners, readFileSync(partners, 'utf8').replaceAll('confirm: false', 'confirm: true'));
  await moveIn();
  await using site = await startSite({ env: { CONTENT_DIR: content } });
  const wrong: unknown[] = [];
  let same = 0;
  const pages = new Map<string, string>();
  for (const address of addresses) {
    const slug = findSlug(address);
    const expected = WRITTEN.posts.find((post) => post.slug === slug)?.canonical;
    const { status, html, canonical, location } = await ask(site, address);
    pages.set(slug, html);
    if (status === 200) {
      const own = URL.canParse(canonical) ? new URL(canonical).pathname : '';
      // WordPress writes its escapes in small letters.
      const isOwn = own.toLowerCase() === address.toLowerCase();
      if (expected === undefined ? isOwn : canonical === expected) same += 1;
      else wrong.push([address, 'canonical', canonical]);
      continue;
    }
    const target = await ask(site, location);
    wrong.push([address, status, location, target.status]);
  }
  const report = readFileSync(path.join(content, '.import/report.txt'), 'utf8');
  expect(report).toMatch(/Deep lists .*: is not imported: its text is nested too deeply/);
  wrong.splice(
    wrong.findIndex((entry) => Array.isArray(entry) && entry[0] === '/coffee/deep-lists/'),
    1,
  );
  const isRedirected = (entry: unknown) => Array.isArray(entry) && entry[1] === 301 && entry[3] === 200;
  // The rest has one redirect, an address that the site itself has, but for a post that was left out.
  expect(wrong.filter((entry) => !isRedirected(entry))).toEqual([]);
  expect(same / addresses.length, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.99);
  const differences = WRITTEN.posts.flatMap(({ slug, boxes, has, not, index }) => {
    const html = pages.get(slug);
    if (html === undefined) return [`${slug}: is not there`];
    const shown = html.match(/data-product=/g)?.length ?? 0;
    return [
      ...(shown === boxes ? [] : [`${slug}: ${shown} product boxes, not ${boxes}`]),
      ...has.filter((text) => !html.includes(text)).map((text) => `${slug}: lacks ${text}`),
      ...not.filter((text) => html.includes(text)).map((text) => `${slug}: shows ${text}`),
      ...(/<meta name="robots" content="noindex/.test(html) === index ? [`${slug}: noindex`] : []),
    ];
  });
  expect(differences).toEqual([]);
  const picture = /\/wp-content\/uploads\/[\w/]*größe[^",\n]*\.jpg/.exec(
    decodeURI(readFileSync(path.join(content, 'redirects/imported-wordpress.csv'), 'utf8')),
  );
  const moved = [
    '/category/coffee/',
    '/category/coffee/page/2/',
    '/tag/tag-3/',
    '/author/admin/',
    '/2026/05/',
    '/feed/',
    '/feed/atom/',
    '/wp-sitemap.xml',
    '/wp-sitemap-posts-post-1.xml',
    '/coffee/post-1/feed/',
    '/coffee/post-1/embed/',
    '/tag/tag-3/feed/',
    encodeURI(picture?.[0] ?? ''),
  ];
  const dead: unknown[] = [];
  for (const address of moved) {
    const { status, location } = await ask(site, address);
    const target = status === 301 ? (await ask(site, location)).status : 0;
    if (target !== 200) dead.push([address, status, location, target]);
  }
  expect(dead).toEqual([]);
  expect((await ask(site, '/?p=99999')).status).toBe(404);
  const sitemap = await (await fetch(`${site.url}/sitemap-articles.xml`)).text();
  for (const { slug, index, canonical } of WRITTEN.posts)
    if (!index || canonical !== undefined) expect(sitemap).not.toContain(`/${slug}`);
});

it('keeps edits, removals and renames over three imports', { timeout: 300_000 }, async () => {
  const article = (slug: string) => path.join(content, 'articles', `${slug}.md`);
  const redirects = path.join(content, 'redirects/imported-wordpress.csv');
  appendFileSync(article('post-8'), '\nA line of the operator.\n');
  rmSync(article('post-7'));
  renameSync(article('post-10'), article('our-post-10'));
  const readRows = () => readFileSync(redirects, 'utf8').split('\n');
  const [removed = '', other = ''] = readRows().filter((row) => row.startsWith('/?p='));
  writeFileSync(
    redirects,
    readRows()
      .filter((row) => row !== removed)
      .join('\n'),
  );
  appendFileSync(redirects, '/own-old,/blog\n');
  const checkRows = () => {
    const rows = readRows();
    return {
      own: rows.includes('/own-old,/blog'),
      other: rows.includes(other),
      removed: rows.includes(removed),
      gone: rows.some((row) => /,.*\/post-(?:7|10)\/?$/.test(row)),
    };
  };
  const kept = { own: true, other: true, removed: false, gone: false };
  system.sql(
    "UPDATE wp_posts SET post_content = CONCAT(post_content, '<p>A later sentence.</p>'), " +
      "post_modified = NOW(), post_modified_gmt = UTC_TIMESTAMP() WHERE post_name IN ('post-8', 'post-9')",
  );
  await moveIn();
  expect(existsSync(article('post-7'))).toBe(false);
  expect(readFileSync(article('post-8'), 'utf8')).toContain('A line of the operator.');
  expect(readFileSync(article('post-9'), 'utf8')).toContain('A later sentence.');
  expect(checkRows()).toEqual(kept);
  system.sql(
    'INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, ' +
      'to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type) ' +
      "VALUES (1, '2026-06-02', '2026-06-02', '<p>The very last post.</p>', 'The very last post', '', 'publish', " +
      "'the-very-last-post', '', '', '2026-06-02', '2026-06-02', '', 'post')",
  );
  await moveIn();
  expect(readFileSync(article('post-8'), 'utf8')).toContain('A line of the operator.');
  expect(checkRows()).toEqual(kept);
  await using site = await startSite({ env: { CONTENT_DIR: content } });
  const last = await ask(site, '/uncategorized/the-very-last-post/');
  expect([last.status, last.html.includes('The very last post.')]).toEqual([200, true]);
  const statuses = await Promise.all(
    ['/coffee/post-7', '/coffee/post-10/'].map(async (address) => (await ask(site, address)).status),
  );
  expect(statuses).toEqual([404, 200]);
  // Images are converted after the start.
  const readWarnings = async () =>
    z
      .object({ warnings: z.array(z.string()).default([]) })
      .parse(await (await fetch(`${site.url}/readyz`)).json())
      .warnings.filter((warning) => warning.startsWith('content:'));
  await expect.poll(readWarnings, { timeout: 30_000 }).toEqual([]);
});
