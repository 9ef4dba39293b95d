import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Stars } from './stars.tsx';

const render = (value: number) => renderToStaticMarkup(<Stars value={value} label="A rating" />);
const count = (html: string, text: string) => html.split(text).length - 1;

it.each([0, 4, 5])('%s of five stars are filled', (value) => {
  expect(count(render(value), 'fill-ink')).toBe(value);
  expect(count(render(value), 'fill-none')).toBe(5 - value);
});

it('a star is filled as far as the fraction of the value goes', () => {
  const html = render(3.25);
  expect(html).toContain('<svg x="75" width="6" height="24" aria-hidden="true"><path');
  expect(count(html, 'fill-ink')).toBe(4);
  expect(count(html, 'fill-none')).toBe(2);
});
