// Astro's own island loader as a file of its own. It looks up its directives when it is evaluated, so they come first.
import './island-directives.ts';
import 'astro/runtime/server/astro-island.js';

const { search } = location;
const listFields = (nodes: Iterable<Node>) =>
  [...nodes].flatMap((node) =>
    node instanceof Element ? [...node.querySelectorAll<HTMLInputElement>('input, select, textarea')] : [],
  );
// React empties an island whose code throws. Then the server's HTML is back, whose links and forms need no script: that of
// the address, which may name another view or other figures by now.
for (const island of document.querySelectorAll('astro-island')) {
  const fields = listFields(island.childNodes);
  const nodes = [...island.childNodes].map((node) => node.cloneNode(true));
  new MutationObserver((_, observer) => {
    if (island.firstElementChild !== null) return;
    observer.disconnect();
    if (location.search !== search) location.reload();
    island.replaceChildren(...nodes);
    // With what was typed and chosen meanwhile.
    for (const [index, field] of listFields(nodes).entries()) {
      const { value, checked } = fields[index] ?? field;
      Object.assign(field, { value, checked });
    }
    // As visitors without scripts see it.
    for (const one of island.querySelectorAll('.hidden')) one.classList.remove('hidden');
    for (const one of island.querySelectorAll('.noscript\\:hidden')) one.remove();
    island.dispatchEvent(new Event('astro:hydration-error', { bubbles: true }));
  }).observe(island, { childList: true });
}
