import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findStrangeHtml } from '../../../test/support/article-html.ts';
import { GOOD_BODIES } from '../../../test/support/good-bodies.ts';
import { HOSTILE_BODIES } from '../../../test/support/hostile-bodies.ts';
import { parseArticleFile } from './article-file.ts';
import { renderMarkdown } from './markdown.ts';
import { createSanitiser } from './sanitise.ts';

const sanitise = createSanitiser({
  siteOrigin: 'https://hub.example',
  partners: [
    {
      key: 'highlevel',
      name: 'GoHighLevel',
      site: 'https://www.gohighlevel.com/',
      affiliate: { parameter: 'fp_ref', value: 'hlmax' },
      subId: null,
      destinations: new Map([
        ['home', 'https://www.gohighlevel.com/'],
        ['pricing', 'https://www.gohighlevel.com/pricing'],
        ['demo', 'https://www.gohighlevel.com/demo'],
      ]),
    },
  ],
  articleHosts: ['cms.example'],
  nofollow: true,
  imageHosts: ['images.example'],
});

describe('a hostile body', () => {
  it('comes in at least sixty kinds', () => {
    expect(HOSTILE_BODIES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(HOSTILE_BODIES)('%s: is an article’s HTML afterwards', (_, html) => {
    expect(findStrangeHtml(sanitise(html), ['images.example'])).toEqual([]);
  });

  it.each(HOSTILE_BODIES)('%s: stays the same the second time', (_, html) => {
    const once = sanitise(html);
    expect(sanitise(once)).toBe(once);
  });

  it('takes time in proportion to its size: all of them together are done in seconds', () => {
    const start = performance.now();
    for (const [, html] of HOSTILE_BODIES) sanitise(html);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('leaves the text around what it removes', () => {
    expect(sanitise('<p>before</p><script>x</script><iframe src="x">y</iframe><p>after</p>')).toBe(
      '<p>before</p><p>after</p>',
    );
  });
});

describe('a good body', () => {
  it('comes in at least twenty kinds', () => {
    expect(GOOD_BODIES.length).toBeGreaterThanOrEqual(20);
  });

  it.each(GOOD_BODIES)('%s: comes through unchanged', (_, html) => {
    expect(sanitise(html)).toBe(html);
  });

  const folder = path.resolve(import.meta.dirname, '../../../content/articles');
  it.each(readdirSync(folder))('%s: loses no word and no tag', (name) => {
    const read = parseArticleFile(name, readFileSync(path.join(folder, name), 'utf8'));
    const html = 'file' in read ? renderMarkdown(read.file.markdown) : '';
    const strip = (text: string) =>
      text
        .replace(/<div class="table-scroll"[^>]*>|<\/div>/g, '')
        .replace(/<(\w+)[^>]*>/g, '<$1>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .trim();
    expect(strip(sanitise(html))).toBe(strip(html));
  });
});

describe('a link', () => {
  it.each([
    ['https://www.gohighlevel.com/pricing?fp_ref=thief', '/go/highlevel?page=pricing&amp;source=article'],
    ['http://gohighlevel.com/demo/', '/go/highlevel?page=demo&amp;source=article'],
    ['https://app.gohighlevel.com/deep/page', '/go/highlevel?page=home&amp;source=article'],
    ['//gohighlevel.com', '/go/highlevel?page=home&amp;source=article'],
  ])('to a partner (%s) goes through the redirect, marked as paid', (href, expected) => {
    const html = sanitise(`<a href="${href}">x</a>`);
    expect(html).toContain(`href="${expected}" rel="sponsored noopener" target="_blank"`);
  });

  it.each([
    ['https://notgohighlevel.com/', 'https://notgohighlevel.com/'],
    ['https://gohighlevel.com.evil.example/', 'https://gohighlevel.com.evil.example/'],
    ['https://hub.example/blog/a?b=1#c', '/blog/a?b=1#s-c'],
    ['https://cms.example/crm-basics/', '/blog/crm-basics'],
    ['https://cms.example/tag/crm/', 'https://cms.example/tag/crm/'],
    ['crm-basics', '/blog/crm-basics'],
    ['https://a:b@x.example/', 'https://x.example/'],
    ['#Größe 1', '#s-Größe-1'],
  ])('to %s becomes %s', (href, expected) => {
    expect(sanitise(`<a href="${href}">x</a>`)).toContain(`href="${expected}"`);
  });

  it('keeps an old-style anchor reachable', () => {
    expect(sanitise('<a name="sum"></a><p><a href="#sum">x</a></p>')).toBe(
      '<a id="s-sum"></a><p><a href="#s-sum">x</a></p>',
    );
  });
});

describe('a picture', () => {
  it('is lazy, loses what other hosts serve, and says when its size is unknown', () => {
    const html = sanitise(
      '<img src="http://images.example/a.png" srcset="https://images.example/b.png 800w, https://evil.example/c.png 2x">',
    );
    expect(html).toBe(
      '<img src="https://images.example/a.png" srcset="https://images.example/b.png 800w" ' +
        'sizes="auto, (min-width: 48rem) 44rem, 100vw" alt="" class="unsized" loading="lazy" decoding="async">',
    );
  });
});
