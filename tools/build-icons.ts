// Writes src/ui/icon-paths.ts from an unpacked Lucide package:
//   npm pack lucide-static@1.62.0 && tar xf lucide-static-*.tgz && node tools/build-icons.ts package
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ICON_SOURCES } from './icons/icon-sources.ts';
import { buildPathData } from './icons/path-data.ts';

const UI = path.resolve(import.meta.dirname, '..', 'src', 'ui');

async function buildIcons(lucide: string): Promise<void> {
  const entries = await Promise.all(
    Object.entries(ICON_SOURCES).map(async ([name, source]) => {
      const svg = await readFile(path.join(lucide, 'icons', `${source}.svg`), 'utf8');
      return `  '${name}': '${buildPathData(svg)}',`;
    }),
  );
  const text = `// Written by tools/build-icons.ts from Lucide; its license is in icon-paths.LICENSE.txt.
/** Path data of every icon, drawn as 2-unit strokes in a box of 24. */
export const ICON_PATHS = {
${entries.join('\n')}
} as const;
`;
  await writeFile(path.join(UI, 'icon-paths.ts'), text);
  await copyFile(path.join(lucide, 'LICENSE'), path.join(UI, 'icon-paths.LICENSE.txt'));
}

const [folder] = process.argv.slice(2);
if (folder) await buildIcons(folder);
else {
  console.error('Usage: node tools/build-icons.ts FOLDER (the unpacked lucide-static package)');
  process.exitCode = 1;
}
