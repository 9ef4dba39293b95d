import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { brandSchema } from '../src/core/pages/brand/brand.schema.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** A setting that is commented out, or one below it; sentences begin with a capital letter. */
const COMMENTED = /^# (?=(?: {2})*[a-z][A-Za-z]*:)/gm;

it.each(['content/brand.yaml', 'src/commands/new/site-template/brand.yaml'])(
  'every setting of %s can be turned on by removing its comment sign',
  (file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8').replace('{{look}}', 'journal');
    const settings = brandSchema.parse(parse(text.replaceAll(COMMENTED, '')));
    const names = [...Object.keys(settings), ...Object.keys(settings.colors).map((name) => `colors.${name}`)];
    expect(names.sort()).toEqual(
      'colors colors.accent colors.ground colors.positive displayFont favicon logo look radius socialImage'.split(
        ' ',
      ),
    );
    expect(brandSchema.safeParse(parse(text)).success).toBe(true);
  },
);
