import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createSiteFolder } from '../src/commands/new.ts';
import { parseArticleFile } from '../src/content-files/articles/article-file.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { parseRedirectPath } from '../src/core/paths.ts';
import { inspectHtml } from '../src/sources/articles/html/html-text.ts';
import { renderMarkdown } from '../src/sources/articles/html/prepare-body.ts';
import { buildWxr, type WxrItem } from './support/build-wxr.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';

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
      ...[kettle('tag-21'), kettle('tag-21', 'B00KETTLE2')],
      ...[kettle('other-21'), kettle('tag-21', 'B00KETTLE2')],
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

it('moves as many links in as there were, to the same targets, whichever plugin had them', async () => {
  const folder = createFolder();
  const content = path.join(folder, 'content');
  createSiteFolder({ name: 'New site', folder: content, isReplacing: false, day: '2026-01-05' });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const run = async () => {
    const argv = Object.entries(FILES).flatMap(([name, text]) => ['--links', write(name, text)]);
    const { code, stdout, stderr } = await runCommand(
      'import',
      [
        ...['wordpress', write('export.xml', buildWxr(ITEMS)), ...argv],
        ...['--prefixes', 'out,refer', '--amazon', 'www.amazon.de,tag-21'],
      ],
      { CONTENT_DIR: content, DATA_DIR: path.join(content, '../data') },
    );
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const readLinks = (at: number) => {
    const name = `links-${at}.md`;
    const parsed = parseArticleFile(name, readFileSync(path.join(content, 'articles', name), 'utf8'));
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    return renderMarkdown(parsed.file.markdown);
  };
  const expected = LINKS.map(({ plugin, targets }) => [plugin, targets]);
  const number = LINKS.reduce((sum, { targets }) => sum + targets.length, 0);

  expect(await run()).toContain(`Paid links: 0 through partners, ${number} marked as sponsored`);
  const plain = LINKS.map(({ plugin }, at) => [plugin, inspectHtml(readLinks(at)).links]);
  expect(plain).toEqual(expected);
  expect(LINKS.flatMap((_, at) => readLinks(at).match(/rel="sponsored"/g) ?? [])).toHaveLength(number);
  for (const [from, target] of LINKS.flatMap(({ paths = [] }) => paths))
    expect([from, readContent(content).redirects.get(from)]).toEqual([from, target]);
  const report = readFileSync(path.join(content, '.import/report.txt'), 'utf8');
  expect(report).toMatch(/export\.xml, line \d+: the link "Gone" has no target in the export/);
  expect(report).toMatch(/\[amazon\]: 1 use: AAWP \(export\.xml, line \d+\)/);
  expect(report).not.toMatch(/Lost.*\n(?:.*\n)*.*of \d+ links/);
  expect(report).toContain('/twice is not redirected: /moved is a former address itself');
  expect(readContent(content).redirects.has('/twice')).toBe(false);

  const decisions = path.join(content, '.import/partners.yaml');
  writeFileSync(decisions, readFileSync(decisions, 'utf8').replaceAll('confirm: false', 'confirm: true'));
  expect(await run()).toContain(`Paid links: ${number} through partners, 0 marked as sponsored`);
  const { partners, redirects } = readContent(content);
  const follow = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://hub.example');
    const partner = partners.get(parseRedirectPath(pathname) ?? '');
    const url = new URL(
      partner?.destinations.get(searchParams.get('page') ?? '') ?? `https://none.invalid${address}`,
    );
    if (partner !== undefined) url.searchParams.set(partner.affiliate.parameter, partner.affiliate.value);
    return comparable(url.href);
  };
  expect(LINKS.map(({ plugin }, at) => [plugin, inspectHtml(readLinks(at)).links.map(follow)])).toEqual(
    LINKS.map(({ plugin, targets }) => [plugin, targets.map(comparable)]),
  );
  for (const [from, target] of LINKS.flatMap(({ paths = [] }) => paths))
    expect([from, follow(redirects.get(from) ?? '')]).toEqual([from, comparable(target)]);
});
