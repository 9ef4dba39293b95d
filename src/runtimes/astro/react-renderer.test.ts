import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import renderer from './react-renderer.ts';

type Metadata = Parameters<typeof renderer.renderToStaticMarkup>[3];

const page = { result: {} };
const render = (Component: unknown, props: object, slots: Record<string, string> = {}, metadata?: Metadata) =>
  renderer.renderToStaticMarkup.call(page as never, Component, props, slots, metadata);

const Box = ({ children }: { readonly children?: never }) => createElement('div', null, children);
const Image = () => createElement('img', { src: '/a.png', fetchPriority: 'high', alt: '' });
/** The names that the two that follow were rendered with. */
const rendered: string[] = [];
beforeEach(() => {
  rendered.length = 0;
});
function Counted({ name }: { readonly name: string }) {
  rendered.push(name);
  return createElement('p', null, name);
}
function Kept(props: { readonly name: string }) {
  return Counted(props);
}
Kept.isKept = true;
const Island = () => createElement('p', null, 'text');

it('puts markup of Astro at the position of the children, dollar signs included', async () => {
  const { html } = await render(Box, {}, { default: ' <b>$& $1</b> ' });
  expect(html).toBe('<div><b>$& $1</b></div>');
});

it('removes the preload hints of React', async () =>
  expect((await render(Image, {})).html).not.toContain('<link'));

it('renders a section that is marked as kept once for equal props, and each other one anew', async () => {
  for (const props of [{ name: 'a' }, { name: 'a' }]) await render(Counted, props);
  expect(rendered.splice(0)).toEqual(['a', 'a']);
  const shown: string[] = [];
  for (const props of [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a', line: 1 }])
    shown.push((await render(Kept, props)).html);
  expect([shown, rendered.splice(0)]).toEqual([
    ['<p>a</p>', '<p>b</p>', '<p>a</p>', '<p>a</p>'],
    ['a', 'b', 'a'],
  ]);
});

it('keeps the last eight renderings of a section', async () => {
  for (const name of '123456789') await render(Kept, { name });
  rendered.length = 0;
  for (const name of '21') await render(Kept, { name });
  expect(rendered).toEqual(['1']);
});

it('gives every island of a page ids of its own', async () => {
  const metadata = { hydrate: 'visible' } as Metadata;
  const [first, second] = [await render(Island, {}, {}, metadata), await render(Island, {}, {}, metadata)];
  expect([first.attrs, second.attrs]).toEqual([{ prefix: 'r0' }, { prefix: 'r1' }]);
});
