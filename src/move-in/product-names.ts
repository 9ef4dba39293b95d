import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { MoveInError } from './former-item.ts';
import type { NamelessProduct } from './product-boxes.ts';

const FILE = path.join('.import', 'products.yaml');
const namesSchema = z.record(z.string(), z.string().max(80).nullable());

/** Reads the names that the operator has given to products, by number. Throws `MoveInError` when the file is damaged. */
export function readProductNames(contentDir: string): ReadonlyMap<string, string> {
  const file = path.join(contentDir, FILE);
  if (!existsSync(file)) return new Map();
  const read = parseYaml(readFileSync(file, 'utf8'));
  const parsed = 'value' in read ? namesSchema.safeParse(read.value ?? {}) : null;
  if (!parsed?.success)
    throw new MoveInError(
      `${FILE} is damaged: it has a line NUMBER: NAME for each product, of at most 80 characters.`,
    );
  return new Map(
    Object.entries(parsed.data).flatMap(([number, name]) => (name?.trim() ? [[number, name.trim()]] : [])),
  );
}

/** Writes the products that need a name, each with the one that was given, for the operator to fill in. */
export function writeProductNames(contentDir: string, nameless: readonly NamelessProduct[]): void {
  const file = path.join(contentDir, FILE);
  if (nameless.length === 0 && !existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  const names = Object.fromEntries(nameless.map(({ number, name }) => [number, name]));
  const head =
    '# Products of boxes whose name neither the export nor the table of the plugin has. Write each name between the quotes,\n' +
    '# then run the import again: the box shows the product, and is a link until then.\n';
  writeFileSync(
    file,
    head + stringify(names, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }),
  );
}
