import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSamplePartners, SHIPPED_CONTENT } from './support/sample-content.ts';

const FOLDER = path.resolve(import.meta.dirname, '../content/pages');
const pageSchema = z.object({ cta: z.object({ partner: z.string().optional() }).optional() });

it('a page with calls to action that names one partner only sends its readers to that partner', () => {
  const partners = [...readSamplePartners(SHIPPED_CONTENT).values()];
  const wrong: string[] = [];
  for (const file of readdirSync(FOLDER)) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const { cta } = pageSchema.parse(parse(text));
    const [named, ...others] = partners.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
    if (cta === undefined || named === undefined || others.length > 0) continue;
    if (cta.partner !== named.key) wrong.push(`${file}: needs cta.partner: ${named.key}`);
  }
  expect(wrong).toEqual([]);
});
