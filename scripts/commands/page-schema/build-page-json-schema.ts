import { z } from 'zod';
import { pageSchema } from '../../../src/core/pages/page.schema.ts';

/** The JSON Schema of `content/pages/*.yaml` as text: what a document may hold before figures are put in. */
export function buildPageJsonSchema(): string {
  const schema = z.toJSONSchema(pageSchema, { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ ...schema, title: 'A page of the site' }, null, 2)}\n`;
}
