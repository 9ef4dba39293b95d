/** Path of the display face, for the preload link. Written by scripts/build-font.ts. */
export const FONT_FILE = '/fonts/bricolage-b24c59ae.woff2';
