/** Quotes and lists in one another. */
const MAX_LEVELS = 30;
/** Characters, each as often as it is in a quote or a list: they are read again for each of these. */
const MAX_NESTED = 6_000_000;
/**
 * For each paragraph its characters times its marks: for every bracket, star and underscore, the parser looks through the
 * paragraph for the other one. Takes at most a quarter of a second; long articles have a tenth of it.
 */
const MAX_WORK = 10_000_000;

/** For each item of a list its lines times its characters: the parser copies the rest of the item for each line. */
const MAX_ITEM_WORK = 100_000_000;

const MARKERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=\s|$)))+/;
const MARKS = /[[\]*_~`]/g;

/** How much work the marks of a text are that has no empty line. */
export const weighParagraph = (text: string) => text.length * (text.match(MARKS)?.length ?? 0);

/** At most so much work are the marks of all paragraphs of a text, whatever is a paragraph in it. */
export const weighMarkdown = (text: string) =>
  text.split(/\n[ \t>]*\r?\n/).reduce((sum, run) => sum + weighParagraph(run), 0);

/** Why Markdown is not rendered, as the end of a sentence that begins with where it is, in the order of `findExcess`. */
const REASONS = [
  `nests more than ${MAX_LEVELS} quotes and lists`,
  'has an item of a list that is too long: end the list before it',
  'has too many brackets, stars or underscores in one paragraph: divide it with empty lines',
];

/** Which of the three bounds Markdown exceeds, from 0; -1: none. `weigh` is asked about a text that may be too much work. */
export function findExcess(text: string, weigh = weighMarkdown): number {
  let [level, nested, itemWork] = [0, 0, 0];
  let item = { lines: 0, characters: 0 };
  for (const line of text.split('\n')) {
    const markers = MARKERS.exec(line)?.[0];
    if (markers !== undefined)
      level = (markers.match(/[^\s\d]/g)?.length ?? 0) + Math.floor(markers.search(/\S/) / 2);
    else if (/^\S/.test(line)) level = Math.min(level, 1);
    nested += line.length * (level + 1);
    if (level > MAX_LEVELS || nested > MAX_NESTED) return 0;
    if (markers !== undefined && !/^\s/.test(markers)) item = { lines: 0, characters: 0 };
    itemWork += level === 0 ? 0 : item.characters + item.lines * line.length;
    item = { lines: item.lines + 1, characters: item.characters + line.length };
    if (itemWork > MAX_ITEM_WORK) return 1;
  }
  return weighMarkdown(text) > MAX_WORK && weigh(text) > MAX_WORK ? 2 : -1;
}

/** Why Markdown is not rendered; null when it is. */
export const findMarkdownExcess = (text: string, weigh = weighMarkdown): string | null =>
  REASONS[findExcess(text, weigh)] ?? null;
