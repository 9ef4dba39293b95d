import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { compressFully, isCompressible } from '../../src/server/node/encoded-body.ts';

/** Writes `.br` and `.gz` beside every file below `folder`, unless the file would not get smaller. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCompressible(getMimeType(entry.name) ?? ''))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const { br, gzip } = await compressFully(content);
      if (br.length < content.length) writeFileSync(`${file}.br`, br);
      if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip);
    }),
  );
}
