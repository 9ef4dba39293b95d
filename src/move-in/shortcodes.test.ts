import { expect, it } from 'vitest';
import { expandShortcodes } from './shortcodes.ts';

const expand = (html: string) =>
  expandShortcodes(
    html,
    (name, _, content) => `<${name}:${content}>`,
    () => undefined,
  );

it.each([
  ['[a]one[/a][a]two[/a]', '<a:one><a:two>'],
  ['[a][b]x[/b][/a]', '<a:<b:x>>'],
  ['[a][a]x[/a][/a]', '<a:<a:>x>'],
  ['[a][b]x[/a]y[/b]', '<a:<b:>x>y'],
])('finds the end of each shortcode in %s', (html, expected) => expect(expand(html)).toBe(expected));

it.each([
  ['ends', '[caption]x[/caption]'],
  ['no ends', '[gallery]'],
])('takes a text with 100,000 shortcodes and %s in linear time', (_, text) => {
  const start = performance.now();
  expand(text.repeat(100_000));
  expect(performance.now() - start).toBeLessThan(5_000);
});
