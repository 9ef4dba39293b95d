// npm run -s page-schema: writes the list of section types and illustrations from the files of their folders, and
// content/page.schema.json, with which editors check and complete page documents.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildRegistries } from './page-schema/build-registries.ts';

const ROOT = path.join(import.meta.dirname, '../..');

function write(file: string, text: string): void {
  writeFileSync(path.join(ROOT, file), text);
  process.stdout.write(`Wrote ${file}.\n`);
}

for (const [file, text] of buildRegistries(ROOT)) write(file, text);
// Imported only now, because the schema of a page imports the registries.
const { buildPageJsonSchema } = await import('./page-schema/build-page-json-schema.ts');
write('content/page.schema.json', buildPageJsonSchema());
