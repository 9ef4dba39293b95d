import { readFile } from 'node:fs/promises';
import { create } from 'fontkitten';

/** The display face as the images need it: static, uncompressed, with all the letters it has. */
export interface OgFont {
  readonly family: string;
  readonly files: readonly string[];
  /** Advance of a character in em; undefined: the face does not have it. */
  advance(character: string): number | undefined;
}

/** Opens the files of a face. */
export async function openOgFont(files: readonly string[]): Promise<OgFont> {
  const data = await Promise.all(files.map((file) => readFile(file)));
  const fonts = data.map((one) => create(one)).filter((font) => 'unitsPerEm' in font);
  return {
    family: fonts[0]?.familyName ?? 'Bricolage Grotesque',
    files,
    advance: (character) => {
      const code = character.codePointAt(0) ?? 0;
      const font = fonts.find((one) => one.hasGlyphForCodePoint(code));
      return font && font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
    },
  };
}
