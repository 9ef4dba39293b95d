// The package has no types of its own (2.9), and @types/subset-font lacks `keepFeatures`, `keepAllGlyphs`
// and `noHinting`.
declare module 'subset-font' {
  interface Options {
    readonly targetFormat?: 'sfnt' | 'woff' | 'woff2';
    readonly keepFeatures?: readonly string[];
    readonly keepAllGlyphs?: boolean;
    readonly noHinting?: boolean;
    readonly variationAxes?: Readonly<
      Record<string, number | { readonly min: number; readonly max: number }>
    >;
  }
  /** Cuts a font to the glyphs that `text` needs. Rejects when the font or an option is invalid. */
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}
