import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ILLUSTRATION_NAMES } from '../../core/pages/sections/illustration-names.ts';
import { ILLUSTRATIONS } from './illustrations.ts';

describe('the illustrations', () => {
  it('are those that content may name', () => {
    expect(Object.keys(ILLUSTRATIONS).sort()).toEqual([...ILLUSTRATION_NAMES].sort());
  });

  it.each(ILLUSTRATION_NAMES)('%s takes its colors from the page and needs no style attribute', (name) => {
    const Drawing = ILLUSTRATIONS[name];
    const html = renderToStaticMarkup(<Drawing />);
    expect(html).not.toMatch(/style=|NaN|undefined|#[0-9a-f]{3,6}|(fill|stroke)="(?!none")/i);
    expect(html).toContain('aria-hidden="true"');
    expect(html.length).toBeLessThan(8000);
  });

  it('have a name when asked', () => {
    const Drawing = ILLUSTRATIONS['two-weeks'];
    const html = renderToStaticMarkup(<Drawing label="Fourteen days" />);
    expect(html).toContain('role="img" aria-label="Fourteen days"');
  });
});
