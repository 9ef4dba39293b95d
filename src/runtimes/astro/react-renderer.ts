import type { SSRLoadedRendererValue, SSRResult } from 'astro';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';

type Props = Readonly<Record<string, unknown>>;

/** Marks the position of the children that Astro has rendered. */
const SLOT = createElement('slot');
const SLOT_HTML = '<slot></slot>';

/** Cached renderings per section. */
const MAX_CACHED = 8;
const cache = new WeakMap<object, { readonly props: Props; readonly html: string }[]>();

/** Removes the preload hints that React adds for images: the page decides what loads early. */
const removeHints = (html: string) =>
  html.includes('<link') ? html.replace(/<link rel="preload"[^>]*>/g, '') : html;

/**
 * Renders a section. A section is a pure function of its props, so equal props give the cached HTML. A component that
 * is marked `isPrivate` is rendered for one person, and nothing of it stays in memory.
 */
function renderSection(Section: ComponentType<object>, props: Props): string {
  if ('isPrivate' in Section) return removeHints(renderToStaticMarkup(createElement(Section, props)));
  const cached = cache.get(Section) ?? [];
  cache.set(Section, cached);
  const known = cached.find((rendering) => hasEqualValues(rendering.props, props));
  if (known !== undefined) return known.html;
  const html = removeHints(renderToStaticMarkup(createElement(Section, props)));
  if (cached.unshift({ props, html }) > MAX_CACHED) cached.pop();
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
