import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr, type WxrItem } from '../../test/support/build-wxr.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readContent } from '../content-files/read-content.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import type { FormerSystem } from './former-settings.ts';
import { MoveIn } from './move-in.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Moves files of a former site into an empty one; a system other than Markdown has its export as the first file. */
async function moveIn(
  files: Files,
  system: FormerSystem = 'markdown',
  { amazon = '', confirms = false } = {},
) {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, isReplacing: false, day: '2026-01-05' });
  const folder = createFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const find = (pattern: RegExp) => Object.keys(files).find((name) => pattern.test(name));
  const links = find(/\.sql$/);
  const given = { system, prefixes: '', bases: '', amazon };
  const uploaded = {
    export: path.join(folder, system === 'markdown' ? '' : (find(/\.(?:xml|json)$/) ?? '')),
    links: links === undefined ? null : path.join(folder, links),
    given,
    keepsSample: false,
  };
  const moves = new MoveIn(content);
  const { groups } = await moves.preview(uploaded);
  const decisions = groups.map(({ proposal }) => ({ ...proposal, confirm: confirms }));
  const counts = await moves.commit(uploaded, decisions);
  const read = (file: string) => readFileSync(path.join(content, file), 'utf8');
  const readArticle = (slug: string) => {
    const [, front = '', body = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(`articles/${slug}.md`)) ?? [];
    return { front, body: body.trim(), html: renderMarkdown(body) };
  };
  return { content, counts, groups, read, readArticle, report: read('.import/report.txt') };
}

const wxr = (content: string, change: Partial<WxrItem> = {}) => ({
  'export.xml': buildWxr([{ id: 1, slug: 'one', content, ...change }]),
});
/** A post of Jekyll. */
const post = (body: string, front = 'title: Post', name = '2022-01-03-one.md') => ({
  [`_posts/${name}`]: `---\n${front}\n---\n${body}\n`,
});

const SHOP = 'https://www.amazon.com/dp/B0AAAAAAAA?tag=old-20';

it('leaves lines of Markdown that MDX would read as statements', async () => {
  const body =
    'Many people\nexport their contacts, and\nimport them.\n\nexport your data.\n\n1. Open\n   import it';
  const { readArticle, report } = await moveIn(post(body));
  expect(readArticle('one').body).toBe(body);
  expect(report).toContain('Not understood: 0');
});

it.each([
  ['raw', `<a href="${SHOP}">raw</a>`],
  ['an autolink', `Buy <${SHOP}> now`],
  ['bare', `Buy ${SHOP} now`],
  ['by reference', `Buy [by reference][r]\n\n[r]: ${SHOP}`],
  ['by a short reference', `Buy [it]\n\n[it]: <${SHOP}> (Title)`],
  ['with a title', `Buy [it](${SHOP} 'Title')`],
  ['with another title', `Buy [*it*](<${SHOP}> (Title))`],
  ['in a list and a quotation', `> - Buy [it](${SHOP})`],
  ['in a cell of a table', `| a |\n|---|\n| [it](${SHOP}) |`],
  ['with an image', `[![x](https://a.example/a.png)](${SHOP})`],
  ['in a block of HTML', `<p>\nBuy <a class="b" href='${SHOP}&amp;x=1'>it</a>\n</p>`],
])('marks a paid link %s and leads it through its partner', async (_, body) => {
  const { readArticle, counts } = await moveIn(post(body));
  expect(readArticle('one').html).toMatch(
    /<a href="https:\/\/www\.amazon\.com\/dp\/B0AAAAAAAA\?tag=old-20[^"]*"[^>]* rel="sponsored">/,
  );
  expect(readArticle('one').html.match(/<a /g)).toHaveLength(1);
  expect(counts).toMatchObject({ sponsoredLinks: 1, linksRead: 1, linksWritten: 1 });
  const confirmed = await moveIn(post(body), 'markdown', { confirms: true });
  expect(confirmed.readArticle('one').html).toMatch(/<a href="\/go\/amazon\?page=pricing"/);
  expect(confirmed.counts).toMatchObject({ partnerLinks: 1 });
});

it('reads tables and texts of several lines in TOML', async () => {
  const front = `title = """
The real title"""
date = 2020-03-04
[[resources]]
title = "Photo #:counter"
[menu.main]
title = "Menu entry"
url = "/menu-entry/"`;
  const { readArticle } = await moveIn({ 'content/posts/real.md': `+++\n${front}\n+++\nWords.` });
  expect(readArticle('real').front).toContain('title: The real title');
  expect(readArticle('real').front).toContain('address: /posts/real');
  expect(readArticle('real').front).toContain('publishedAt: 2020-03-04T00:00:00.000Z');
});

const DATE = 'title: Post\ndate: 2022-01-03';
it.each<[string, string, Files]>([
  [
    'categories in one text',
    '/jekyll/update/2022/01/03/one.html',
    post('Words.', 'title: Post\ncategories: jekyll update'),
  ],
  ['one category', '/site%20news/2022/01/03/one.html', post('Words.', 'title: Post\ncategory: Site news')],
  [
    'a folder above',
    '/news/2022/01/03/one.html',
    { 'news/_posts/2022-01-03-one.md': '---\ntitle: Post\n---\nWords.' },
  ],
  [
    'a style',
    '/guides/2022/01/03/one/',
    { '_config.yml': 'permalink: pretty', ...post('Words.', 'title: Post\ncategories: [Guides]') },
  ],
  [
    'a pattern',
    '/22/1/one/',
    { '_config.yml': 'permalink: /:short_year/:i_month/:title/', ...post('Words.') },
  ],
  [
    'a pattern of its own',
    '/own/one',
    { '_config.yml': 'permalink: pretty', ...post('Words.', 'title: Post\npermalink: /own/:title') },
  ],
  [
    'defaults',
    '/d/one/',
    {
      '_config.yml': 'defaults:\n  - scope: { path: "", type: posts }\n    values: { permalink: /d/:title/ }',
      ...post('Words.'),
    },
  ],
  [
    'a site in a folder',
    '/shop/2022/01/03/one.html',
    { '_config.yml': 'url: https://old.example\nbaseurl: /shop', ...post('Words.') },
  ],
  [
    'a collection',
    '/guides/one/',
    {
      '_config.yml': 'collections:\n  guides: { output: true, permalink: "/:collection/:name/" }',
      '_guides/one.md': '---\ntitle: One\n---\nWords.',
    },
  ],
  [
    'permalinks of Hugo',
    '/2022/01/post',
    {
      'hugo.toml': '[permalinks]\nposts = "/:year/:month/:title"',
      'content/posts/one.md': `---\n${DATE}\n---\nWords.`,
    },
  ],
  [
    'permalinks of pages of Hugo',
    '/x/one/',
    {
      'config/_default/hugo.yaml': 'permalinks:\n  page:\n    posts: /x/:filename/',
      'content/posts/one.md': `---\n${DATE}\n---\nWords.`,
    },
  ],
  [
    'a slug of Hugo',
    '/posts/other',
    { 'config.toml': 'title = "x"', 'content/posts/one.md': `---\n${DATE}\nslug: other\n---\nWords.` },
  ],
  [
    'data of a folder of Eleventy',
    '/b/one/',
    {
      '.eleventy.js': '',
      'posts/posts.json': '{"permalink":"/b/{{ page.fileSlug }}/"}',
      'posts/one.md': `---\n${DATE}\n---\nWords.`,
    },
  ],
])('keeps the address that a generator makes of %s', async (_, address, files) => {
  const { content, read, report } = await moveIn(files);
  const [slug] = ['one', 'other', 'post'].filter(
    (name) => readContent(content) && report.includes(`articles/${name}.md`),
  );
  expect(read(`articles/${slug}.md`)).toContain(`address: ${decodeURI(address)}\n`);
});

it('says which addresses were assumed', async () => {
  const { report } = await moveIn({ 'src/content/blog/one.md': `---\n${DATE}\n---\nWords.` });
  expect(report).toContain('Astro has its addresses in its pages: 1 were assumed, such as /blog/one');
});

it('turns what is MDX into its words, links and images, and names it', async () => {
  const body = `import Button from '../Button.astro'
import hero from './hero.png'

Intro text.

<Button href="${SHOP}">Buy now</Button>

<Note>
    Words *inside*.

    - and a list
</Note>

<Image src={hero} alt="Hero" />

<YouTube id="dQw4w9WgXcQ" />

Price is {price}. {/* a comment */}{'text'}`;
  const { readArticle, report, counts, read } = await moveIn({
    'src/content/blog/one.mdx': `---\n${DATE}\n---\n${body}`,
    'src/content/blog/hero.png': Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  const { html } = readArticle('one');
  expect(html).toContain(`<a href="${SHOP}" rel="sponsored">Buy now</a>`);
  expect(html).toContain('<p>Words <em>inside</em>.</p>');
  expect(html).toMatch(/<li>and a list<\/li>/);
  expect(html).toMatch(/<img src="\.\.\/images\/imported\/src\/content\/blog\/hero\.png" alt="Hero">/);
  expect(html).toContain('https://www.youtube.com/embed/dQw4w9WgXcQ');
  expect(html).toContain('Price is {price}. text');
  expect(html).not.toContain('a comment');
  expect(read('images/imported/src/content/blog/hero.png')).not.toBe('');
  for (const name of ['<Button>', '<Note>', '{price}', 'a line of MDX'])
    expect(report).toContain(`\n- ${name}: `);
  expect(counts).toMatchObject({ sponsoredLinks: 1, imagesRead: 1, imagesWritten: 1 });
});

it.each([
  ['ISO-8859-1', 'latin1'],
  ['UTF-16', 'utf16le'],
] as const)('reads an export in %s that says so', async (declared, encoding) => {
  const text = wxr('<p>Grüße und Café</p>')['export.xml'].replace('UTF-8', declared);
  const bytes = Buffer.from(encoding === 'utf16le' ? `\ufeff${text}` : text, encoding);
  const { readArticle } = await moveIn({ 'export.xml': bytes }, 'wordpress');
  expect(readArticle('one').body).toBe('Grüße und Café');
});

it('refuses an export that is not in the encoding that it declares, and reads Markdown in another one', async () => {
  const words = 'Grüße aus Köln, schöne Bücher über Käse und Gemüse für große Räume.';
  const bytes = Buffer.from(wxr(`<p>${words}</p>`)['export.xml'], 'latin1');
  await expect(moveIn({ 'export.xml': bytes }, 'wordpress')).rejects.toThrow(
    'is not in utf-8, which it declares',
  );
  const { readArticle, report } = await moveIn({
    '_posts/2022-01-03-one.md': Buffer.from(post(words)['_posts/2022-01-03-one.md'] ?? '', 'latin1'),
  });
  expect(readArticle('one').body).toBe(words);
  expect(report).toContain('is not in UTF-8, and was read as ');
});

it('turns footnotes into a list with links back', async () => {
  const body =
    'A claim[^1] and *one*[^long].\n\n[^1]: The [source](https://a.example/), with words.\n[^long]: First.\n\n    Second `x`.';
  const { readArticle, report } = await moveIn(post(body));
  const { html } = readArticle('one');
  expect(report).toContain('Lost: 0');
  expect(html).toContain('claim<sup><a href="#footnote-1" id="footnote-mark-1">1</a></sup>');
  expect(html).toMatch(
    /<span id="footnote-1"><\/span>The <a href="https:\/\/a\.example\/">source<\/a>, with words\. <a href="#footnote-mark-1">↩<\/a>/,
  );
  expect(html).toMatch(/<p>Second <code>x<\/code>\./);
});

it('removes attributes of kramdown, and keeps the ids of headings', async () => {
  const body =
    '[Buy it](https://a.example/){:target="_blank" rel="nofollow"} now {no attribute}.\n\n## A heading {#custom-id}\n{: .no_toc }\n\n* TOC\n{:toc}\n\nWords.\n{: .lead #x }\n\n`{:code}`';
  const { readArticle, report } = await moveIn(post(body));
  const { html } = readArticle('one');
  expect(report).toContain('Lost: 0');
  expect(html).toBe(
    '<p><a href="https://a.example/">Buy it</a> now {no attribute}.</p>\n<h2><span id="custom-id"></span>A heading</h2>\n<p>Words.</p>\n<p><code>{:code}</code></p>\n',
  );
});

it.each([
  ['Liquid', '{% highlight ruby %}\n# a comment\ndef a_b(c)\n{% endhighlight %}'],
  ['Hugo', '{{< highlight ruby "linenos=table" >}}\n# a comment\ndef a_b(c)\n{{< /highlight >}}'],
])('turns the code that tags of %s enclose into a block of code', async (_, body) => {
  const { html } = (await moveIn(post(`Words.\n\n${body}\n\nMore.`))).readArticle('one');
  expect(html).toBe(
    '<p>Words.</p>\n<pre><code class="language-ruby"># a comment\ndef a_b(c)\n</code></pre>\n<p>More.</p>\n',
  );
});

it('leads links that tags or files name to their articles, else leaves their words and says so', async () => {
  const body =
    '[a]({% post_url 2021-05-06-other %}) [b]({{< relref "other.md#x" >}}) [c](2021-05-06-other.md) [d]({% link _posts/2021-05-06-other.md %}) [e]({{ site.baseurl }}/2021/05/06/other.html) [f]({{< ref "none.md" >}})';
  const { readArticle, report } = await moveIn({
    ...post(body),
    ...post('Words.', 'title: Other', '2021-05-06-other.md'),
  });
  expect(readArticle('one').body).toBe(
    '[a](/blog/other) [b](/blog/other#x) [c](/blog/other) [d](/blog/other) [e](/blog/other) f',
  );
  expect(report).toContain('the link to none.md leads to no file that is imported: its words stay');
});

it('reads days with one digit, and makes a draft of a day that nobody can read', async () => {
  const { readArticle } = await moveIn({
    ...post('Words.', 'title: Short', '2021-6-7-short-date.md'),
    ...post('Words.', 'title: Slashes\ndate: 05/08/2020'),
  });
  expect(readArticle('short-date').front).toContain('publishedAt: 2021-06-07T');
  expect(readArticle('short-date').front).toContain('address: /2021/06/07/short-date.html');
  expect(readArticle('one').front).toContain('draft: true');
});

it('reads what styles mean', async () => {
  const html =
    '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:400">Free. </span><span style="font-weight:700">Not enough!</span></p><p>Second <span style="text-decoration:line-through">$99</span> $79.</p></b>';
  expect((await moveIn(wxr(html), 'wordpress')).readArticle('one').body).toBe(
    'Free. **Not enough!**\n\nSecond ~~$99~~ $79.',
  );
});

it.each([
  [
    'in front of a block',
    'Weight: 2 kg\nPrice: $99\n<!-- wp:heading -->\n<h2>Two\nlines</h2>\n<!-- /wp:heading -->',
    'Weight: 2 kg\\\nPrice: $99\n\n## Two lines',
  ],
  [
    'in a classic block',
    '<!-- wp:freeform -->\nOne\nTwo\n<!-- /wp:freeform -->\n<!-- wp:paragraph -->\n<p>Three\nfour</p>\n<!-- /wp:paragraph -->',
    'One\\\nTwo\n\nThree four',
  ],
])('keeps line breaks of classic text %s', async (_, content, expected) => {
  expect((await moveIn(wxr(content), 'wordpress')).readArticle('one').body).toBe(expected);
});

it('shows what an unknown shortcode encloses as code when it is no HTML, and loses nothing behind it', async () => {
  const { readArticle, report } = await moveIn(
    wxr('[cc lang="cpp"]\nif (a < b) { return a<b; }\n[/cc]\nAfter the code.'),
    'wordpress',
  );
  expect(readArticle('one').body).toContain('```cpp\nif (a < b) { return a<b; }\n```');
  expect(readArticle('one').body).toContain('After the code.');
  expect(report).toContain('\n- [cc]: 1 use');
});

it('counts the words that a parser swallows', async () => {
  const { report } = await moveIn(wxr('<p>Before.</p><p>When a <b and all of these words</p>'), 'wordpress');
  expect(report).toMatch(/Lost: [1-9]/);
});

it('names paid links that pay nobody', async () => {
  const boxes = wxr('<p>[amazon box="B08N5WRWNW"] [amazon link="B08N5WRWN2"]</p>');
  const { report } = await moveIn(boxes, 'wordpress');
  expect(report).toContain('2 links to Amazon have no tag and pay nobody: --amazon SHOP,TAG');
  expect((await moveIn(boxes, 'wordpress', { amazon: 'www.amazon.com,me-20' })).report).not.toContain(
    'pay nobody',
  );
});

const ghost = (more: object) => ({
  posts: [
    { id: '1', title: 'Post', slug: 'one', html: '<p>Words.</p>', status: 'published', author_id: '2' },
  ],
  users: [
    { id: '1', name: 'First Author', slug: 'first' },
    { id: '2', name: 'Second Author', slug: 'second' },
  ],
  ...more,
});

it('takes the first of several authors of Ghost, and names the others', async () => {
  const posts_authors = [
    { post_id: '1', author_id: '2', sort_order: 1 },
    { post_id: '1', author_id: '1', sort_order: 0 },
  ];
  const all = await moveIn(
    { 'a.json': JSON.stringify({ db: [{ data: ghost({ posts_authors }) }] }) },
    'ghost',
  );
  expect(all.readArticle('one').front).toContain('author: First Author');
  expect(all.report).toContain('the author Second Author');
  const older = await moveIn({ 'a.json': JSON.stringify({ meta: {}, data: ghost({}) }) }, 'ghost');
  expect(older.readArticle('one').front).toContain('author: Second Author');
});

it('decodes the addresses that WordPress has escaped in tables of links', async () => {
  const sql =
    "INSERT INTO `wp_prli_links` (`id`, `name`, `url`, `slug`) VALUES (1, 'Best', 'https://shop.example/?p=1&amp;tag=old-20', 'best');";
  const { content } = await moveIn(
    { ...wxr('<p><a href="https://old.example/best">Best</a></p>'), 'links.sql': sql },
    'wordpress',
  );
  expect(readContent(content).redirects.get('/best')).toBe('https://shop.example/?p=1&tag=old-20');
});

it('keeps the ids of headings, and lists by letters', async () => {
  const html =
    '<h2 id="pricing-2024">What it <em>costs</em></h2><p>Words.</p><ol type="a"><li>First way</li></ol>';
  const { body } = (await moveIn(wxr(html), 'wordpress')).readArticle('one');
  expect(body).toContain('## <span id="pricing-2024"></span>What it *costs*');
  expect(body).toContain('<ol type="a"><li>First way</li></ol>');
});

it('follows redirects of a plugin to their end: imported posts, chains and the former host itself', async () => {
  const rows = [
    'old,/2024/one/',
    'absolute,https://old.example/2024/one',
    'chain-a,/chain-b',
    'chain-b,/old',
    'loop,/loop',
    'out,https://a.example/x',
  ];
  const values = rows.map((row, at) => `(${at}, '${row.split(',')[1]}', '/${row.split(',')[0]}')`);
  const sql = `INSERT INTO \`wp_redirection_items\` (\`id\`, \`action_data\`, \`url\`) VALUES ${values.join(', ')};`;
  const html = '<p><a href="/chain-a">a</a> <a href="/out">b</a></p>';
  const { content, readArticle } = await moveIn(
    { ...wxr(html, { link: 'https://old.example/2024/one/' }), 'links.sql': sql },
    'wordpress',
  );
  const { redirects } = readContent(content);
  expect(
    ['/old', '/absolute', '/chain-a', '/chain-b', '/loop', '/out'].map((from) => redirects.get(from)),
  ).toEqual([...Array.from({ length: 4 }, () => '/blog/one'), undefined, 'https://a.example/x']);
  expect(readArticle('one').body).toContain('[a](/blog/one)');
});
