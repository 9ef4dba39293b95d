import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the script that every page carries', () => {
  it('is at most 3 kB compressed, with everything it imports', async () => {
    const { outputFiles } = await build({
      entryPoints: [path.join(import.meta.dirname, 'visit.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    const script = outputFiles[0]?.contents ?? new Uint8Array(1e6);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(3072);
    expect(brotliCompressSync(script).length).toBeLessThanOrEqual(2900);
  });
});
