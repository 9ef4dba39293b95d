// Writes src/ui/icon-paths.json from an unpacked Lucide package:
//   npm pack lucide-static@1.62.0 && tar xf lucide-static-*.tgz && node tools/build-icons.ts package
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const UI = path.resolve(import.meta.dirname, '..', 'src', 'ui');

/** The site's icons by name, each with the name of its Lucide drawing. */
const ICON_SOURCES: Readonly<Record<string, string>> = {
  alert: 'triangle-alert',
  'arrow-left': 'arrow-left',
  'arrow-right': 'arrow-right',
  check: 'check',
  'chevron-down': 'chevron-down',
  link: 'link',
  menu: 'menu',
  minus: 'minus',
  play: 'play',
  plus: 'plus',
  printer: 'printer',
  refresh: 'refresh-cw',
  search: 'search',
  share: 'share-2',
  x: 'x',
};

type Shape = (attribute: (name: string) => number) => string;

const round = (value: number) => Number(value.toFixed(2));

const circle: Shape = (at) => {
  const [cx, cy, r] = [at('cx'), at('cy'), at('r')];
  return `M${round(cx - r)} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
};

const rect: Shape = (at) => {
  const [x, y, r] = [at('x'), at('y'), at('rx')];
  const [width, height] = [at('width') - 2 * r, at('height') - 2 * r];
  const corner = (dx: number, dy: number) => (r > 0 ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '');
  return `M${x + r} ${y}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}${corner(r, -r)}z`;
};

const line: Shape = (at) => `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`;

const SHAPES: Readonly<Record<string, Shape>> = { circle, rect, line };

/** Makes the first move absolute: relative, it would start at the end of the path before it. */
function openAbsolute(data: string): string {
  return data.replace(/^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?<line>[-\d.])?/, (_, x, y, rest) =>
    rest === undefined ? `M${x} ${y}` : `M${x} ${y}l${rest}`,
  );
}

/** Builds the data of one path from a complete SVG icon. Throws on an element that has no equivalent path. */
function buildPathData(svg: string): string {
  const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1);
  return [...body.matchAll(/<(\w+)([^>]*?)\/>/g)]
    .map(([, element = '', attributes = '']) => {
      const read = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
      if (element === 'path') return openAbsolute(read('d') ?? '');
      const shape = SHAPES[element];
      if (!shape) throw new Error(`[icons] no path for <${element}>`);
      return shape((name) => Number(read(name) ?? 0));
    })
    .join('');
}

async function buildIcons(lucide: string): Promise<void> {
  const entries = await Promise.all(
    Object.entries(ICON_SOURCES).map(async ([name, source]) => {
      const svg = await readFile(path.join(lucide, 'icons', `${source}.svg`), 'utf8');
      return [name, buildPathData(svg)] as const;
    }),
  );
  await writeFile(
    path.join(UI, 'icon-paths.json'),
    `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`,
  );
  await copyFile(path.join(lucide, 'LICENSE'), path.join(UI, 'icon-paths.LICENSE.txt'));
}

const [folder] = process.argv.slice(2);
if (folder) await buildIcons(folder);
else {
  console.error('Usage: node tools/build-icons.ts FOLDER (the unpacked lucide-static package)');
  process.exitCode = 1;
}
