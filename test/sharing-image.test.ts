import { describe, expect, it } from 'vitest';
import { buildOgCard, layOutTitle } from '../src/content-files/drawn/og-card.ts';
import { planDrawn } from '../src/content-files/drawn/plan.ts';
import { readContent } from '../src/content-files/read-content.ts';
import type { Page } from '../src/core/pages/page.schema.ts';
import { buildSharingImagePath } from '../src/core/paths.ts';
import { buildArticleSharingImage } from '../src/core/seo/page-head.ts';
import { SHIPPED_CONTENT } from './support/sample-content.ts';

const SITE = { name: 'A' };
const font = {
  family: 'Face',
  files: [],
  advance: (character: string) => (character < '\u0100' ? 0.5 : undefined),
};
const room = { height: 400, widthBetween: (_top: number, bottom: number) => (bottom > 200 ? 500 : 1000) };
const measure = (text: string) => [...text].length * 0.5;
const lay = (title: string) => layOutTitle(title, room, measure);

describe('the title of a sharing image', () => {
  it('is one large line when it is short', () =>
    expect(lay('Pricing')).toMatchObject({ size: 92, lines: [{ text: 'Pricing' }] }));

  it.each([
    'What per-seat pricing really costs an agency of nine',
    'A referral program for a service business that costs nothing until it works, and what to do when it does not work',
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenband',
    '顧客管理システムの料金を九人の代理店のために一行ずつ計算してみると何がわかるのか',
    'x'.repeat(400),
    'word '.repeat(200),
  ])('stays in its room: %s', (title) => {
    const { size, lines } = lay(title);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length * size * 1.08).toBeLessThanOrEqual(room.height);
    lines.forEach(({ text, width }, index) => {
      expect(text).not.toBe('');
      expect(width).toBeLessThanOrEqual(room.widthBetween(0, (index + 1) * size * 1.08));
    });
  });

  it('keeps every word of a title that fits', () => {
    const title = 'Starter or Unlimited: the sub-account arithmetic';
    expect(
      lay(title)
        .lines.map(({ text }) => text)
        .join(' '),
    ).toBe(title);
  });

  it('says with an ellipsis that it was cut', () =>
    expect(lay('word '.repeat(200)).lines.at(-1)?.text).toMatch(/…$/));
});

describe('a sharing image', () => {
  it('has the colors and the logo of the brand instead of the shipped mark', () => {
    const item = { title: 'Title', kicker: '' };
    const logo = 'data:image/png;base64,AA';
    const plain = buildOgCard(item, { ...SITE, accent: '#7a2e8e', ground: '#ffeedd' }, font, null);
    expect(plain).toContain('#7a2e8e');
    expect(plain).toContain('fill="#ffeedd"');
    const branded = buildOgCard(item, { ...SITE, logo }, font, null);
    expect(branded).toContain(`<image href="${logo}"`);
    expect(branded).not.toContain('<path');
  });

  it('cannot be broken by a title', () => {
    const item = { title: '</text><script>&\u0000\ud800', kicker: '"<&' };
    const svg = buildOgCard(item, { name: 'A & B' }, font, null);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&amp;');
    expect(svg.includes('\u0000') || svg.includes('\ud800')).toBe(false);
  });

  it('shows the figure of its page as large as its paper, with what it counts under it', () => {
    const figure = { figure: '$1,492', label: '6 tools, one month of an agency of nine' };
    const svg = buildOgCard({ title: 'Title', kicker: '', figure }, SITE, font, 'data:image/png;base64,AA');
    expect(svg).not.toContain('<image');
    const texts = [...svg.matchAll(/font-size="([\d.]+)"[^>]*>([^<]+)</g)].map(([, size, text]) => [
      Number(size),
      text,
    ]);
    expect(texts).toContainEqual([118, '$1,492']);
    expect(
      texts
        .filter(([size]) => size === 42)
        .map(([, text]) => text)
        .join(' '),
    ).toBe(figure.label);
  });

  it('is planned with the figure of its page, and without the image that it does not show', () => {
    const content = readContent(SHIPPED_CONTENT);
    const figure = { figure: '$1', label: 'one' };
    const page = { ...[...content.pages.values()][0], sharing: figure } as Page;
    const planned = planDrawn({ ...content, pages: new Map([['/p', page]]) }, [], null);
    const card = planned.find(({ plain }) => plain === '/og/p.png');
    expect(card?.drawing).toMatchObject({ kind: 'card', figure, image: null });
  });

  it('shows its image on a print, and gives the title the full width without one', () => {
    const title =
      'A title that needs more than a single line of the card for all of its many words, and yet more';
    const item = { title, kicker: '' };
    expect(buildOgCard(item, SITE, font, 'data:image/png;base64,AA')).toContain(
      'href="data:image/png;base64,AA"',
    );
    const plain = buildOgCard(item, SITE, font, null);
    expect(plain).not.toContain('<image');
    const size = (svg: string) => Number(/font-size="(\d+)"[^>]*>A title/.exec(svg)?.[1]);
    expect(size(plain)).toBeGreaterThan(size(buildOgCard(item, SITE, font, 'x')));
  });

  it.each([
    [{ src: '/images/x.0123456789.svg' }, '/og/blog/x.png'],
    [{ src: 'https://images.example/images/x.webp' }, 'https://images.example/images/x.webp'],
    [null, '/og/default.png'],
  ])('of an article with the image %o is %s', (image, path) => {
    expect(buildArticleSharingImage('x', image)).toBe(path);
  });

  it.each([
    ['/', '/og/home.png'],
    ['/roi-calculator', '/og/roi-calculator.png'],
    ['/blog/crm-basics', '/og/blog/crm-basics.png'],
  ])('of %s is %s', (path, image) => expect(buildSharingImagePath(path)).toBe(image));
});
