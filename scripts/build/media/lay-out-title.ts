/** A title in lines, `size` in pixels. */
export interface TitleLayout {
  readonly size: number;
  readonly lines: readonly { readonly text: string; readonly width: number }[];
}

export interface TitleRoom {
  readonly height: number;
  /** Width of the room between two heights, measured from its top. */
  widthBetween(top: number, bottom: number): number;
}

type Measure = (text: string) => number;

const SIZES = [92, 84, 76, 70, 64, 58, 52, 46, 40] as const;
/** Two lines of at least this size are better than three larger ones. */
const COMPACT_FROM = 70;
export const LINE_HEIGHT = 1.08;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Splits after spaces, and anywhere between the characters of scripts that write without them. */
function splitWords(title: string): string[] {
  return title
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((word) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word)
        ? splitGraphemes(word)
        : [`${word} `],
    )
    .map((word, index, all) => (index === all.length - 1 ? word.trimEnd() : word));
}

const splitGraphemes = (word: string) => [...graphemes.segment(word)].map(({ segment }) => segment);

/** Fills lines of the given widths; undefined when the words do not fit into the room. */
function fill(words: readonly string[], size: number, room: TitleRoom, measure: Measure) {
  const lines: { text: string; width: number }[] = [];
  let line = '';
  const limit = () => {
    const top = lines.length * size * LINE_HEIGHT;
    return room.widthBetween(top, top + size * LINE_HEIGHT);
  };
  const close = () => {
    lines.push({ text: line.trimEnd(), width: measure(line.trimEnd()) * size });
    line = '';
  };
  for (const word of words) {
    if (line !== '' && measure((line + word).trimEnd()) * size > limit()) close();
    if (measure(word.trimEnd()) * size > limit()) return undefined;
    line += word;
  }
  close();
  return lines.length * size * LINE_HEIGHT <= room.height ? lines : undefined;
}

/** The same number of lines, as even in length as they can be. */
function balance(
  words: readonly string[],
  size: number,
  lines: TitleLayout['lines'],
  room: TitleRoom,
  measure: Measure,
): TitleLayout['lines'] {
  for (let share = 0.4; share < 1; share += 0.04) {
    const narrow = {
      ...room,
      widthBetween: (top: number, bottom: number) => room.widthBetween(top, bottom) * share,
    };
    const even = fill(words, size, narrow, measure);
    if (even && even.length === lines.length) return even;
  }
  return lines;
}

/** The largest size at which a title fits its room; the longest ones are cut with an ellipsis. `measure` in em. */
export function layOutTitle(title: string, room: TitleRoom, measure: Measure): TitleLayout {
  const words = splitWords(title);
  const fits = SIZES.flatMap((size) => {
    const lines = fill(words, size, room, measure);
    return lines ? [{ size, lines }] : [];
  });
  const compact = fits.find(({ size, lines }) => lines.length <= 2 && size >= COMPACT_FROM);
  const best = compact ?? fits[0];
  if (best) return { size: best.size, lines: balance(words, best.size, best.lines, room, measure) };
  const size = SIZES[SIZES.length - 1] ?? 40;
  const letters = splitGraphemes(title.replace(/\s+/gu, ' ').trim());
  for (let count = letters.length; count > 0; count -= 1) {
    const cut = `${letters.slice(0, count).join('').trimEnd()}${ELLIPSIS}`;
    const lines =
      fill(splitWords(cut), size, room, measure) ?? fill(splitGraphemes(cut), size, room, measure);
    if (lines) return { size, lines };
  }
  return { size, lines: [] };
}
