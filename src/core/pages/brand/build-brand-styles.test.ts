import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { brandSchema, LOOKS } from './brand.schema.ts';
import { buildBrandStyles, computeContrast, parseHexColor } from './build-brand-styles.ts';

const build = (brand: object) => buildBrandStyles(brandSchema.parse(brand));

it('changes nothing for a brand without settings', () =>
  expect(build({})).toEqual({ css: '', problems: [], contrasts: [] }));

it('writes the accent for light mode and derives a lighter one of the same hue for dark mode', () => {
  const { css, problems } = build({ colors: { accent: '#8a1c4a' }, radius: 4, displayFont: 'system' });
  expect(problems).toEqual([]);
  const [shared = '', light = '', dark = ''] = css.split('\n');
  expect(shared).toBe(
    ':root{--corner:0.25rem;--font-text:system-ui,sans-serif;--font-display:var(--font-text)}',
  );
  expect(light).toMatch(/^@media screen and \(prefers-color-scheme:light\)\{:root\{--accent:#8a1c4a;/);
  const { l, h } = parseHexColor(/--accent:(#\w{6});/.exec(dark)?.[1] ?? '');
  expect(l).toBeCloseTo(0.77, 1);
  expect(Math.abs(h - parseHexColor('#8a1c4a').h)).toBeLessThan(5);
});

it('leaves the background of dark mode as it is', () => {
  const { css } = build({ colors: { ground: '#f7f7fb' } });
  expect(css).toMatch(/^@media screen and \(prefers-color-scheme:light\)\{[^}]*--surface:[^}]*\}\}$/);
});

it.each([
  [
    { accent: '#f2c94c' },
    'colors.accent',
    /contrast of 1\.\d:1 with the shaded background of boxes; text needs 4\.5:1/,
  ],
  [{ positive: '#6fcf97' }, 'colors.positive', /with the shaded background/],
  [{ ground: '#333333' }, 'colors.ground', /with the ink/],
])('refuses %j, on which text cannot be read', (colors, field, reason) => {
  const { css, problems } = build({ colors });
  expect(css).toBe('');
  expect(problems[0]).toEqual({ field, reason: expect.stringMatching(reason) });
});

it('refuses a color that can be read on the background, and not in its shaded boxes', () => {
  const accent = '#0e74c4';
  const contrast = (ground: string) => computeContrast(parseHexColor(accent), parseHexColor(ground));
  expect(contrast('#fbf9f4')).toBeGreaterThan(4.5);
  expect(build({ colors: { accent } }).problems).toMatchObject([{ field: 'colors.accent' }]);
});

it('computes contrast as WCAG does', () => {
  const black = parseHexColor('#000000');
  expect(computeContrast(black, parseHexColor('#ffffff'))).toBeCloseTo(21, 1);
  expect(computeContrast(parseHexColor('#777777'), parseHexColor('#ffffff'))).toBeCloseTo(4.48, 2);
});

it.each(LOOKS)('$key can be read in the colors that ship, and is small', ({ key }) => {
  const { css, problems } = build({ look: key, colors: { accent: '#2454b3', positive: '#14694a' } });
  expect(problems).toEqual([]);
  expect(gzipSync(css).length).toBeLessThan(1_000);
  expect(css.includes('[data-hero]')).toBe(key !== 'signpost');
});
