// npm run -s page-schema: writes content/page.schema.json, with which editors check and complete page documents.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPageJsonSchema } from './page-schema/build-page-json-schema.ts';

const FILE = path.join(import.meta.dirname, '../../content/page.schema.json');

writeFileSync(FILE, buildPageJsonSchema());
process.stdout.write(`Wrote ${path.relative(process.cwd(), FILE)}.\n`);
