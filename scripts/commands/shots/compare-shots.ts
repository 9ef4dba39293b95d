import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

/** What differs between two screenshots of the same name. Boxes are in pixels from the top left corner. */
export type ShotDifference = { readonly name: string } & (
  | { readonly kind: 'only-before' | 'only-after' }
  | { readonly kind: 'size'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'pixels';
      readonly count: number;
      readonly box: {
        readonly left: number;
        readonly top: number;
        readonly width: number;
        readonly height: number;
      };
    }
);

/** Compares the PNG files of two folders by name. Equal files are left out of the result. */
export async function compareShots(before: string, after: string): Promise<ShotDifference[]> {
  const inBefore = listShots(before);
  const inAfter = new Set(listShots(after));
  const differences: ShotDifference[] = [];
  for (const name of inBefore) {
    if (!inAfter.has(name)) {
      differences.push({ name, kind: 'only-before' });
      continue;
    }
    const difference = await compareFiles(name, path.join(before, name), path.join(after, name));
    if (difference !== null) differences.push(difference);
  }
  const known = new Set(inBefore);
  const added = [...inAfter].filter((name) => !known.has(name));
  return [...differences, ...added.map((name) => ({ name, kind: 'only-after' }) as const)];
}

/** One line of a report. */
export function formatShotDifference(difference: ShotDifference): string {
  const { name } = difference;
  switch (difference.kind) {
    case 'only-before':
    case 'only-after':
      return `${name}: only in the folder ${difference.kind === 'only-before' ? 'BEFORE' : 'AFTER'}`;
    case 'size':
      return `${name}: ${difference.before} px before, ${difference.after} px after`;
    case 'pixels': {
      const { left, top, width, height } = difference.box;
      return `${name}: ${difference.count} pixels differ, in ${width}×${height} px at ${left},${top}`;
    }
  }
}

function listShots(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.png'))
    .sort();
}

async function compareFiles(name: string, before: string, after: string): Promise<ShotDifference | null> {
  if (readFileSync(before).equals(readFileSync(after))) return null;
  const [first, second] = await Promise.all([readPixels(before), readPixels(after)]);
  if (first.width !== second.width || first.height !== second.height) {
    return { name, kind: 'size', before: formatSize(first), after: formatSize(second) };
  }
  return findDifferentPixels(name, first, second);
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

const CHANNELS = 4;

const formatSize = ({ width, height }: Pixels) => `${width}×${height}`;

async function readPixels(file: string): Promise<Pixels> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function findDifferentPixels(name: string, before: Pixels, after: Pixels): ShotDifference | null {
  let count = 0;
  let left = before.width;
  let right = -1;
  let top = before.height;
  let bottom = -1;
  for (let pixel = 0; pixel < before.width * before.height; pixel += 1) {
    const at = pixel * CHANNELS;
    if (before.data.readUInt32LE(at) === after.data.readUInt32LE(at)) continue;
    const x = pixel % before.width;
    const y = Math.floor(pixel / before.width);
    count += 1;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  if (count === 0) return null;
  return {
    name,
    kind: 'pixels',
    count,
    box: { left, top, width: right - left + 1, height: bottom - top + 1 },
  };
}
