import postcss from 'postcss';
import { expect, it } from 'vitest';
import { StyleSheet } from './style-sheet.ts';

const select = (css: string, ...used: string[]) => new StyleSheet(postcss.parse(css)).select(new Set(used));

it('keeps the rules whose classes and elements the page has', () => {
  const css = '.card{color:red}.card h2{color:blue}.chart{color:green}p>.card{margin:0}';
  expect(select(css, '.card', 'h2')).toBe('.card{color:red}.card h2{color:blue}');
});

it('keeps those selectors of a rule that can match', () =>
  expect(select('h1,h2,.title{margin:0}', 'h2', '.title')).toBe('h2,.title{margin:0}'));

it('reads escaped classes, and ignores the names of attributes, pseudo-classes and pseudo-elements', () => {
  const css = '.md\\:w-1\\/2:hover{width:50%}.field[type=text]::placeholder{color:red}.\\32 xl{margin:0}';
  expect(select(css, '.md:w-1/2', '.field', '.2xl')).toBe(css);
  expect(select(css, '.md', '.w-1')).toBe('');
});

it('requires the data attributes of a selector', () => {
  const css = '[data-open]{margin:0}[data-focus-x="0"]{left:0}[hidden]{display:none}';
  expect(select(css, '[data-open]')).toBe('[data-open]{margin:0}[hidden]{display:none}');
});

it('requires one of the alternatives in parentheses, and none of the exclusions', () => {
  const css = '.prose :is(h2,h3):not(.plain){margin:0}:where(.group:has(>.open,>p a)) .body{margin:0}';
  const [first, second] = css.split(/(?<=\})/);
  expect(select(css, '.prose', 'h3')).toBe(first);
  expect(select(css, '.prose', '.body', '.group')).toBe('');
  expect(select(css, '.body', '.group', 'p', 'a')).toBe(second);
  expect(select(css, '.body', '.group', '.open')).toBe(second);
});

it('keeps groups that have rules left, and drops empty ones', () => {
  const css =
    '@layer a{@media print{.used{margin:0}.unused{margin:0}}@supports (color:red){.unused{margin:0}}}';
  expect(select(css, '.used')).toBe('@layer a{@media print{.used{margin:0}}}');
});

it('keeps what is no rule of the page: fonts, key frames, view transitions and the order of layers', () => {
  const css =
    '@layer base,components;@font-face{font-family:A}@keyframes fade{from{opacity:0}}@view-transition{navigation:auto}';
  expect(select(css)).toBe(css);
});

it('keeps the custom properties of the root that the page or its rules refer to', () => {
  const css =
    ':root{color-scheme:dark;--a:1px;--b:var(--a);--c:2px;--d:3px}.used{margin:var(--b)}.unused{top:var(--c)}';
  expect(select(css, '.used', '--d')).toBe(
    ':root{color-scheme:dark;--a:1px;--b:var(--a);--d:3px;}.used{margin:var(--b)}',
  );
});

it('keeps what registers a custom property, for older browsers too, where the page or its rules refer to it', () => {
  const css =
    '@layer properties{@supports (old:1){*,:before,:after,::backdrop{--tw-style:solid;--tw-leading:initial}}}' +
    '.border{border-style:var(--tw-style)}.text{line-height:var(--tw-leading,1.5)}.leading{--tw-leading:1}' +
    '@property --tw-style{syntax:"*";inherits:false;initial-value:solid}' +
    '@property --tw-leading{syntax:"*";inherits:false}';
  expect(select(css, '.border', '.leading')).toBe(
    '@layer properties{@supports (old:1){*,:before,:after,::backdrop{--tw-style:solid;}}}' +
      '.border{border-style:var(--tw-style)}.leading{--tw-leading:1}' +
      '@property --tw-style{syntax:"*";inherits:false;initial-value:solid}',
  );
});
