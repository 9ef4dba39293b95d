/** Path of the display font, for the preload link. Written by tools/build-font.ts. */
export const FONT_FILE = '/fonts/bricolage-e8ac5007.woff2';
