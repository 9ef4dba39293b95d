// Writes the site's icons and manifest to public/: node scripts/build-brand.ts
// Its output is committed; run it after a change of the mark, its colours or the site's name.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { parse } from 'yaml';
import { buildIco } from './brand/ico.ts';
import { buildDayMark, buildFavicon, buildTile } from './brand/mark-svg.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PUBLIC = path.join(ROOT, 'public');
/** Launchers crop a maskable icon to a circle of 80 % of its side; the mark stays well inside. */
const MASKABLE_INSET = 0.19;

const drawPng = (svg: string) => sharp(Buffer.from(svg)).png({ palette: true, effort: 10 }).toBuffer();

async function writeIco(): Promise<void> {
  const images = await Promise.all(
    [16, 32, 48].map(async (size) => ({
      size,
      png: await sharp(Buffer.from(buildDayMark(size)))
        .png({ compressionLevel: 9 })
        .toBuffer(),
    })),
  );
  await writeFile(path.join(PUBLIC, 'favicon.ico'), buildIco(images));
}

async function readSiteName(): Promise<string> {
  const site: unknown = parse(await readFile(path.join(ROOT, 'content', 'site.yaml'), 'utf8'));
  if (typeof site === 'object' && site !== null && 'name' in site && typeof site.name === 'string') {
    return site.name;
  }
  throw new Error('[brand] content/site.yaml has no name');
}

async function writeManifest(): Promise<void> {
  const icons = [192, 512].flatMap((size) =>
    ['any', 'maskable'].map((purpose) => ({
      src: `/icons/maskable-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  );
  const name = await readSiteName();
  const manifest = {
    name,
    short_name: 'CRM Hub',
    start_url: '/',
    display: 'browser',
    background_color: '#fbf9f3',
    theme_color: '#fbf9f3',
    icons,
  };
  await writeFile(path.join(PUBLIC, 'site.webmanifest'), `${JSON.stringify(manifest, null, 2)}\n`);
}

await writeFile(path.join(PUBLIC, 'favicon.svg'), buildFavicon());
await writeIco();
await writeFile(path.join(PUBLIC, 'apple-touch-icon.png'), await drawPng(buildTile(180, 0.2)));
for (const size of [192, 512]) {
  await writeFile(
    path.join(PUBLIC, 'icons', `maskable-${size}.png`),
    await drawPng(buildTile(size, MASKABLE_INSET)),
  );
}
await writeManifest();
