import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr, type WxrItem } from '../../test/support/build-wxr.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readContent } from '../content-files/read-content.ts';
import { listShortcodes } from '../core/articles/shortcodes.ts';
import { MoveIn } from './move-in.ts';
import { isProductNumber } from './product-boxes.ts';

/** Moves a site with posts of these contents in, with every partner confirmed that it proposes. */
async function moveIn(
  contents: readonly string[],
  { others = [], sql = '', names = {}, confirms = true }: Others = {},
) {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  const mover = new MoveIn(content);
  const posts = contents.map((text, at): WxrItem => ({ id: at + 1, slug: `post-${at + 1}`, content: text }));
  const uploaded = {
    export: writeSentFile('export.xml', buildWxr([...posts, ...others])),
    links: sql === '' ? null : writeSentFile('tables.sql', sql),
    given: { prefixes: '', bases: '', amazon: 'www.amazon.com,me-20' },
    keepsSample: false,
  };
  const preview = await mover.preview(uploaded);
  const decisions = preview.groups.map(({ proposal }) => ({ ...proposal, confirm: confirms }));
  const counts = await mover.commit(uploaded, decisions, new Map(Object.entries(names)));
  const read = (file: string) => readFileSync(path.join(content, file), 'utf8');
  return {
    preview,
    counts,
    read,
    content: readContent(content),
    report: read('.import/report.txt'),
    posts: contents.map((_, at) => read(`articles/post-${at + 1}.md`).split('\n---\n')[1] ?? ''),
    has: (file: string) => existsSync(path.join(content, file)),
  };
}

interface Others {
  readonly others?: readonly WxrItem[];
  readonly sql?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly confirms?: boolean;
}

const A = 'B01N0T4N7K';
const B = 'B07PXGQC1Q';
const SQL = `INSERT INTO \`wp_aawp_products\` (\`id\`, \`status\`, \`asin\`, \`title\`) VALUES (1,'active','${A}','Steel Kettle'),(2,'active','${B}','Glass Teapot');`;

/** Boxes as each plugin writes them, with the products that they show. */
const BOXES: readonly (readonly [plugin: string, written: string, products: readonly string[]])[] = [
  ['AAWP', `[amazon box="${A}"]`, ['steel-kettle']],
  ['AAWP with several', `[aawp box="${A}, ${B}" template="table"]`, ['steel-kettle', 'glass-teapot']],
  [
    'AAWP in its block',
    `<!-- wp:shortcode -->\n[amazon box="${A}"]\n<!-- /wp:shortcode -->`,
    ['steel-kettle'],
  ],
  ['AAWP in a paragraph', `<p>Look at [amazon box="${A}"] first.</p>`, ['steel-kettle']],
  ['AAWP in a builder', `<div><p>One</p><div>[amazon box="${A}"]</div><p>Two</p></div>`, ['steel-kettle']],
  ['AAWP in a list', `<ul><li>One [amazon box="${A}"]</li><li>Two</li></ul>`, ['steel-kettle']],
  [
    'Associates Link Builder',
    `[amazon_link asins='${A},${B}' template='ProductCarousel' store='me-20' marketplace='US' link_id='x']`,
    ['steel-kettle', 'glass-teapot'],
  ],
  [
    'EasyAzon',
    `[easyazon_infoblock align="none" identifier="${A}" locale="US" tag="me-20"]`,
    ['steel-kettle'],
  ],
  ['AmaLinks Pro', `[amalinkspro type="showcase" asin="${A}" associate-id="me-20"]`, ['steel-kettle']],
  ['Auto Amazon Links', `[amazon_auto_links asin="${A}"]`, ['steel-kettle']],
  ['AmazonJS', `[amazonjs asin="${A}" locale="US" title="Steel Kettle"]`, ['steel-kettle']],
  ['ASA', `[asa]${A}[/asa]`, ['steel-kettle']],
  ['Lasso', '[lasso rel="amzn-mug" id="31" ref="amzn-mug" link_id="7"]', ['travel-mug']],
  [
    'a shopping ad',
    `<script type="text/javascript">amzn_assoc_tracking_id = "me-20"; amzn_assoc_asins = "${A},${B}";</script>`,
    ['steel-kettle', 'glass-teapot'],
  ],
  [
    'a framed ad',
    `<iframe src="//ws-na.amazon-adsystem.com/widgets/q?ServiceVersion=20070822&amp;tracking_id=me-20&amp;asins=${A}"></iframe>`,
    ['steel-kettle'],
  ],
];
const LASSO: WxrItem = {
  id: 31,
  type: 'lasso-urls',
  title: 'Travel Mug',
  slug: 'amzn-mug',
  link: 'https://old.example/amzn-mug/',
  meta: [['_lasso_redirect', 'https://www.amazon.com/dp/B0LASSO001?tag=me-20']],
};

it('makes a product and a box of each box of a plugin, in its place', async () => {
  const { posts, content, counts, report } = await moveIn(
    BOXES.map(([, written]) => `<p>Before</p>\n\n${written}\n\n<p>After</p>`),
    { sql: SQL, others: [LASSO] },
  );
  const shown = posts.map((text) =>
    listShortcodes(text).map(({ type, fields }) => [type, fields['product']]),
  );
  expect(shown).toEqual(BOXES.map(([, , products]) => products.map((key) => ['product-box', key])));
  for (const text of posts) {
    const words = ['Before', '{{product-box', 'After'].map((word) => text.indexOf(word));
    expect(words).toEqual([...words].sort((one, other) => one - other));
    expect(text).not.toMatch(/B0[0-9A-Z]{8}/);
  }
  expect(counts.productBoxes).toBe(BOXES.reduce((sum, [, , products]) => sum + products.length, 0));
  expect(report).not.toMatch(/\d of \d+ links/);
  const kettle = content.products.get('steel-kettle') ?? expect.fail();
  expect(kettle).toMatchObject({ name: 'Steel Kettle', kind: 'physical', pros: [], sources: [] });
  const { partner, destination } = kettle.offers[0] ?? expect.fail();
  expect(content.partners.get(partner)?.destinations.get(destination)).toBe(`https://www.amazon.com/dp/${A}`);
});

it('names a product as the operator, the table, the box or a link does, and asks for the others', async () => {
  const texts = [
    `[amazonjs asin="${A}" title="Box Kettle"]`,
    `[amazon box="${B}"] and [easyazon_link identifier="${B}"]A glass teapot[/easyazon_link]`,
    '[amazon box="B0NAMELESS"]',
    '[amazon box="B0UNKNOWN1"] <a href="https://www.amazon.com/dp/B0UNKNOWN1?tag=me-20">Buy it now</a>',
  ];
  const names = { B0NAMELESS: 'Named by hand' };
  const { preview, posts, content, report, read } = await moveIn(texts, { names });
  expect(preview.nameless.map(({ number, uses }) => [number, uses])).toEqual([
    ['B0NAMELESS', 1],
    ['B0UNKNOWN1', 1],
  ]);
  expect([...content.products.keys()].sort()).toEqual(
    expect.arrayContaining(['a-glass-teapot', 'box-kettle', 'named-by-hand']),
  );
  expect(posts[2]).toContain('{{product-box product="named-by-hand"}}');
  expect(posts[3]).toContain('[See it at Amazon](/go/amazon?page=');
  expect(report).toMatch(/boxes of these have no name and are links: B0UNKNOWN1; write their names/);
  expect(read('.import/products.yaml')).toContain('B0NAMELESS: "Named by hand"\nB0UNKNOWN1: ""\n');
});

it('leaves links in sentences links, and no words of a link are a number', async () => {
  const texts = [
    `Read [amazon link="${A}"], [amazon fields="${A}" value="title"], [amazon link="${A}" title="${A}"] and [easyazon_link identifier="${B}"]${B}[/easyazon_link].`,
    `<a class="button" href="[amazon fields="${A}" value="url"]">Own button</a>`,
  ];
  const { posts } = await moveIn(texts, { sql: SQL.replace(/,\(2.*;/, ';') });
  expect(posts[0]?.match(/\[Steel Kettle\]\(/g)).toHaveLength(3);
  expect(posts[0]).toContain('[See it at Amazon](');
  expect(posts[1]).toContain('[Own button](/go/amazon');
  expect(['B01N0T4N7K', 'Amazon B01N0T4N7K', '4006381333931', '0306406152'].every(isProductNumber)).toBe(
    true,
  );
  expect(['Kettle', 'Kettle 3000', 'Moisturizer', 'Headphones', ''].some(isProductNumber)).toBe(false);
});

it('leaves boxes links until their partner is confirmed, and links of best sellers named', async () => {
  const texts = [`[amazon box="${A}"]`, 'Words. [amazon bestseller="kettles" items="3"]'];
  const { posts, report, content } = await moveIn(texts, { sql: SQL, confirms: false });
  expect(posts[0]).toContain('rel="sponsored">Steel Kettle</a>');
  expect(content.products.has('steel-kettle')).toBe(false);
  expect(report).toContain('boxes of these are links until their partner is confirmed: Steel Kettle');
  expect(report).toMatch(/\[amazon\]: 1 use/);
});

const ENCODED = Buffer.from(
  encodeURIComponent('<p>Raw <a href="https://shop.example/raw?aff=1">words</a></p>'),
).toString('base64');
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What builders write, with the Markdown that has to be in the article; the file of the image is attachment 9. */
const BUILDERS: readonly (readonly [written: string, ...kept: readonly RegExp[]])[] = [
  [
    '[et_pb_button button_text="Buy" button_url="https://shop.example/a?aff=1" /]',
    /Buy/,
    /shop\.example\/a\?aff=1/,
  ],
  [
    '[et_pb_image src="https://old.example/uploads/a.png" alt="Kettle" /]',
    /!\[Kettle\]\(https:\/\/old\.example\/uploads\/a\.png\)/,
  ],
  [
    '[et_pb_section][et_pb_row][et_pb_column type="4_4"][et_pb_text]<p>Inner words</p>[/et_pb_text][/et_pb_column][/et_pb_row][/et_pb_section]',
    /^Inner words$/m,
  ],
  [
    '[vc_btn title="Order" link="url:https%3A%2F%2Fshop.example%2Fb%3Faff%3D1|title:Order|target:_blank"]',
    /Order/,
    /shop\.example\/b\?aff=1/,
  ],
  [
    '[vc_single_image image="9" img_size="full"]',
    /!\[Teapot\]\(https:\/\/old\.example\/uploads\/nine\.png\)/,
  ],
  [`[vc_raw_html]${ENCODED}[/vc_raw_html]`, /Raw/, /shop\.example\/raw\?aff=1/],
  [`[vc_raw_js]${ENCODED}[/vc_raw_js]`],
  [
    '[fusion_button link="https://shop.example/c?aff=1" color="red"]Get it[/fusion_button]',
    /Get it/,
    /shop\.example\/c\?aff=1/,
  ],
  [
    '[fusion_imageframe image_id="9|full"]https://old.example/uploads/f.png[/fusion_imageframe]',
    /uploads\/f\.png/,
  ],
  ['[table id=1 /]', /\| Model \| Price \|/],
  [
    `<p>A picture <img src="data:image/png;base64,${PIXEL}" alt="Dot"></p>`,
    /!\[Dot\]\(\.\.\/images\/imported\/inline\//,
  ],
  ['<p>A drawing <img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4="></p>'],
];

it('keeps links, images and tables of builders, and no encoded text', async () => {
  const others: WxrItem[] = [
    { id: 99, type: 'attachment', title: 'Teapot', attachment: 'https://old.example/uploads/x.png' },
    {
      id: 98,
      type: 'tablepress_table',
      title: 'Models',
      status: 'publish',
      content: '[["Model","Price"],["One","low"]]',
    },
  ];
  const nine = others.map((item) =>
    item.id === 99 ? { ...item, id: 909, attachment: 'https://old.example/uploads/nine.png' } : item,
  );
  const contents = BUILDERS.map(
    ([written]) => `<p>Before.</p>\n\n${written.replace('image="9"', 'image="909"')}`,
  );
  const { posts, report, has } = await moveIn(contents, { others: nine, confirms: false });
  const missing = BUILDERS.flatMap(([written, ...kept], at) =>
    kept
      .filter((pattern) => !pattern.test(posts[at] ?? ''))
      .map((pattern) => [written, String(pattern), posts[at]]),
  );
  expect(missing).toEqual([]);
  for (const code of [ENCODED.slice(0, 20), '%3C', 'base64']) expect(posts.join('\n')).not.toContain(code);
  expect(report).not.toMatch(/\d of \d+ (?:links|images)/);
  expect(report).toContain('an image is in the text itself, in a form that is no file of an image');
  expect(report).toMatch(/\[table id=1\] is taken for "Models", number 1 of 1 tables/);
  expect(Math.max(...report.split('\n').map(({ length }) => length))).toBeLessThan(1_000);
  expect(has('articles/models.md')).toBe(false);
});

it('keeps settings for search engines of three plugins, and names what it cannot keep', async () => {
  const build = (id: number, meta: readonly (readonly [string, string])[]): WxrItem => ({
    id,
    slug: `search-${id}`,
    title: `Search ${id}`,
    content: '<p>Words of it.</p>',
    meta,
  });
  const others = [
    build(51, [
      ['_yoast_wpseo_meta-robots-noindex', '1'],
      ['_yoast_wpseo_canonical', 'https://first.example/original'],
      ['_yoast_wpseo_opengraph-title', 'Shared %%title%%'],
      ['_yoast_wpseo_opengraph-description', 'Shared words.'],
      ['_yoast_wpseo_focuskw', 'kettles'],
    ]),
    build(52, [
      ['rank_math_robots', 'a:2:{i:0;s:7:"noindex";i:1;s:8:"nofollow";}'],
      ['rank_math_canonical_url', 'https://old.example/search-52/'],
      ['rank_math_facebook_title', 'Face'],
    ]),
    build(53, [
      ['_aioseop_noindex', 'on'],
      ['_yoast_wpseo_meta-robots-noindex', '2'],
      ['_yoast_wpseo_canonical', 'https://old.example/elsewhere/'],
    ]),
    build(54, [['_yoast_wpseo_meta-robots-noindex', '2']]),
    { ...build(55, []), title: `Slug ${'x'.repeat(150)}` },
  ];
  const { read, report } = await moveIn(['<p>One.</p>'], { others });
  const front = (id: number) => read(`articles/search-${id}.md`).split('\n---\n')[0] ?? '';
  expect(front(51)).toContain(
    'index: false\ncanonicalUrl: https://first.example/original\nsocialTitle: Shared Search 51\nsocialDescription: Shared words.\n',
  );
  expect(front(52)).toMatch(/index: false\nsocialTitle: Face\n/);
  expect(front(52)).not.toContain('canonicalUrl');
  expect(front(53)).toContain('index: false');
  expect(front(54)).not.toContain('index');
  expect(front(55)).toMatch(/title: Slug x{114}…/);
  expect(report).toContain('its canonical address https://old.example/elsewhere/ is of this site');
  expect(report).toContain('settings for search engines: a focus keyword: 1 posts');
  expect(report).toContain('settings for search engines: robots: nofollow: 1 posts');
});
