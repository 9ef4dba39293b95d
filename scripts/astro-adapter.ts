import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { createPictureMiddleware } from './dev-pictures.ts';

/** How Astro writes what it adds to a page, by file of its runtime, and what stands there instead. */
const REWRITTEN: Readonly<Record<string, readonly [RegExp, string]>> = {
  // A page's own scripts: no paint needs them, but a browser loads modules as eagerly as what it does need. Those of
  // `*-script.astro` files are loaded when somebody asks for them: only the address stands in the page.
  'script.js': [
    /`<script type="module" src="(.*?)"><\/script>`/,
    'id.includes(\'-script.astro\') ? `<template data-script="$1"></template>` : `<script type="module" fetchpriority="low" src="$1"></script>`',
  ],
  // The element around islands, and its directives: `src/browser/islands.ts`, which comes as such a script.
  'scripts.js': [
    /return `<style>[^`]*`;\s*case "directive":\s*return `<script>[^`]*`;/,
    "default: return '';",
  ],
};

/** Makes scripts step back behind the paint. Fails the build when Astro writes in a new way. */
function lateScripts(): Plugin {
  return {
    name: 'signpost:late-scripts',
    enforce: 'pre',
    transform: {
      filter: { id: /astro\/dist\/runtime\/server\/(render\/script|scripts)\.js/ },
      handler(code, id) {
        const [written, instead] = REWRITTEN[id.replace(/^.*\/|\?.*$/g, '')] ?? [];
        if (written === undefined || instead === undefined) return undefined;
        if (!written.test(code)) this.error(`Astro writes its scripts in a new way: ${id}`);
        return code.replace(written, instead);
      },
    },
  };
}

/** The adapter: Astro renders, `src/server/` serves. See docs/decisions/0002-own-front-server.md. */
export function signpostAdapter(): AstroIntegration {
  return {
    name: 'signpost-adapter',
    hooks: {
      'astro:config:setup': ({ command, updateConfig, addClientDirective, addMiddleware, addRenderer }) => {
        if (command === 'dev')
          addMiddleware({
            order: 'pre',
            entrypoint: new URL('../src/server/dev-middleware.ts', import.meta.url),
          });
        // Ahead of @astrojs/react, which stays for the browser's part and for what builds and reloads it.
        addRenderer({
          name: 'signpost-react',
          clientEntrypoint: '@astrojs/react/client.js',
          serverEntrypoint: new URL('../src/server/react-renderer.ts', import.meta.url),
        });
        addClientDirective({
          name: 'touch',
          entrypoint: fileURLToPath(new URL('../src/browser/client-touch.ts', import.meta.url)),
        });
        updateConfig({
          build: { redirects: false },
          session: false,
          // The built pages bring their packages along: serving installs none of what building needs.
          vite: { plugins: [lateScripts()], ...(command === 'build' ? { ssr: { noExternal: true } } : {}) },
        });
      },
      'astro:server:setup': ({ server }) => {
        server.middlewares.use(createPictureMiddleware());
      },
      'astro:config:done': ({ setAdapter }) => {
        setAdapter({
          name: 'signpost-adapter',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('../src/server/astro-entry.ts', import.meta.url),
          adapterFeatures: { buildOutput: 'server', middlewareMode: 'classic' },
          supportedAstroFeatures: { serverOutput: 'stable', hybridOutput: 'stable' },
        });
      },
    },
  };
}
