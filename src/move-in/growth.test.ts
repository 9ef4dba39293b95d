import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { convertMarkdown } from './convert-markdown.ts';
import { createFormerItem, type FormerItem, type FormerSite, MoveInError } from './former-item.ts';
import { buildFrontMatter } from './front-matter.ts';
import { openGhost } from './ghost-export.ts';
import { convertHtml } from './html-to-markdown.ts';
import { readPluginLinks } from './link-plugins.ts';
import { openMarkdown } from './markdown-folder.ts';
import { openMedia } from './media.ts';
import { openMedium } from './medium-export.ts';
import { Merchants } from './merchants.ts';
import { scanSite } from './scan-site.ts';
import { expandShortcodes } from './shortcodes.ts';
import { expandWordPressBody } from './wordpress-body.ts';
import { openWxr } from './wordpress-export.ts';

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
  onUnknown: () => undefined,
  findProduct: () => undefined,
};
const REFERENCES = {
  findImage: () => ({ src: '/a.png', alt: '', caption: '' }),
  findLink: () => null,
  findBlock: () => null,
  findTable: () => null,
  buildAmazonLink: (asin: string) => `https://shop.example/${asin}`,
};
const SETTINGS = {
  prefixes: [],
  archives: { category: undefined, tag: undefined, author: undefined },
  amazon: { host: 'www.amazon.com', tag: '' },
};
const scanItems = (items: readonly FormerItem[]) => {
  const site: FormerSite = {
    ...{ address: () => 'https://old.example', archives: null, feeds: [] },
    async *read() {
      yield* items;
    },
  };
  return scanSite({ site, links: [], settings: SETTINGS }, new Set());
};
const count = (length: number) => Array.from({ length }, (_, at) => String(at));
const buildXml = (text: string) =>
  `<rss><channel><wp:wxr_version>1.2</wp:wxr_version>${text}</channel></rss>`;

/**
 * What reads foreign texts, each with pieces that have no end, parted by `§`: they are repeated until the text is as long as
 * wanted. `⏎` is a line break.
 */
const PARSERS: Readonly<Record<string, readonly [parse: (text: string) => unknown, pieces: string]>> = {
  shortcodes: [
    (text) => expandShortcodes(`[a]${text}`, ...([() => null, () => undefined] as const)),
    '<!--§<!-- wp:x {§<pre§<pre>§<code §<script§<a §[§[[§[a§[a §[a "§[/a]§[a x="§[gallery]§[caption]§' +
      `[caption][/caption]§[caption]<a §[a '"§<PRE></code>`,
  ],
  blocks: [
    (text) => expandWordPressBody(createItem({ body: text, format: 'blocks' }), REFERENCES, () => undefined),
    '<!-- wp:x {§<!-- wp:x {"a":1} §<!--§<ta x>§<ta §⏎§ ⏎§<p>§<p>⏎§https://a.example⏎§' +
      '<div class="wp-block-embed__wrapper"> §[caption]<img §[amazon box="§[gallery ids="1" ',
  ],
  'converted Markdown': [
    (text) => convertMarkdown(text, REWRITER),
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
  WordPress: [
    async (text) => drain(openWxr({ name: 'x', bytes: Buffer.from(buildXml(text)) })),
    '<item>§<item></item>§<§&a;§<![CDATA[§<wp:author>§<!--§<a b="',
  ],
  'fields of a post': [
    async (text) => drain(openWxr({ name: 'x', bytes: Buffer.from(buildXml(`<item>${text}</item>`)) })),
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
      const merchants = new Merchants();
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
  const text = piece.repeat(Math.ceil(length / piece.length));
  const start = process.cpuUsage();
  try {
    await parse(text);
  } catch (error) {
    // What is damaged may be refused, and what is nested too deeply too.
    if (!(error instanceof MoveInError || error instanceof RangeError)) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const LENGTH = 30_000;

it.each(Object.entries(PARSERS).map(([name, [parse, pieces]]) => ({ name, parse, pieces })))(
  'reads $name in a time that grows with the length, whatever is in them',
  async ({ parse, pieces }) => {
    const slow: string[] = [];
    for (const piece of pieces.replaceAll('⏎', '\n').split('§')) {
      await measure(parse, piece, LENGTH);
      const short = await measure(parse, piece, LENGTH);
      // A text of four times the length takes 16 times as long where the time is quadratic.
      const isSlow = async () => (await measure(parse, piece, 4 * LENGTH)) > 8 * short + 60;
      // A pause of the machine may be in the first one.
      if ((await isSlow()) && (await isSlow())) slow.push(piece);
    }
    expect(slow).toEqual([]);
  },
  60_000,
);

it('converts HTML in a time that grows with the length', async () => {
  const convert = (html: string) => convertHtml(html, { hasLineBreaks: true, ...REWRITER });
  for (const piece of '<p>a</p>§a <b>b</b> §<!--§[§*§`§\\§<br>§\n\n§<a href="x">§&§a@§www.§1. '.split('§')) {
    const short = await measure(convert, piece, LENGTH / 4);
    expect([piece, (await measure(convert, piece, LENGTH)) > 8 * short + 400]).toEqual([piece, false]);
  }
});

it('finds files of one name in many folders in a time that grows with their number', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `uploads/${at}/same.png`);
  for (const name of names) write(name, '');
  const media = await openMedia(path.join(folder, 'uploads'));
  expect(media.find('/uploads/199/same.png')?.name).toBe('199/same.png');
  expect(media.find('/elsewhere/same.png')).toBeNull();
});
