// npm run -s page-schema: writes content/page.schema.json, with which editors check and complete page documents.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPageJsonSchema } from './page-schema/build-page-json-schema.ts';

const FILE = 'content/page.schema.json';

writeFileSync(path.join(import.meta.dirname, '../..', FILE), buildPageJsonSchema());
process.stdout.write(`Wrote ${FILE}.\n`);
