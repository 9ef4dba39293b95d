import { createElement } from 'react';
import { expect, it } from 'vitest';
import renderer from './react-renderer.ts';

type Metadata = Parameters<typeof renderer.renderToStaticMarkup>[3];

const page = { result: {} };
const render = (Component: unknown, props: object, slots: Record<string, string> = {}, metadata?: Metadata) =>
  renderer.renderToStaticMarkup.call(page as never, Component, props, slots, metadata);

let renderCount = 0;
function Section({ text }: { readonly text: string }) {
  renderCount += 1;
  return createElement('p', null, text);
}
const Box = ({ children }: { readonly children?: never }) => createElement('div', null, children);
const Image = () => createElement('img', { src: '/a.png', fetchPriority: 'high', alt: '' });
const Island = () => createElement('p', null, 'text');

it('renders a section once for equal props and again for other props', async () => {
  const first = await render(Section, { text: 'one' });
  const second = await render(Section, { text: 'one' });
  const third = await render(Section, { text: 'two' });
  expect([first.html, second.html, third.html]).toEqual(['<p>one</p>', '<p>one</p>', '<p>two</p>']);
  expect(renderCount).toBe(2);
});

it('puts markup of Astro at the position of the children, dollar signs included', async () => {
  const { html } = await render(Box, {}, { default: ' <b>$& $1</b> ' });
  expect(html).toBe('<div><b>$& $1</b></div>');
});

it('removes the preload hints of React', async () =>
  expect((await render(Image, {})).html).not.toContain('<link'));

it('gives every island of a page ids of its own', async () => {
  const metadata = { hydrate: 'visible' } as Metadata;
  const [first, second] = [await render(Island, {}, {}, metadata), await render(Island, {}, {}, metadata)];
  expect([first.attrs, second.attrs]).toEqual([{ prefix: 'r0' }, { prefix: 'r1' }]);
});
