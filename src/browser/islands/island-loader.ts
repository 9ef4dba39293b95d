// Astro's own island loader as a file of its own. It looks up its directives when it is evaluated, so they come first.
import './island-directives.ts';
import 'astro/runtime/server/astro-island.js';
