import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { writeDraft } from '../../src/stores/disk.ts';
import { readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { serveDevContent, startDevSite } from './dev-content.ts';

/** The commands, and those of Workers. */
const NAMES: Readonly<Record<string, string>> = {
  'commands/main.ts': 'commands',
  'runtimes/cloudflare/tools/main.ts': 'edge',
};
/** These, and programs of threads: the build writes each beside the server, where `new Worker` finds it. */
const PROGRAMS = [
  ...Object.keys(NAMES),
  'sources/articles/html/body-worker.ts',
  'content-files/image-worker.ts',
  'move-in/move-in-worker.ts',
  'stores/sql/node-sqlite/database-thread.ts',
  'runtimes/node/copy-thread.ts',
  'runtimes/node/sample-worker.ts',
];

/** The runtimes that the site is built for. */
export type Runtime = 'node' | 'cloudflare';

/** Astro names the files of components, and a chunk by its text: a build of another folder has the same bytes and names. */
const renameRoot = (text: string): string => text.replaceAll(ROOT, '/signpost');
const rootName: Plugin = {
  name: 'signpost:root-name',
  applyToEnvironment: ({ name }: { name: string }) => name === 'ssr',
  renderChunk: (code) => (code.includes(ROOT) ? renameRoot(code) : null),
};

/** The server contains its packages but those with a program for each system. */
const BUILD_OPTIONS = {
  node: {
    plugins: [rootName, buildPrograms(), noteBundled()],
    // In one folder, so that a module finds the programs of threads beside itself whatever chunk it is in.
    build: {
      rollupOptions: {
        external: ['sharp', 'subset-font', '@resvg/resvg-js'],
        output: { chunkFileNames: ({ name }: { name: string }) => `${buildChunkName(name)}_[hash].mjs` },
      },
    },
  },
  // workerd provides the modules of these names.
  cloudflare: { plugins: [rootName], build: { rollupOptions: { external: [/^cloudflare:/] } } },
};
const SHARED_OPTIONS = {
  ssr: { noExternal: true as const },
  define: {
    'process.env.NODE_ENV': '"production"',
    // A package of one commit has the same bytes.
    __BUILD_TIME__: String(Number(process.env['SOURCE_DATE_EPOCH']) * 1_000 || Date.now()),
    __SOURCE_STATE__: JSON.stringify(process.env['SOURCE_DATE_EPOCH'] ?? readSourceState(ROOT, ['src'])),
  },
};

/** Astro names the chunk of a page after its file, as `assessment@_@astro` and `[slug]@_@astro`. */
function buildChunkName(name: string): string {
  return name.replace(/@.*$/, '').replace(/[^\w-]/g, '') || 'page';
}

function buildPrograms(): Plugin {
  return {
    name: 'signpost:programs',
    applyToEnvironment: ({ name }: { name: string }) => name === 'ssr',
    buildStart() {
      for (const file of PROGRAMS) {
        const id = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
        this.emitFile({ type: 'chunk', id, fileName: `${NAMES[file] ?? path.basename(file, '.ts')}.mjs` });
      }
    },
  };
}

/** The folders of packages whose code is in a build. */
const bundled = new Set<string>();

function noteBundled(): Plugin {
  return {
    name: 'signpost:notices',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const [, folder] = /^\0?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
        if (folder !== undefined) bundled.add(folder);
      }
    },
  };
}

/** The licenses of the packages whose code is in a build. */
function listNotices(): string {
  return [...bundled]
    .sort()
    .flatMap((folder) => {
      const file = path.join(folder, 'package.json');
      if (!existsSync(file)) return [];
      const { name, version, license } = JSON.parse(readFileSync(file, 'utf8'));
      const texts = readdirSync(folder).filter((one) => /^(?:licen[cs]e|notice)/i.test(one));
      const bodies = texts.sort().map((one) => readFileSync(path.join(folder, one), 'utf8').trim());
      return [[`${name} ${version} (${license})`, ...bodies].join('\n\n')];
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The adapter: Astro renders, `src/runtimes/node/` serves. See docs/decisions/layers.md. */
export function signpostAdapter(runtime: Runtime): AstroIntegration {
  let host: string | boolean = '';
  let outDir = '';
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
      // What the code asks the manifest for is renamed as the code is. Its files are in the order of the disk.
      'astro:build:ssr': ({ manifest }) => {
        manifest.assets.sort();
        Object.assign(manifest, JSON.parse(renameRoot(JSON.stringify(manifest))));
      },
      'astro:build:done': () => writeDraft(path.join(outDir, 'NOTICES.txt'), `${listNotices()}\n`),
      'astro:server:setup': ({ server }) => serveDevContent(server),
      'astro:server:start': ({ address }) => startDevSite(host, address),
      'astro:config:done': ({ config, setAdapter }) => {
        host = config.server.host;
        outDir = fileURLToPath(config.outDir);
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
