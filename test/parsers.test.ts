import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { parseArticleFile, stripMarkdown } from '../src/content-files/articles/article-file.ts';
import { checkCopyText, checkQuotationText } from '../src/content-files/check-copy.ts';
import { editYaml } from '../src/content-files/edit-yaml.ts';
import { ImageStore } from '../src/content-files/image-store.ts';
import { readShippedNetworks } from '../src/content-files/networks.ts';
import { parseYaml } from '../src/content-files/parse-yaml.ts';
import { readRedirectFiles } from '../src/content-files/read-redirects.ts';
import { cleanSvg } from '../src/content-files/svg.ts';
import { listShortcodes } from '../src/core/articles/shortcodes.ts';
import { CommissionSourceError } from '../src/core/commissions/ledger/commission-source.ts';
import { listHeadingIds } from '../src/core/pages/page-outline.ts';
import { listTextTargets } from '../src/core/pages/partner-link-check.ts';
import { markdown } from '../src/core/pages/sections/fields.schema.ts';
import { findMarkdownExcess } from '../src/core/text/markdown-bounds.ts';
import { MarkdownText } from '../src/editor/codec.ts';
import { splitBlocks } from '../src/editor/merge.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  MoveInError,
} from '../src/move-in/former-item.ts';
import { buildFrontMatter } from '../src/move-in/front-matter.ts';
import { openGhost } from '../src/move-in/ghost-export.ts';
import { convertHtml } from '../src/move-in/html-to-markdown.ts';
import { readPluginLinks } from '../src/move-in/link-plugins.ts';
import { convertMarkdown } from '../src/move-in/markdown-body.ts';
import { openMarkdown } from '../src/move-in/markdown-folder.ts';
import { openMedia } from '../src/move-in/media.ts';
import { openMedium } from '../src/move-in/medium-export.ts';
import { Merchants } from '../src/move-in/merchants.ts';
import { openFileTree } from '../src/move-in/open-archive.ts';
import { convertPasted } from '../src/move-in/pasted-html.ts';
import { scanSite } from '../src/move-in/scan-site.ts';
import { expandShortcodes } from '../src/move-in/shortcodes.ts';
import { openSubstack } from '../src/move-in/substack-export.ts';
import { expandWordPressBody } from '../src/move-in/wordpress-body.ts';
import { openWxr } from '../src/move-in/wordpress-export.ts';
import { listHeadings } from '../src/sections/pages/markdown-text.tsx';
import { extractText, inspectHtml } from '../src/sources/articles/html/html-text.ts';
import {
  createBodyPreparer,
  findBodyExcess,
  placeImages,
  renderMarkdown,
} from '../src/sources/articles/html/prepare-body.ts';
import { readLinkPage } from '../src/sources/links/link-page.ts';
import { detectCsvFormat, readCsvRows } from '../src/sources/networks/csv.ts';
import { readEcbRates } from '../src/sources/networks/ecb.ts';
import { POLICY } from './support/article-setup.ts';
import { IS_FULL_LENGTH } from './support/cases.ts';
import { createFolder } from './support/create-folder.ts';
import { listPieces, PIECES, repeatPiece } from './support/hostile-input.ts';

let folder = '';
beforeEach(() => {
  folder = createFolder();
});
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const drain = async (site: FormerSite) => {
  for await (const item of site.read(() => undefined)) expect(item.place).not.toBe('');
};
const createItem = (known: Partial<FormerItem>) =>
  createFormerItem({ type: 'post', id: '1', place: 'x', ...known });
const REWRITER = {
  rewriteLink: (href: string) => ({ href }),
  rewriteImage: (src: string, alt: string) => ({ src, alt }),
  title: '',
  onUnknown: () => undefined,
  findProduct: () => undefined,
};
const REFERENCES = {
  findImage: () => ({ src: '/a.png', alt: '', caption: '' }),
  findLink: () => null,
  findBlock: () => null,
  buildAmazonLink: (asin: string) => `https://shop.example/${asin}`,
  findTable: () => null,
};
const SETTINGS = {
  prefixes: [],
  archives: { category: undefined, tag: undefined, author: undefined },
  amazon: { host: 'www.amazon.com', tag: '' },
  title: ['', ''] as const,
};
const scanItems = (items: readonly FormerItem[]) => {
  const site: FormerSite = {
    address: () => 'https://old.example',
    archives: null,
    feeds: [],
    async *read() {
      yield* items;
    },
  };
  return scanSite({ site, links: [], settings: SETTINGS, networks: readShippedNetworks() }, new Set());
};
const count = (length: number) => Array.from({ length }, (_, at) => String(at));
const buildXml = (text: string) =>
  `<rss><channel><wp:wxr_version>1.2</wp:wxr_version>${text}</channel></rss>`;

const { html: HTML, markdown: MARKDOWN, yaml: YAML } = PIECES;
const IMAGES = { images: new Map(), origin: 'folder' } as const;
const prepare = createBodyPreparer(POLICY);
let taken = 0;
/** A quarter of a text, of another length each time: YAML that was parsed before is not parsed again. */
const takeQuarter = (text: string) => text.slice(0, text.length / 4 - taken++);
const read = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };

/** What reads foreign texts, each with pieces that have no end: see `PIECES`. */
const PARSERS: Readonly<Record<string, readonly [parse: (text: string) => unknown, pieces: string]>> = {
  'linked pages': [readLinkPage, HTML],
  'data of linked pages': [
    (text) => readLinkPage(`<script type="application/ld+json">${text}</script>`),
    '[§{"a":§"§{"@type":"Offer","name":"§[[],',
  ],
  'words of HTML': [extractText, HTML],
  'parts of HTML': [inspectHtml, HTML],
  // An article has at most 25,000 tags.
  'bodies of services': [(text) => prepare({ format: 'html', source: text.slice(0, text.length / 4) }), HTML],
  'bodies of article files': [
    (text) => findBodyExcess(text) ?? placeImages(renderMarkdown(text), IMAGES),
    MARKDOWN,
  ],
  'blocks of texts': [splitBlocks, MARKDOWN],
  'texts of the editor': [(text) => new MarkdownText().open(text), MARKDOWN],
  'links of texts': [listTextTargets, `${MARKDOWN}§](§[a](b]§](b "§](b '§](b "" `],
  'headings of texts': [listHeadingIds, `${MARKDOWN}§# §# a #§#§ #§~`],
  'copy of texts': [
    (text) => [
      checkCopyText('articles/a.md', text),
      checkQuotationText(folder, 'articles/a.md', text),
      stripMarkdown(text),
      listShortcodes(text),
    ],
    `${MARKDOWN}§"§'§“§$1§$1,000§$§{claim:a}§{{product-box}}§{{product-box §[^1]`,
  ],
  'images of articles': [
    (text) => {
      write(
        'content/articles/a.md',
        `---\ntitle: a\n---\n![x](../images/a.png)\n\n${text.slice(0, text.length / 4)}`,
      );
      const store = new ImageStore(path.join(folder, 'content'));
      // The list of images is shown beside an article that cannot be.
      expect(() => store.readUses()).not.toThrow();
      expect(store.readUses().has('a.png')).toBe(true);
    },
    MARKDOWN,
  ],
  'texts of pages': [(text) => markdown.safeParse(text).success && listHeadings(text), MARKDOWN],
  'front matter': [
    (text) => parseArticleFile('a.md', `---\ntitle: a\nb: ${takeQuarter(text)}\n---\nx`),
    `${YAML}§---⏎`,
  ],
  YAML: [(text) => parseYaml(takeQuarter(text)), YAML],
  'edits of YAML': [
    (text) => editYaml(`a: 1\nb: ${takeQuarter(text)}`, [{ kind: 'set', path: ['a'], value: 2 }]),
    YAML,
  ],
  SVG: [(text) => cleanSvg(`<svg xmlns="http://www.w3.org/2000/svg">${text}`), PIECES.svg],
  reports: [
    async (text) => {
      for await (const _ of readCsvRows(read(text), await detectCsvFormat(read(text))))
        expect(_).toBeDefined();
    },
    PIECES.csv,
  ],
  rates: [
    (text) => readEcbRates(Buffer.from(`<gesmes:Envelope>${text}`)),
    '<Cube>§<Cube time="2026-01-02">§<Cube time="2026-01-02"/>§<!--§<§&amp;',
  ],
  redirects: [
    (text) => readRedirectFiles('/nowhere', [], new Map([['redirects/a.csv', `from,to\n${text}`]])),
    '"§/a,/b⏎§,§a⏎§⏎§"a§/a"',
  ],
  archives: [
    async (text) => openFileTree(write('a.zip', text)),
    'PK\u0001\u0002§PK\u0003\u0004§PK\u0005\u0006§PK\u0006\u0006§x',
  ],
  Substack: [
    async (text) => drain(await openSubstack(path.dirname(write('substack/posts.csv', `post_id\n${text}`)))),
    '"§a⏎§,§"a"⏎§⏎',
  ],
  'HTML of exports': [
    (text) => convertHtml(text.slice(0, text.length / 4), { hasLineBreaks: true, ...REWRITER }),
    `${HTML}§${MARKDOWN}`,
  ],
  'HTML of clipboards': [
    (text) => convertPasted(text.slice(0, text.length / 4), (href) => ({ href })),
    `${HTML}§<p style="mso-list:l0 level3">§<b style="font-weight:normal">§<span style="font-weight:700">§<ul><ul>§<tr><td><p>§<!--[if x]>`,
  ],
  shortcodes: [
    (text) =>
      expandShortcodes(
        `[a]${text}`,
        () => null,
        () => undefined,
      ),
    PIECES.shortcodes,
  ],
  blocks: [
    (text) => expandWordPressBody(createItem({ body: text, format: 'blocks' }), REFERENCES, () => undefined),
    '<!-- wp:x {§<!-- wp:x {"a":1} §<!--§<ta x>§<ta §⏎§ ⏎§<p>§<p>⏎§https://a.example⏎§' +
      '<div class="wp-block-embed__wrapper"> §<strong class="schema-faq-question">§[caption]<img §[amazon box="§[gallery ids="1" ',
  ],
  'converted Markdown': [
    (text) => convertMarkdown(text, false, REWRITER),
    '{{< youtube §{{< figure §{{< figure    §{{< x §{% x §```⏎§```x⏎§~~~x⏎§`§`a⏎§[§![§[a](§[a](<§[a](b(§' +
      '[a](b "§[[a§{product:§{{§import x§⏎import x',
  ],
  'front matter of an article': [
    (text) => {
      const item = createItem({ title: text, excerpt: text, seoTitle: text, author: text });
      return buildFrontMatter(item, text, null, () => undefined);
    },
    'a-§a§<b>§<a §%%§%a§#§![§](§⏎§a.§{product:§<!--§&',
  ],
  posts: [
    (text) => scanItems([createItem({ body: text, format: 'classic' })]),
    `href="§href='§href=§href §src="§src §![§![a](§](§[gallery §[gallery ids="1§[amazon §[amazon B00KETTLE1§` +
      '<a href="https://a.example/§<a href="https://a.example/?aff=x">',
  ],
  'names of posts': [
    ({ length }) => scanItems(count(length / 5).map((id) => createItem({ id, slug: 'same' }))),
    'x',
  ],
  SQL: [
    (text) => readPluginLinks(write('links.sql', text)),
    `/* §'§"§''§\\'§('a',§(§-- §#§INSERT INTO wp_prli_links VALUES (1);§CREATE TABLE x (`,
  ],
  CSV: [(text) => readPluginLinks(write('links.csv', `url,slug\n${text}`)), `"§"a§a,§a;§⏎§'=§x,/y⏎`],
  Medium: [
    async (text) => drain(await openMedium(path.dirname(path.dirname(write('medium/posts/a.html', text))))),
    '<a §<a href="x" §<h1 class="p-name">§<title>§<time §<time class="dt-published"§<section §' +
      '<section data-field="body">§</section> §<h3 class="graf--title">§<',
  ],
  'Markdown files': [
    async (text) => drain(await openMarkdown(path.dirname(write('markdown/a.md', text)))),
    '---⏎§⏎---x§---⏎a: §+++⏎§+++⏎x = [⏎§+++⏎x = [a]b⏎§+++⏎x = "',
  ],
  TOML: [
    async (text) => drain(await openMarkdown(path.dirname(write('toml/a.md', `+++\n${text}\n+++\nx`)))),
    `x = [⏎§x = [a]b⏎§x = "⏎§x⏎§x = ["a⏎§x = '⏎`,
  ],
  WordPress: [async (text) => drain(openWxr(write('export.xml', buildXml(text)))), PIECES.wordpress],
  'fields of a post': [
    async (text) => drain(openWxr(write('item.xml', buildXml(`<item>${text}</item>`)))),
    `<wp:postmeta><wp:meta_key>a</wp:meta_key><wp:meta_value>b</wp:meta_value></wp:postmeta>§${'<category domain="category" nicename="a">A</category>'}§<wp:postmeta><wp:meta_key>_wp_attachment_metadata</wp:meta_key><wp:meta_value>"a/</wp:meta_value></wp:postmeta>`,
  ],
  Ghost: [
    ({ length }) => {
      const posts = count(length / 10).map((id) => ({ id, title: 'x', slug: 'x' }));
      const posts_tags = posts.map(({ id }) => ({ post_id: id, tag_id: id }));
      return drain(openGhost(JSON.stringify({ db: [{ data: { posts, tags: posts, posts_tags } }] }), 'x'));
    },
    'x',
  ],
  merchants: [
    ({ length }) => {
      const merchants = new Merchants(readShippedNetworks());
      for (const at of count(length / 10))
        for (const address of [
          `shop-${at}.example/?aff=me`,
          `www.shop-${at}.example/`,
          `shop.example/?aff=${at}`,
        ])
          merchants.add(`https://${address}`, false);
      return merchants.list();
    },
    'x',
  ],
};

/** Time of the processor that a parser takes for a text of so many characters, in ms. */
async function measure(parse: (text: string) => unknown, piece: string, length: number): Promise<number> {
  const text = repeatPiece(piece, length);
  const start = process.cpuUsage();
  try {
    await parse(text);
  } catch (error) {
    // What is damaged may be refused, and what is nested too deeply too.
    const isRefused = [MoveInError, RangeError, CommissionSourceError].some((kind) => error instanceof kind);
    if (!isRefused) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const LENGTH = 30_000;
const MEASURABLE_MS = 60;

it.each(Object.entries(PARSERS).map(([name, [parse, pieces]]) => ({ name, parse, pieces })))(
  'reads $name in a time that grows with the length, whatever is in them',
  { tags: ['rest', 'measures'] },
  async ({ parse, pieces }) => {
    const slow: string[] = [];
    const isSlow = async (piece: string) => {
      const long = await measure(parse, piece, 4 * LENGTH);
      // A text of four times the length takes 16 times as long where the time is quadratic.
      return long > MEASURABLE_MS && long > 8 * (await measure(parse, piece, LENGTH)) + MEASURABLE_MS;
    };
    for (const piece of listPieces(pieces).filter((_, at) => IS_FULL_LENGTH || at % 3 === 0)) {
      // The first time compiles the parser, and a pause of the machine may be in the second.
      if ((await isSlow(piece)) && (await isSlow(piece)) && (await isSlow(piece))) slow.push(piece);
    }
    expect(slow).toEqual([]);
  },
);

/** Files that hand text to a parser, with who reads such texts above. */
const READERS: Readonly<Record<string, string>> = {
  'content-files/edit-yaml.ts': 'edits of YAML',
  'content-files/parse-yaml.ts': 'YAML',
  'content-files/read-redirects.ts': 'redirects',
  'content-files/svg.ts': 'SVG',
  'editor/codec.ts': 'texts of the editor',
  'editor/merge.ts': 'blocks of texts',
  'move-in/html-to-markdown.ts': 'HTML of exports',
  'move-in/link-plugins.ts': 'CSV',
  'move-in/markdown-body.ts': 'converted Markdown',
  'move-in/medium-export.ts': 'Medium',
  'move-in/open-archive.ts': 'archives',
  'move-in/pasted-html.ts': 'HTML of clipboards',
  'move-in/substack-export.ts': 'Substack',
  'move-in/wordpress-export.ts': 'WordPress',
  'sections/pages/inline-text.tsx': 'texts of pages',
  'sections/pages/markdown-text.tsx': 'texts of pages',
  'sources/articles/html/html-text.ts': 'words of HTML',
  'sources/articles/html/prepare-body.ts': 'bodies of article files',
  'sources/articles/html/sanitize-html.ts': 'bodies of services',
  'sources/articles/html/structure-body.ts': 'bodies of services',
  'sources/networks/csv.ts': 'reports',
};
/** What builds the site reads the style sheets of the site alone. */
const LIBRARIES =
  /^import (?!type\b)(?!\{ (?:type \w+, )*stringify \})[^;]*from '(?:htmlparser2|saxes|yaml|csv-parse(?:\/sync)?|marked|mdast-util-from-markdown|sanitize-html|yauzl)'/m;

it('knows every file that hands text to a parser', () => {
  const root = path.resolve(import.meta.dirname, '../src');
  const found = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (name) => !/\.test\.tsx?$/.test(name) && LIBRARIES.test(readFileSync(path.join(root, name), 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(READERS));
  expect(Object.values(READERS).filter((name) => !(name in PARSERS))).toEqual([]);
});

it('finds files of one name in many folders in a time that grows with their number', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `uploads/${at}/same.png`);
  for (const name of names) write(name, '');
  const media = await openMedia(path.join(folder, 'uploads'));
  expect(media.find('/uploads/199/same.png')?.name).toBe('199/same.png');
  expect(media.find('/elsewhere/same.png')).toBeNull();
});

it.each([
  ['lists of YAML', 100, (depth: number) => 'value' in parseYaml(`${'- '.repeat(depth)}a`)],
  [
    'mappings of YAML',
    100,
    (depth: number) => 'value' in parseYaml(`${'{a: '.repeat(depth)}b${'}'.repeat(depth)}`),
  ],
  ['aliases of YAML', 99, (count: number) => 'value' in parseYaml(`a: &x 1\nb: [${'*x, '.repeat(count)}]`)],
  ['characters of YAML', 500_000, (length: number) => 'value' in parseYaml('a'.repeat(length))],
  [
    'groups of an SVG',
    99,
    (depth: number) =>
      'text' in
      cleanSvg(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}</svg>`),
  ],
  ['quotes of Markdown', 30, (depth: number) => findMarkdownExcess(`${'> '.repeat(depth)}a`) === null],
  ['marks of a paragraph', 3_162, (count: number) => findMarkdownExcess('['.repeat(count)) === null],
])('takes so many %s, and not one more: %d', (_, most, isTaken) => {
  expect([isTaken(most), isTaken(most + 1)]).toEqual([true, false]);
});

it('reads a linked page, and places images, up to where a thousand elements are open', () => {
  const deep = `<title>Plans</title><p>Starter</p>${'<b>'.repeat(80_000)}<p>End</p>`;
  expect(readLinkPage(deep)).toMatchObject({ title: 'Plans', text: 'Starter' });
  expect(() => convertHtml(deep, { hasLineBreaks: false, ...REWRITER })).toThrow('more than 1000 elements');
});

it('takes an article that has more marks than a paragraph may have, divided among its items and cells', () => {
  const rows = '| [a](https://a.example/) | *b* |\n'.repeat(1_000);
  const table = `| a | b |\n|---|---|\n${rows}`;
  const list = '- [a](https://a.example/) and words\n'.repeat(1_000);
  expect([findBodyExcess(table), findBodyExcess(list)]).toEqual([null, null]);
  expect(findBodyExcess(rows)).toContain('too many brackets');
});
