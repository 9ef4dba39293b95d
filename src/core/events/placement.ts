import { parsePosition } from '../outbound/position.ts';

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

/** Names a place for a reader: a source that says the same as its position is not repeated. */
export function describePlacement(place: string): string {
  const { source, position } = parsePlacement(place);
  const isRepeated = position !== '' && source.toLowerCase().replaceAll('_', '-') === position;
  return isRepeated ? position : place || '(none)';
}
