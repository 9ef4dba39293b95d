import islandLoader from 'astro/runtime/server/astro-island.prebuilt.js';

/**
 * Removes the island loader that Astro writes into a rendered page in front of the first island, and the scripts of its
 * directives: `src/browser/islands/` loads the same code from a file when a visitor begins to use the page. What Astro
 * writes in another way stays as it is, and works.
 * @param directives The inline scripts of the `client:` directives, from Astro's manifest.
 */
export function removeInlineLoader(html: string, directives: Iterable<string>): string {
  if (!html.includes('<astro-island')) return html;
  return [islandLoader, ...directives].reduce(
    (page, script) => page.replace(`<script>${script}</script>`, ''),
    html,
  );
}
