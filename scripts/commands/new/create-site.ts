import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPageJsonSchema } from '../page-schema/build-page-json-schema.ts';

const TEMPLATE = path.join(import.meta.dirname, 'site-template');
/** Texts of the template that are filled in. */
const MARK = /\{\{(name|year|day)\}\}/g;

/** What a new site is made of. */
export interface NewSite {
  readonly name: string;
  /** The content folder that is written. */
  readonly folder: string;
  /** Whether a folder with files is renamed and replaced; otherwise it is left as it is. */
  readonly isReplacing: boolean;
  /** `2026-03-12` */
  readonly day: string;
}

/**
 * Writes the content of an empty site. Returns where the content that was there before is now, null when there was
 * none. Throws an `Error` with the reason when the folder is in use and may not be replaced.
 */
export function createSite({ name, folder, isReplacing, day }: NewSite): string | null {
  const before = `${folder}-before-${day}`;
  const isUsed = existsSync(folder) && readdirSync(folder).length > 0;
  if (isUsed && !isReplacing) throw new Error(`${folder} is not empty; nothing was changed.`);
  if (isUsed && existsSync(before)) throw new Error(`${before} is there already; nothing was changed.`);
  if (isUsed) renameSync(folder, before);
  mkdirSync(folder, { recursive: true });
  cpSync(TEMPLATE, folder, { recursive: true });
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/\.(yaml|md)$/.test(file)) fillFile(path.join(folder, file), { name, day, year: day.slice(0, 4) });
  }
  writeFileSync(path.join(folder, 'page.schema.json'), buildPageJsonSchema());
  return isUsed ? before : null;
}

/** The name is in double-quoted YAML texts, which escape like JSON. */
function fillFile(file: string, values: Readonly<Record<'name' | 'year' | 'day', string>>): void {
  const text = readFileSync(file, 'utf8').replace(MARK, (_, key: keyof typeof values) =>
    JSON.stringify(values[key]).slice(1, -1),
  );
  writeFileSync(file, text);
}
