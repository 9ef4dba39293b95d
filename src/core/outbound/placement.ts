const SEPARATOR = ' / ';

/**
 * Builds the name of a link's place on its page: source and position, `free-trial / hero`. Events from before links had
 * a position are named by their source alone; empty without either.
 */
export function buildPlacement(source: string, position: string): string {
  return position === '' ? source : `${source || '(none)'}${SEPARATOR}${position}`;
}

/** Parses the name of a place; the position is empty when it names none. */
export function parsePlacement(place: string): { readonly source: string; readonly position: string } {
  const end = place.lastIndexOf(SEPARATOR);
  const position = end < 0 ? '' : parsePosition(place.slice(end + SEPARATOR.length));
  return { source: position === '' ? place : place.slice(0, end), position };
}

/** Names a place for a reader: a source that only repeats its position, or has more words for it, is not named. */
export function describePlacement(place: string): string {
  const { source, position } = parsePlacement(place);
  const words = source.toLowerCase().split(/[_-]/);
  const isRepeated = position !== '' && (words.join('-') === position || words.includes(`${position}s`));
  return isRepeated ? position : place || '(none)';
}

const MAX_POSITION = 64;

/** The part of the page that a link is in: a section's anchor or type, or a name such as `header`. */
const POSITION = /^[a-z][a-z0-9-]*$/;

/** Parses the position that a link names; empty for any other text. */
export function parsePosition(text: string): string {
  return text.length <= MAX_POSITION && POSITION.test(text) ? text : '';
}

/** The position of the button in the header of landing pages. */
export const HEADER_POSITION = 'header';

/** The position of the links in a section of a page. */
export function getSectionPosition(section: { readonly id?: string | undefined; readonly type: string }) {
  return section.id ?? section.type;
}
