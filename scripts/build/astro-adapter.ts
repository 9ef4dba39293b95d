import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { serveDevContent, startDevSite } from './dev-content.ts';

/** Programs of worker threads: the build writes each beside the server, where `new Worker` finds it. */
const WORKER_THREADS = [
  'sources/articles/html/body-worker.ts',
  'content-files/image-worker.ts',
  'move-in/move-in-worker.ts',
  'stores/sql/node-sqlite/database-thread.ts',
  'runtimes/node/copy-thread.ts',
  'runtimes/node/sample-worker.ts',
];

/** The runtimes that the site is built for. */
export type Runtime = 'node' | 'cloudflare';

/** The server contains its packages but `sharp`, so that serving needs none of those that only building needs. */
const BUILD_OPTIONS = {
  node: {
    plugins: [buildWorkerThreads()],
    // In one folder, so that a module finds the programs of threads beside itself whatever chunk it is in.
    build: {
      rollupOptions: {
        // It has a binary for each system.
        external: ['sharp'],
        output: { chunkFileNames: ({ name }: { name: string }) => `${buildChunkName(name)}_[hash].mjs` },
      },
    },
  },
  // workerd provides the modules of these names.
  cloudflare: { build: { rollupOptions: { external: [/^cloudflare:/] } } },
};
const SHARED_OPTIONS = {
  ssr: { noExternal: true as const },
  define: {
    'process.env.NODE_ENV': '"production"',
    __BUILD_TIME__: String(Date.now()),
    __SOURCE_STATE__: JSON.stringify(readSourceState(ROOT, ['src'])),
  },
};

/** Astro names the chunk of a page after its file, as `assessment@_@astro` and `[slug]@_@astro`. */
function buildChunkName(name: string): string {
  return name.replace(/@.*$/, '').replace(/[^\w-]/g, '') || 'page';
}

function buildWorkerThreads(): Plugin {
  return {
    name: 'signpost:worker-threads',
    applyToEnvironment: ({ name }: { name: string }) => name === 'ssr',
    buildStart() {
      for (const file of WORKER_THREADS) {
        const id = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
        this.emitFile({ type: 'chunk', id, fileName: `${path.basename(file, '.ts')}.mjs` });
      }
    },
  };
}

/** The adapter: Astro renders, `src/runtimes/node/` serves. See docs/decisions/layers.md. */
export function signpostAdapter(runtime: Runtime): AstroIntegration {
  let host: string | boolean = '';
  return {
    name: 'signpost-adapter',
    hooks: {
      'astro:config:setup': ({ command, updateConfig, addClientDirective, addMiddleware, addRenderer }) => {
        if (command === 'dev')
          addMiddleware({
            order: 'pre',
            entrypoint: new URL('../../src/runtimes/astro/dev-middleware.ts', import.meta.url),
          });
        // Ahead of @astrojs/react, which stays for the browser's part and for what builds and reloads it.
        addRenderer({
          name: 'signpost-react',
          clientEntrypoint: '@astrojs/react/client.js',
          serverEntrypoint: new URL('../../src/runtimes/astro/react-renderer.ts', import.meta.url),
        });
        addClientDirective({
          name: 'interaction',
          entrypoint: fileURLToPath(
            new URL('../../src/browser/islands/client-interaction.ts', import.meta.url),
          ),
        });
        updateConfig({
          build: { redirects: false, serverEntry: 'main.mjs' },
          session: false,
          ...(command === 'build' ? { vite: { ...SHARED_OPTIONS, ...BUILD_OPTIONS[runtime] } } : {}),
        });
      },
      'astro:server:setup': ({ server }) => serveDevContent(server),
      'astro:server:start': ({ address }) => startDevSite(host, address),
      'astro:config:done': ({ config, setAdapter }) => {
        host = config.server.host;
        setAdapter({
          name: 'signpost-adapter',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL(`../../src/runtimes/${runtime}/main.ts`, import.meta.url),
          adapterFeatures: { buildOutput: 'server', middlewareMode: 'classic' },
          supportedAstroFeatures: { serverOutput: 'stable', hybridOutput: 'stable' },
        });
      },
    },
  };
}
