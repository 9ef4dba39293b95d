import { expect, it } from 'vitest';
import { POLICY } from '../../../../test/support/article-setup.ts';
import type { ImageCatalog } from '../../../core/pages/images/content-image.ts';
import { createBodyPreparer, placeImages, renderMarkdown } from './prepare-body.ts';

const prepare = createBodyPreparer(POLICY);
const sanitize = (html: string) => prepare({ format: 'html', source: html }).content;

const CATALOG: ImageCatalog = {
  images: new Map([
    ['drawing.svg', { src: '/images/drawing.1.svg', width: 1200, height: 630, sources: [] }],
    [
      'photo.jpg',
      {
        src: '/images/photo.1.jpg',
        width: 1600,
        height: 900,
        sources: [
          { type: 'image/avif', srcset: '/images/photo.1-480.avif 480w, /images/photo.1-800.avif 800w' },
          { type: 'image/webp', srcset: '/images/photo.1-480.webp 480w' },
        ],
      },
    ],
  ]),
  origin: 'folder',
};
const place = (markdown: string) => placeImages(renderMarkdown(markdown), CATALOG);

it('replaces an image of Markdown by its served file with its size', () =>
  expect(place('![A <b> & "c"](../images/drawing.svg)')).toEqual({
    html: '<p><img src="/images/drawing.1.svg" alt="A &lt;b&gt; &amp; &quot;c&quot;" width="1200" height="630"></p>\n',
    problems: [],
  }));

it('offers every format and size, which the sanitizer allows', () => {
  const { html } = place('![A photo](../images/photo.jpg "The title")');
  const sizes = 'sizes="auto, (min-width: 48rem) 44rem, 100vw"';
  expect(sanitize(html)).toBe(
    `<p><picture><source type="image/avif" srcset="/images/photo.1-480.avif 480w, /images/photo.1-800.avif 800w" ${sizes}>` +
      `<source type="image/webp" srcset="/images/photo.1-480.webp 480w" ${sizes}>` +
      '<img src="/images/photo.1.jpg" alt="A photo" title="The title" width="1600" height="900" loading="lazy" decoding="async"></picture></p>',
  );
});

it('replaces an image of HTML, and leaves everything around it as it is', () => {
  const html =
    '<figure class=x><IMG alt="A" src="../images/drawing.svg" /><figcaption>B &amp; c</figcaption></figure>';
  expect(placeImages(html, CATALOG).html).toBe(
    '<figure class=x><img src="/images/drawing.1.svg" alt="A" width="1200" height="630"><figcaption>B &amp; c</figcaption></figure>',
  );
});

it.each(['<img src="/a.png" alt="">', '<img src="https://images.example/a.png">', '<p>1 &lt; 2</p>'])(
  'leaves %s as it is',
  (html) => expect(placeImages(html, CATALOG)).toEqual({ html, problems: [] }),
);

it.each([
  ['![A](../images/none.png)', ['names content/images/none.png, which does not exist']],
  ['![](../images/drawing.svg)', ['has no alternative text for ../images/drawing.svg']],
  ['![](../images/drawing.svg)<!-- decoration -->', []],
  ['<img src="../images/drawing.svg">', ['has no alternative text for ../images/drawing.svg']],
  [
    '![ ](photo.jpg)',
    [
      'must be a picture of the site, such as ../images/photo.jpg; it is photo.jpg',
      'has no alternative text for photo.jpg',
    ],
  ],
])('reports what is wrong with %s', (markdown, reasons) => {
  const written = markdown.startsWith('!') ? markdown.slice(0, -1) : expect.any(String);
  const problems = reasons.map((reason) => ({ field: 'body', reason, needsBuild: false, written }));
  expect(place(markdown).problems).toEqual(problems);
});

it('says of an image that is not in the build that it needs one', () => {
  const { problems } = placeImages('<img src="../images/new.jpg" alt="A">', { ...CATALOG, origin: 'build' });
  expect(problems).toMatchObject([{ reason: expect.stringContaining('new.jpg'), needsBuild: true }]);
});
