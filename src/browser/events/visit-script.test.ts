import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

// The browser suite weighs the files that the build makes, at most 3 kB with brotli and with gzip.
it.each(['visit-script.ts', 'free-visit-script.ts'])(
  '%s takes at most 2,900 bytes with brotli, with everything it imports',
  async (name) => {
    const { outputFiles } = await build({
      entryPoints: [path.join(import.meta.dirname, name)],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    const script = outputFiles[0]?.contents ?? new Uint8Array(1e6);
    expect(brotliCompressSync(script).length).toBeLessThanOrEqual(2900);
  },
);
