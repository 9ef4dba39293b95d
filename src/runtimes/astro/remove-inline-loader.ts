import islandLoader from 'astro/runtime/server/astro-island.prebuilt.js';

/**
 * Removes the island loader that Astro writes into a rendered page in front of the first island, and the scripts of its
 * directives: `src/browser/islands/` loads the same code from a file when a visitor begins to use the page. What Astro
 * writes in another way stays as it is, and works.
 * @param html A page in UTF-8.
 * @param directives The inline scripts of the `client:` directives, from Astro's manifest.
 */
export function removeInlineLoader(
  html: Buffer<ArrayBuffer>,
  directives: Iterable<string>,
): Buffer<ArrayBuffer> {
  if (!html.includes('<astro-island')) return html;
  return [islandLoader, ...directives].reduce(
    (page, script) => removeText(page, `<script>${script}</script>`),
    html,
  );
}

function removeText(html: Buffer<ArrayBuffer>, text: string): Buffer<ArrayBuffer> {
  const start = html.indexOf(text);
  if (start < 0) return html;
  return Buffer.concat([html.subarray(0, start), html.subarray(start + Buffer.byteLength(text))]);
}
