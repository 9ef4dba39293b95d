import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { type Runtime, signpostAdapter } from './scripts/build/astro-adapter.ts';
import { besideScript, brandStyles, pageSources, scriptNames } from './scripts/build/vite-plugins.ts';
import { parseSettings } from './src/server/settings.ts';

/** Scripts below this size are inlined, which saves a request. */
const MAX_INLINE_SCRIPT_BYTES = 2_800;

const isInlined = (file: string, content: Buffer) =>
  file.endsWith('.js') && content.length < MAX_INLINE_SCRIPT_BYTES;

/** `scripts/build/build-worker.ts` sets it; everything else is for Node. */
const runtime: Runtime = process.env['BUILD_RUNTIME'] === 'cloudflare' ? 'cloudflare' : 'node';

function readAddress() {
  const { HOST, PORT } = parseSettings(process.env);
  return { host: HOST, port: PORT };
}

export default defineConfig({
  outDir: process.env['BUILD_DIR'] ?? (runtime === 'cloudflare' ? './edge/dist' : './dist'),
  output: 'server',
  adapter: signpostAdapter(runtime),
  // The console's own pages have no preamble of React's refresh.
  integrations: [react({ exclude: ['**/src/editor/**'] })],
  trailingSlash: 'ignore',
  server: ({ command }) => (command === 'dev' ? readAddress() : {}),
  image: { service: passthroughImageService() },
  markdown: { syntaxHighlight: false },
  compressHTML: true,
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'always', assets: '_astro' },
  security: {
    checkOrigin: false,
    csp: { scriptDirective: { resources: ["'self'"] }, styleDirective: { resources: ["'self'"] } },
  },
  vite: {
    // A build would replace what a server of development has made of the packages while that runs.
    cacheDir: process.argv.includes('dev') ? 'node_modules/.vite' : '.cache/vite',
    // Another port would be another site: every address that it writes has its port.
    server: { strictPort: true },
    plugins: [pageSources(), scriptNames(), besideScript(), brandStyles(), tailwindcss()],
    build: { assetsInlineLimit: isInlined },
    // The visit script: annotations are for bundlers, and browsers would load them too.
    worker: { format: 'es', rolldownOptions: { output: { comments: { annotation: false } } } },
  },
});
