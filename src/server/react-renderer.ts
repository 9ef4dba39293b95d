import type { SSRLoadedRendererValue } from 'astro';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';

/** Where the children go that Astro has rendered. */
const PLACE = createElement('slot');
const PLACE_HTML = '<slot></slot>';

/** Takes out React's own hints for pictures: what is to load early is for the page to say. */
const dropHints = (html: string) =>
  html.includes('<link') ? html.replace(/<link rel="preload"[^>]*>/g, '') : html;

interface Rendering {
  readonly props: Readonly<Record<string, unknown>>;
  readonly html: string;
}

/** Renderings of each section that are kept. */
const MOST_KEPT = 8;
const renderings = new WeakMap<object, Rendering[]>();

/** A section is a pure function of its props: for the very same ones, the head of every page say, it is not run again. */
function renderSection(Section: ComponentType<object>, props: Readonly<Record<string, unknown>>): string {
  const kept = renderings.get(Section) ?? [];
  renderings.set(Section, kept);
  const known = kept.find((rendering) => isSame(rendering.props, props));
  if (known !== undefined) return known.html;
  const html = dropHints(renderToStaticMarkup(createElement(Section, props)));
  if (kept.unshift({ props, html }) > MOST_KEPT) kept.pop();
  return html;
}

function isSame(one: Rendering['props'], other: Rendering['props']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Islands so far on each page, so that every one has ids of its own. */
const counts = new WeakMap<object, number>();

/**
 * Renders React for Astro in one go. Astro's own renderer makes two web streams and a text decoder for each section,
 * which cost more than the section. Sections may take markup from Astro as their children, islands may not.
 */
const renderer: SSRLoadedRendererValue = {
  name: 'signpost-react',
  check: async (Component) => typeof Component === 'function',
  supportsAstroStaticSlot: true,
  async renderToStaticMarkup(this: { readonly result: object }, Component, props, slots, metadata) {
    const children = slots['default']?.trim() ?? '';
    if (metadata?.hydrate === undefined) {
      if (children === '') return { html: renderSection(Component, props) };
      const around = renderSection(Component, { ...props, children: PLACE });
      return { html: around.replace(PLACE_HTML, () => children) };
    }
    const count = counts.get(this.result) ?? 0;
    counts.set(this.result, count + 1);
    const prefix = `r${count}`;
    const html = dropHints(renderToString(createElement(Component, props), { identifierPrefix: prefix }));
    return { html, attrs: { prefix } };
  },
};

export default renderer;
