import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const SOURCE = new URL(
  './files/bricolage-grotesque-latin-wdth-normal.woff2',
  import.meta.resolve('@fontsource-variable/bricolage-grotesque/package.json'),
);
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)).join('');

/** A display font that is not the shipped one: narrower. `weight`: a single weight instead of 400 to 700. */
export async function buildOwnFont(options: { characters?: string; weight?: number } = {}): Promise<Buffer> {
  return subsetFont(await readFile(fileURLToPath(SOURCE)), options.characters ?? ASCII, {
    targetFormat: 'woff2',
    noHinting: true,
    variationAxes: { wdth: 75, wght: options.weight ?? { min: 400, max: 700 } },
  });
}
