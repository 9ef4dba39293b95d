import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Icon, type IconName } from './icon.tsx';
import { ICON_PATHS } from './icon-paths.ts';

it('is hidden from assistive technology when the text beside it says the same', () => {
  const html = renderToStaticMarkup(<Icon name="check" />);
  expect(html).toContain('aria-hidden="true"');
  expect(html).not.toContain('role=');
});

it.each(Object.keys(ICON_PATHS) as IconName[])(
  '%s stays inside its box and needs no style attribute',
  (name) => {
    const html = renderToStaticMarkup(<Icon name={name} />);
    expect(html).not.toContain('style=');
    expect(ICON_PATHS[name]).toMatch(/^M[\d.]+ [\d.]+[-\d.\sa-zA-Z]*$/);
    expect(ICON_PATHS[name]).not.toContain('NaN');
  },
);
