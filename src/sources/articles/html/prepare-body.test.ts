import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../../test/contract/article-cache-store.ts';
import { findStrangeHtml } from '../../../../test/support/article-html.ts';
import { GOOD_BODIES, HOSTILE_BODIES } from '../../../../test/support/hostile-input.ts';
import { readSamplePartners } from '../../../../test/support/sample-content.ts';
import { watchMachine } from '../../../../test/support/scale-to-machine.ts';
import { parseArticleFile } from '../../../content-files/articles/article-file.ts';
import { resolveArticleLinks } from '../../../core/articles/article-link.ts';
import { checkArticle, REMOVED_ELEMENTS } from '../../../core/articles/check-article.ts';
import { NO_IMAGES } from '../../../core/pages/images/content-image.ts';
import { inspectHtml } from './html-text.ts';
import { createBodyPreparer, renderMarkdown } from './prepare-body.ts';

const POLICY = {
  siteOrigin: 'https://hub.example',
  partners: readSamplePartners(),
  articleSite: '',
  nofollow: true,
  imageHosts: ['images.example'],
};
const prepare = createBodyPreparer(POLICY);
const clean = (html: string) => prepare({ format: 'html', source: html }).content;

it('the hostile bodies are at least sixty kinds, the good ones at least twenty', () => {
  expect(HOSTILE_BODIES.length).toBeGreaterThanOrEqual(60);
  expect(GOOD_BODIES.length).toBeGreaterThanOrEqual(20);
});

it.each(HOSTILE_BODIES)(
  'the hostile body "%s" becomes the HTML of an article, once for all',
  { tags: ['rest'] },
  (_, html) => {
    const once = clean(html);
    expect(findStrangeHtml(once, ['images.example'])).toEqual([]);
    expect(clean(once)).toBe(once);
  },
);

it('leaves the mark of a paid link that leads to no partner, and repeats it nowhere', () => {
  const once = clean('<p><a href="https://shop.example/?ref=1" rel="nofollow sponsored">a</a></p>');
  expect(once).toBe('<p><a href="https://shop.example/?ref=1" rel="sponsored nofollow noopener">a</a></p>');
  expect(clean(once)).toBe(once);
});

it('prepares all hostile bodies together in seconds: the time is proportional to their size', {
  tags: ['rest', 'measures'],
}, () => {
  const scale = watchMachine();
  const start = performance.now();
  for (const [, html] of HOSTILE_BODIES) clean(html);
  expect(performance.now() - start).toBeLessThan(scale(5_000));
});

const fromMarkdown = (source: string) =>
  inspectText(prepare({ format: 'markdown', source, images: NO_IMAGES }).content);
const inspectText = (html: string) =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

it.each([
  ...[
    ...REMOVED_ELEMENTS,
    'iframe',
    'object',
    'video',
    'audio',
    'noscript',
    'T-Mobile',
    'your-name',
    'p',
    'b',
  ].map((name) => `<${name}>`),
  ...['<TITLE lang="en">', '<!--', '<?php', '<![CDATA[', '<textarea', '<title/>'],
])('takes no word after %s away in Markdown, in a sentence and at the start of a paragraph', (mark) => {
  for (const text of [
    `Before ${mark} between.\n\nAfter it.\n`,
    `Before.\n\n${mark} between.\n\nAfter it.\n`,
  ]) {
    const shown = fromMarkdown(text);
    for (const word of ['Before', 'between', 'After it'])
      expect([text, shown]).toEqual([text, expect.stringContaining(word)]);
  }
});

it('shows what a name in angle brackets is, and leaves out what a script was', () => {
  expect(fromMarkdown('The <title> of AT&T, <T-Mobile>.')).toContain('The <title> of AT&amp;T, <T-Mobile>.');
  expect(fromMarkdown('A <script>alert(1)</script> b <!-- c --> d.')).not.toMatch(/alert|c/);
});

it('looks for loose marks in time that grows with the text', { tags: ['measures'] }, () => {
  const scale = watchMachine();
  const start = performance.now();
  renderMarkdown('<!--'.repeat(100_000));
  renderMarkdown(`a ${'<b-c>'.repeat(50_000)}`);
  expect(performance.now() - start).toBeLessThan(scale(5_000));
});

it('shows which tasks of a list are done', () => {
  expect(fromMarkdown('- [x] cancelled\n- [ ] moved\n')).toMatch(/\u2611 cancelled[\s\S]*\u2610 moved/);
});

it('shows a quotation that is marked as a callout', () => {
  expect(renderMarkdown('> [!note]\n> **Careful.** It *ends*.')).toBe(
    '<div class="callout">\n<p><strong>Careful.</strong> It <em>ends</em>.</p>\n</div>\n',
  );
  expect(renderMarkdown('> [!TIP] Words')).toContain('<div class="callout">\n<p>Words</p>');
  expect(renderMarkdown('> [!other] Words')).toContain('<blockquote>');
  expect(renderMarkdown('> Words [!note]')).toContain('<blockquote>');
});

it('links a citation to its source, and leaves code as it is', () => {
  const render = (source: string) => prepare({ format: 'markdown', source, images: NO_IMAGES }).content;
  expect(render('Price[^2][^11].')).toBe(
    '<p>Price<sup><a href="#s-source-2">2</a></sup><sup><a href="#s-source-11">11</a></sup>.</p>',
  );
  expect(render('Write `[^2]` or \\[^2].')).toBe('<p>Write <code>[^2]</code> or [^2].</p>');
});

it('leaves the text around removed elements', () =>
  expect(clean('<p>before</p><script>x</script><iframe src="x">y</iframe><p>after</p>')).toBe(
    '<p>before</p><p>after</p>',
  ));

it.each(GOOD_BODIES)('the good body "%s" is returned unchanged', (_, html) => expect(clean(html)).toBe(html));

const FOLDER = path.resolve(import.meta.dirname, '../../../../content/articles');

it.each(readdirSync(FOLDER))('the shipped article %s loses no word and no tag', (name) => {
  const parsed = parseArticleFile(name, readFileSync(path.join(FOLDER, name), 'utf8'));
  const html = 'file' in parsed ? renderMarkdown(parsed.file.markdown) : '';
  const strip = (text: string) =>
    text
      .replace(/<div class="table-scroll"[^>]*>|<\/div>/g, '')
      .replace(/<(\w+)[^>]*>/g, '<$1>')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .trim();
  expect(strip(clean(html))).toBe(strip(html));
});

it.each([
  [
    'https://www.gohighlevel.com/pricing?fp_ref=thief',
    '/go/highlevel?page=pricing&amp;source=article&amp;position=text',
  ],
  ['http://gohighlevel.com/demo/', '/go/highlevel?page=demo&amp;source=article&amp;position=text'],
  ['https://app.gohighlevel.com/deep/page', '/go/highlevel?page=home&amp;source=article&amp;position=text'],
  ['//gohighlevel.com', '/go/highlevel?page=home&amp;source=article&amp;position=text'],
])('the link %s to a partner goes through the redirect and is marked as sponsored', (href, expected) => {
  expect(clean(`<a href="${href}">x</a>`)).toContain(
    `href="${expected}" rel="sponsored noopener" target="_blank"`,
  );
});

it.each([
  ['https://notgohighlevel.com/', 'https://notgohighlevel.com/'],
  ['https://gohighlevel.com.evil.example/', 'https://gohighlevel.com.evil.example/'],
  ['https://hub.example/blog/a?b=1#c', '/blog/a?b=1#s-c'],
  ['crm-basics', '/blog/crm-basics'],
  // The path itself begins with two slashes: without the dot it would be another host.
  ['/.//pig', '/.//pig'],
  ['https://a:b@x.example/', 'https://x.example/'],
  ['#Größe 1', '#s-Größe-1'],
])('the link %s becomes %s', (href, expected) => {
  expect(clean(`<a href="${href}">x</a>`)).toContain(`href="${expected}"`);
});

const KNOWN: Readonly<Record<string, string>> = {
  'post-3': '/blog/post-3',
  '?p=12': '/blog/post-3',
  цена: '/blog/%D1%86%D0%B5%D0%BD%D0%B0',
};

/** The attributes of a link in a post of a website, as readers get them. */
function readLink(href: string, articleSite: string): string | undefined {
  const body = { format: 'html', source: `<p><a href="${href}">x</a></p>` } as const;
  const { content } = createBodyPreparer({ ...POLICY, articleSite })(body);
  return /<a ([^>]*)>/.exec(resolveArticleLinks(content, (reference) => KNOWN[reference] ?? null))?.[1];
}

describe.each([
  'https://wp.example',
  'https://wp.example/',
  'https://www.wp.example',
  'https://wp.example/blog',
])('a post of %s', (site) => {
  it.each([
    ['https://wp.example/post-3/', '/blog/post-3'],
    ['https://www.wp.example/post-3/', '/blog/post-3'],
    ['http://wp.example/post-3', '/blog/post-3'],
    ['https://wp.example/2026/11/post-3/', '/blog/post-3'],
    ['https://wp.example/blog/post-3/', '/blog/post-3'],
    ['https://wp.example/?p=12', '/blog/post-3'],
    ['?p=12', '/blog/post-3'],
    ['/post-3/', '/blog/post-3'],
    ['../post-3/', '/blog/post-3'],
    ['/post-3/#part', '/blog/post-3#s-part'],
    ['https://wp.example/post-3/?utm_source=x#part', '/blog/post-3#s-part'],
    ['https://wp.example/%d1%86%d0%b5%d0%bd%d0%b0/', '/blog/%D1%86%D0%B5%D0%BD%D0%B0'],
    ['https://hub.example/blog/post-3', '/blog/post-3'],
  ])('links with %s to the article', (href, expected) => {
    expect(readLink(href, site)).toBe(`href="${expected}"`);
  });

  it.each([
    ['https://wp.example/about/'],
    ['https://wp.example/contact'],
    ['https://wp.example/feed/'],
    ['https://wp.example/?p=13'],
    ['https://wp.example/category/post-3/'],
    ['https://wp.example/wp-content/uploads/post-3'],
    ['https://wp.example:8443/post-3/'],
    ['https://evil.example/post-3/'],
  ])('leaves the link %s to another page as it is', (href) => {
    expect(readLink(href, site)).toBe(`href="${href}" rel="nofollow noopener"`);
  });

  it.each(['#/portal/signup', 'https://wp.example/#/portal/signup'])('drops the link %s', (href) =>
    expect(readLink(href, site)).toBeUndefined(),
  );

  it.each([
    ['/go/highlevel?page=pricing', '/go/highlevel?page=pricing&amp;position=text'],
    ['/go/highlevel?position=box', '/go/highlevel?position=box'],
    ['/kit-trial', '/kit-trial?position=text'],
    ['https://other.example/?ref=wp.example', 'https://other.example/'],
    ['https://other.example/?a=1&amp;ref=friend', 'https://other.example/?a=1&amp;ref=friend'],
  ])('writes the link %s as %s', (href, expected) => {
    expect(readLink(href, site)).toContain(`href="${expected}"`);
  });
});

it('finds an article of a website with a port', () =>
  expect(readLink('http://localhost:2368/post-3/', 'http://localhost:2368')).toBe('href="/blog/post-3"'));

it('ignores a reference to an article that the source writes itself', () =>
  expect(clean('<p><a href="https://evil.example/" data-article="post-3">x</a></p>')).not.toContain(
    'data-article',
  ));

const showsImage = (src: string, articleSite = '') => {
  const body = { format: 'html', source: `<p>x<img src="${src}"></p>` } as const;
  const policy = { ...POLICY, articleSite, imageHosts: ['wp.example'] };
  return /src="([^"]*)"/.exec(createBodyPreparer(policy)(body).content)?.[1];
};

it.each([
  '/go/highlevel?source=imgtag',
  'https://hub.example/go/highlevel',
  '/readyz',
  '/healthz',
  '/api/journey',
  '/blog/crm-basics',
  '/',
  '/images/../go/highlevel',
  '/images/%2e%2e/go/highlevel',
  '/images/x',
  '//hub.example/go/highlevel',
  'HTTPS://HUB.EXAMPLE/go/highlevel',
  '/gohighlevel-free-trial?x=.png',
])('shows no image with the address %s of the site, which is no image file', (src) => {
  expect(showsImage(src)).toBeUndefined();
});

it('shows the image files of the site, and relative ones of the website that the article comes from', () => {
  expect(showsImage('/images/a.1234.webp?x=1')).toBe('/images/a.1234.webp');
  expect(showsImage('/wp-content/uploads/x.jpg', 'https://wp.example')).toBe(
    'https://wp.example/wp-content/uploads/x.jpg',
  );
  expect(showsImage('/go/highlevel', 'https://wp.example')).toBe('https://wp.example/go/highlevel');
});

it('an anchor with a name stays reachable', () =>
  expect(clean('<a name="sum"></a><p><a href="#sum">x</a></p>')).toBe(
    '<a id="s-sum"></a><p><a href="#s-sum">x</a></p>',
  ));

it('an image loads lazily, loses candidates of other hosts and is marked when its size is unknown', () => {
  const html = clean(
    '<img src="http://images.example/a.png" srcset="https://images.example/b.png 800w, https://evil.example/c.png 2x">',
  );
  expect(html).toBe(
    '<img src="https://images.example/a.png" srcset="https://images.example/b.png 800w" ' +
      'sizes="auto, (min-width: 48rem) 44rem, 100vw" alt="" class="unsized" loading="lazy" decoding="async">',
  );
});

it('the candidates of an image may follow each other without a space', () => {
  const html = clean(
    '<img src="https://images.example/a.png" ' +
      'srcset="https://images.example/b.png 1.5x,https://images.example/c,d.png 800w,https://images.example/e.png 2x">',
  );
  expect(html).toContain('srcset="https://images.example/b.png 1.5x, https://images.example/e.png 2x"');
});

it('renders Markdown with tables before it is sanitized', () => {
  const { content, text } = prepare({
    format: 'markdown',
    source: '## Sum\n\n| a |\n| - |\n| 1 |\n\n<script>x</script>',
    images: NO_IMAGES,
  });
  expect(content).toContain('<h2 id="s-sum">Sum</h2>');
  expect(content).toContain('aria-label="Table 1: Sum"><table aria-label="Table 1: Sum">');
  expect(text).toBe('Sum a 1');
});

const PHOTO = 'https://images.example/photo.jpg';

it.each([
  `<img src="data:image/gif;base64,R0lGOD" data-src="${PHOTO}" alt="A">`,
  `<img data-lazy-src="${PHOTO}" alt="A">`,
  `<img src="/placeholder.svg" data-src="${PHOTO}" alt="A"><noscript><img src="${PHOTO}" alt="A"></noscript>`,
  `<p><noscript><img src="${PHOTO}" alt="A"></noscript></p>`,
  `<img class="lazy" alt="A"><noscript><p>Scripts are off.</p><img src="${PHOTO}" alt="A"></noscript>`,
])('shows an image once that the original loads lazily: %s', (html) => {
  const shown = clean(html);
  expect(shown.split(`src="${PHOTO}"`)).toHaveLength(2);
  expect(shown).not.toContain('Scripts are off');
  expect(clean(shown)).toBe(shown);
});

it('uses the sizes that the original loads lazily', () => {
  const sizes = `${PHOTO} 400w, ${PHOTO}?b 800w`;
  expect(clean(`<img src="data:x" data-src="${PHOTO}" data-srcset="${sizes}" alt="A">`)).toContain(sizes);
});

it.each([
  [
    '<iframe src="https://open.spotify.com/embed/track/1"></iframe>',
    'https://open.spotify.com/embed/track/1',
    'Open open.spotify.com',
  ],
  [
    '<iframe title="Route" src="https://www.google.com/maps/embed?pb=1"></iframe>',
    'https://www.google.com/maps/embed?pb=1',
    'Route',
  ],
  [
    '<iframe src="about:blank" data-src="https://codepen.io/x/embed/y"></iframe>',
    'https://codepen.io/x/embed/y',
    'Open codepen.io',
  ],
  [
    '<iframe src="//fast.wistia.net/embed/iframe/a"></iframe>',
    'https://fast.wistia.net/embed/iframe/a',
    'Open fast.wistia.net',
  ],
  [
    '<object data="https://files.example/a.pdf" type="application/pdf"><p>No viewer</p></object>',
    'https://files.example/a.pdf',
    'Open the PDF',
  ],
  [
    '<object><embed src="https://files.example/b.swf"></object>',
    'https://files.example/b.swf',
    'Open the page',
  ],
  ['<video src="http://films.example/a.mp4"></video>', 'http://films.example/a.mp4', 'Watch the video'],
])('links what another site shows in %s', (html, href, name) => {
  const shown = clean(html);
  expect(shown).toBe(`<figure><a href="${href}" rel="nofollow noopener">${name}</a></figure>`);
  expect(clean(shown)).toBe(shown);
});

it('links a frame of a partner through the redirect', () =>
  expect(clean('<iframe src="https://gohighlevel.com/demo"></iframe>')).toMatch(
    /<a href="\/go\/highlevel\?[^"]*" rel="sponsored noopener" target="_blank">/,
  ));

it.each(['start=42', 't=42s'])('begins a film where the original does, by %s', (query) => {
  const shown = clean(`<iframe src="https://www.youtube.com/embed/abcdefghijk?${query}"></iframe>`);
  expect(shown).toContain('https://www.youtube.com/watch?v=abcdefghijk&amp;t=42s');
  expect(clean(shown)).toBe(shown);
});

it('separates a reading from the text that it belongs to', () => {
  const html = '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>';
  expect(clean(html)).toBe(html);
  expect(prepare({ format: 'html', source: html }).text).toBe('漢 ( kan )');
});

it.each([
  ...'script style form textarea select button template svg math canvas applet'.split(' '),
  ...'noembed marquee iframe object embed video audio map dialog ruby progress'.split(' '),
  ...'meter output fieldset label address article aside center font nav picture'.split(' '),
])('shows what is in <%s>, links it, or names it among what is removed', (name) => {
  const html = `<p>before</p><${name} src="https://a.example/x" data="https://a.example/x">inside</${name}>`;
  const { content, text } = prepare({ format: 'html', source: html });
  const body = inspectHtml(html);
  const sentences = checkArticle({
    article: buildTestArticle('a'),
    body,
    html: content,
    text,
    topics: null,
    siteOrigin: POLICY.siteOrigin,
    isPath: () => true,
    findPartner: () => null,
    findImageProblem: () => null,
  });
  const isShown = content.includes('inside') || content.includes('href="https://a.example/x"');
  expect(isShown || sentences.some((sentence) => sentence.includes(`removed: ${name}`))).toBe(true);
});
