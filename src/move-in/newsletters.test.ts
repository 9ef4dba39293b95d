import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { createSiteFolder } from '../commands/new.ts';
import { escapeHtml } from '../core/text/parse-text.ts';
import type { FormerSite } from './former-item.ts';
import { openMedium } from './medium-export.ts';
import { MoveIn } from './move-in.ts';
import { openSubstack } from './substack-export.ts';

async function read(site: FormerSite) {
  const problems: string[] = [];
  const items = [];
  for await (const item of site.read((place, reason) => void problems.push(`${place}: ${reason}`)))
    items.push(item);
  return { items, problems };
}

function createExport(files: Readonly<Record<string, string>>): string {
  const folder = createFolder();
  mkdirSync(path.join(folder, 'posts'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

it('keeps the first heading of a post of Medium unless it is the title, with other spaces', async () => {
  const post = (heading: string) =>
    `<h1 class="p-name">The title</h1><section data-field="body"><h3 class="graf--title">${heading}</h3><p>Words</p></section>`;
  const site = await openMedium(
    createExport({ 'posts/a.html': post('The\u00a0title'), 'posts/b.html': post('Another one') }),
  );
  const { items } = await read(site);
  expect(items.map(({ title, body }) => [title, body.includes('<h2')])).toEqual([
    ['The title', false],
    ['The title', true],
  ]);
});

it('leads links between posts of Medium to the posts, by whatever host they name them', async () => {
  const links = [
    'https://medium.com/@ada/second-0123456789ab?source=friends_link',
    'https://ada.medium.com/second-0123456789ab#f8b6',
    'https://medium.com/p/0123456789ab',
    'https://blog.example/second-0123456789ab/',
  ];
  const others = ['https://medium.com/@ada/other-ffffffffffff', 'https://medium.com/@ada'];
  const post = (body: string) => `<section data-field="body">${body}</section>`;
  const list = [...links, ...others].map((href) => `<a href="${href}">x</a>`).join('');
  const folder = createExport({
    'posts/2020-01-01_First-aaaaaaaaaaaa.html': post(`<p>${list}</p>`),
    'posts/2020-01-02_Second-0123456789ab.html': `<a class="p-canonical" href="https://medium.com/@ada/second-0123456789ab">x</a>${post('<p>Words</p>')}`,
    'posts/2020-01-03_Third-bbbbbbbbbbbb.html': `<a class="p-canonical" href="https://ada.example/third-bbbbbbbbbbbb">x</a>${post('<p>Words</p>')}`,
  });
  const site = await openMedium(folder);
  const { items } = await read(site);
  const targets = [...(items[0]?.body ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  const own = 'moved-file:0123456789ab';
  expect(targets).toEqual([own, `${own}#f8b6`, own, own, ...others]);
  expect(items.map(({ formerAddresses }) => formerAddresses)).toEqual([[], [], ['/p/bbbbbbbbbbbb']]);
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  const given = { system: 'medium', prefixes: '', bases: '', amazon: '' } as const;
  const uploaded = { export: folder, links: null, given, keepsSample: false };
  await new MoveIn(content).commit(uploaded, []);
  const article = readFileSync(path.join(content, 'articles/first.md'), 'utf8');
  expect(article.match(/\/blog\/second[^)]*/g)).toEqual([
    '/blog/second',
    '/blog/second#f8b6',
    '/blog/second',
    '/blog/second',
  ]);
});

const embed = (name: string, attributes: unknown) =>
  `<div class="${name}" data-attrs="${escapeHtml(JSON.stringify(attributes))}"></div>`;

it('shows what embeds of Substack have in an attribute alone, and names those that have nothing', async () => {
  const src = 'https://substack-post-media.s3.amazonaws.com/public/images/a.png';
  const body = [
    embed('image-gallery-embed', {
      gallery: { images: [{ type: 'image/png', src }], caption: 'Two <cups>' },
    }),
    embed('twitter-embed', {
      url: 'https://x.com/ada/status/1',
      full_text: 'Hot <a href="https://a.example/">water</a>',
      name: 'Ada',
      photos: [{ img_url: 'https://pbs.substack.com/media/b.jpg', alt_text: null }],
    }),
    embed('digest-post-embed', {
      canonical_url: 'https://a.substack.com/p/two',
      title: 'Two',
      caption: 'More',
    }),
    embed('latex-rendered', { persistentExpression: 'a<b' }),
    embed('poll-embed', { id: 7 }),
    '<p class="button-wrapper" data-attrs="{&quot;url&quot;:&quot;https://a.example/&quot;}"><a href="https://a.example/">Buy</a></p>',
    '<div><label class="hide-text">Text within this block</label><pre>poem</pre></div>',
    ...['https://b.example/p/two?utm_source=x#end', 'https://open.substack.com/pub/a/p/two'].map(
      (href) => `<a href="${href}">x</a>`,
    ),
    '<a href="https://a.substack.com/i/2/part">x</a><a href="https://c.substack.com/p/three">x</a>',
  ].join('');
  const rows = ['1.one,newsletter,', '2.two,podcast,https://api.substack.com/a.mp3', '3.about,page,'];
  const site = await openSubstack(
    createExport({
      'posts.csv': `post_id,type,podcast_url\n${rows.join('\n')}\n`,
      'posts/1.one.html': body,
    }),
  );
  const { items, problems } = await read(site);
  const plain = items[0]?.body.replace(/<div class="[a-z-]+" data-attrs="[^"]*">(.*?)<\/div>/g, '$1');
  expect(plain?.replace(/ data-attrs="[^"]*"/g, '')).toBe(
    [
      `<figure><img src="${src}" alt=""></figure><p>Two &lt;cups&gt;</p>`,
      '<figure><img src="https://pbs.substack.com/media/b.jpg" alt=""></figure>',
      '<blockquote><p>Hot <a href="https://a.example/">water</a></p><p><a href="https://x.com/ada/status/1">Ada</a></p></blockquote>',
      '<p><a href="/p/two">Two</a></p><p>More</p>',
      '<pre><code>a&lt;b</code></pre>',
      '<p class="button-wrapper"><a href="https://a.example/">Buy</a></p>',
      '<div><pre>poem</pre></div>',
      '<a href="/p/two#end">x</a><a href="/p/two">x</a>',
      '<a href="/p/two#part">x</a><a href="https://c.substack.com/p/three">x</a>',
    ].join(''),
  );
  expect(problems).toEqual(['posts/1.one.html: an embed (poll-embed) has nothing in the export']);
  expect(items.map(({ type }) => type)).toEqual(['post', 'post', 'page']);
  expect(items[1]?.body).toBe('<audio src="https://api.substack.com/a.mp3"></audio>');
});
