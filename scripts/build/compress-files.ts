import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressBest } from '../src/server/compression.ts';
import { isCompressible } from '../src/server/static-files.ts';

/** Leaves `.br` and `.gz` beside every file below `folder` that they make smaller. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCompressible(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const { br, gzip } = await compressBest(content);
      if (br.length < content.length) writeFileSync(`${file}.br`, br);
      if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip);
    }),
  );
}
