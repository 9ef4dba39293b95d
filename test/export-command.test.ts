import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import columnTexts from '../src/commands/export-columns.json' with { type: 'json' };
import { createSiteFolder } from '../src/commands/new.ts';
import { parseArticleFile } from '../src/content-files/articles/article-file.ts';
import { getSecretsFile } from '../src/content-files/secret-file.ts';
import {
  buildApacheRedirects,
  buildCaddyRedirects,
  buildCloudflareRedirects,
  buildNginxRedirects,
} from '../src/core/pages/redirects/redirect-files.ts';
import { buildDefaultPath, trimAddress } from '../src/core/paths.ts';
import { readPluginLinks } from '../src/move-in/link-plugins.ts';
import { extractText, inspectHtml } from '../src/sources/articles/html/html-text.ts';
import { renderMarkdown } from '../src/sources/articles/html/prepare-body.ts';
import { createFolder } from './support/create-folder.ts';
import { createMovingSite, readMovedRows } from './support/moving-site.ts';
import { openEventStore } from './support/open-event-store.ts';
import { runCommand } from './support/run-command.ts';

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
const readFiles = (folder: string) =>
  Object.fromEntries(
    listFiles(folder).map((file) => [path.relative(folder, file), readFileSync(file, 'base64')]),
  );

it('moves a whole site into an empty one, with the same pages and the same money', async () => {
  const folder = createFolder();
  const at = (name: string) => path.join(folder, name);
  for (const name of ['old', 'new'])
    createSiteFolder({ name, folder: at(`${name}-content`), day: '2026-01-05' });
  await createMovingSite(at('old-data'));
  const secrets = { REWARDFUL_WEBHOOK_SECRET: { value: 'typed-in-text', setAt: 1, setBy: 'Ada' } };
  writeFileSync(getSecretsFile(at('old-data')), JSON.stringify({ format: 1, secrets }), { mode: 0o600 });
  const env = (name: string) => ({
    CONTENT_DIR: at(`${name}-content`),
    DATA_DIR: at(`${name}-data`),
    SITE_URL: 'https://hub.example',
  });
  const exported = await runCommand('export', ['site', at('export')], env('old'));
  expect([exported.code, exported.stderr, exported.stdout]).toEqual([
    0,
    '',
    expect.stringMatching(/^1 articles, .* [1-9]\d* events and [1-9]\d* commissions/),
  ]);
  for (const file of listFiles(at('export'))) {
    const bytes = readFileSync(file);
    const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    expect([file, text.includes('typed-in-text')]).toEqual([file, false]);
  }
  const imported = await runCommand('import', ['signpost', at('export')], env('new'));
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('The site is in')]);
  expect(readFiles(at('new-content'))).toEqual(readFiles(at('old-content')));
  expect(readMovedRows(at('new-data'))).toEqual(readMovedRows(at('old-data')));
  for (const [name, ...words] of [
    ['commissions', 'report', '--by', 'page'],
    ['commissions', 'report', '--by', 'campaign'],
    ['commissions', 'report', '--by', 'partner'],
    ['events', 'report', '--by', 'page'],
    ['events', 'count', '--all'],
  ] as const) {
    const [before, after] = [
      await runCommand(name, words, env('old')),
      await runCommand(name, words, env('new')),
    ];
    expect([words, after]).toEqual([words, before]);
    expect(before.code).toBe(0);
  }
  const [head = ''] = readFileSync(at('export/events/events.csv'), 'utf8').split('\r\n');
  expect(Object.keys(columnTexts.events)).toEqual(head.split(','));
  const [commissionHead = ''] = readFileSync(at('export/commissions/commissions.csv'), 'utf8').split('\r\n');
  expect(Object.keys(columnTexts.commissions)).toEqual(commissionHead.split(','));
  expect(readPluginLinks(at('export/links/pretty-links.csv'))).toContainEqual(
    expect.objectContaining({ path: '/go/example-home', target: 'https://www.example.com/?ref=your-code' }),
  );
  expect(readFileSync(at('export/redirects/nginx.conf'), 'utf8')).toContain(
    '"/go/example" "https://www.example.com/pricing?ref=your-code";',
  );
});

it('refuses an export that is not whole, and says of one without a list that it may be a part', async () => {
  const folder = createFolder();
  const at = (name: string) => path.join(folder, name);
  createSiteFolder({ name: 'old', folder: at('content'), day: '2026-01-05' });
  await createMovingSite(at('data'));
  const env = { CONTENT_DIR: at('content'), DATA_DIR: at('data'), SITE_URL: 'https://hub.example' };
  expect((await runCommand('export', ['site', at('whole')], env)).code).toBe(0);
  const cut = (file: string) => truncateSync(file, statSync(file).size >> 1);
  const importAfter = async (name: string, change: (part: string) => void) => {
    cpSync(at('whole'), at(name), { recursive: true });
    change(at(name));
    const target = { CONTENT_DIR: at(`${name}-content`), DATA_DIR: at(`${name}-data`) };
    const outcome = await runCommand('import', ['signpost', at(name)], { ...env, ...target });
    return { ...outcome, isWritten: existsSync(target.CONTENT_DIR) || existsSync(target.DATA_DIR) };
  };
  for (const [name, change, message] of [
    ['cut', (part: string) => cut(`${part}/data.ndjson.gz`), /data\.ndjson\.gz is not as its list/],
    ['gone', (part: string) => rmSync(`${part}/content/site.yaml`), /no content\/site\.yaml/],
    [
      'partner',
      (part: string) => rmSync(`${part}/content/partners/example.yaml`),
      /example\.yaml is missing/,
    ],
    ['list', (part: string) => cut(`${part}/export.json`), /export\.json is damaged/],
    [
      'ended',
      (part: string) => renameSync(`${part}/export.json`, `${part}/export.json.partial`),
      /interrupted/,
    ],
  ] as const)
    expect(await importAfter(name, change), name).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
      isWritten: false,
    });
  const older = await importAfter('older', (part) => rmSync(`${part}/export.json`));
  expect(older).toMatchObject({ code: 0, stderr: expect.stringContaining('or only a part of it') });
});

it('refuses a folder with files, and a folder that is no exported site', async () => {
  const folder = createFolder();
  createSiteFolder({
    name: 'Site',
    folder: path.join(folder, 'content'),
    day: '2026-01-05',
  });
  const env = { CONTENT_DIR: path.join(folder, 'content'), DATA_DIR: path.join(folder, 'data') };
  expect((await runCommand('export', ['site', folder], env)).stderr).toContain(
    'is not empty; nothing was written',
  );
  expect((await runCommand('import', ['signpost', path.join(folder, 'content')], env)).stderr).toContain(
    'it is no exported site',
  );
});

const ARTICLE = `---
title: The index
excerpt: A short text about an index, long enough to be a summary.
categories: [Tools]
publishedAt: 2026-01-05T09:00:00Z
image: { src: ../images/photo.png, alt: A photo }
---

The plan costs {product:example.basic}.

![A photo](../images/photo.png)
`;

it('writes no dot files, redirects of images, and articles that other generators can build', async () => {
  const folder = createFolder();
  const at = (name: string) => path.join(folder, 'content', name);
  createSiteFolder({ name: 'Site', folder: at(''), day: '2026-01-05' });
  const secrets = ['.env', '.git/config', '.import/report.txt', 'pages/.draft.yaml.swp'];
  for (const name of [...secrets, 'images/.DS_Store', 'redirects/old.csv', 'articles/index.md']) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), 'secret');
  }
  writeFileSync(at('images/photo.png'), '');
  writeFileSync(at('redirects/old.csv'), 'from,to\n/wp-content/uploads/a.png,../images/photo.png\n');
  writeFileSync(at('articles/index.md'), ARTICLE);
  writeFileSync(at('articles/moved.md'), ARTICLE.replace('---\n', '---\naddress: /old/moved/\n'));
  const env = { CONTENT_DIR: at(''), DATA_DIR: path.join(folder, 'data') };
  await openEventStore(env.DATA_DIR).close();
  const { code, stderr } = await runCommand('export', ['site', path.join(folder, 'out')], env);
  expect([code, stderr]).toEqual([0, '']);
  const files = listFiles(path.join(folder, 'out')).map((file) =>
    path.relative(path.join(folder, 'out'), file),
  );
  expect(files.filter((file) => /(^|\/)\./.test(file))).toEqual([]);
  expect(files).toContain('content/articles/index.md');
  for (const name of ['nginx.conf', 'apache.conf', 'Caddyfile', 'cloudflare/_redirects']) {
    const text = readFileSync(path.join(folder, 'out/redirects', name), 'utf8');
    expect(text, name).toMatch(/uploads\\?\/a\\?\.png.*[\s\S]*\/images\/photo\.png/);
    // Links of articles name others by their default paths.
    expect(text, name).toMatch(/\/blog\/moved[^-\n]*[\s\S]*\/old\/moved\//);
  }
  expect(readFileSync(path.join(folder, 'out/markdown/moved.md'), 'utf8')).toMatch(
    /^url: \/old\/moved\/\n[\s\S]*^aliases:\n {2}- \/blog\/moved$/m,
  );
  expect(files.filter((file) => file.startsWith('markdown/'))).toContain('markdown/index-article.md');
  expect(files).not.toContain('markdown/index.md');
  const [, head = '', body = ''] =
    /^---\n([\s\S]*?)---\n\n([\s\S]*)$/.exec(
      readFileSync(path.join(folder, 'out/markdown/index-article.md'), 'utf8'),
    ) ?? [];
  expect(parse(head)).toMatchObject({
    title: 'The index',
    date: '2026-01-05T09:00:00.000Z',
    url: '/blog/index/',
    permalink: '/blog/index/',
    image: { src: '/images/photo.png', alt: 'A photo' },
  });
  expect(body).toMatch(/The plan costs \$\d[\d.,]*\.\n\n!\[A photo\]\(\/images\/photo\.png\)/);
});

const HOSTILE = `---
title: What <script> does
excerpt: A text about {product:example.basic} and the <title> element.
categories: [Tools]
publishedAt: 2026-01-05T09:00:00Z
sources:
  - { title: A <b> page, url: 'https://source.example/', date: 2026-01-05, supports: The first sentence. }
---

It costs {product:example.basic} [^1], as the [other](/blog/other) says; a word about the <title> element of a page.

{{product-box product="example"}}

![A photo](../images/my%20photo.png)

<p onclick="alert(1)">clicked</p><script>alert(1)</script><a href="javascript:alert(1)">link</a><img src=x onerror=alert(1)>

The last words.
`;

it('writes articles as HTML as the site shows them: sanitized, with all that it fills in', async () => {
  const folder = createFolder();
  const at = (name: string) => path.join(folder, 'content', name);
  createSiteFolder({ name: 'Site', folder: at(''), day: '2026-01-05' });
  writeFileSync(at('articles/hostile.md'), HOSTILE);
  mkdirSync(at('images'), { recursive: true });
  writeFileSync(at('images/my photo.png'), '');
  const env = { CONTENT_DIR: at(''), DATA_DIR: path.join(folder, 'data'), SITE_URL: 'https://site.example' };
  await openEventStore(env.DATA_DIR).close();
  const { code, stderr } = await runCommand('export', ['site', path.join(folder, 'out')], env);
  expect([code, stderr]).toEqual([0, '']);
  const html = readFileSync(path.join(folder, 'out/html/articles/hostile.html'), 'utf8');
  expect(html).not.toMatch(/onclick|onerror|<script|javascript:|\{\{|\{product/);
  expect(html).toMatch(/content="A text about \$\d[\d.]* and the &lt;title&gt; element\."/);
  expect(html).toMatch(/It costs \$\d[\d.]* <sup><a href="#s-source-1">1<\/a><\/sup>, as/);
  expect(html).toContain('<a href="https://site.example/blog/other">other</a>');
  expect(html).toContain('the &lt;title&gt; element of a page.');
  expect(html).toMatch(/<ul><li>Example[^<]*, \$\d[^<]*<\/li><\/ul>/);
  expect(html).toContain('<img src="../../content/images/my%20photo.png" alt="A photo"');
  expect(html).toContain('The last words.');
  expect(html).toContain(
    '<li id="s-source-1"><a href="https://source.example/">A &lt;b&gt; page</a>, 2026-01-05. The first sentence.</li>',
  );
  const markdown = readFileSync(path.join(folder, 'out/markdown/hostile.md'), 'utf8');
  expect(markdown).toMatch(/\n\n<ul><li>Example[^\n]*<\/ul>\n\n/);
});

const MOVED: Readonly<Record<string, string>> = {
  tables:
    '| a | b |\n|---|---|\n| [one](/blog/lists#x) | `a\\|b` |\n\n<table><caption>c</caption><tr><td>d<br>e</td></tr></table>',
  lists:
    '1. One\n   <ol reversed>\n   \t<li>Two <a href="/blog/tables">t</a></li>\n   \t<li>Three</li>\n   </ol>\n\n2. Four\n\n   > Five\n   > <b>six</b>\n\n- [x] done',
  code: '```liquid\n{% highlight %}\n{{ page.title }}\n```\n\nUse `{{< x >}}` <!-- {{% y }} --> <code>{% include z %}</code> and \\{{ y }}, 2 \\* 3, &lt;b>, \\<b>.',
  notes:
    'A claim<sup><a href="#f-1">1</a></sup> at <https://a.example/?a=1&b=2>.\n\n1. <span id="f-1"></span>Its *source*.',
  paid: 'Buy [it](https://www.amazon.com/dp/B0AAAAAAAA?tag=me-20 "Now") or <a href="https://a.example/" rel="sponsored">that</a>.',
  straße:
    '## Größe\n\nimport words\nexport them\n\n---\n\nTerm: `x`\\\nnext.\n\n![A photo](../images/photo.png)',
  seven:
    '<details><summary>More</summary>\n\nInside **bold**.\n\n</details>\n\n<figure><img src="../images/photo.png" alt="B"><figcaption>Words</figcaption></figure>',
};

it('moves articles out for another generator and in again with every address, link and word', async () => {
  const folder = createFolder();
  const at = (...names: string[]) => path.join(folder, ...names);
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  for (const name of ['old', 'new']) createSiteFolder({ name, folder: at(name), day: '2026-01-05' });
  for (const [slug, body] of Object.entries(MOVED)) {
    const head = ARTICLE.slice(0, ARTICLE.lastIndexOf('---\n') + 4).replace('The index', `About ${slug}`);
    const own = slug === 'notes' ? head : head.replace('---\n', `---\naddress: /2019/${slug}/\n`);
    writeFileSync(at('old/articles', `${slug}.md`), `${own}${body}\n`);
  }
  writeFileSync(at('old/images/photo.png'), image);
  await openEventStore(at('data')).close();
  const env = (name: string) => ({ CONTENT_DIR: at(name), DATA_DIR: at('data') });
  expect((await runCommand('export', ['site', at('out')], env('old'))).stderr).toBe('');
  const code = readFileSync(at('out/markdown/code.md'), 'utf8');
  expect(code.match(/\{\{[<%].*?\}\}/g)).toEqual(['{{</* x */>}}', '{{%/* y */%}}']);
  mkdirSync(at('out/markdown/images'));
  writeFileSync(at('out/markdown/images/photo.png'), image);
  expect((await runCommand('import', ['markdown', at('out/markdown')], env('new'))).stderr).toBe('');
  const read = (name: string, slug: string) => {
    const parsed = parseArticleFile(`${slug}.md`, readFileSync(at(name, 'articles', `${slug}.md`), 'utf8'));
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    const { front, markdown } = parsed.file;
    const html = renderMarkdown(markdown).replaceAll('/images/imported/images/', '/images/');
    const { links, images } = inspectHtml(html);
    const address = trimAddress(front.address ?? buildDefaultPath(slug));
    return { title: front.title, address, links, images, text: extractText(html) };
  };
  const slugs = Object.keys(MOVED);
  expect(slugs.map((slug) => read('new', slug))).toEqual(slugs.map((slug) => read('old', slug)));
});

const PAIRS = [
  ['/2019/Tools', '/blog/tools'],
  ['/?p=12', '/blog/twelve'],
  ['/%D0%B8', 'https://shop.example/?a=%2F&b=$1'],
  ['/page/1', '/blog'],
  ['/tag/crm', '/blog/tag/crm'],
] as const;

it('writes redirects for other servers', () => {
  expect(buildNginxRedirects(PAIRS)).toContain(
    '"/page/1" "/blog";\n  "/2019/Tools" "/blog/tools";\n  "/%D0%B8" "https://shop.example/?a=%2F&b=%241";\n  "/tag/crm" "/blog/tag/crm";',
  );
  expect(buildApacheRedirects(PAIRS)).toContain(
    'RewriteCond %{THE_REQUEST} "^[A-Z]+\\ /\\?p=12\\ "\nRewriteRule ^ "/blog/twelve" [R=301,NE,QSD,L]',
  );
  expect(buildCaddyRedirects(PAIRS)).toContain('path "/"\n  query "p=12"');
  expect(buildCaddyRedirects(PAIRS)).toContain(
    'path_regexp "^/tag/crm(?:/(?:page/|comment-page-)[0-9]{1,6})?/?$"',
  );
  expect(buildCloudflareRedirects(PAIRS)).toContain(
    '/2019/Tools /blog/tools 301\n/2019/Tools/ /blog/tools 301\n# /?p=12 /blog/twelve',
  );
  expect(buildCloudflareRedirects(PAIRS)).toContain(
    '/page/:page /blog 301\n/tag/crm/page/:page /blog/tag/crm 301\n',
  );
});
