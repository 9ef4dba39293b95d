import { describe, expect, it } from 'vitest';
import { layOutTitle } from '../scripts/media/lay-out-title.ts';
import { buildOgImage } from '../scripts/media/og-image.ts';
import { buildArticleSharingImage, buildSharingImagePath } from '../src/core/content/sharing-image.ts';

const font = {
  family: 'Face',
  files: [],
  advance: (character: string) => (character < '\u0100' ? 0.5 : undefined),
};
const room = { height: 400, widthBetween: (_top: number, bottom: number) => (bottom > 200 ? 500 : 1000) };
const measure = (text: string) => [...text].length * 0.5;
const lay = (title: string) => layOutTitle(title, room, measure);

describe('the title of a sharing image', () => {
  it('stands in one large line when it is short', () => {
    expect(lay('Pricing')).toMatchObject({ size: 92, lines: [{ text: 'Pricing' }] });
  });

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

  it('says with an ellipsis that it was cut', () => {
    expect(lay('word '.repeat(200)).lines.at(-1)?.text).toMatch(/…$/);
  });
});

describe('a sharing image', () => {
  it('cannot be broken by a title', () => {
    const svg = buildOgImage(
      { name: 'x', title: '</text><script>&\u0000\ud800', kicker: '"<&' },
      'A & B',
      font,
    );
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text>&lt;script>&amp;');
    expect(svg.includes('\u0000') || svg.includes('\ud800')).toBe(false);
  });

  it.each([
    [{ src: '/art/x-800.webp' }, '/og/blog/x.png'],
    [{ src: 'https://images.example/art/x.webp' }, '/og/default.png'],
    [null, '/og/default.png'],
  ])('of an article with the picture %o is %s', (picture, image) => {
    expect(buildArticleSharingImage('/blog/x', picture)).toBe(image);
  });

  it.each([
    ['/', '/og/home.png'],
    ['/roi-calculator', '/og/roi-calculator.png'],
    ['/blog/crm-basics', '/og/blog/crm-basics.png'],
  ])('of %s is %s', (path, image) => {
    expect(buildSharingImagePath(path)).toBe(image);
  });
});
