import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { pageSchema } from '../core/pages/page.schema.ts';
import { defineCommand } from './command.ts';
import type { CommandSite } from './site.ts';

const FILE = 'content/page.schema.json';

const USAGE = `Usage:
  npm run -s page-schema

Writes ${FILE}, with which editors check and complete page documents.`;

/** `npm run page-schema`: writes the JSON Schema of pages. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [0, 0],
  run(_line, io, _site: CommandSite) {
    writeFileSync(path.join(ROOT, FILE), buildPageJsonSchema());
    io.stdout.write(`Wrote ${FILE}.\n`);
  },
});

/** The JSON Schema of `content/pages/*.yaml` as text: what a document may hold before figures are put in. */
export function buildPageJsonSchema(): string {
  const schema = z.toJSONSchema(pageSchema, { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ ...schema, title: 'A page of the site' }, null, 2)}\n`;
}
