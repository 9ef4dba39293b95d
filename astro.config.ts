import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { signpostAdapter } from './scripts/astro-adapter.ts';

export default defineConfig({
  output: 'server',
  adapter: signpostAdapter(),
  integrations: [react()],
  trailingSlash: 'ignore',
  image: { service: passthroughImageService() },
  markdown: { syntaxHighlight: false },
  compressHTML: true,
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'always', assets: '_astro' },
  security: {
    checkOrigin: false,
    csp: { scriptDirective: { resources: ["'self'"] }, styleDirective: { resources: ["'self'"] } },
  },
  vite: { plugins: [tailwindcss()], build: { assetsInlineLimit: 0 } },
});
