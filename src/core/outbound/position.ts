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
