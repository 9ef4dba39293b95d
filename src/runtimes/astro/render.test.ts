import islandLoader from 'astro/runtime/server/astro-island.prebuilt.js';
import { describe, expect, it } from 'vitest';
import { removeInlineLoader } from './render.ts';

const DIRECTIVE = '(()=>{self.Astro})()';
const ISLAND = '<astro-island client="visible">texté — </astro-island>';

const remove = (html: string) => removeInlineLoader(Buffer.from(html), [DIRECTIVE]).toString();

describe('removeInlineLoader', () => {
  it('removes the island loader and the directives that Astro writes in front of the first island', () => {
    const html = `<script>${DIRECTIVE}</script><script>${islandLoader}</script>${ISLAND}`;
    expect(remove(html)).toBe(ISLAND);
  });

  it('keeps a loader that Astro writes in another way', () => {
    const html = `<script async>${islandLoader}</script>${ISLAND}`;
    expect(remove(html)).toBe(html);
  });
});
