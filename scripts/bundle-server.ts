import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './pinned-node.mjs';

/**
 * Writes the server as JavaScript beside the pages: Node's own removal of types costs 20 MB in the process and in
 * every thread, and a moment at each start. Packages stay where they are.
 */
export async function bundleServer(): Promise<void> {
  await build({
    entryPoints: [
      path.join(ROOT, 'src/server/main.ts'),
      path.join(ROOT, 'src/adapters/events/sqlite-thread.ts'),
    ],
    outdir: path.join(ROOT, 'dist/server'),
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'warning',
  });
}
