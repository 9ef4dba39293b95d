import { describe, expect, it } from 'vitest';
import { buildArt, choosePalette, MOTIFS, type MotifName } from '../scripts/art/build-art.ts';
import { PALETTES } from '../scripts/art/palette.ts';
import { buildArticleSpec, deriveArtSpec } from '../scripts/media/article-art.ts';
import { IMAGE_MOTIFS } from '../src/core/articles/front-matter.schema.ts';

const names = Object.keys(MOTIFS) as MotifName[];
const seeds = Array.from({ length: 24 }, (_, index) => `article-${index}`);

const VALUES: readonly (readonly [string, readonly number[]])[] = [
  ['one value', [5]],
  ['two values', [5, 9]],
  ['equal values', [7, 7, 7]],
  ['six values', [450, 297, 299, 96, 150, 200]],
  ['twelve values', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ['a huge and a tiny value', [0.001, 1_000_000, 3]],
];

describe('the pictures of articles', () => {
  it('can draw every motif that an article may name', () => {
    expect(names.sort()).toEqual([...IMAGE_MOTIFS].sort());
  });

  it.each(VALUES)('stay whole with %s, whatever the motif and the seed', (_, values) => {
    for (const motif of names) {
      for (const seed of seeds) {
        const svg = buildArt({ motif, values, seed });
        expect(svg, `${motif} ${seed}`).toMatch(/^<svg [^>]*viewBox="0 0 1200 630"[^>]*>.+<\/svg>$/);
        expect(svg, `${motif} ${seed}`).not.toMatch(/NaN|Infinity|undefined|="-?\d+(\.\d+)?e/);
        expect(svg, `${motif} ${seed}`).not.toMatch(/(width|height|r)="-/);
      }
    }
  });

  it('are the same for the same article', () => {
    const spec = { motif: 'ledger', values: [3, 4, 5], seed: 'one' } as const;
    expect(buildArt(spec)).toBe(buildArt(spec));
  });

  it('differ between articles with the same figures', () => {
    for (const motif of names) {
      const drawn = new Set(seeds.map((seed) => buildArt({ motif, values: [40, 30, 20, 10], seed })));
      expect(drawn.size, motif).toBeGreaterThan(seeds.length / 2);
    }
  });

  it('change with the figures', () => {
    for (const motif of names) {
      const draw = (values: number[]) => buildArt({ motif, values, seed: 'one' });
      expect(draw([4, 12, 18]), motif).not.toBe(draw([4, 18, 9]));
    }
  });

  it('use every ground', () => {
    expect(new Set(seeds.concat('a', 'b', 'c', 'd').map((seed) => choosePalette(seed).name)).size).toBe(
      PALETTES.length,
    );
  });

  it('come from the slug when the article asks for none', () => {
    expect(buildArticleSpec('crm-basics', undefined)).toEqual(deriveArtSpec('crm-basics'));
    expect(deriveArtSpec('crm-basics')).not.toEqual(deriveArtSpec('automation-audit'));
    expect(buildArticleSpec('x', { motif: 'bars', values: [1, 2] })).toEqual({
      motif: 'bars',
      values: [1, 2],
      seed: 'x',
    });
  });
});
