import type { SSRLoadedRendererValue, SSRResult } from 'astro';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';

type Props = Readonly<Record<string, unknown>>;

/** Marks the position of the children that Astro has rendered. */
const SLOT = createElement('slot');
const SLOT_HTML = '<slot></slot>';

/** Removes the preload hints that React adds for images: the page decides what loads early. */
const removeHints = (html: string) =>
  html.includes('<link') ? html.replace(/<link rel="preload"[^>]*>/g, '') : html;

/** Kept renderings of each section: one for each entry of the navigation that has a page, and some more. */
const MAX_KEPT = 8;
const kept = new WeakMap<object, { readonly props: Props; readonly html: string }[]>();

/**
 * Renders a section. One that is marked `isKept` gets parts of the content as its props, the same objects for most pages, and
 * nothing of a visitor: its HTML is that of equal props before.
 */
function renderSection(Section: ComponentType<object>, props: Props): string {
  const render = () => removeHints(renderToStaticMarkup(createElement(Section, props)));
  if (!('isKept' in Section)) return render();
  const renderings = kept.get(Section) ?? [];
  kept.set(Section, renderings);
  const known = renderings.find((rendering) => hasEqualValues(rendering.props, props));
  if (known !== undefined) return known.html;
  const html = render();
  if (renderings.unshift({ props, html }) > MAX_KEPT) renderings.pop();
  return html;
}

function hasEqualValues(one: Props, other: Props): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Islands that have been rendered on each page: every island needs a prefix of its own for its ids. */
const islandCounts = new WeakMap<object, number>();

function renderIsland(page: SSRResult, Island: ComponentType<object>, props: Props, directive: string) {
  // In production, `src/browser/islands/` loads the code of islands from a file when a visitor begins to use the page,
  // so Astro need not write it into the page.
  if (import.meta.env.PROD) {
    page._metadata.hasHydrationScript = true;
    page._metadata.hasDirectives.add(directive);
  }
  const count = islandCounts.get(page) ?? 0;
  islandCounts.set(page, count + 1);
  const prefix = `r${count}`;
  const html = removeHints(renderToString(createElement(Island, props), { identifierPrefix: prefix }));
  return { html, attrs: { prefix } };
}

/**
 * Renders React components for Astro synchronously. `@astrojs/react` streams each component and renders it twice, which
 * takes up to three times as long (docs/decisions/serving.md). Sections may take markup from Astro as
 * their children; islands may not.
 */
const renderer: SSRLoadedRendererValue = {
  name: 'signpost-react',
  check: async (Component) => typeof Component === 'function',
  supportsAstroStaticSlot: true,
  async renderToStaticMarkup(this: { readonly result: SSRResult }, Component, props, slots, metadata) {
    if (metadata?.hydrate !== undefined) return renderIsland(this.result, Component, props, metadata.hydrate);
    const children = slots['default']?.trim() ?? '';
    if (children === '') return { html: renderSection(Component, props) };
    const html = renderSection(Component, { ...props, children: SLOT });
    return { html: html.replace(SLOT_HTML, () => children) };
  },
};

export default renderer;
