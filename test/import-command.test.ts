import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { PINNED_NODE } from '../scripts/start/pinned-node.mjs';
import { createSiteFolder } from '../src/commands/new.ts';
import { parseArticleFile } from '../src/content-files/articles/article-file.ts';
import { readArticleFiles } from '../src/content-files/articles/read-article-files.ts';
import { openFolderContent } from '../src/content-files/content-source.ts';
import { ContentJournal, createOwnerReader } from '../src/content-files/journal.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { splitShortcodes } from '../src/core/articles/shortcodes.ts';
import { NO_IMAGES } from '../src/core/pages/images/content-image.ts';
import { buildDefaultPath, buildGroupPath, parsePath, parseRedirectPath } from '../src/core/paths.ts';
import { buildSlug } from '../src/core/text/slug.ts';
import { MoveInError } from '../src/move-in/former-item.ts';
import { prepareMoveIn } from '../src/move-in/move-site.ts';
import { openWxr } from '../src/move-in/wordpress-export.ts';
import { createApp } from '../src/server/app.ts';
import { extractText, inspectHtml } from '../src/sources/articles/html/html-text.ts';
import { createBodyPreparer, renderMarkdown } from '../src/sources/articles/html/prepare-body.ts';
import { DISK } from '../src/stores/disk.ts';
import { buildWxr, type WxrItem } from './support/build-wxr.ts';
import { createFolder } from './support/create-folder.ts';
import { NO_LOG } from './support/no-log.ts';
import { runCommand } from './support/run-command.ts';
import { buildStandIns, startStandInInternet } from './support/stand-in-internet.ts';

/** An empty site and a folder for the files of an import. */
function createEmptySite() {
  const folder = createFolder();
  const content = path.join(folder, 'content');
  const data = path.join(folder, 'data');
  createSiteFolder({ name: 'New site', folder: content, day: '2026-01-05' });
  const write = (name: string, data: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), data);
    return path.join(folder, name);
  };
  const move = (...argv: readonly string[]) =>
    runCommand('import', argv, { CONTENT_DIR: content, DATA_DIR: data });
  const run = async (items: readonly WxrItem[] | string, ...argv: readonly string[]) => {
    const file = write('export.xml', typeof items === 'string' ? items : buildWxr(items));
    const { code, stdout, stderr } = await move('wordpress', file, ...argv);
    return { code, output: stdout + stderr };
  };
  const read = (name: string) => readFileSync(path.join(content, name), 'utf8');
  const readRedirects = () => Object.fromEntries(readContent(content).redirects);
  return {
    folder,
    content,
    data,
    write,
    move,
    run,
    read,
    readRedirects,
    readReport: () => read('.import/report.txt'),
  };
}

const IMAGE = { src: '/images/x.svg', width: 1, height: 1, sources: [] };
/** The image of the article of an empty site. */
const IMAGES = { images: new Map([['articles/how-we-choose.svg', IMAGE]]), origin: 'folder' } as const;

const snapshot = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|yaml|csv|jpg)$/.test(name) && !name.startsWith('.import'))
      .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]),
  );

it('imports posts with dates, terms and addresses, and drafts of what was not public', async () => {
  const site = createEmptySite();
  const { code, output } = await site.run([
    {
      id: 12,
      title: 'Größe &amp; "Preis": <em>neu</em>',
      slug: 'tools',
      link: 'https://old.example/2024/03/tools/',
      date: '2024-03-01 12:00:00',
      gmt: '2024-03-01 10:00:00',
      tags: [['crm-2', 'CRM']],
      content: 'First line\nsecond line\n\nA [sic] word, [1] and <strong>bold</strong>.',
      meta: [
        ['_wp_old_slug', 'old-tools'],
        ['_yoast_wpseo_title', '%%title%% %%sep%% %%sitename%%'],
        ['rank_math_description', 'What the tools cost.'],
      ],
    },
    {
      id: 13,
      slug: '',
      title: 'Draft',
      status: 'draft',
      link: 'https://old.example/?p=13',
      content: 'Later.',
    },
    { id: 14, title: 'Secret', password: 'x', content: 'Hidden.' },
    { id: 17, title: 'Thrown away', status: 'trash', content: 'Old.' },
    {
      id: 15,
      type: 'page',
      slug: 'about',
      title: 'About',
      content:
        '<p>See <a href="/2024/03/tools/#part">tools</a> and <a href="https://www.old.example/?p=12">this</a>.</p>',
    },
    { id: 16, type: 'post', slug: '%d1%82%d0%b5%d1%81%d1%82', title: 'Тест', content: 'Слово.' },
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('4 posts and 1 pages, 2 of them drafts')]);
  expect(site.read('articles/tools.md')).toBe(
    `---
title: 'Größe & "Preis": neu'
excerpt: First line second line
categories:
  - Guides
tags:
  - CRM
publishedAt: 2024-03-01T12:00:00+02:00
seoDescription: What the tools cost.
author: Ada Example
address: /2024/03/tools/
---
First line\\
second line

A \\[sic\\] word, \\[1\\] and **bold**.
`,
  );
  expect(site.readReport()).toContain('an item in the trash is not imported: Thrown away');
  expect(statSync(path.join(site.content, '.import/report.txt')).mode & 0o777).toBe(0o600);
  expect(site.read('articles/about.md')).toContain('See [tools](/blog/tools#part) and [this](/blog/tools).');
  expect(site.read('articles/post-14.md')).toContain('draft: true');
  expect(site.readRedirects()).toMatchObject({
    '/2024/03/old-tools': '/blog/tools',
    '/?p=12': '/blog/tools',
    '/2024/03': '/blog',
    '/2024/03/feed': '/rss.xml',
    '/?page_id=15': '/blog/about',
    '/category/guides': '/blog/topic/guides',
    '/tag/crm-2': '/blog/tag/crm',
    '/feed': '/rss.xml',
  });
  expect(Object.keys(site.readRedirects()).filter((from) => /13|14/.test(from))).toEqual([]);
});

/** Links of a former site as its posts have them: `html`, where each leads, and the paths that redirected to it. */
interface FormerLinks {
  readonly plugin: string;
  readonly html: string;
  readonly targets: readonly string[];
  readonly paths?: readonly (readonly [path: string, target: string])[];
}

const THIRSTY = 'https://thirsty.example/buy?ref=Ab-1_x&p=%2F';
const THIRSTY_CSV = 'https://table.example/?aff=me-7';
const PRETTY = 'https://pretty.example/plans?via=me.2';
const PRETTY_SQL = 'https://dump.example/?aff=me~3&note=a%20b';
const LASSO = 'https://lasso.example/?ref=me-4';
const SIMPLE = 'https://simple.example/cam?a_aid=me-5';
const MOVED = 'https://moved.example/?affid=6';
const AWIN =
  'https://www.awin1.com/cread.php?awinmid=77&awinaffid=123&ued=https%3A%2F%2Fm.example%2F%3Fa%3D1';
const SALE = 'https://shareasale.com/r.cfm?b=1&u=99&m=55&urllink=';
const kettle = (tag: string, asin = 'B00KETTLE1') => `https://www.amazon.de/dp/${asin}?tag=${tag}`;

const LINKS: readonly FormerLinks[] = [
  {
    plugin: 'ThirstyAffiliates',
    html: '<a href="https://old.example/recommends/gear/shop/">one</a> [thirstylink ids="21,22"]two[/thirstylink] [thirstylink linkid="21" linktext="three"] <ta linkid="21" href="https://old.example/recommends/gear/shop/">four</ta> <a class="thirstylink" href=/recommends/gear/shop>five</a> <a href="/out/shop">six</a>',
    targets: [THIRSTY, THIRSTY, THIRSTY, THIRSTY, THIRSTY, THIRSTY],
    paths: ['/recommends/gear/shop', '/out/gear/shop', '/refer/shop'].map((from) => [from, THIRSTY] as const),
  },
  {
    plugin: 'ThirstyAffiliates as CSV',
    html: '<a href="/recommends/table/">one</a>',
    targets: [THIRSTY_CSV],
    paths: ['/recommends/table', '/out/table'].map((from) => [from, THIRSTY_CSV] as const),
  },
  {
    plugin: 'Pretty Links as CSV',
    html: "<a href='https://www.old.example/tools/pretty?x=1'>one</a>",
    targets: [PRETTY],
    paths: [['/tools/pretty', PRETTY]],
  },
  {
    plugin: 'Pretty Links as SQL',
    html: '<a href="/dump#top">one</a>',
    targets: [PRETTY_SQL],
    paths: [['/dump', PRETTY_SQL]],
  },
  {
    plugin: 'Lasso',
    html: '[lasso id="31" ref="amzn-camera" rel="camera"] <a href="https://old.example/go/camera/">two</a>',
    targets: [LASSO, LASSO],
    paths: [['/go/camera', LASSO]],
  },
  {
    plugin: 'Simple URLs',
    html: '<a href="/go/cam/">one</a>',
    targets: [SIMPLE],
    paths: [['/go/cam', SIMPLE]],
  },
  { plugin: 'Redirection', html: '<a href="/moved/">one</a>', targets: [MOVED], paths: [['/moved', MOVED]] },
  {
    plugin: 'AAWP',
    html: '[amazon box="B00KETTLE1, B00KETTLE2" template="table"]\n\n[amazon link="B00KETTLE1" title="A kettle" tracking_id="other-21"] [aawp box="B00KETTLE2"] [amazon bestseller="kettles" items="3"]',
    targets: [
      kettle('tag-21'),
      kettle('tag-21', 'B00KETTLE2'),
      kettle('other-21'),
      kettle('tag-21', 'B00KETTLE2'),
    ],
  },
  {
    plugin: 'none',
    html: `<a href="${AWIN.replaceAll('&', '&#038;')}" rel="nofollow" onclick="track()">one</a> <a href=${SALE.replaceAll('&', '&amp;')}>two</a> <a href="${kettle('tag-21')}"><img src="https://images.example/k.jpg" alt="A kettle"></a>`,
    targets: [AWIN, SALE, kettle('tag-21')],
  },
];

const ITEMS: readonly WxrItem[] = [
  ...LINKS.map(({ plugin, html }, at) => ({ id: at + 1, title: plugin, slug: `links-${at}`, content: html })),
  {
    id: 21,
    type: 'thirstylink',
    slug: 'shop',
    link: 'https://old.example/recommends/gear/shop/',
    meta: [['_ta_destination_url', THIRSTY.replaceAll('&', '&amp;')]],
  },
  { id: 31, type: 'lasso-urls', slug: 'camera', link: 'https://old.example/go/camera/' },
  {
    id: 32,
    type: 'surl',
    slug: 'cam',
    link: 'https://old.example/go/cam/',
    meta: [['_surl_redirect', SIMPLE]],
  },
  { id: 41, type: 'pretty-link', slug: 'gone', title: 'Gone', link: 'https://old.example/gone' },
  { id: 42, slug: 'unpaid', content: '<a href="https://plain.example/?x=1">plain</a>' },
];

const FILES: Readonly<Record<string, string>> = {
  'thirstyaffiliates.csv': `Link Name,Destination URL,Slug,Categories,Images,Geolocation Links,Autolinker Keywords\nTable,${THIRSTY_CSV},table,,,,\n`,
  'pretty-links.csv': `\uFEFFid;link_cpt_id;url;slug;name;redirect_type;track_me;nofollow;sponsored;param_forwarding;google_tracking;delay;created_at;last_updated_at;link_categories;link_tags;keywords\n1;0;${PRETTY};tools/pretty;'=Pretty;307;1;1;1;0;0;0;2024-01-01 10:00:00;2024-01-01 10:00:00;;;"a; b"\n`,
  'dump.sql': `-- MySQL dump
CREATE TABLE \`wp_prli_links\` (\`id\` int(11) NOT NULL, \`name\` varchar(255), \`description\` text, \`url\` text, \`slug\` varchar(255), \`link_cpt_id\` int, PRIMARY KEY (\`id\`), KEY \`slug\` (\`slug\`(191)));
INSERT INTO \`wp_prli_links\` VALUES (1,'It''s; DROP TABLE x','a \\'quoted\\' (text)','${PRETTY_SQL}','dump',0);
INSERT INTO wp_lasso_link_details (id, lasso_id, redirect_url) VALUES (1, 31, '${LASSO}');
INSERT INTO \`wp_users\` VALUES (1,'admin','secret');
`,
  'redirection.csv': `source URL,target URL,regex,http code\n/moved,${MOVED},0,301\n/every/(.*),https://x.example/$1,1,301\n/twice,/moved,0,301\n`,
};

/** The parts of an address that name a page and who is paid, whatever their order. */
function comparable(address: string): string {
  const url = new URL(address);
  url.searchParams.sort();
  return url.href;
}

it('names in beside.yaml where the links of Pretty Links and ThirstyAffiliates lead, and twice is once', async () => {
  const site = createEmptySite();
  const plans = 'https://www.example.com/pricing?ref=mine';
  const beside = "# Mine.\nhosts:\n  - { name: Blog, address: 'https://blog.example' }\n";
  const own = 'cloaked:\n  blog.example/go/own: example\n';
  site.write('content/beside.yaml', beside + own);
  const pretty = site.write(
    'pretty.csv',
    `url,slug,name\n${plans},go/plans,Plans\n${plans},go/own,Own\n${plans},plans,Bare\nhttps://other.example/,out/other,Other\nhttps://www.example.com/deep,go/deep,Deep\n`,
  );
  const thirsty = site.write('thirsty.csv', `name,destination url,slug\nPlans,${plans},kettle\n`);
  const none = await site.move('beside', pretty, '--host', 'talk.example');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--host has to be a site')]);
  const dry = await site.move('beside', pretty, '--dry-run');
  expect([dry.stdout, site.read('beside.yaml')]).toEqual([
    expect.stringContaining('1 links; 3 stay'),
    beside + own,
  ]);
  const { stdout } = await site.move('beside', pretty);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '/plans begins with none of the prefixes /go/, /recommends/, /out/',
    "/out/other leads to https://other.example/, which is no partner's",
    '/go/deep leads to https://www.example.com/deep, which is no destination of example',
  ]);
  await site.move('beside', thirsty);
  const text = site.read('beside.yaml');
  expect(text.startsWith(beside + own)).toBe(true);
  expect(readContent(site.content).beside.cloaked).toEqual({
    'blog.example/go/own': 'example',
    'blog.example/go/plans': 'example/pricing',
    'blog.example/recommends/kettle': 'example/pricing',
  });
  for (const file of [pretty, thirsty]) await site.move('beside', file);
  expect(site.read('beside.yaml')).toBe(text);
});

it('moves as many links in as there were, to the same targets, whichever plugin had them', async () => {
  const site = createEmptySite();
  const files = Object.entries(FILES).flatMap(([name, text]) => ['--links', site.write(name, text)]);
  const run = async () => {
    const words = ['--prefixes', 'out,refer', '--amazon', 'www.amazon.de,tag-21'];
    const { code, output } = await site.run(ITEMS, ...files, ...words);
    expect(code).toBe(0);
    return output;
  };
  const readLinks = (at: number) => {
    const name = `links-${at}.md`;
    const parsed = parseArticleFile(name, site.read(`articles/${name}`));
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    return renderMarkdown(parsed.file.markdown);
  };
  const expected = LINKS.map(({ plugin, targets }) => [plugin, targets]);
  const number = LINKS.reduce((sum, { targets }) => sum + targets.length, 0);

  expect(await run()).toContain(`Paid links: 0 through partners, ${number} marked as sponsored`);
  const plain = LINKS.map(({ plugin }, at) => [plugin, inspectHtml(readLinks(at)).links]);
  expect(plain).toEqual(expected);
  expect(LINKS.flatMap((_, at) => readLinks(at).match(/rel="sponsored"/g) ?? [])).toHaveLength(number);
  expect(site.read('articles/unpaid.md')).toContain('[plain](https://plain.example/?x=1)');
  for (const [from, target] of LINKS.flatMap(({ paths = [] }) => paths))
    expect([from, site.readRedirects()[from]]).toEqual([from, target]);
  const report = site.readReport();
  expect(report).toMatch(/export\.xml, line \d+: the link "Gone" has no target in the export/);
  expect(report).toMatch(/\[amazon\]: 1 use: AAWP \(export\.xml, line \d+\)/);
  expect(report).not.toMatch(/Lost.*\n(?:.*\n)*.*of \d+ links/);
  expect(site.readRedirects()['/twice']).toBe(MOVED);

  const decisions = site.read('.import/partners.yaml');
  site.write(
    'content/.import/partners.yaml',
    decisions.replaceAll('confirm: false', 'confirm: true').replace('key: thirsty\n', 'key: my-shop\n'),
  );
  expect(await run()).toContain(`Paid links: ${number} through partners, 0 marked as sponsored`);
  const { partners, redirects } = readContent(site.content);
  expect(partners.get('my-shop')?.affiliate).toEqual({ parameter: 'ref', value: 'Ab-1_x' });
  expect([...(partners.get('my-shop')?.destinations ?? [])]).toEqual([
    ['pricing', 'https://thirsty.example/buy?p=%2F'],
  ]);
  const shops = [...partners].filter(([key]) => /^amazon-[0-9a-f]{6}$/.test(key));
  expect(shops.map(([, { destinations }]) => [...destinations.keys()])).toContainEqual([
    'pricing',
    'b00kettle2',
  ]);
  expect(partners.get('awin1-77')).toMatchObject({
    affiliate: { parameter: 'awinaffid', value: '123' },
    subId: { parameter: 'clickref' },
  });
  const follow = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://hub.example');
    const partner = partners.get(parseRedirectPath(pathname) ?? '');
    const url = new URL(
      partner?.destinations.get(searchParams.get('page') ?? '') ?? `https://none.invalid${address}`,
    );
    const { parameter, value } = partner?.affiliate ?? {};
    if (parameter !== undefined && value !== undefined) url.searchParams.set(parameter, value);
    return comparable(url.href);
  };
  const { products } = readContent(site.content);
  /** The links of an article with those of its product boxes, in their order. */
  const readAll = (at: number) =>
    readLinks(at).replace(
      /\{\{product-box product=(?:"|&quot;)([a-z0-9-]+)(?:"|&quot;)\}\}/g,
      (_, key: string) => {
        const offer = products.get(key)?.offers[0] ?? expect.fail(key);
        return `<a href="/go/${offer.partner}?page=${offer.destination}">box</a>`;
      },
    );
  expect(LINKS.map(({ plugin }, at) => [plugin, inspectHtml(readAll(at)).links.map(follow)])).toEqual(
    LINKS.map(({ plugin, targets }) => [plugin, targets.map(comparable)]),
  );
  for (const [from, target] of LINKS.flatMap(({ paths = [] }) => paths))
    expect([from, follow(redirects.get(from) ?? '')]).toEqual([from, comparable(target)]);
});

it('refuses a path of a link that is that of a partner, before anything is written', async () => {
  const site = createEmptySite();
  const items: readonly WxrItem[] = [
    { id: 1, content: 'Text.' },
    {
      id: 2,
      type: 'surl',
      slug: 'example',
      link: 'https://old.example/go/example/',
      meta: [['_surl_redirect', 'https://x.example/?ref=1']],
    },
  ];
  // A partner that was edited is no sample.
  site.write('content/partners/example.yaml', `${site.read('partners/example.yaml')}# ours\n`);
  const before = snapshot(site.content);
  const { code, output } = await site.run(items);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('/go/example of a link clashes: /go/example leads to a partner'),
  ]);
  expect(snapshot(site.content)).toEqual(before);
});

it('writes the same bytes again, and leaves what was edited or removed', async () => {
  const site = createEmptySite();
  const items = [1, 2, 3].map((id): WxrItem => ({ id, content: `Text of post ${id}.` }));
  await site.run(items);
  const first = snapshot(site.content);
  await site.run(items);
  expect(snapshot(site.content)).toEqual(first);
  site.write('content/articles/post-1.md', site.read('articles/post-1.md').replace('Text', 'Edited text'));
  const changed = items.map((item) => ({ ...item, content: `${item.content} And more.` }));
  const { output } = await site.run(changed);
  expect(output).toContain('1 left as edited');
  expect(site.read('articles/post-1.md')).toContain('Edited text of post 1.\n');
  expect(site.read('articles/post-2.md')).toContain('And more.');
  expect(site.readReport()).toContain('articles/post-1.md: edited');
});

it('changes nothing in a dry run', async () => {
  const site = createEmptySite();
  const before = snapshot(site.content);
  const { output } = await site.run([{ id: 1, content: 'Text.' }], '--dry-run');
  expect(output).toContain('Files: 2 new');
  expect(snapshot(site.content)).toEqual(before);
});

it('takes a GIF as a PNG, and names each file that cannot be moved', { tags: ['rest'] }, async () => {
  const site = createEmptySite();
  const still = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
  // The frame is between the colors and the last byte.
  const moving = Buffer.concat([still.subarray(0, -1), still.subarray(19)]);
  site.write('uploads/2020/01/red-line.gif', still);
  site.write('uploads/2020/01/moving.gif', moving);
  site.write('uploads/2020/01/broken.gif', 'GIF89a');
  const uploads = 'https://old.example/wp-content/uploads/2020/01';
  const names = ['red-line-300x200', 'moving', 'broken'];
  const images = names.map((name) => `<img src="${uploads}/${name}.gif" alt="">`).join('\n');
  const items: readonly WxrItem[] = [
    {
      id: 1,
      slug: 'one',
      content: `Words. ${images} <a href="${uploads}/paper.pdf">Paper</a> <a href="/gone.html">Gone</a>`,
      meta: [['_thumbnail_id', '2']],
    },
    { id: 2, title: '', type: 'attachment', status: 'inherit', attachment: `${uploads}/red-line.gif` },
    { id: 3, type: 'attachment', status: 'inherit', attachment: `${uploads}/paper.pdf` },
    { id: 4, type: 'attachment', status: 'inherit', attachment: `${uploads}/sound.mp3` },
  ];
  const run = () => site.run(items, '--media', path.join(site.folder, 'uploads'));
  expect((await run()).code).toBe(0);
  const name = 'images/imported/2020/01/red-line.gif.png';
  const image = readFileSync(path.join(site.content, name));
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  const text = site.read('articles/one.md');
  expect(text).toContain(`![red line](../${name})`);
  expect(text).toContain(`image:\n  src: ../${name}\n`);
  expect(text).toContain(`${uploads}/moving.gif`);
  expect(text).toContain(`[Paper](${uploads}/paper.pdf)`);
  const redirects = site.read('redirects/imported-wordpress.csv');
  for (const file of ['red-line', 'red-line-300x200'])
    expect(redirects).toContain(`/wp-content/uploads/2020/01/${file}.gif,../${name}\n`);
  const report = site.readReport();
  expect(report).toContain(`moving.gif is animated: use a single frame, or a video; it stays on its host`);
  expect(report).toMatch(/broken\.gif is damaged: .*; it stays on its host/);
  for (const file of ['paper.pdf', 'sound.mp3'])
    expect(report.split(`${uploads}/${file} is a file`)).toHaveLength(2);
  expect(report).toContain('the link to /gone.html leads to nothing that is imported');
  expect((await run()).output).toContain('Files: 0 new, 0 changed');
});

it('takes images from the uploads, in their original size', async () => {
  const site = createEmptySite();
  const photo = readFileSync(path.join(import.meta.dirname, '../public/favicon.png'));
  site.write('uploads/2020/01/photo.png', photo);
  const items: readonly WxrItem[] = [
    {
      id: 1,
      slug: 'post',
      content:
        '[caption id="attachment_2" width="300"]<a href="https://old.example/wp-content/uploads/2020/01/photo.png"><img src="https://old.example/wp-content/uploads/2020/01/photo-300x200.png" alt="" width="300" height="200" /></a> A caption[/caption]\n\n[gallery ids="2"]\n\nhttps://youtu.be/dQw4w9WgXcQ',
      meta: [['_thumbnail_id', '2']],
    },
    {
      id: 2,
      type: 'attachment',
      status: 'inherit',
      title: 'A photo',
      attachment: 'https://old.example/wp-content/uploads/2020/01/photo.png',
      link: 'https://old.example/photo/',
    },
  ];
  expect((await site.run(items, '--media', path.join(site.folder, 'uploads'))).code).toBe(0);
  const text = site.read('articles/post.md');
  expect(text).toContain('src: ../images/imported/2020/01/photo.png\n  alt: A photo');
  expect(text).toContain('<figcaption>A caption</figcaption>');
  expect(text).toContain('<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"');
  expect(text.match(/src="\.\.\/images\/imported\/2020\/01\/photo\.png" alt="A photo"/g)).toHaveLength(2);
  expect(readFileSync(path.join(site.content, 'images/imported/2020/01/photo.png')).equals(photo)).toBe(true);
});

it.each([
  [
    'a file that was cut in a text',
    (text: string) => text.slice(0, text.indexOf('Text. ') + 9),
    'it was cut off',
  ],
  [
    'a file that was cut in a tag',
    (text: string) => text.slice(0, text.indexOf('<wp:post_id') + 5),
    'it was cut off',
  ],
  [
    'a file that was cut between items',
    (text: string) => text.slice(0, text.indexOf('</channel>')),
    'it was cut off',
  ],
  ['another format', () => '<rss><channel><title>x</title></channel></rss>', 'is not an export of WordPress'],
  [
    'a later version',
    (text: string) => text.replace('>1.2<', '>2.0<'),
    'is WXR 2.0; the import reads 1.0, 1.1 and 1.2',
  ],
])('refuses %s and changes nothing', async (_, damage, reason) => {
  const site = createEmptySite();
  const before = snapshot(site.content);
  const { code, output } = await site.run(damage(buildWxr([{ id: 1, content: 'Text. '.repeat(100) }])));
  expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
  expect(snapshot(site.content)).toEqual(before);
});

it('reads texts at every limit of entities, CDATA and the parts in which the file is read', async () => {
  const site = createEmptySite();
  const words = [
    'a ]]> b',
    '&#x1F600; &#128512; &amp;lt; &AMP; &hellip; &#0; &#xD800; &nosuch; &',
    '😀'.repeat(40_000),
    '<![CDATA[ not data ]]>',
  ];
  const items = words.map(
    (word, at): WxrItem => ({ id: at + 1, slug: `text-${at}`, title: 'Text', content: `<p>x${word}y</p>` }),
  );
  const xml = buildWxr([...items, { id: 9, slug: 'plain', title: 'AT&T', content: 'A &lt;b&gt; &amp; c' }])
    .replace('<![CDATA[AT&T]]>', 'AT&amp;T &#x2014; &#8364; &quot;q&quot;')
    .replace('<![CDATA[A &lt;b&gt; &amp; c]]>', '&lt;p&gt;A &amp;lt;b&amp;gt; <![CDATA[&amp;]]> c&lt;/p&gt;');
  expect((await site.run(xml)).code).toBe(0);
  expect(shownText(site.content, 'text-0')).toBe('xa]]>by');
  expect(shownText(site.content, 'text-1')).toBe('x😀😀&lt;&…\uFFFD\uFFFD&nosuch;&y');
  expect(shownText(site.content, 'text-2')).toBe(`x${'😀'.repeat(40_000)}y`);
  expect(site.read('articles/plain.md')).toContain(`title: AT&T — € "q"`);
  expect(shownText(site.content, 'plain')).toBe('A<b>&c');
});

it('expands no entity that the file declares', async () => {
  const site = createEmptySite();
  const levels = Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  ).join('');
  const bomb = buildWxr([{ id: 1, slug: 'bomb', content: 'Words ]]> and &amp; &nbsp; more.' }])
    .replace('<!-- generator', `<!DOCTYPE rss [<!ENTITY e0 "lol">${levels}]><!-- generator`)
    .replace('<description></description>', '<description>&e12;</description>');
  expect((await site.run(bomb)).code).toBe(0);
  expect(site.readReport()).toMatch(/export\.xml, line \d+: the XML is damaged: undefined entity/);
  expect(site.read('articles/bomb.md')).toContain(String.raw`Words \]\]\> and &`);
});

it('lists unknown shortcodes with their places', async () => {
  const site = createEmptySite();
  await site.run([
    { id: 1, title: 'One', content: 'A [contact-form-7 id="5"] and [su_box title="x"]inside[/su_box].' },
    { id: 2, title: 'Two', content: '[contact-form-7 id="6"]\n\n<script>alert(1)</script>Text' },
  ]);
  expect(site.readReport()).toMatch(/\[contact-form-7\]: 2 uses: One \(export\.xml, line \d+\); Two \(/);
  expect(site.readReport()).toContain('1 <script>, which the site does not show');
  expect(site.read('articles/post-1.md')).toContain('inside');
  expect(site.read('articles/post-1.md')).not.toContain('\\[su\\_box');
});

it('writes articles that the site can read, in any script and with broken HTML', async () => {
  const site = createEmptySite();
  // Languages with marks, in both directions, and characters beyond 16 bits.
  const words = [
    ...'Ελληνικά עברית العربية فارسی اردو हिन्दी मराठी नेपाली বাংলা ਪੰਜਾਬੀ ગુજરાતી தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ไทย ລາວ မြန်မာ ខ្មែរ བོད་ཡིག 한국어 日本語 简体中文 繁體中文 Монгол Русский Українська Български Српски Հայերեն ქართული አማርኛ Türkçe Čeština Polski Íslenska Yorùbá Magyar ދިވެހި ᏣᎳᎩ'.split(
      ' ',
    ),
    'Tiếng Việt',
    '😀 emoji 👩‍💻',
  ];
  const items = words.map(
    (word, at): WxrItem => ({
      id: at + 1,
      title: word,
      slug: '',
      content: `<p>${word} <b>unclosed <i>both</p><ul><li>${word}<li>two</ul><table><tr><th>a</th></tr><tr><td>${word}|x</td></tr></table><pre>  ${word}\n\n  &lt;b&gt;</pre>`,
    }),
  );
  expect((await site.run(items)).code).toBe(0);
  const articles = readArticleFiles(path.join(site.content, 'articles'), { images: IMAGES });
  for (const word of words)
    expect(
      articles.filter(({ front, markdown }) => front.title === word && markdown.split(word).length >= 4),
    ).toHaveLength(1);
});

const pack = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

it('imports the export of Ghost', async () => {
  const site = createEmptySite();
  const posts = [
    {
      id: '1',
      title: 'First',
      slug: 'first',
      html: '<p>See <a href="__GHOST_URL__/second/">second</a>.</p>',
      status: 'published',
      visibility: 'public',
      type: 'post',
      published_at: '2024-05-01T10:00:00.000Z',
      updated_at: null,
      custom_excerpt: null,
    },
    {
      id: '2',
      title: 'Second',
      slug: 'second',
      html: '<p>For members.</p>',
      status: 'published',
      visibility: 'paid',
      published_at: '2024-05-02T10:00:00.000Z',
    },
  ];
  const tags = [
    { id: 't', name: 'Guides', slug: 'guides' },
    { id: 'u', name: 'CRM', slug: 'crm-1' },
  ];
  const posts_tags = [
    { post_id: '1', tag_id: 'u', sort_order: 1 },
    { post_id: '1', tag_id: 't', sort_order: 0 },
  ];
  const file = site.write(
    'ghost.json',
    JSON.stringify({ db: [{ meta: {}, data: { posts, tags, posts_tags } }] }),
  );
  const { code, stderr } = await site.move('ghost', file);
  expect([code, stderr]).toEqual([0, '']);
  expect(site.read('articles/first.md')).toContain('categories:\n  - Guides\ntags:\n  - CRM');
  expect(site.read('articles/first.md')).toContain('See [second](/blog/second).');
  expect(site.read('articles/second.md')).toContain('draft: true');
  expect(site.readRedirects()).toMatchObject({
    '/tag/crm-1': '/blog/tag/crm',
    '/rss': '/rss.xml',
  });
});

it('imports the archives of Substack and Medium', async () => {
  const site = createEmptySite();
  const substack = pack({
    'posts.csv':
      'post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url\n12.hello,2024-05-01T10:00:00.000Z,true,,newsletter,everyone,Hello,A subtitle,\n13.paid,2024-05-02T10:00:00.000Z,true,,newsletter,only_paid,Paid,,\n',
    'posts/12.hello.html': '<p>Hello <em>reader</em></p>',
    'posts/13.paid.html': '<p>Secret</p>',
  });
  expect((await site.move('substack', site.write('substack.zip', substack))).stderr).toBe('');
  expect(site.read('articles/hello.md')).toContain('excerpt: A subtitle');
  expect(site.read('articles/paid.md')).toContain('draft: true');
  const medium = pack({
    'posts/2019-02-03_My-story-abcdef123456.html':
      '<!DOCTYPE html><html><head><title>My story</title></head><body><article class="h-entry"><header><h1 class="p-name">My story &amp; more</h1></header><section data-field="subtitle" class="p-summary">About it</section><section data-field="body" class="e-content"><section><h3 class="graf graf--h3 graf--title">My story &amp; more</h3><p class="graf">Words with <strong class="markup--strong">weight</strong>.</p><h3>Part</h3></section></section><footer><p>By <a href="https://medium.com/@me" class="p-author h-card">Ada Example</a> on <a href="https://medium.com/p/abcdef123456"><time class="dt-published" datetime="2019-02-03T10:00:00.000Z">February 3</time></a>.</p><p><a href="https://stories.example/my-story-abcdef123456" class="p-canonical">Canonical link</a></p></footer></article></body></html>',
  });
  expect((await site.move('medium', site.write('medium.zip', medium))).stderr).toBe('');
  const story = site.read('articles/my-story.md');
  expect(story).toContain('title: My story & more\nexcerpt: About it');
  expect(story).toContain(
    'author: Ada Example\naddress: /my-story-abcdef123456\n---\nWords with **weight**.\n\n## Part\n',
  );
  expect(site.read('articles/hello.md')).toContain('\naddress: /p/hello\n');
  expect(story).toContain('\naddress: /my-story-abcdef123456\n');
  // A blog of Medium with its own domain answers there too.
  expect(site.readRedirects()).toEqual({ '/p/abcdef123456': '/blog/my-story' });
});

it('imports Markdown with the front matter of Jekyll, Hugo and Astro', async () => {
  const site = createEmptySite();
  site.write(
    'jekyll/_posts/2020-05-06-old-post.md',
    '---\ntitle: "Old: post"\ncategories: news\ntags: [a, b]\nredirect_from:\n  - /older/\n---\nText with `{% raw %}` and {% include box.html %}.\n\n```\n[not](a-link)\n```\n',
  );
  site.write('jekyll/_drafts/idea.md', '---\ntitle: Idea\n---\nLater.\n');
  site.write(
    'hugo/content/posts/guide/index.md',
    '+++\ntitle = "A guide"\ndate = 2021-02-03T04:05:06Z\ntags = ["one", "two"]\naliases = ["/g"]\n+++\nWords.\n\n{{< youtube dQw4w9WgXcQ >}}\n',
  );
  site.write(
    'astro/src/content/blog/launch.mdx',
    "---\ntitle: Launch\npubDate: Mar 4 2022\nheroImage: ../../assets/x.png\n---\nimport X from '../x.astro';\n\nSee [older](/2020/x).\n",
  );
  for (const folder of ['jekyll', 'hugo', 'astro']) {
    const { code, stderr } = await site.move('markdown', path.join(site.folder, folder));
    expect([folder, code, stderr]).toEqual([folder, 0, '']);
  }
  const old = site.read('articles/old-post.md');
  expect(old).toContain(
    'Text with `{% raw %}` and <!-- {% include box.html %} -->.\n\n```\n[not](a-link)\n```',
  );
  expect(site.read('articles/idea.md')).toContain('draft: true');
  expect(site.read('articles/guide.md')).toContain('publishedAt: 2021-02-03T04:05:06.000Z');
  expect(site.read('articles/guide.md')).toContain('<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"');
  expect(site.read('articles/launch.md')).toContain("<!-- import X from '../x.astro'; -->");
});

it('puts everything back when it was killed before', async () => {
  const site = createEmptySite();
  await site.run([{ id: 1, content: 'First text.' }]);
  const before = snapshot(site.content);
  // What a process leaves that is killed while it moves its files: a journal, the files before, and some new ones.
  const files = [1, 2].map((id) => ({ file: `articles/post-${id}.md`, existed: id === 1 }));
  const journal = { pid: 2 ** 22 + 1, host: os.hostname(), files };
  site.write('content/.import/before/articles/post-1.md', site.read('articles/post-1.md'));
  site.write('content/.import/journal.json', JSON.stringify(journal));
  for (const { file } of files) site.write(`content/${file}`, 'half an import');
  // Without a heartbeat for a minute, the process has ended.
  utimesSync(path.join(site.content, '.import/journal.json'), 0, 0);
  openFolderContent(site.content, () => NO_IMAGES);
  expect(snapshot(site.content)).toEqual(before);
});

it('leaves the content as it was when the process is killed at any moment', { tags: ['rest'] }, async () => {
  const site = createEmptySite();
  const items = Array.from(
    { length: 60 },
    (_, at): WxrItem => ({ id: at + 1, content: `Text ${at}. `.repeat(50) }),
  );
  const file = site.write('export.xml', buildWxr(items));
  const before = snapshot(site.content);
  const script = path.join(import.meta.dirname, 'bench/import-process.ts');
  for (const delay of [300, 600, 900]) {
    const child = spawn(PINNED_NODE, [script, file], {
      env: { PATH: process.env['PATH'], CONTENT_DIR: site.content, DATA_DIR: site.data },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), delay);
    await ended;
    clearTimeout(timer);
    // The next process of the same DATA_DIR finds a journal without a heartbeat.
    const journal = path.join(site.content, '.import/journal.json');
    if (existsSync(journal)) utimesSync(journal, 0, 0);
    expect(new ContentJournal(site.content, createOwnerReader(site.data)).look()).toBeNull();
    const after = snapshot(site.content);
    if (child.signalCode === 'SIGKILL') {
      // Killed before everything was in place, or just after.
      if (Object.keys(after).length !== Object.keys(before).length)
        expect(after['articles/post-60.md']).toBeDefined();
      else expect(after).toEqual(before);
    }
  }
});

it('names a post whose lists are nested too deeply to be converted, and imports the others', async () => {
  const site = createEmptySite();
  const { code, output } = await site.run([
    { id: 1, title: 'Deep', slug: 'deep', content: '<ul><li>'.repeat(20_000) },
    { id: 2, slug: 'flat', content: 'Words.' },
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('Articles: 1 posts')]);
  expect(site.readReport()).toMatch(/Deep \(export\.xml, line \d+\): is not imported: .*nested too deeply/);
  expect(readdirSync(path.join(site.content, 'articles'))).toEqual(['flat.md']);
  expect(site.readRedirects()).not.toHaveProperty('/deep');
});

it('says in one sentence why nothing can be written, and what was written when the report cannot be', async () => {
  const site = createEmptySite();
  const before = snapshot(site.content);
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const disk = {
    ...DISK,
    writeFileSync: () => {
      throw full;
    },
  };
  const prepared = prepareMoveIn({
    site: openWxr(site.write('export.xml', buildWxr([{ id: 1, content: 'Words.' }]))),
    name: 'wordpress',
    contentDir: site.content,
    journal: new ContentJournal(site.content, undefined, disk),
    links: [],
    decisions: [],
    keepsSample: true,
    day: '2026-01-05',
    media: null,
    names: new Map<string, string>(),
    settings: {
      prefixes: [],
      archives: { category: undefined, tag: undefined, author: undefined },
      amazon: { host: 'www.amazon.com', tag: '' },
      title: ['', ''] as const,
    },
  });
  await expect(prepared).rejects.toThrow(
    new MoveInError('The disk is full. Nothing was changed: free some space and try again.'),
  );
  expect(snapshot(site.content)).toEqual(before);
  const { code, output } = await site.run([{ id: 1, content: 'Words.' }], '--report', '/dev/full');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/Articles: 1 posts[\s\S]*\/dev\/full could not be written \(ENOSPC\)\.[^\n]*\n$/),
  ]);
  expect(site.read('articles/post-1.md')).toContain('Words.');
});

const LITERALS = [
  '{product:kit.creator} and {trial:days} cost {claim:none}',
  '{{product-box product="none"}}',
  '{{versus products="a, b"}}',
] as const;

it.each([
  ['in paragraphs', LITERALS.map((text) => `<p>${text}</p>`).join('\n')],
  ['in paragraphs of the classic editor', LITERALS.join('\n\n')],
  [
    'in lists and quotations',
    LITERALS.map((text) => `<ul><li><p>${text}</p></li></ul><blockquote><p>${text}</p></blockquote>`).join(
      '',
    ),
  ],
  [
    'in code',
    LITERALS.map((text) => `<pre><code>a\n\n${text}\nb</code></pre><p><code>${text}</code></p>`).join(''),
  ],
  [
    'in HTML',
    LITERALS.map(
      (text) => `<p dir="rtl">${text}</p><figure><p>${text}</p><figcaption>x</figcaption></figure>`,
    ).join(''),
  ],
  ['in links', '<p><a href="https://a.example/?x={product:kit}">{product:kit}</a></p>'],
])('leaves what is a placeholder or shortcode here by chance as text %s', async (_, html) => {
  const site = createEmptySite();
  await site.run([{ id: 1, slug: 'one', title: 'A {trial:days} trial', content: html }]);
  expect(shownText(site.content, 'one')).toBe(extractText(html).replace(/\s+/g, ''));
  expect(site.readReport()).toContain('has a space after its colon in the front matter');
});

it('leaves placeholders in imported Markdown as text', async () => {
  const site = createEmptySite();
  const words = LITERALS.join('\n\n');
  const lines = `${words}\n\n- ${LITERALS[1]}\n\n\`{trial:days}\`\n\n\`\`\`js\na\n\n${words}\n\`\`\`\n`;
  const file = site.write('notes/one.md', `---\ntitle: One\ndate: 2024-01-01\n---\n${lines}`);
  const { code } = await site.move('markdown', path.dirname(file));
  expect(code).toBe(0);
  expect(shownText(site.content, 'one')).toBe(lines.replace(/`{3}(?:js)?|`|^- /gm, '').replace(/\s+/g, ''));
});

/** The words of an article as the site shows it, without white space; it has no section of a shortcode. */
function shownText(content: string, slug: string): string {
  const figures = new Map([
    ['product:kit', '$9'],
    ['product:kit.creator', '$9'],
    ['trial:days', '14'],
    ['claim:a', '3'],
  ]);
  const articles = readArticleFiles(path.join(content, 'articles'), {
    images: IMAGES,
    figures,
    products: new Map(),
  });
  const found = articles.find((article) => article.slug === slug);
  const html = renderMarkdown(found?.markdown ?? '');
  const prepared = createBodyPreparer({
    siteOrigin: 'https://hub.example',
    partners: new Map(),
    imageHosts: [],
    articleSite: '',
    nofollow: false,
  })({ format: 'html', source: html });
  expect(splitShortcodes(prepared.content)).toHaveLength(1);
  return extractText(prepared.content).replace(/\s+/g, '');
}

/** The addresses that posts of a fixture keep, by their default paths. */
const KEPT: Readonly<Record<string, string>> = {
  '/blog/tools': '/2024/03/tools/',
  '/blog/%D0%B8%D0%BC%D1%8F': '/%D0%B8%D0%BC%D1%8F/',
  '/blog/numeric': '/archives/17',
  '/blog/shoes': '/guides/beginners/shoes.html',
  '/blog/almost-pretty': '/index.php/2024/03/05/almost-pretty/',
  '/blog/day-and-name': '/2024/03/05/day-and-name/',
  '/blog/about': '/about/',
};

/** Every address that a fixture of a former site had, and where a request for it ends; see also `KEPT`. */
const ADDRESSES: Readonly<Record<string, string>> = {
  '/2024/03/tools/': '/blog/tools',
  '/2024/03/tools/feed/': '/blog/tools',
  '/2024/03/tools/2/': '/blog/tools',
  '/2024/03/tools/comment-page-4/': '/blog/tools',
  '/2024/03/old-tools/': '/blog/tools',
  '/?p=12': '/blog/tools',
  '/%d0%b8%d0%bc%d1%8f/': '/blog/%D0%B8%D0%BC%D1%8F',
  '/archives/17': '/blog/numeric',
  '/archives/17/feed/': '/blog/numeric',
  '/guides/beginners/shoes.html': '/blog/shoes',
  '/guides/beginners/old-shoes.html': '/blog/shoes',
  '/index.php/2024/03/05/almost-pretty/': '/blog/almost-pretty',
  '/?p=20': '/blog/plain',
  '/2024/03/05/day-and-name/': '/blog/day-and-name',
  '/recommends/shop/': 'https://shop.example/?x=1',
  '/2024/03/tools/photo-2/': '/blog/tools',
  '/about/': '/blog/about',
  '/?page_id=15': '/blog/about',
  '/photo/': '/blog',
  '/?attachment_id=2': '/blog',
  '/topics/guides/': '/blog/topic/guides',
  '/topics/guides/page/7/': '/blog/topic/guides',
  '/topics/guides/beginners/': '/blog/topic/beginners',
  '/topics/guides/beginners/feed/': '/rss.xml',
  '/?cat=31': '/blog/topic/beginners',
  '/?category_name=beginners': '/blog/topic/beginners',
  '/topics/empty/': '/blog',
  '/topics/empty/feed/': '/rss.xml',
  '/?cat=32': '/blog',
  '/index.php': '/',
  '/labels/crm-2/page/2/': '/blog/tag/crm',
  '/?tag=crm-2': '/blog/tag/crm',
  '/by/ada-l/': '/blog',
  '/by/ada-l/page/3/': '/blog',
  '/by/ada-l/feed/': '/rss.xml',
  '/?author=1': '/blog',
  '/page/2/': '/blog',
  '/page/48/': '/blog',
  '/2024/': '/blog',
  '/2024/03/page/2/': '/blog',
  '/2024/03/01/': '/blog',
  '/?m=202403': '/blog',
  '/feed/': '/rss.xml',
  '/feed/atom/': '/rss.xml',
  '/comments/feed/': '/rss.xml',
  '/?feed=rss2': '/rss.xml',
  '/wp-content/uploads/2020/01/photo.png': '/images/photo.hash.png',
  '/wp-content/uploads/2020/01/photo-300x200.png': '/images/photo.hash.png',
  '/wp-content/uploads/2020/01/photo-768x512.png': '/images/photo.hash.png',
  '/wp-content/uploads/2020/01/photo-scaled.png': '/images/photo.hash.png',
};

it('answers every address of the former site itself, or with one permanent redirect to something that is there', async () => {
  const site = createEmptySite();
  site.write(
    'uploads/2020/01/photo.png',
    readFileSync(path.join(import.meta.dirname, '../public/favicon.png')),
  );
  const terms = `<wp:author><wp:author_id>1</wp:author_id><wp:author_login>Ada.L</wp:author_login></wp:author>
<wp:category><wp:term_id>30</wp:term_id><wp:category_nicename>guides</wp:category_nicename><wp:category_parent></wp:category_parent></wp:category>
<wp:category><wp:term_id>31</wp:term_id><wp:category_nicename>beginners</wp:category_nicename><wp:category_parent>guides</wp:category_parent></wp:category>
<wp:category><wp:term_id>32</wp:term_id><wp:category_nicename>empty</wp:category_nicename><wp:category_parent></wp:category_parent></wp:category>`;
  const items: readonly WxrItem[] = [
    {
      id: 12,
      slug: 'tools',
      link: 'https://old.example/2024/03/tools/',
      categories: [
        ['guides', 'Guides'],
        ['beginners', 'Beginners'],
      ],
      tags: [['crm-2', 'CRM']],
      content:
        '<img src="/wp-content/uploads/2020/01/photo-300x200.png" alt="A photo"> One.<!--nextpage-->Two.',
      meta: [['_wp_old_slug', 'old-tools']],
    },
    { id: 13, slug: '%d0%b8%d0%bc%d1%8f', title: 'Имя', content: 'Слово.' },
    { id: 15, type: 'page', slug: 'about', content: 'Words.' },
    // Other patterns of permalinks.
    ...Object.entries({
      17: ['numeric', 'archives/17'],
      18: ['shoes', 'guides/beginners/shoes.html'],
      19: ['almost-pretty', 'index.php/2024/03/05/almost-pretty/'],
      20: ['plain', '?p=20'],
      21: ['day-and-name', '2024/03/05/day-and-name/'],
    }).map(
      ([id, [slug = '', address = '']]): WxrItem => ({
        id: Number(id),
        slug,
        link: `https://old.example/${address}`,
        content: 'Words.',
        meta: slug === 'shoes' ? [['_wp_old_slug', 'old-shoes']] : [],
      }),
    ),
    {
      id: 30,
      type: 'thirstylink',
      slug: 'shop',
      link: 'https://old.example/recommends/shop/',
      meta: [['_ta_destination_url', 'https://shop.example/?x=1']],
    },
    {
      id: 3,
      type: 'attachment',
      status: 'inherit',
      attachment: 'https://old.example/wp-content/uploads/2020/01/paper.pdf',
      link: 'https://old.example/2024/03/tools/photo-2/',
      parent: 12,
    },
    {
      id: 2,
      type: 'attachment',
      status: 'inherit',
      attachment: 'https://old.example/wp-content/uploads/2020/01/photo-scaled.png',
      link: 'https://old.example/photo/',
      meta: [
        [
          '_wp_attachment_metadata',
          'a:2:{s:4:"file";s:24:"2020/01/photo-scaled.png";s:5:"sizes";a:1:{s:6:"medium";a:1:{s:4:"file";s:17:"photo-768x512.png";}}s:14:"original_image";s:9:"photo.png";}',
        ],
      ],
    },
  ];
  const xml = buildWxr(items)
    .replace(/<wp:author>.*<\/wp:author>/, terms)
    .replaceAll('<![CDATA[ada]]>', 'Ada.L');
  const argv = ['--media', path.join(site.folder, 'uploads'), '--bases', 'topics,labels,by'];
  expect((await site.run(xml, ...argv)).code).toBe(0);

  const image = { ...IMAGE, src: '/images/photo.hash.png' };
  const images = new Map([...IMAGES.images, ['imported/2020/01/photo.png', image]]);
  const catalog = { images, origin: 'build' } as const;
  const { content } = openFolderContent(site.content, () => catalog).readStart(
    new Set(readdirSync(path.join(site.content, 'articles')).map((name) => name.replace(/\.md$/, ''))),
  );
  const articles = readArticleFiles(path.join(site.content, 'articles'), { images: catalog });
  const present = new Set([
    ...articles.map(({ slug }) => buildDefaultPath(slug)),
    ...articles.flatMap(({ front }) => [
      ...front.categories.map((name) => buildGroupPath('topic', buildSlug(name))),
      ...front.tags.map((name) => buildGroupPath('tag', buildSlug(name))),
    ]),
    '/',
    '/blog',
    '/rss.xml',
    '/sitemap.xml',
    image.src,
    'https://shop.example/?x=1',
  ]);
  const respond = async (address: string) => ({
    status: present.has(address) ? 200 : 404,
    headers: {},
    body: Buffer.alloc(0),
  });
  const app = createApp(
    {
      routes: [],
      console: async () => null,
      content: { read: () => content, pageParameters: new Map() },
      security: { api: {} },
      visitors: { renderLimiter: { take: () => 0 }, crawlers: { count: () => undefined } },
      log: NO_LOG,
    },
    { render: respond, submit: respond },
  );
  const visit = async (address: string) => {
    const visitor = { requestId: 'id', clientAddress: '192.0.2.1' };
    const { status, headers } = await app.fetch(new Request(`https://hub.example${address}`), visitor);
    return [status, headers.get('location')] as const;
  };
  const crawled: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  // The addresses above, and every one that the import itself has written.
  const targets = new Map([...content.redirects, ...Object.entries(ADDRESSES)]);
  for (const [address, target] of targets) {
    const [first, location] = await visit(address);
    const end = KEPT[target] ?? target;
    if (parsePath(address) === end) {
      crawled[address] = [first, location];
      expected[address] = [200, null];
      continue;
    }
    const isElsewhere = location?.startsWith('https:') && present.has(location);
    crawled[address] = [first, location, ...(isElsewhere ? [200, null] : await visit(location ?? '/404'))];
    expected[address] = [301, end, 200, null];
  }
  expect(crawled).toEqual(expected);
  expect(Object.fromEntries(content.addresses)).toEqual(KEPT);
  expect(await visit('/2024/03/never-there/page/2')).toEqual([404, null]);
});

it('keeps the address of the first of two posts, and of none that wants one of this site', async () => {
  const site = createEmptySite();
  const link = (address: string) => ({ link: `https://old.example/${address}`, content: 'Words.' });
  const { code } = await site.run([
    { id: 1, slug: 'one', ...link('same/') },
    { id: 2, slug: 'two', ...link('same') },
    { id: 3, slug: 'three', ...link('contact/') },
    { id: 4, slug: 'four', ...link('console/x/') },
    { id: 5, slug: 'five', ...link('blog/five') },
    { id: 6, slug: 'six', ...link('blog/six/') },
  ]);
  expect(code).toBe(0);
  const read = (slug: string) => /^address: (.*)$/m.exec(site.read(`articles/${slug}.md`))?.[1];
  const slugs = ['one', 'two', 'three', 'four', 'five', 'six'];
  expect(slugs.map(read)).toEqual(['/same/', undefined, undefined, undefined, undefined, '/blog/six/']);
  for (const reason of [
    'is at /blog/two and not at /same: /same is the address of articles/one.md already',
    'is at /blog/three and not at /contact/: /contact is the address of pages/contact.yaml',
    'is at /blog/four and not at /console/x/: the site responds at /console/x itself',
  ])
    expect(site.readReport()).toContain(reason);
});

it('downloads images on request, from allowed hosts and within limits', { tags: ['rest'] }, async () => {
  const photo = readFileSync(path.join(import.meta.dirname, '../public/favicon.png'));
  const send =
    (body: Buffer | string, type = 'image/png') =>
    (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': type }).end(body);
  const moveTo = (location: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location }).end();
  const internet = await startStandInInternet([
    [
      'old.example',
      {
        '/wp-content/uploads/a.png': send(photo),
        '/wp-content/uploads/b-20x20.png': send(photo),
        '/wp-content/uploads/page.png': send('<h1>Not found</h1>', 'text/html'),
        '/wp-content/uploads/script.png': send('<script>alert(1)</script>'),
        '/wp-content/uploads/large.png': send(Buffer.concat([photo, Buffer.alloc(20_000_001)])),
        '/wp-content/uploads/away.png': moveTo('http://127.0.0.1:1/secret.png'),
        '/wp-content/uploads/private.png': moveTo('http://internal.example/private.png'),
        '/wp-content/uploads/loop.png': moveTo('/wp-content/uploads/loop.png'),
      },
    ],
    ['cdn.example', { '/c.png': send(photo) }],
  ]);
  try {
    const site = createEmptySite();
    const names = ['a-300x200', 'b-20x20', 'page', 'script', 'large', 'away', 'private', 'loop', 'gone'];
    const images = names.map(
      (name) => `<img src="https://old.example/wp-content/uploads/${name}.png" alt="x">`,
    );
    const others = ['https://cdn.example/c.png', 'https://other.example/d.png', 'http://10.0.0.1/e.png'];
    const html = [...images, ...others.map((src) => `<img src="${src}" alt="x">`)].join('\n');
    const file = site.write('export.xml', buildWxr([{ id: 1, slug: 'one', content: `Words. ${html}` }]));
    const run = () =>
      runCommand(
        'import',
        ['wordpress', file, '--download-media', '--media-hosts', 'cdn.example,internal.example,10.0.0.1'],
        {
          CONTENT_DIR: site.content,
          DATA_DIR: site.data,
          TEST_HOSTS: buildStandIns(['old.example', 'cdn.example'], internet.port),
        },
      );
    expect((await run()).code).toBe(0);
    const text = site.read('articles/one.md');
    expect(text.match(/\.\.\/images\/imported\/[^)]*/g)).toEqual([
      '../images/imported/a.png',
      '../images/imported/b-20x20.png',
      '../images/imported/c.png',
    ]);
    expect(readFileSync(path.join(site.content, 'images/imported/a.png')).equals(photo)).toBe(true);
    const report = site.readReport();
    for (const [address, reason] of [
      ['page.png', 'is no image'],
      ['script.png', 'is not the image that its name says'],
      ['large.png', 'is larger than 20 MB'],
      ['away.png', 'is on the host 127.0.0.1:1: name it with --media-hosts to download it'],
      ['loop.png', 'redirects too often'],
      ['gone.png', 'responds with 404'],
      ['d.png', 'is on the host other.example: name it with --media-hosts to download it'],
      ['e.png', 'cannot be downloaded: private-address'],
    ] as const)
      expect(report).toContain(`${address} ${reason}`);
    expect(report).toMatch(/private\.png cannot be downloaded: (?:unknown-host|network)/);
    const requests = internet.requests.length;
    await run();
    expect(internet.requests.slice(requests).filter((address) => /\/[abc][.-]/.test(address))).toEqual([]);
  } finally {
    await internet.close();
  }
});

it('imports posts of Ghost that are in the form of its editor alone', async () => {
  const site = createEmptySite();
  const write = (text: string, format = 0) => ({ type: 'extended-text', text, format });
  const children = [
    { type: 'extended-heading', tag: 'h2', children: [write('A heading')] },
    {
      type: 'paragraph',
      children: [
        write('Plain, '),
        write('bold', 1),
        write(' and '),
        { type: 'link', url: '__GHOST_URL__/second/', children: [write('a <link>')] },
        { type: 'linebreak' },
        write('x = 1', 16),
      ],
    },
    {
      type: 'list',
      listType: 'number',
      start: 3,
      children: [
        { type: 'listitem', children: [write('Three')] },
        { type: 'listitem', children: [write('Four')] },
      ],
    },
    { type: 'image', src: 'https://images.example/photo.jpg', alt: 'A photo', caption: '' },
    { type: 'codeblock', code: 'if (a < b) {}', language: 'js' },
    {
      type: 'embed',
      url: 'https://youtu.be/dQw4w9WgXcQ',
      html: '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed"></iframe>',
    },
    {
      type: 'embed',
      url: 'https://social.example/1',
      html: '<script src="https://social.example/x.js"></script>',
    },
    { type: 'bookmark', url: 'https://other.example/', metadata: { title: 'Other' } },
    { type: 'callout', calloutText: 'Mind <b>this</b>.' },
    { type: 'poll', question: 'Which?' },
    7,
  ];
  const post = {
    id: '1',
    title: 'First',
    slug: 'first',
    html: null,
    status: 'published',
    type: 'post',
    published_at: '2024-05-01T10:00:00.000Z',
    lexical: JSON.stringify({ root: { type: 'root', children } }),
  };
  const second = { ...post, id: '2', slug: 'second', title: 'Second', html: '<p>Words.</p>' };
  const damaged = { ...post, id: '3', slug: 'third', title: 'Third', lexical: '{"root":' };
  const file = site.write(
    'ghost.json',
    JSON.stringify({ db: [{ data: { posts: [post, second, damaged] } }] }),
  );
  const { code } = await site.move('ghost', file);
  expect(code).toBe(0);
  const [, body] = site.read('articles/first.md').split('\n---\n');
  expect(body).toBe(`## A heading

Plain, **bold** and [a \\<link\\>](/blog/second)\\
\`x = 1\`

3. Three
4. Four

![A photo](https://images.example/photo.jpg)

\`\`\`js
if (a < b) {}
\`\`\`

<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="Watch the video"></iframe>

[https\\://social.example/1](https://social.example/1)

[Other](https://other.example/)

> Mind **this**.

<!-- [poll] -->
`);
  const report = site.readReport();
  expect(report).toContain('ghost.json, post 1: a card "poll" of Ghost has no form here');
  expect(report).toContain('ghost.json, post 3: its text is damaged');
});

it('imports product and header cards of Ghost, its search settings, and its images in any size', async () => {
  const site = createEmptySite();
  const card = {
    type: 'product',
    productTitle: 'Steel Kettle',
    productDescription: '<p>It boils.</p>',
    productUrl: 'https://www.amazon.com/dp/B01N0T4N7K?tag=me-20',
    productButton: 'Buy',
    productRatingEnabled: true,
    productStarRating: 4,
  };
  const header = {
    type: 'header',
    heading: 'Big words',
    subheading: 'Small words',
    buttonEnabled: true,
    buttonText: 'Go',
    buttonUrl: 'https://shop.example/?aff=1',
  };
  const html =
    '<div class="kg-card kg-product-card"><div class="kg-product-card-container"><div class="kg-product-card-title-container"><h4 class="kg-product-card-title"><span>Steel Kettle</span></h4></div><div class="kg-product-card-description"><p>It boils.</p></div><a href="https://www.amazon.com/dp/B01N0T4N7K?tag=me-20" class="kg-product-card-button kg-product-card-btn-accent" target="_blank"><span>Buy</span></a></div></div><img src="__GHOST_URL__/content/images/size/w600/2024/photo.jpg" alt="A photo">';
  const base = { status: 'published', type: 'post', published_at: '2024-05-01T10:00:00.000Z' };
  const posts = [
    {
      ...base,
      id: '1',
      title: 'One',
      slug: 'one',
      lexical: JSON.stringify({ root: { type: 'root', children: [card, header] } }),
    },
    { ...base, id: '2', title: 'Two', slug: 'two', html, canonical_url: 'https://first.example/two' },
  ];
  const posts_meta = [{ post_id: '2', og_title: 'Shared', og_description: 'Words.', og_image: '/x.png' }];
  const file = site.write('ghost.json', JSON.stringify({ db: [{ data: { posts, posts_meta } }] }));
  site.write('images/2024/photo.jpg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]));
  const run = () => site.move('ghost', file, '--media', path.join(site.folder, 'images'));
  expect((await run()).code).toBe(0);
  const decisions = site.read('.import/partners.yaml');
  site.write('content/.import/partners.yaml', decisions.replaceAll('confirm: false', 'confirm: true'));
  expect((await run()).code).toBe(0);
  for (const slug of ['one', 'two']) {
    expect(site.read(`articles/${slug}.md`)).toContain('{{product-box product="steel-kettle"}}');
    expect(site.read(`articles/${slug}.md`)).toContain('It boils.');
  }
  expect(site.read('articles/one.md')).toMatch(/## Big words\n\nSmall words\n\n\[Go\]\(\/go\/shop/);
  expect(site.read('articles/two.md')).toContain(
    'canonicalUrl: https://first.example/two\nsocialTitle: Shared\n',
  );
  expect(site.read('articles/two.md')).toContain('![A photo](../images/imported/2024/photo.jpg)');
  expect(readContent(site.content).products.get('steel-kettle')?.name).toBe('Steel Kettle');
  expect(site.readReport()).toContain('an image for social networks: 1 posts');
});
