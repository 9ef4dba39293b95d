import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr, type WxrItem } from '../../test/support/build-wxr.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { createSiteFolder } from '../commands/new.ts';
import { listArticleSlugs, readArticleFiles } from '../content-files/articles/read-article-files.ts';
import { readContent } from '../content-files/read-content.ts';
import { extractText } from '../sources/articles/html/html-text.ts';
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
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
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
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
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
    'a category beside a list',
    '/one-a/2022/01/03/one.html',
    post('Words.', 'title: Post\ncategory: one-a\ncategories: two three'),
  ],
  [
    'front matter in JSON',
    '/p/one',
    { 'hugo.toml': '', 'content/p/one.md': '{\n"title": "One",\n"date": "2020-01-02"\n}\n\nWords.' },
  ],
  [
    'a file of settings for each language',
    '/p/one',
    {
      'config/_default/languages.en.toml': 'contentDir = "content/en"',
      'content/en/p/one.md': `---\n${DATE}\n---\nWords.`,
    },
  ],
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
    'permalinks of Hugo by a name with spaces',
    '/docs-area/my-file/',
    {
      'hugo.toml': '[permalinks]\n"Docs Area" = "/:sections/:slugorfilename/"',
      'content/Docs Area/My File.md': `---\n${DATE}\n---\nWords.`,
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
  [
    'a post in HTML',
    '/2022/01/03/one.html',
    { '_posts/2022-01-03-one.html': '---\ntitle: One\n---\n<p>Words.</p>' },
  ],
  [
    'marks in a name of Jekyll',
    '/2022/01/03/one-e2-84-a2-it.html',
    post('Words.', 'title: One', '2022-01-03-one%e2%84%a2 it.md'),
  ],
  ['an index file', '/own/one/', post('Words.', 'title: Post\npermalink: /own/one/index.html')],
  [
    'a page of Jekyll',
    '/one/',
    {
      '_config.yml': 'permalink: /:title/',
      'one.md': `---\n${DATE}\n---\nWords.`,
    },
  ],
  ...['content/posts/one.de.md', 'content/de/posts/one.md', 'deutsch/posts/one.md'].map(
    (file): [string, string, Files] => [
      `another language of Hugo in ${file}`,
      '/de/posts/one/',
      {
        'hugo.toml': `defaultContentLanguage = "en"\n[languages.en]\n[languages.de]\ncontentDir = "${file.replace(/\/?posts.*/, '')}"`,
        'content/_index.md': '---\ntitle: All\n---\n',
        [file]: `---\n${DATE}\n---\nWords.`,
      },
    ],
  ),
  [
    'the folder of the pages of Eleventy',
    '/posts/one/',
    {
      'eleventy.config.js': 'export const config = { dir: { input: "./src" } };',
      'src/posts/one.md': `---\n${DATE}\n---\nWords.`,
      'docs/two.md': '---\ntitle: Two\n---\nWords.',
    },
  ],
  [
    'a collection of Astro',
    '/post/one',
    { 'astro.config.mjs': '', 'src/data/post/one.md': `---\n${DATE}\n---\nWords.` },
  ],
])('keeps the address that a generator makes of %s', async (_, address, files) => {
  const { content, read, report } = await moveIn(files);
  const written = listArticleSlugs(path.join(content, 'articles')).map((slug) => read(`articles/${slug}.md`));
  expect(written).toHaveLength(1);
  expect(written[0]).toContain(`address: ${decodeURI(address).replace(/\/$/, '')}`);
  expect(report).toContain('Lost: 0');
});

it('reads the redirects of a host of static sites, and names each row that is none', async () => {
  const { content, readArticle, report } = await moveIn({
    'hugo.toml': '',
    'content/posts/one.md': `---\n${DATE}\n---\n[a](/old-one) [b](/posts/one/#part)`,
    'static/_redirects': `# Old ones
/old-one /posts/one/ 301!
/old-one /elsewhere
/with-id id=7 /posts/one/#part 302
/shop https://shop.example/ # away
/blog/* /posts/:splat
/api/x /functions/x 200
/de /posts/one/ 302 Language=de
/posts/one/ /elsewhere/
/contact /posts/one`,
    'netlify.toml':
      '[[redirects]]\nfrom = "/older"\nto = "/old-one"\n[[redirects]]\nfrom = "/*"\nto = "/404"\nstatus = 404',
    'vercel.json':
      '{"redirects":[{"source":"/oldest","destination":"/posts/one"},{"source":"/x/:y","destination":"/z"}]}',
  });
  const { redirects } = readContent(content);
  expect(Object.fromEntries(redirects)).toMatchObject({
    '/old-one': '/blog/one',
    '/older': '/blog/one',
    '/oldest': '/blog/one',
    '/with-id?id=7': '/blog/one#part',
    '/shop': 'https://shop.example/',
  });
  expect(redirects.get('/posts/one')).toBeUndefined();
  expect(readArticle('one').body).toBe('[a](/blog/one) [b](/blog/one#part)');
  for (const line of [
    '/blog/* is not redirected: it is a pattern',
    '/api/x is not redirected: its status is 200',
    '/de is not redirected: it has a condition',
    '/contact is not redirected: ',
    '/x/:y is not redirected: it is a pattern',
  ])
    expect(report).toContain(line);
  expect(report).toContain('Articles: 1 posts');
});

it('reads front matter in the languages of Eleventy, names code, and shows the text of each', async () => {
  const { readArticle, report } = await moveIn({
    '.eleventy.js': '',
    'json.md': '---json\n{ "title": "In JSON", "date": "2020-01-02" }\n---\nWords.',
    'toml.md': '---toml\ntitle = "In TOML"\ndate = 2020-01-02\n---\nWords.',
    'js.md': '---js\n{ title: "In JS", permalink: () => "/x/" }\n---\nWords of it.',
  });
  expect(readArticle('json').front).toContain('title: In JSON');
  expect(readArticle('toml').front).toContain('title: In TOML');
  expect(readArticle('js').body).toBe('Words of it.');
  expect(report).toContain('js.md: has its settings in js, which is code: they are not read');
});

it('gives a file without a date the day on which it was last changed', async () => {
  const { readArticle, report } = await moveIn({ 'about.md': '---\ntitle: About\n---\nWords.' });
  const day = new Date().toISOString().slice(0, 10);
  expect(readArticle('about').front).toContain(`publishedAt: ${day}T`);
  expect(report).toContain(`has no date; it is ${day} now, when it was last changed`);
});

it('redirects a page of Jekyll that leads elsewhere', async () => {
  const { content, counts } = await moveIn({
    '_config.yml': '',
    ...post('Words.'),
    'old/page.md': '---\nredirect_to: ../2022/01/03/one.html\n---\n',
    'away.md': '---\nredirect_to: [https://a.example/x]\n---\n',
  });
  const { redirects } = readContent(content);
  expect([redirects.get('/old/page.html'), redirects.get('/away.html')]).toEqual([
    '/blog/one',
    'https://a.example/x',
  ]);
  expect(counts.posts).toBe(1);
});

it('takes the last value of a key of front matter that is there twice, as Jekyll does', async () => {
  const front = 'title: Post\nredirect_from: /a/\nredirect_from: /b/';
  const { content } = await moveIn(post('Words.', front));
  expect([...readContent(content).redirects.keys()]).toContain('/b');
});

it('finds images that their folder has in another place, in any size', async () => {
  const body = '![a](/blog/a.png) ![b](/img/b-300x200.png) ![c](/c.png)';
  const { counts, report } = await moveIn({
    ...post(body),
    'src/blog/a.png': PIXEL,
    'static/img/b.png': PIXEL,
    'one/c.png': PIXEL,
    'two/c.png': PIXEL,
  });
  expect(counts.files).toBe(2);
  expect(report).toContain('the image /c.png is in no file');
});

it.each([
  ['[a]({{ "https://a.example/x" | anyFilter }})', '[a](https://a.example/x)'],
  ['[a]({{ "about" | relative_url }})', '[a](/blog/about)'],
  ['<a href="{{ "https://a.example/x" | own: 1 }}">a</a>', '<a href="https://a.example/x">a</a>'],
  ['<a href="{{ x | f: "y" }}" title="t">a</a> b', 'a b'],
  [
    '[a](https://a.example/{{< param v >}}/x) [b][c]\n\n[c]: https://a.example/{% x %}',
    'a b\n\n[c]: https://a.example/%7B%25%20x%20%25%7D',
  ],
  ['{{ "words" | upcase }}', '{{ "words" | upcase }}'],
])('reads a text with filters in an address: %s', async (body, expected) => {
  const about = { 'about.md': '---\ntitle: About\npermalink: /about\n---\nWords.' };
  expect((await moveIn({ ...post(body), ...about })).readArticle('one').body).toBe(expected);
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

<Link title="Of" to={\`${SHOP}\`}>it</Link> <Tag label="New">one</Tag> <Item dt="The <em>a.css</em>" theme="dark" note="Of two words">x</Item>

Price is {price}. {/* a comment */}{'text'}`;
  const { readArticle, report, counts, read } = await moveIn({
    'src/content/blog/one.mdx': `---\n${DATE}\n---\n${body}`,
    'src/content/blog/hero.png': PIXEL,
  });
  const { html } = readArticle('one');
  expect(html).toContain(`<a href="${SHOP}" rel="sponsored">Buy now</a>`);
  expect(html).toContain('<p>Words <em>inside</em>.</p>');
  expect(html).toMatch(/<li>and a list<\/li>/);
  expect(html).toMatch(/<img src="\.\.\/images\/imported\/src\/content\/blog\/hero\.png" alt="Hero">/);
  expect(html).toContain('https://www.youtube.com/embed/dQw4w9WgXcQ');
  expect(html).toContain('">it</a> New one');
  expect(html).toContain('The a.css Of two words x');
  expect(html).not.toContain('dark');
  expect(html).toContain('Price is {price}. text');
  expect(html).not.toContain('a comment');
  expect(read('images/imported/src/content/blog/hero.png')).not.toBe('');
  for (const name of ['<Button>', '<Note>', '{price}', 'a line of MDX'])
    expect(report).toContain(`\n- ${name}: `);
  expect(counts).toMatchObject({ sponsoredLinks: 2, imagesRead: 1, imagesWritten: 1 });
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

it.each([
  [
    'a link of HTML that is left out',
    '<a href="/d.png"><img src="/e.png"></a> end',
    '<img src="/e.png" alt=""> end',
  ],
  [
    'such a link in a block',
    '<div><a href="/d.png">words</a> <a href="https://a.example/">b</a></div>',
    '<div>words <a href="https://a.example/">b</a></div>',
  ],
  [
    'sizes of an image',
    '<picture><source srcset="/c.webp"><img src="/c.png" srcset="/c2.png 2x" sizes="1px" alt="C"></picture>',
    '<picture><img src="/c.png" alt="C"></picture>',
  ],
  ['a comment of kramdown', 'A {::comment}hidden{:/comment} b', 'A b'],
  [
    'a comment of kramdown over paragraphs',
    'A\n\n{::comment}\nHidden.\n\nToo *hidden*.\n{:/comment}\n\nB `{::comment}x{:/}`',
    'A\n\n\n\nB `{::comment}x{:/}`',
  ],
  ['plain text of kramdown', 'A {::nomarkdown}raw{:/} b', 'Araw b'],
])('writes %s with nothing left over', async (_, body, expected) => {
  expect((await moveIn(post(body))).readArticle('one').body).toBe(expected);
});

it('gives a footnote that nothing refers to no link back', async () => {
  const { body } = (await moveIn(post('One[^a]\n\n[^a]: First\n[^b]: Second'))).readArticle('one');
  expect(body.match(/#footnote-mark-\d/g)).toEqual(['#footnote-mark-1']);
  expect(body).toContain('Second');
});

it.each(['', '<script>', '\n# title: x\n'])(
  'says that addresses are assumed with the settings %j',
  async (config) => {
    const { report } = await moveIn({ '_config.yml': config, ...post('Words') });
    expect(report).toContain('1 were assumed, such as /2022/01/03/one.html');
  },
);

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

it.each([
  [
    'links without a space',
    'The [30 people](https://a.example/)who, ב[פורום][x]\n\n[x]: https://b.example/#v1-0-0',
  ],
  ['tags within a word', 'H{% sub %}2{% /sub %}O {% image {\n  alt: "words"\n} %}'],
  ['marks that are no references', 'A sport.[3][4][5][6]'],
  ['braces that end a heading', '## getset(key) {block}'],
])('loses no words and says so: %s', async (_, body) => {
  const { readArticle, report } = await moveIn({ '_config.yml': 'title: Site', ...post(body) });
  expect(report).toContain('Lost: 0');
  expect(extractText(readArticle('one').html)).not.toContain('/sub');
  expect(readArticle('one').body.includes('{block}')).toBe(body.includes('{block}'));
});

it('takes neither a comment nor the address of a link for words', async () => {
  const body = 'A.\n\n[//]: # (hidden words)\n\n[b](https://a.example/v{{ x }}.tar.gz)';
  const { readArticle, report } = await moveIn(post(body));
  expect(readArticle('one').html).toContain('<p>b</p>');
  expect(report).toContain('v{{ x }}.tar.gz has a tag in its address: its words stay');
  expect(report).not.toContain('words of its text');
});

it('reads links that are relative to the address of their post, or to its folder', async () => {
  const page = (body: string, front = '') => `---\ntitle: Post${front}\n---\n${body}`;
  const { readArticle, report } = await moveIn({
    'hugo.toml': 'baseURL = "https://a.example/"',
    'content/page/one.md': page(
      '[a](../two/#x) [g](/page/two.html#y) [b](three/) [c](https://b.example/) [d](#e) [f](../none/)',
    ),
    'content/page/two.md': page('Words.'),
    'content/page/one/three.md': page('Words.'),
    'content/four.md': page('[a](page/two)', '\nurl: /four'),
  });
  const expected =
    '[a](/blog/two#x) [g](/blog/two#y) [b](/blog/three) [c](https://b.example/) [d](#e) [f](https://a.example/page/none/)';
  expect(readArticle('one').body).toBe(expected);
  expect(readArticle('four').body).toBe('[a](/blog/two)');
  expect(report).toContain('the link to /page/none/ leads to nothing that is imported');
});

it('reads YAML as its generator does, names settings that cannot be read, and imports the rest', async () => {
  const front = 'title: One #1\ndescription: "A text\nof two lines"';
  const { readArticle, report } = await moveIn({
    '_config.yml': 'permalink: pretty\nid: #UA-1',
    ...post('Words.', front),
  });
  expect(readArticle('one').front).toContain('excerpt: A text of two lines');
  expect(readArticle('one').front).toContain('address: /2022/01/03/one/');
  expect(report).toContain('Not understood: 0');
  const damaged = await moveIn({ '_config.yml': 'permalink: "pretty', ...post('Words.') });
  expect(damaged.report).toMatch(/_config\.yml: is not read, and addresses may be others: .*line \d/);
  expect(damaged.readArticle('one').body).toBe('Words.');
});

it.each([
  ['Hugo', 'hugo.toml', 'content/', true],
  ['Eleventy', '.eleventy.js', '', true],
  ['Jekyll', '_config.yml', '', false],
])('imports Markdown without front matter as %s shows it', async (_, settings, folder, isShown) => {
  const { readArticle, report } = await moveIn({
    [settings]: '',
    [`${folder}about-us.md`]: '# About *us*\n\nWords.',
    [`${folder}broken.md`]: '---\ntitle: Broken\n\nWords.',
    [`${folder}two.md`]: '---\ntitle: Two\n---\nWords.',
  });
  if (isShown) expect(readArticle('about-us').front).toContain('title: About us');
  else expect(report).toContain('about-us.md: is not imported: it has no front matter');
  expect(report).toContain('broken.md: is not imported: it has no front matter');
});

it('takes no excerpt from code', async () => {
  const { readArticle } = await moveIn(
    post('```ruby\n# code\n\nmore_code\n```\n\nThe words of it[^1].\n\n[^1]: x'),
  );
  expect(readArticle('one').front).toContain('excerpt: The words of it.');
});

it('says that the text above a list of posts is not imported', async () => {
  const list = { 'content/posts/_index.de.md': '---\ntitle: All\n---\nAbout them.' };
  const { report } = await moveIn({ ...list, 'content/posts/one.md': `---\n${DATE}\n---\nWords.` });
  expect(report).toContain('_index.de.md: is not imported: it is the text above the posts of its folder');
});

it.each(['md', 'html'])(
  'fills in the title, and shows tags of Hugo that are commented out, in %s',
  async (ending) => {
    const body = '<h1>{{ page.title }}</h1>\n\n{{</* notice "x" */>}} {{< notice >}}Words.{{< /notice >}}';
    const { readArticle, report } = await moveIn({
      [`content/one.${ending}`]: `---\ntitle: A *title*\n---\n${body}`,
    });
    const { html } = readArticle('one');
    expect(extractText(html)).toContain('A *title*');
    expect(html.replaceAll('&quot;', '"')).toContain('{{&lt; notice "x" &gt;}}');
    expect(html).toContain('Words.');
    expect(report).toContain('{{< notice >}}');
    expect(report).not.toContain('/notice');
  },
);

it.each(['<img src="{{ img.src }}">', 'Say `x` "\n<p a="<IMG src=../flags/$code.gif>">', '![x](../a.png)'])(
  'writes no article that names an image which cannot be there: %s',
  async (body) => {
    const { content } = await moveIn(post(body));
    const images = { images: new Map(), origin: 'build' } as const;
    expect(() => readArticleFiles(path.join(content, 'articles'), { images })).not.toThrow();
  },
);

it('leads links that tags or files name to their articles, else leaves their words and says so', async () => {
  const body =
    '[a]({% post_url 2021-05-06-other %}) [b]({{< relref "other.md#x" >}}) [c](2021-05-06-other.md) [d]({% link _posts/2021-05-06-other.md %}) [e]({{ site.baseurl }}/2021/05/06/other.html) [f]({{< ref "none.md" >}}) [g]({% post_url /sub/2021-05-07-third %})';
  const { readArticle, report } = await moveIn({
    ...post(body),
    ...post('Words.', 'title: Other', '2021-05-06-other.md'),
    'sub/_posts/2021-05-07-third.md': '---\ntitle: Third\n---\nWords.',
  });
  expect(readArticle('one').body).toBe(
    '[a](/blog/other) [b](/blog/other#x) [c](/blog/other) [d](/blog/other) [e](/blog/other) f [g](/blog/third)',
  );
  expect(report).toContain('the link to none.md leads to no file that is imported: its words stay');
});

it('reads days with one digit, and makes a draft of a day that nobody can read', async () => {
  const { readArticle } = await moveIn({
    ...post('Words.', 'title: Short', '2021-6-7-short-date.md'),
    ...post('Words.', 'title: Slashes\ndate: 05/08/2020'),
    ...post('Words.', 'title: Dashes\ndate: 05-08-2020', 'dashes.md'),
    ...post('Words.', 'title: Unlisted\npermalink: false', '2022-01-03-unlisted.md'),
  });
  for (const slug of ['dashes', 'unlisted']) expect(readArticle(slug).front).toContain('draft: true');
  expect(readArticle('short-date').front).toContain('publishedAt: 2021-06-07T');
  expect(readArticle('short-date').front).toContain('address: /2021/06/07/short-date.html');
  expect(readArticle('one').front).toContain('draft: true');
});

it('finds the date under the names that themes give it, and takes nothing else for one', async () => {
  const names = ['pubDatetime', 'publishedAt', 'publishedDate', 'datePublished', 'published', 'created'];
  const fronts = [...names.map((name) => `${name}: 2024-05-01`), 'published: true', 'created: 12'];
  const posts = fronts.map((front, at) =>
    post('Words.', `title: Post\n${front}\nmodDatetime: 2024-06-02`, `p${at}.md`),
  );
  const { readArticle } = await moveIn(Object.assign({}, ...posts));
  for (const [at, front] of fronts.entries()) {
    const isDate = front.endsWith('2024-05-01');
    expect(readArticle(`p${at}`).front).toContain(`publishedAt: ${isDate ? '2024-05-01' : '2024-06-02'}T`);
    expect(readArticle(`p${at}`).front).not.toContain('draft: true');
    expect(readArticle(`p${at}`).front.includes('updatedAt: 2024-06-02T')).toBe(isDate);
  }
});

it('shows no comment of a template, and reads Markdown behind a tag that begins a line', async () => {
  const body = `{% comment %}secret{% endcomment %}{{/* secret */}}{% include x %} Buy [**it**](${SHOP}).\n\n- {% include y %} Two *words*.`;
  const { readArticle, report } = await moveIn(post(body));
  const { html } = readArticle('one');
  expect(html).not.toContain('secret');
  expect(html).toContain('<strong>it</strong></a>.');
  expect(html).toMatch(/<li><!-- \{% include y %\} --><p>\s*Two <em>words<\/em>/);
  expect(report).toContain('Lost: 0');
});

it('keeps marks that only some generators know, and names them', async () => {
  const body =
    '[[toc]]\n\n## A\n\n[TOC] A^[A *note*.] b `^[code] [[toc]]`.\n\n<p style="display: none">Secret</p>';
  const { readArticle, report } = await moveIn(post(body));
  expect(readArticle('one').body).toBe(body);
  for (const name of ['[[toc]]', '[TOC]', '^[…]', 'a hidden <p>']) expect(report).toContain(`${name}: 1 use`);
});

it('says which elements of HTML were hidden', async () => {
  const html = '<p>A <span style="display:none">b</span></p><div hidden>c</div><p style="color:red">d</p>';
  const { readArticle, report } = await moveIn(wxr(html), 'wordpress');
  expect(readArticle('one').body).toBe('A b\n\nc\n\nd');
  for (const name of ['span', 'div']) expect(report).toContain(`1 <${name}> that was hidden is shown`);
  expect(report).not.toContain('<p> that was hidden');
});

it('reads what styles mean', async () => {
  const html =
    '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:400">Free. </span><span style="font-weight:700">Not enough!</span></p><p>Second <span style="text-decoration:line-through">$99</span> $79<span style="vertical-align:super">2</span>.</p></b><ol style="list-style-type: upper-roman"><li>x</li></ol>';
  expect((await moveIn(wxr(html), 'wordpress')).readArticle('one').body).toBe(
    'Free. **Not enough!**\n\nSecond ~~$99~~ $79<sup>2</sup>.\n\n<ol type="I"><li>x</li></ol>',
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
    { post_id: '1', author_id: '2', sort_order: '1' },
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

it('names a post of Ghost whose text is missing, also of a draft', async () => {
  const posts = [
    { id: '1', title: 'One', slug: 'one', status: 'published', html: '<p>Words</p>' },
    { id: '2', title: 'Two', slug: 'two', status: 'draft' },
  ];
  const { report } = await moveIn({ 'a.json': JSON.stringify({ db: [{ data: { posts } }] }) }, 'ghost');
  expect(report).toContain('a.json, post 2: it has no text');
});

it('decodes the addresses that WordPress has escaped in tables of links', async () => {
  const sql =
    "INSERT INTO `wp_prli_links` (`id`, `name`, `url`, `slug`) VALUES (1, 'Best', 'https://shop.example/?p=1&amp;amp;tag=old-20', 'best');";
  const { content } = await moveIn(
    { ...wxr('<p><a href="https://old.example/best">Best</a></p>'), 'links.sql': sql },
    'wordpress',
  );
  expect(readContent(content).redirects.get('/best')).toBe('https://shop.example/?p=1&tag=old-20');
});

it.each([
  '[et_pb_button button_url="https://shop.example/?p=1&#038;tag=old-20" button_text="Buy"][/et_pb_button]',
  '[vc_btn title="Buy" link="url:https%3A%2F%2Fshop.example%2F%3Fp%3D1%26%23038%3Btag%3Dold-20|title:x"]',
  '[su_button url="https://shop.example/?p=1&amp;tag=old-20"]Buy[/su_button]',
  '<a href="https://shop.example/?p=1&#038;tag=old-20">Buy</a>',
])('decodes the addresses that WordPress has escaped in %s', async (content) => {
  expect((await moveIn(wxr(content), 'wordpress')).readArticle('one').html).toContain(
    '"https://shop.example/?p=1&amp;tag=old-20"',
  );
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
    'part,/2024/one/#top',
    'to-part,/part',
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
  expect(['/part', '/to-part'].map((from) => redirects.get(from))).toEqual([
    '/blog/one#top',
    '/blog/one#top',
  ]);
  expect(readArticle('one').body).toContain('[a](/blog/one)');
});

it('keeps the parameters of redirects of a plugin, in links too, and names each row that is none', async () => {
  const rows = [
    "'/old?x=1', '/2024/one/', 'url', 0",
    "'/old?x=2&y=3', 'https://a.example/x?tag=2', 'url', 0",
    "'/gone', NULL, 'error', 0",
    "'^/a/(.*)', '/b/$1', 'url', 1",
    "'/a#part', '/2024/one/', 'url', 0",
  ];
  const sql = `INSERT INTO \`wp_redirection_items\` (\`url\`, \`action_data\`, \`action_type\`, \`regex\`) VALUES (${rows.join('), (')});`;
  const html =
    '<p><a href="/old?utm_source=b&amp;x=1">a</a> <a href="/old/?y=3&amp;x=2">b</a> <a href="/?p=1&amp;x=1">c</a> <a href="/none?x=1">d</a> <a href="/?p=9&amp;x=1">e</a></p>';
  const { content, readArticle, report } = await moveIn(
    { ...wxr(html, { link: 'https://old.example/2024/one/' }), 'links.sql': sql },
    'wordpress',
  );
  const { redirects } = readContent(content);
  expect([...redirects].filter(([from]) => /^\/(?:old|gone|a$)/.test(from))).toEqual([
    ['/old?x=1', '/blog/one'],
    ['/old?x=2&y=3', 'https://a.example/x?tag=2'],
  ]);
  expect(readArticle('one').body).toBe(
    '[a](/blog/one) <a href="https://a.example/x?tag=2" rel="sponsored">b</a> [c](/blog/one) [d](https://old.example/none?x=1) [e](<https://old.example/?p=9&x=1>)',
  );
  for (const line of [
    '/gone is not redirected: action_type is error',
    '/^/a/(.*) is not redirected: regex is 1',
    '/a#part is not redirected: it is no address of its own',
    'the link to /?p=9&x=1 leads to nothing that is imported',
  ])
    expect(report).toContain(line);
});
