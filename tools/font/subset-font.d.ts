// The published types lag behind the library: they lack `keepFeatures`, `keepAllGlyphs` and `noHinting`.
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
  /** The font with only the glyphs that `text` needs. */
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}
