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
