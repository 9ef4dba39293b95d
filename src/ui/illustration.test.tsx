import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ILLUSTRATION_NAMES } from '../core/pages/sections/fields.schema.ts';
import { Illustration } from './illustration.tsx';

it.each(ILLUSTRATION_NAMES)('%s takes its colors from the page and needs no style attribute', (name) => {
  const html = renderToStaticMarkup(<Illustration name={name} />);
  expect(html).not.toMatch(/style=|NaN|undefined|#[0-9a-f]{3,6}|(fill|stroke)="(?!none")/i);
  expect(html).toMatch(/^<svg viewBox="0 0 \d+ \d+" [^>]*aria-hidden="true"[^>]*><[a-z]/);
  expect(html.length).toBeLessThan(8000);
});

it('an illustration without a file is named in the error, with the file that is missing', () =>
  expect(() => renderToStaticMarkup(<Illustration name="no-such-thing" />)).toThrow(
    'src/ui/illustrations/no-such-thing.svg is missing',
  ));
