import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Schemas that are no section type: the fields that several types share, and the union of all types. */
const SHARED = new Set(['fields', 'section']);

/** The registries of the section types and of the illustrations, by their paths, from the files of their folders. */
export function buildRegistries(root: string): ReadonlyMap<string, string> {
  return new Map([
    ['src/core/pages/sections/section.schema.ts', buildSectionSchemas(root)],
    ['src/core/pages/sections/fields.schema.ts', buildIllustrationNames(root)],
  ]);
}

function buildSectionSchemas(root: string): string {
  const types = listFiles(path.join(root, 'src/core/pages/sections'), '.schema.ts').filter(
    (name) => !SHARED.has(name),
  );
  const imports = types.map((type) => `import { ${getSchemaName(type)} } from './${type}.schema.ts';`);
  return [
    '// Written by `npm run page-schema` from the files of this folder.',
    ...imports,
    '',
    '/** The schema of every section type; `src/sections/pages/` has the component of each. */',
    'export const SECTION_SCHEMAS = [',
    ...types.map((type) => `  ${getSchemaName(type)},`),
    '] as const;',
    '',
  ].join('\n');
}

function buildIllustrationNames(root: string): string {
  return [
    '/** Written by `npm run page-schema`: the illustrations that content may name. */',
    'export const ILLUSTRATION_NAMES = [',
    ...listFiles(path.join(root, 'src/ui/illustrations'), '.tsx').map((name) => `  '${name}',`),
    '] as const;',
    '',
  ].join('\n');
}

/** `before-after` becomes `beforeAfterSchema`. */
function getSchemaName(type: string): string {
  return `${type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Schema`;
}

/** The names of a folder's files with this ending, without the ending and without tests. */
function listFiles(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending) && !file.includes('.test.'))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}
