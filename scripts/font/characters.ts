const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

const LATIN_1_LETTERS = [...range(0xc0, 0xff)].filter((character) => !'×÷'.includes(character)).join('');

/** Every character of the display face on the site: ASCII, Latin-1 letters, typographic punctuation, money and sums. */
export const DISPLAY_CHARACTERS = `${range(0x20, 0x7e)}${LATIN_1_LETTERS}Œœ\u00a0–—‘’“”•…€£¥©®°±·×÷−½¼¾`;
