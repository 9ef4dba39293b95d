import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** The adapter: Astro renders, `src/server/` serves. See docs/decisions/0002-own-front-server.md. */
export function signpostAdapter(): AstroIntegration {
  return {
    name: 'signpost-adapter',
    hooks: {
      'astro:config:setup': ({ updateConfig, addClientDirective }) => {
        addClientDirective({
          name: 'touch',
          entrypoint: fileURLToPath(new URL('../src/browser/client-touch.ts', import.meta.url)),
        });
        updateConfig({ build: { redirects: false }, session: false });
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
