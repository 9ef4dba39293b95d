import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Icon, type IconName } from './icon.tsx';
import iconPaths from './icon-paths.json' with { type: 'json' };

it('is hidden from assistive technology when the text beside it says the same', () => {
  const html = renderToStaticMarkup(<Icon name="check" />);
  expect(html).toContain('aria-hidden="true"');
  expect(html).not.toContain('role=');
});

it.each(Object.keys(iconPaths) as IconName[])(
  '%s stays inside its box and needs no style attribute',
  (name) => {
    const html = renderToStaticMarkup(<Icon name={name} />);
    expect(html).not.toContain('style=');
    expect(iconPaths[name]).toMatch(/^M[\d.]+ [\d.]+[-\d.\sa-zA-Z]*$/);
    expect(iconPaths[name]).not.toContain('NaN');
  },
);
